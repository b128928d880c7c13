/** Interrupts an agent after each event of its log. The resumed run must end like the uninterrupted one. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { foldRun } from '../../runtime/kernel/events/fold-run.ts';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';
import { emptyRunState, type RunState } from '../../runtime/kernel/events/run-state.ts';
import { CutAgents, flowWithAgent, wholeAgent } from '../../testing/cut-agents.ts';
import { openScopes } from '../../testing/open-scopes.ts';
import { scriptSection } from '../../testing/run-agent-file.ts';
import { testRounds } from '../../testing/test-rounds.ts';

let agents: CutAgents;
beforeEach(async () => {
  agents = await CutAgents.open();
});
afterEach(() => agents.world.close());

const callsAnother = `${scriptSection('Before All', 'return aip.agent.run("b.aip", { inputs = { "p", "q" } }).after_all')}
# User
{{input}} {{before_all}}
${scriptSection('Output', 'local again = aip.agent.run("b.aip", { inputs = { ai_response.content } })\nreturn again.outputs[1]')}
${scriptSection('After All', 'return outputs')}`;
const called = `# User\nb {{input}}\n${scriptSection('After All', 'return #outputs')}`;
const redoing = `# User\n{{input}} {{before_all}}\n${scriptSection('After All', 'if (CTX.REDO_COUNT or 0) < 2 then return aip.flow.redo_run() end\nreturn CTX.REDO_COUNT')}`;
const loop = `
flow: { name: Loop }
nodes:
  - { id: each, type: control.foreach, input: { items: [m, n], body: [one, two] } }
  - { id: one, type: agent, input: { agent: a.aip, inputs: ["{{item}}", z] } }
  - { id: two, type: echo, input: { text: "{{one.after_all}}" } }
edges: [{ from: one, to: two }]`;

/** Returns everything that must be independent of the number of interruptions, including the cost. */
function resultOf({ status, output, error, failedNodes, usage, unpricedCalls }: RunState): unknown {
  return { status, output, error: error?.code, failed: [...failedNodes], usage, unpricedCalls };
}

describe('12.1 interrupted after any event and approved whenever it asks, it ends as if nothing had happened', () => {
  test.each([
    ['an agent alone', wholeAgent, (agents: CutAgents) => agents.startAgent(['a', 'b'])],
    ['an agent that calls another', callsAnother, (agents: CutAgents) => agents.startAgent(['a', 'b'])],
    ['a flow with an agent', wholeAgent, (agents: CutAgents) => agents.startFlow(flowWithAgent)],
    [
      'a flow with an agent that calls another',
      callsAnother,
      (agents: CutAgents) => agents.startFlow(flowWithAgent.replace('[a, b, c]', '[a]')),
    ],
    [
      'a flow with an agent that requests a redo',
      redoing,
      (agents: CutAgents) => agents.startFlow(flowWithAgent.replace('[a, b, c]', '[a, b]')),
    ],
    ['a loop over an agent', wholeAgent, (agents: CutAgents) => agents.startFlow(loop)],
  ] as const)(
    '%s',
    async (_name, text, start) => {
      agents.world.texts.set('a.aip', text);
      agents.world.texts.set('b.aip', called);
      const whole = agents.logOf(await start(agents));
      const wanted = resultOf(foldRun(emptyRunState, whole));
      const questions = questionsIn(whole);
      const step = Math.max(1, Math.floor(whole.length / testRounds(12)));
      for (let length = 1; length < whole.length; length += step) {
        const cut = whole.slice(0, length);
        const runId = agents.cutBehind(cut);
        const asks = await agents.toItsEnd(runId);
        const after = agents.stateOf(runId);
        // Every response in the log is paid for, and no model is called again for it.
        const again = agents.asked.length - (questions - answersIn(cut));
        expect({
          ...{ length, last: cut.at(-1)?.event, asks, result: resultOf(after), open: openScopes(agents.logOf(runId)) },
          again,
          isAskedOften: asks.length > 1,
        }).toEqual({
          ...{ length, last: cut.at(-1)?.event, asks, result: wanted, open: [] },
          again: 0,
          isAskedOften: false,
        });
      }
    },
    600_000,
  );
});

function questionsIn(log: readonly EventEnvelope[]): number {
  return log.filter(({ event }) => event.type === 'model:request').length;
}

function answersIn(log: readonly EventEnvelope[]): number {
  return log.filter(({ event }) => event.type === 'model:response').length;
}
