/** Interrupts an agent that asks after each event of its log. It must end like the uninterrupted run. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  answerAll,
  askingFlow,
  asksInData,
  asksInOutput,
  calledAgent,
  callsOne,
  endOf,
} from '../../testing/asking-agents.ts';
import { CutAgents } from '../../testing/cut-agents.ts';
import { scriptSection } from '../../testing/run-agent-file.ts';

let agents: CutAgents;
beforeEach(async () => {
  agents = await CutAgents.open();
});
afterEach(() => agents.world.close());

// `MILLRACE_TEST_ROUNDS` tests more of the positions.
const step = Math.max(1, Math.round(7 / Number(process.env['MILLRACE_TEST_ROUNDS'] ?? 1)));

describe('killed after any event and answered, it ends as if nothing had happened', () => {
  test.each([
    ['an agent that asks in Data', asksInData, (one: CutAgents) => one.startAgent(['a', 'b'])],
    ['an agent that asks in Output', asksInOutput, (one: CutAgents) => one.startAgent(['a', 'b'])],
    [
      'an agent that calls one that asks',
      `# User\n{{input}}\n${scriptSection('Output', `${callsOne}`)}`,
      (one: CutAgents) => one.startAgent(['a']),
    ],
    [
      'Before All that calls one that asks',
      scriptSection('Before All', callsOne),
      (one: CutAgents) => one.startAgent(['a']),
    ],
    ['a flow with an agent that asks', asksInOutput, (one: CutAgents) => one.startFlow(askingFlow)],
  ])(
    '%s',
    async (_name, text, start) => {
      agents.world.texts.set('a.aip', text);
      agents.world.texts.set('b.aip', calledAgent);
      const whole = await start(agents);
      await answerAll(agents, whole);
      const wanted = agents.stateOf(whole);
      expect(wanted.status).toBe('completed');
      const log = agents.logOf(whole);
      for (let length = 1; length < log.length; length += step) {
        const cut = log.slice(0, length);
        const answers = cut.filter(({ event }) => event.type === 'model:response').length;
        const questions = log.filter(({ event }) => event.type === 'model:response').length;
        const runId = agents.cutBehind(cut);
        await answerAll(agents, runId);
        const { status, output } = endOf(agents, runId);
        const place = { length, last: cut.at(-1)?.event };
        expect({ ...place, status, output, open: [] }).toEqual({
          ...place,
          status: wanted.status,
          output: wanted.output,
          open: [],
        });
        // Responses of a model are in the log, also for an interrupted input.
        expect({ ...place, asked: agents.asked.length }).toEqual({ ...place, asked: questions - answers });
      }
    },
    120_000,
  );
});
