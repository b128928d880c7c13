/**
 * Agents with every feature, alone and in a flow, for runs that are killed and resumed. An undisturbed run sends each
 * model request once.
 */
import { scriptSection } from './run-agent-file.ts';

/** Asks about each input, and calls another agent that asks about the result. */
const outer = `# Options
\`\`\`toml
input_concurrency = 2
\`\`\`
${scriptSection('Before All', 'return { tag = "t" }')}${scriptSection('Data', 'return "q " .. input')}
# User
{{data}}
${scriptSection(
  'Output',
  'local r = aip.agent.run("inner.aip", { inputs = { "i " .. input, "j " .. input } })\nreturn { ai_response.content, r.outputs, before_all.tag }',
)}${scriptSection('After All', 'return #outputs')}`;

const inner = `# User
{{input}}
${scriptSection('After All', 'return #outputs')}`;

/** Text of agent files by path. */
export const chaosAgents: ReadonlyMap<string, string> = new Map([
  ['outer.aip', outer],
  ['inner.aip', inner],
]);

export const chaosAgentInputs: readonly string[] = ['a', 'b', 'c', 'd', 'e'];

/** The agent as a node, and in a loop. */
export const chaosAgentsFlow = `
flow: { name: Agents, policy: { maxParallel: 2 } }
nodes:
  - { id: one, type: agent, input: { agent: outer.aip, inputs: [k, l] } }
  - { id: each, type: control.foreach, input: { items: [m, n, o], maxParallel: 2, body: [work, said] } }
  - { id: work, type: agent, input: { agent: outer.aip, inputs: ["{{item}}1", "{{item}}2"] } }
  - { id: said, type: echo, input: { text: "{{work.after_all}}" } }
  - { id: end, type: constant, input: { value: ["{{one.outputs}}", "{{each.iterations}}"] } }
edges: [{ from: one, to: end }, { from: each, to: end }, { from: work, to: said }]
`;
