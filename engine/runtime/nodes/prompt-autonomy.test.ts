/** Tests tool calls of models at the autonomy levels. */
import { expect, test } from 'vitest';
import { calls, eventsOf, external, says, tool, toolsIn, trialOf } from '../../testing/tool-prompts.ts';

const pay = (ran: unknown[]) => tool('pay', async (params) => ran.push(params), external);

test('MF-090 suggest_only: a tool call is recorded as a suggestion, the model is informed, and it continues', async () => {
  const ran: unknown[] = [];
  const { run, asked } = trialOf({
    autonomy: 'suggest_only',
    tools: [pay(ran)],
    replies: [calls(['pay', { sum: 7 }]), says('I suggest to pay.')],
  });
  const { events, state } = await run();
  expect(ran).toEqual([]);
  expect(state.nodes.get('ask')).toMatchObject({
    status: 'completed',
    output: { text: 'I suggest to pay.' },
    suggestions: [{ tool: 'pay', params: { sum: 7 } }],
  });
  expect(toolsIn(asked[1])).toEqual([['pay', expect.stringContaining('only makes suggestions'), true]]);
  expect(eventsOf(events, 'tool:attempt')).toEqual([]);
  expect(eventsOf(events, 'governance:decision').find(({ effect }) => effect === 'tool')).toMatchObject({
    ...{ allowed: false, rule: 'autonomy.suggest_only', level: 'suggest_only', target: 'pay' },
    suggestion: { tool: 'pay', params: { sum: 7 } },
  });
});

test('MF-091 semi_auto: each tool call needs one approval, even if the tool requires approval itself', async () => {
  const ran: unknown[] = [];
  const careful = tool('pay', async (params) => ran.push(params), { ...external, requiresApproval: true });
  const { run, desk } = trialOf({
    autonomy: 'semi_auto',
    tools: [careful],
    replies: [calls(['pay', { sum: 7 }]), calls(['pay', { sum: 8 }]), says('Paid.')],
  });
  let log = (await run()).events;
  for (const sum of [7, 8]) {
    const asked = log.flatMap(({ event }) =>
      event.type === 'approval:requested' && 'request' in event ? [event] : [],
    );
    expect(asked.at(-1)?.request).toMatchObject({ params: { sum } });
    expect(ran).toHaveLength(sum - 7);
    desk.give({ name: 'ask', key: asked.at(-1)?.key ?? '' }, log);
    log = [...log, ...(await run(log)).events];
  }
  expect(ran).toEqual([{ sum: 7 }, { sum: 8 }]);
  expect(eventsOf(log, 'approval:requested')).toHaveLength(2);
  expect(eventsOf(log, 'run:end')[0]?.status).toBe('completed');
});

test('a model calls its tools freely if the run has no level', async () => {
  const ran: unknown[] = [];
  const { run } = trialOf({ tools: [pay(ran)], replies: [calls(['pay']), says('Paid.')] });
  await run();
  expect(ran).toHaveLength(1);
});
