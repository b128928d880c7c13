/**
 * Agents that ask, and a person who answers them.
 */
import { expect } from 'vitest';
import type { RunId } from '../base/ids.ts';
import type { EndedRun } from '../executor/active-runs.ts';
import { readWaiting } from '../executor/run-answers.ts';
import type { JsonMap } from '../flowspec/json-value.ts';
import { waitingRequests } from '../kernel/waiting-requests.ts';
import type { CutAgents } from './cut-agents.ts';
import { openScopes } from './open-scopes.ts';
import { scriptSection } from './run-agent-file.ts';

const form = '{ type = "object", properties = { who = { type = "string" } }, required = { "who" } }';

/** Lua that asks for `who` unless that was answered. */
export const askWho = `if CTX.ANSWERS.who == nil then
  return aip.flow.ask({ key = "who", title = "Who gets " .. input .. "?", schema = ${form} })
end`;

/** Asks before the model; gives `<INPUT for WHO>`. */
export const asksInData = `${scriptSection('Data', `${askWho}\nreturn CTX.ANSWERS.who.values.who`)}
# User
{{input}} for {{data}}
`;

/** Asks behind the model; gives `<INPUT> to TO by WHOM`. */
export const asksInOutput = `# User
{{input}}
${scriptSection(
  'Output',
  `if CTX.ANSWERS.ok == nil then
  local content = ai_response.content
  return aip.flow.ask({ key = "ok", title = "Send " .. content .. "?", action = { send = content }, params = { to = "kim" } })
end
return ai_response.content .. " to " .. CTX.ANSWERS.ok.params.to .. " by " .. CTX.ANSWERS.ok.by`,
)}`;

/** Lua that calls the agent `b.aip`. */
export const callsOne = `if aip.agent.run("b.aip", { inputs = { "q" } }).outputs[1] == "yes" then return "went" end\nreturn "stayed"`;

/** What it may call: asks, and gives `yes`. */
export const calledAgent = `${scriptSection(
  'Data',
  'if CTX.ANSWERS.ok then return "yes" end\nreturn aip.flow.ask({ key = "ok", title = "May " .. input .. "?" })',
)}${scriptSection('Output', 'return data')}`;

/** A flow whose node `write` is the agent `a.aip` with three inputs, with a node behind it and one beside. */
export const askingFlow = `
flow: { name: Around }
nodes:
  - { id: write, type: agent, input: { agent: a.aip, inputs: [a, b, c] } }
  - { id: after, type: echo, input: { text: "{{write.outputs[2]}}" } }
  - { id: beside, type: constant, input: { value: on } }
edges: [{ from: write, to: after }]`;

/** Answers in the name of `kim`, as the command line and the window do. */
export async function answer(agents: CutAgents, runId: RunId, nodeId: string, payload: JsonMap): Promise<EndedRun> {
  return await agents.resume(runId, { nodeId, payload, by: 'kim' });
}

/** Full names of what waits, oldest first; the same by the history's table, which the inbox shows, and by what windows fold. */
export function waitingOf(agents: CutAgents, runId: RunId): readonly string[] {
  const names = readWaiting(agents.world.store, runId).map(({ name }) => name);
  // Windows have them in the order of the inputs, and inputs that are at work at once ask in any order.
  expect(waitingRequests(agents.stateOf(runId)).map(({ name }) => name)).toEqual([...names].sort());
  return names;
}

/** Answers all that waits, the first or the last first, until the run has ended. Gives the names, with `cut` behind those that a crash has cut. */
export async function answerAll(agents: CutAgents, runId: RunId, isBackwards = false): Promise<readonly string[]> {
  const names: string[] = [];
  let { status } = await agents.resume(runId);
  while (status === 'suspended') {
    const waiting = readWaiting(agents.world.store, runId);
    const one = isBackwards ? waiting.at(-1) : waiting[0];
    if (one === undefined) throw new Error('Nothing waits');
    const { name: nodeId, key, request } = one;
    names.push(key === undefined ? `${nodeId} cut` : nodeId);
    const payload = request?.kind === 'input' ? { values: { who: 'kim' } } : { approved: true };
    const given = key === undefined ? ({ decision: 'approve' } as const) : { key, payload, by: 'kim' };
    ({ status } = await agents.resume(runId, { nodeId, ...given }));
  }
  return names;
}

/** How the run has ended; nothing of it is open. */
export function endOf(agents: CutAgents, runId: RunId): { readonly status: string; readonly output: unknown } {
  const { status, output } = agents.stateOf(runId);
  expect(openScopes(agents.logOf(runId))).toEqual([]);
  return { status, output };
}
