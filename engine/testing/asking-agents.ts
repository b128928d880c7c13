/**
 * Agents that send requests, and helpers to answer them.
 */
import { expect } from 'vitest';
import type { RunId } from '../base/ids.ts';
import type { EndedRun } from '../host/executor/active-runs.ts';
import { readWaiting } from '../host/executor/run-answers.ts';
import type { JsonMap } from '../language/json/json-value.ts';
import { waitingRequests } from '../runtime/kernel/requests/waiting-requests.ts';
import type { CutAgents } from './cut-agents.ts';
import { openScopes } from './open-scopes.ts';
import { scriptSection } from './run-agent-file.ts';

const form = '{ type = "object", properties = { who = { type = "string" } }, required = { "who" } }';

/** Lua code that asks for `who` unless it has been answered. */
export const askWho = `if CTX.ANSWERS.who == nil then
  return aip.flow.ask({ key = "who", title = "Who gets " .. input .. "?", schema = ${form} })
end`;

/** Agent that asks before the model call and returns `<INPUT for WHO>`. */
export const asksInData = `${scriptSection('Data', `${askWho}\nreturn CTX.ANSWERS.who.values.who`)}
# User
{{input}} for {{data}}
`;

/** Agent that asks after the model call and returns `<INPUT> to TO by WHOM`. */
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

/** Lua code that calls the agent `b.aip`. */
export const callsOne = `if aip.agent.run("b.aip", { inputs = { "q" } }).outputs[1] == "yes" then return "went" end\nreturn "stayed"`;

/** The called agent: asks and returns `yes`. */
export const calledAgent = `${scriptSection(
  'Data',
  'if CTX.ANSWERS.ok then return "yes" end\nreturn aip.flow.ask({ key = "ok", title = "May " .. input .. "?" })',
)}${scriptSection('Output', 'return data')}`;

/** A flow with the agent `a.aip` with three inputs as its node `write`, a node after it and an independent one. */
export const askingFlow = `
flow: { name: Around }
nodes:
  - { id: write, type: agent, input: { agent: a.aip, inputs: [a, b, c] } }
  - { id: after, type: echo, input: { text: "{{write.outputs[2]}}" } }
  - { id: beside, type: constant, input: { value: on } }
edges: [{ from: write, to: after }]`;

/** Answers as `kim`, like the command line and the window. */
export async function answer(agents: CutAgents, runId: RunId, nodeId: string, payload: JsonMap): Promise<EndedRun> {
  return await agents.resume(runId, { nodeId, payload, by: 'kim' });
}

/**
 * Returns the full names of open requests, oldest first. Checks that the history's table, which the inbox shows,
 * matches the state that windows fold.
 */
export function waitingOf(agents: CutAgents, runId: RunId): readonly string[] {
  const names = readWaiting(agents.world.store, runId).map(({ name }) => name);
  // Windows list requests in the order of the inputs, and inputs that run concurrently ask in any order.
  expect(waitingRequests(agents.stateOf(runId)).map(({ name }) => name)).toEqual([...names].sort());
  return names;
}

/**
 * Answers all open requests, the first or the last one first, until the run has ended. Returns their names, with the
 * suffix `cut` for work interrupted by a crash.
 */
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

/** Returns how the run ended, and checks that nothing in it is open. */
export function endOf(agents: CutAgents, runId: RunId): { readonly status: string; readonly output: unknown } {
  const { status, output } = agents.stateOf(runId);
  expect(openScopes(agents.logOf(runId))).toEqual([]);
  return { status, output };
}
