/**
 * Tests that no answer is lost or used twice, wherever a run with requests is interrupted and whenever they are
 * answered.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AnswerDesk, createAnswerDesk } from '../../testing/answer-desk.ts';
import { testNode } from '../../testing/test-node.ts';
import { testRounds } from '../../testing/test-rounds.ts';
import { testRun } from '../../testing/test-run.ts';
import { foldRun } from '../kernel/events/fold-run.ts';
import type { EventEnvelope } from '../kernel/events/run-event.ts';
import { emptyRunState } from '../kernel/events/run-state.ts';
import { waitingRequests } from '../kernel/requests/waiting-requests.ts';

const text = `
flow: { name: Asking, policy: { maxParallel: 3 } }
nodes:
  - { id: first, type: human_approval, input: { title: first } }
  - { id: sent, type: test.act, input: {} }
  - { id: beside, type: control.wait, input: { ms: 2 } }
  - { id: second, type: human_approval, input: { title: second } }
  - { id: each, type: control.foreach, input: { items: [a, b, c], body: [check, done], maxParallel: 2 } }
  - { id: check, type: human_approval, input: { title: "{{item}}" } }
  - { id: done, type: test.act, input: {} }
  - { id: last, type: echo, input: { text: "{{first.by}} {{second.by}}" } }
edges:
  - { from: first, to: sent }
  - { from: beside, to: second }
  - { from: check, to: done }
  - { from: sent, to: last }
  - { from: second, to: last }
  - { from: each, to: last }`;

const steps = fc.array(fc.record({ cut: fc.nat(40), answer: fc.nat(5), isCut: fc.boolean() }), { maxLength: 8 });

type Plan = typeof steps extends fc.Arbitrary<infer Steps> ? Steps : never;

/** Answers one request at a time and resumes, interrupted as planned, until the run has ended. */
async function runToItsEnd(plan: Plan, desk: AnswerDesk): Promise<readonly EventEnvelope[]> {
  const act = testNode('test.act', async ({ nodeId }) => ({ nodeId }), 'external');
  let log: readonly EventEnvelope[] = [];
  for (let step = 0; log.at(-1)?.event.type !== 'run:end'; step++) {
    if (step > 60) throw new Error('It does not end');
    const { cut, answer, isCut } = plan[step] ?? { cut: 0, answer: 0, isCut: false };
    const waits = waitingRequests(foldRun(emptyRunState, log));
    const open = waits.filter(({ name, ask }) => ask !== undefined && !desk.list().some((one) => one.name === name));
    const one = open[answer % Math.max(1, open.length)];
    if (one !== undefined) desk.give({ name: one.name, key: one.ask?.key ?? '', by: `p${desk.list().length}` }, log);
    // An interrupted node with an outside effect requests a decision before it runs again.
    const decided = waits.some(({ ask }) => ask === undefined) ? { answer: { decision: 'approve' } as const } : {};
    const resume = log.length === 0 ? {} : { resume: { events: log, ...decided } };
    const { events } = await testRun(text, { nodeTypes: [act], answers: desk, ...resume });
    log = [...log, ...(isCut ? events.slice(0, 1 + (cut % events.length)) : events)];
  }
  return log;
}

test('12.1 a run with requests in branches and a loop ends as answered, however often it is interrupted', async () => {
  const property = fc.asyncProperty(steps, async (plan) => {
    const desk = createAnswerDesk();
    const log = await runToItsEnd(plan, desk);
    const namesOf = (type: string) =>
      log.flatMap(({ event }) => (event.type === type && 'nodeId' in event ? [event.nodeId] : [])).sort();
    const all = ['each[0].check', 'each[1].check', 'each[2].check', 'first', 'second'];
    expect(namesOf('approval:requested')).toEqual(all);
    expect(namesOf('approval:resolved')).toEqual(all);
    expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index));
    const { nodes, status } = foldRun(emptyRunState, log);
    expect(status).toBe('completed');
    for (const { name, by } of desk.list()) expect(nodes.get(name)?.output).toMatchObject({ by });
    const ends = namesOf('task:complete');
    expect(new Set(ends).size).toBe(ends.length);
  });
  await fc.assert(property, { numRuns: testRounds(8) });
}, 600_000);
