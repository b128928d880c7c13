/**
 * A flow with every kind of work that an interruption could lose or repeat: outside effects, models, tools, agents,
 * loops, called flows and requests to people.
 */
import { scriptSection } from './run-agent-file.ts';

/** Text of the workspace's files, by path. @param url of the counting service */
export function killedFiles(url: string): Readonly<Record<string, string>> {
  return {
    'no-home/config-user.toml': `[options]\nmodel = "counted::m"\n\n[providers.counted]\nkind = "openai-compatible"\nbase_url = "${url}/v1"\n`,
    'tools/book.tool.yaml': `tool_id: book\ndescription: Books something.\nrisk: low\ninput_schema: { type: object, properties: { what: { type: string } }, required: [what] }\nrun: { http: { method: POST, url: "${url}/book/{{params.what}}" } }\n`,
    'called.flow.yaml': `flow: { name: Called, inputs: { who: { type: string, required: true } }, outputs: { ok: "{{may.approved}}" } }
nodes:
  - { id: may, type: human_approval, input: { title: "May {{flow.input.who}} come?" } }
  - { id: book, type: http.request, input: { method: POST, url: "${url}/book/called" } }
edges: [{ from: may, to: book }]
`,
    'outer.aip': `# Options\n\n\`\`\`toml\ninput_concurrency = 2\n\`\`\`\n${scriptSection('Data', 'return "q " .. input')}
# User

{{data}}
${scriptSection('Output', 'local r = aip.agent.run("inner.aip", { inputs = { "i " .. input } })\nreturn { ai_response.content, r.outputs }')}`,
    'inner.aip': '# User\n\n{{input}}\n',
  };
}

/** The flow; every booking has a key of its own. @param url of the counting service */
export function killedFlow(url: string): string {
  return `
flow: { name: Killed, policy: { maxParallel: 4 } }
nodes:
  - { id: first, type: http.request, input: { method: POST, url: "${url}/book/first" } }
  - { id: pause, type: control.wait, input: { ms: 60 } }
  - { id: tools, type: prompt, input: { prompt: trip }, config: { tools: [book] } }
  - { id: each, type: control.foreach, input: { items: [a, b, c], maxParallel: 2, body: [work, said] } }
  - { id: work, type: http.request, input: { method: POST, url: "${url}/book/item-{{item}}" } }
  - { id: said, type: prompt, input: { prompt: "item {{item}}" } }
  - { id: write, type: agent, input: { agent: outer.aip, inputs: [k, l, m] } }
  - { id: ok, type: human_approval, input: { title: "Go on?" } }
  - { id: call, type: flow, input: { flow: called.flow.yaml, input: { who: z } } }
  - { id: last, type: http.request, input: { method: POST, url: "${url}/book/last" } }
  - { id: end, type: constant, input: { value: ["{{tools.text}}", "{{each.iterations}}", "{{write.outputs}}", "{{call.outputs}}"] } }
edges:
  - { from: first, to: pause }
  - { from: pause, to: each }
  - { from: work, to: said }
  - { from: ok, to: last }
  - { from: tools, to: end }
  - { from: each, to: end }
  - { from: write, to: end }
  - { from: call, to: end }
  - { from: last, to: end }
`;
}

/** Everything that the flow books, each once unless a person agrees to more. */
export const bookings = ['called', 'first', 'item-a', 'item-b', 'item-c', 'last', 'trip 0', 'trip 1'];
