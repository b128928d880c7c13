import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../language/json/json-value.ts';
import type { ModelQuestion } from '../meaning/slot-prompt.ts';
import { requestFlow } from '../session/flow-stack.ts';
import { desk, TestSession } from '../session/testing/test-session.ts';
import { decomposePlan } from './plan.ts';
import { type PlanProposal, type PlanTask, planTask, searchReason } from './plan-prompt.ts';
import { assessQuestion, readAssessment } from './replan-prompt.ts';

const auto = { candidates: 3, when: 'auto' } as const;
const flows = (...names: readonly string[]): JsonValue => names.map((flow) => ({ flow }));

function planning(): { readonly session: TestSession; readonly task: PlanTask } {
  const session = new TestSession();
  session.take(requestFlow(session.state, desk, { flowName: 'close', by: 'user' }));
  const task = {
    state: session.state,
    catalogue: desk,
    flow: session.flow('close'),
    objective: 'Close the books of May',
  };
  return { session, task };
}

/** Creates a model that answers each question by its key and records the questions. */
function model(answers: Readonly<Record<string, JsonValue>>) {
  const asked: [string, ModelQuestion][] = [];
  const ask = (key: string, question: ModelQuestion): Promise<JsonValue> => {
    asked.push([key, question]);
    return Promise.resolve(answers[key] ?? null);
  };
  return { asked, ask };
}

const obvious = { sub_flows: flows('a', 'b'), is_order_obvious: true, strategies: 1, is_ambiguous: false };
const many = { ...obvious, sub_flows: flows('a', 'b', 'c', 'd'), is_order_obvious: false };
const ways = {
  candidates: [{ sub_flows: flows('a', 'b') }, { sub_flows: flows('b', 'a') }, { sub_flows: flows('a', 'c') }],
};
const scores = { scores: [{ score: 0.4 }, { score: 0.9, reason: 'cheap' }, { score: 0.5 }] };

const proposal = (more: Partial<PlanProposal>): PlanProposal => ({
  ...{ subFlows: [{ flowName: 'a' }, { flowName: 'b' }, { flowName: 'c' }] },
  ...{ isOrderObvious: true, strategies: 1, isAmbiguous: false, ...more },
});
const four = [...proposal({}).subFlows, { flowName: 'd' }];

