/** Tests loops with items that wait for people: which time counts, and how many can wait at once. */
import { expect, test } from 'vitest';
import { createAnswerDesk } from '../../testing/answer-desk.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import { startTestRun, testRun, traceOf } from '../../testing/test-run.ts';
import { waitingRequests } from '../kernel/requests/waiting-requests.ts';

const asking = '{ id: ask, type: human_approval, input: { title: "{{item}}?" } }';

const timed = (body: string, more = '') => `
  flow: { name: f, policy: { maxParallel: 2 } }
  nodes:
    - { id: each, type: control.foreach, input: { items: [a, b], body: [${body}] }, policy: { timeoutMs: 1000 } }
    - ${asking}
    - { id: beside, type: control.wait, input: { ms: 10000 } }${more}
  edges: []`;

test('12.1 d the timeout of a loop is paused while everything in it waits, even if other nodes are active', async () => {
  const clock = createManualClock();
  const desk = createAnswerDesk();
  const run = startTestRun(timed('ask'), { clock, answers: desk });
  await clock.advance(9_000);
  expect(traceOf(run.events, ['task:failed', 'task:cancelled'])).toEqual([]);
  desk.give({ name: 'each[0].ask', key: 'approval' }, run.events);
  await clock.advance(900);
  desk.give({ name: 'each[1].ask', key: 'approval' }, run.events);
  await clock.advance(200);
  expect((await run.done).end.status).toBe('completed');
});

test('12.1 d the timeout continues as long as anything in the loop is active', async () => {
  const clock = createManualClock();
  const slow = '\n    - { id: slow, type: control.wait, input: { ms: 3000 } }';
  const run = startTestRun(timed('ask, slow', slow), { clock, answers: createAnswerDesk() });
  await clock.advance(999);
  expect(traceOf(run.events, ['task:failed'])).toEqual([]);
  await clock.advance(1);
  expect((await run.done).end).toMatchObject({ status: 'failed', error: { code: 'node.timeout', nodeId: 'each' } });
});

test('12.1 d the active time before and after the wait is added up', async () => {
  const clock = createManualClock();
  const desk = createAnswerDesk();
  const text = timed(
    'before, ask, after',
    [
      '\n    - { id: before, type: control.wait, input: { ms: 300 } }',
      '\n    - { id: after, type: control.wait, input: { ms: 300 } }',
    ].join(''),
  ).replace('edges: []', 'edges: [ { from: before, to: ask }, { from: ask, to: after } ]');
  const run = startTestRun(text, { clock, answers: desk });
  // Both items, one after the other: 600 ms of the 1,000 ms are used.
  await clock.advance(5_000);
  for (const name of ['each[0].ask', 'each[1].ask']) desk.give({ name, key: 'approval' }, run.events);
  await clock.advance(399);
  expect(traceOf(run.events, ['task:failed'])).toEqual([]);
  await clock.advance(1);
  expect((await run.done).end.error).toMatchObject({ code: 'node.timeout', nodeId: 'each' });
});

const many = (items: number, more: string) => `
  flow: { name: f }
  nodes:
    - { id: each, type: control.foreach, input: { items: ${JSON.stringify([...Array(items).keys()])}, body: [ask], ${more} } }
    - ${asking}
  edges: []`;

test('12.1 e starts no further items while the maximum number waits, and starts them as others are answered', async () => {
  const desk = createAnswerDesk();
  const text = many(5, 'maxWaiting: 2, maxParallel: 3');
  const first = await testRun(text, { answers: desk });
  expect(waitingRequests(first.state).map(({ name }) => name)).toEqual(['each[0].ask', 'each[1].ask']);
  let log = first.events;
  for (let round = 0; log.at(-1)?.event.type === 'run:suspended'; round++) {
    if (round > 10) throw new Error('It does not end');
    desk.give({ name: `each[${round}].ask`, key: 'approval' }, log);
    const { events } = await testRun(text, { answers: desk, resume: { events: log } });
    log = [...log, ...events];
  }
  expect(log.at(-1)?.event).toMatchObject({ type: 'run:end', status: 'completed' });
  expect(traceOf(log, ['approval:resolved'])).toHaveLength(5);
});

test('12.1 e a loop can have 1,000 waiting items by default', async () => {
  const { state } = await testRun(many(1_100, 'maxParallel: 1'), { answers: createAnswerDesk() });
  expect(waitingRequests(state)).toHaveLength(1_000);
});

test('12.1 e a control.loop starts no iteration before the previous one has ended', async () => {
  const text = `
    flow: { name: f }
    nodes:
      - { id: again, type: control.loop, input: { body: [ask], until: { equals: { var: ask.approved, value: true } } } }
      - { id: ask, type: human_approval, input: { title: "Enough?" } }
      - { id: no, type: echo, input: { text: x } }
    edges: []`;
  const { state, last } = await testRun(text, { answers: createAnswerDesk() });
  expect(last).toMatchObject({ type: 'run:suspended', nodeId: 'again[0].ask' });
  expect(waitingRequests(state).map(({ name }) => name)).toEqual(['again[0].ask']);
});
