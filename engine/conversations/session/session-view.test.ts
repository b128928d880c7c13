import { expect, test } from 'vitest';
import { asSessionId } from '../../base/ids.ts';
import { declareAmbiguity } from '../meaning/ambiguity.ts';
import { requestFlow } from './flow-stack.ts';
import { viewSession } from './session-view.ts';
import { desk, finish, planned, TestSession } from './testing/test-session.ts';

const context = {
  ...{ sessionId: asSessionId('s1'), lastSeq: 9, isCatalogueChanged: false, messages: [] },
  candidates: new Map(),
};

test('a view shows the missing slots of a flow as form fields, and the open question', () => {
  const session = new TestSession();
  session.take(requestFlow(session.state, desk, { flowName: 'find', slots: { number: 'AB-1' }, by: 'user' }));
  session.take(
    declareAmbiguity(session.state, { level: 'specific', flowId: 'f1', metadata: { missing_slot: 'source' } }),
  );
  const view = viewSession(session.state, desk, context);
  expect(view).toMatchObject({
    seq: session.state.seq,
    lastSeq: 9,
    turnId: null,
    ambiguity: { question: 'Which source?' },
  });
  const slots = view.stack[0]?.slots.map(({ name, value, isFilled, isMissing }) => ({
    name,
    value,
    isFilled,
    isMissing,
  }));
  expect(slots).toEqual([
    { name: 'source', value: null, isFilled: false, isMissing: true },
    { name: 'period', value: null, isFilled: false, isMissing: false },
    { name: 'number', value: 'AB-1', isFilled: true, isMissing: false },
    { name: 'note', value: null, isFilled: false, isMissing: false },
    { name: 'limit', value: null, isFilled: false, isMissing: false },
  ]);
  expect(view.stack[0]?.slots[2]).toMatchObject({ typeName: 'order_id', schema: { type: 'string' } });
  expect(JSON.parse(JSON.stringify(view))).toEqual(view);
});

test('a view shows the progress of a plan, and its candidates', () => {
  const session = planned('a', 'b');
  finish(session, 'a');
  const planId = session.id('close');
  const weighed = [{ order: ['a', 'b'], score: 1 }];
  const view = viewSession(session.state, desk, { ...context, candidates: new Map([[planId, weighed]]) });
  expect(view.plans).toMatchObject([
    { planId, flowName: 'close', progress: { done: 1, total: 2, skipped: 0 }, candidates: weighed },
  ]);
  expect(view.stack.map(({ flowName, status }) => [flowName, status])).toEqual([
    ['b', 'Pending'],
    ['close', 'Pending'],
  ]);
  // The flow is shown even if the catalog no longer has its type.
  const without = viewSession(session.state, { flows: new Map() }, context);
  expect(without.stack[0]).toMatchObject({ flowName: 'b', description: '', slots: [] });
});