describe('decomposing a task', () => {
  test('FS-80 needs no search for two or three obvious parts', async () => {
    expect(searchReason(proposal({}), auto)).toBeNull();
    expect(searchReason(proposal({ isOrderObvious: false }), auto)).toBeNull();
    const { asked, ask } = model({ plan: obvious });
    await expect(planTask(planning().task, auto, ask)).resolves.toEqual({
      value: { subFlows: [{ flowName: 'a' }, { flowName: 'b' }], method: 'direct' },
    });
    expect(asked.map(([key]) => key)).toEqual(['plan']);
  });

  test('FS-81 scores two or three candidates against the objective and chooses the best', async () => {
    const { asked, ask } = model({ plan: many, candidates: ways, scores });
    const found = await planTask(planning().task, auto, ask);
    expect(found).toEqual({
      value: {
        ...{ method: 'lats', subFlows: [{ flowName: 'b' }, { flowName: 'a' }] },
        candidates: [
          { order: ['a', 'b'], score: 0.4 },
          { order: ['b', 'a'], score: 0.9, reason: 'cheap' },
          { order: ['a', 'c'], score: 0.5 },
        ],
      },
    });
    expect(asked.map(([key]) => key)).toEqual(['plan', 'candidates', 'scores']);
    const scoring = asked[2]?.[1].messages[1]?.content;
    expect(scoring).toContain('Close the books of May');
    expect(scoring).toContain('1. a → b\n2. b → a\n3. a → c');
  });

  test('FS-81 requests and uses at most as many candidates as the catalog sets, and chooses the first in case of a tie', async () => {
    const two = { scores: [{ score: 0.5 }, { score: 0.5 }] };
    const { asked, ask } = model({ plan: many, candidates: ways, scores: two });
    const found = await planTask(planning().task, { candidates: 2, when: 'auto' }, ask);
    expect(found).toMatchObject({
      value: { subFlows: [{ flowName: 'a' }, { flowName: 'b' }], candidates: { length: 2 } },
    });
    expect(asked[1]?.[1].messages[0]?.content).toContain('Propose 2 plans');
  });

  test('FS-82 pushes nothing before the choice, and reports the candidates with it', async () => {
    const { session, task } = planning();
    const before = session.log.length;
    const stacks: (readonly string[])[] = [];
    const { ask } = model({ plan: many, candidates: ways, scores });
    const found = await planTask(task, auto, (key, question) => {
      stacks.push(session.stack);
      return ask(key, question);
    });
    expect(stacks).toEqual([['close:Active'], ['close:Active'], ['close:Active']]);
    expect(session.log).toHaveLength(before);
    if ('problem' in found) throw new Error(found.problem);
    session.take(decomposePlan(session.state, desk, { planId: 'f1', ...found.value }));
    expect(session.stack).toEqual(['b:Active', 'a:Pending', 'close:Pending']);
    expect(session.log[before]?.event).toMatchObject({
      type: 'plan:decomposed',
      method: 'lats',
      candidates: { length: 3 },
    });
  });

  test('FS-83 searches if the order of four parts is not obvious', () => {
    expect(searchReason(proposal({ subFlows: four, isOrderObvious: false }), auto)).toBe('order');
    expect(searchReason(proposal({ subFlows: four }), auto)).toBeNull();
  });

  test('FS-84 searches if several strategies make sense', () => {
    expect(searchReason(proposal({ strategies: 2 }), auto)).toBe('trade-offs');
  });

  test('FS-85 searches if the task is ambiguous', () => {
    expect(searchReason(proposal({ isAmbiguous: true }), auto)).toBe('ambiguous');
  });

  test('FS-86 works without a search', async () => {
    const never = { candidates: 3, when: 'never' } as const;
    expect(searchReason(proposal({ isAmbiguous: true, strategies: 3, subFlows: four }), never)).toBeNull();
    expect(searchReason(proposal({}), { when: 'always' })).toBe('always');
    const { asked, ask } = model({ plan: { ...many, is_ambiguous: true } });
    await expect(planTask(planning().task, never, ask)).resolves.toMatchObject({ value: { method: 'direct' } });
    expect(asked).toHaveLength(1);
  });

  test.each([
    ['prose instead of plans', { plan: many, candidates: 'first a' }],
    [
      'the same plan twice',
      { plan: many, candidates: { candidates: [{ sub_flows: flows('a') }, { sub_flows: flows('a') }] } },
    ],
    ['too few scores', { plan: many, candidates: ways, scores: { scores: [{ score: 1 }] } }],
  ])('uses the first proposal after %s', async (_, answers) => {
    const { ask } = model(answers);
    const found = await planTask(planning().task, auto, ask);
    expect(found).toMatchObject({ value: { method: 'direct', subFlows: { length: 4 } } });
  });

  test.each([
    ['a then b'],
    [{ ...obvious, sub_flows: [] }],
    [{ ...obvious, sub_flows: flows('index') }],
    [{ ...obvious, sub_flows: flows('close') }],
  ])('fails with %j', async (plan) => {
    await expect(planTask(planning().task, auto, model({ plan }).ask)).resolves.toHaveProperty('problem');
  });
});

describe('the assessment of a plan', () => {
  test('includes the objective, the progress of the parts, and the notes', () => {
    const { session, task } = planning();
    session.take(decomposePlan(session.state, desk, { planId: 'f1', subFlows: [{ flowName: 'a' }], method: 'direct' }));
    const question = assessQuestion({ ...task, state: session.state }, task.objective);
    expect(question.messages[1]?.content).toBe(
      'Task (close): Close the books of May\nParts: 0 of 1 done, 0 skipped\n\nNotes:\n(none)',
    );
  });

  test('is either done or more work', () => {
    const { task } = planning();
    const read = (answer: JsonValue) => readAssessment(answer, task);
    expect(read({ done: true, result: 'ok', reason: 'r' })).toEqual({
      value: { found: { done: true, result: 'ok' }, reason: 'r' },
    });
    expect(read({ done: false, add: flows('b'), reason: 'r' })).toEqual({
      value: { found: { done: false, subFlows: [{ flowName: 'b' }] }, reason: 'r' },
    });
    for (const answer of ['done', { done: 'yes' }, { done: false }, { done: false, add: flows('index') }])
      expect(read(answer)).toHaveProperty('problem');
  });
});
