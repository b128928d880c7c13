import { describe, expect, test } from 'vitest';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import type { SlotFilling } from '../meaning/slot-prompt.ts';
import { fillSlots, requestFlow, takeFilling } from '../session/flow-stack.ts';
import { newFlow } from '../session/fold-session.ts';
import { type FlowInstance, readSession, sessionText } from '../session/session-state.ts';
import { desk, refusalOf, TestSession, typeOf } from '../session/testing/test-session.ts';
import { BaseFlow } from './base-flow.ts';

function instance(slots: JsonMap = {}, more: Partial<FlowInstance> = {}): FlowInstance {
  const origin = { planId: null, stackedOn: null, fallbackFrom: [], by: 'user', isUncertain: false } as const;
  const birth = { flowId: 'f1', flowName: 'find', intent: 'Read', metadata: {}, ...origin };
  return { ...newFlow(birth), slots, ...more };
}

function find(slots: JsonMap = {}, more: Partial<FlowInstance> = {}): BaseFlow {
  return new (typeOf('find').Flow)(instance(slots, more));
}

const twoSources = [{ name: 'inbox' }, { name: 'archive' }];

/** Creates a model that returns `answer` and records its requests. */
function askedModel(answer: JsonValue) {
  const questions: SlotFilling[] = [];
  const messages = [{ from: 'user', text: 'AB-12 of May, from the inbox' }] as const;
  const ask = (question: SlotFilling): Promise<JsonValue> => {
    questions.push(question);
    return Promise.resolve(answer);
  };
  return { questions, context: { messages, ask } };
}

describe('flow types', () => {
  test('FS-04 of one intent have the hooks of its parent', () => {
    const hooks = { prepare: { script: 'look.lua' }, check: { agent: 'checker.aip' } };
    expect(typeOf('a').Flow.hooks).toEqual(hooks);
    expect(typeOf('find').Flow.hooks).toEqual(hooks);
    expect(typeOf('c').Flow.hooks).toEqual({});
  });

  test('FS-05 each have their own slots, and parents have none', () => {
    for (const { Parent } of desk.intents.values()) expect([...Parent.slots]).toEqual([]);
    expect([...typeOf('find').Flow.slots.keys()]).toEqual(['source', 'period', 'number', 'note', 'limit']);
    expect([...typeOf('browse').Flow.slots.keys()]).toEqual(['number', 'period']);
    expect([...typeOf('a').Flow.slots.keys()]).toEqual([]);
  });

  test('FS-06 extend BaseFlow and the parent of their intent, with the five methods', () => {
    expect(desk.flows.size).toBe(14);
    for (const type of desk.flows.values()) {
      const flow = new type.Flow(instance());
      expect(flow).toBeInstanceOf(BaseFlow);
      expect(flow).toBeInstanceOf(desk.intents.get(type.intent)?.Parent);
      expect(type.Flow.intent).toBe(type.intent);
      for (const method of ['fill_slots_by_label', 'fill_slot_values', 'is_filled', 'needs_to_think', 'serialize'])
        expect(flow).toHaveProperty(method, expect.any(Function));
    }
    expect(find()).not.toBeInstanceOf(desk.intents.get('Change')?.Parent);
  });
});

describe('a flow', () => {
  test('FS-01 preserves slots, metadata and everything else when serialized and read again', () => {
    const session = new TestSession();
    const request = { flowName: 'find', slots: { source: 'inbox' }, metadata: { tone: 'kind' }, by: 'user' } as const;
    session.take(requestFlow(session.state, desk, request));
    session.add({ type: 'flow:run', flowId: 'f1', runId: 'r1' });
    session.add({ type: 'flow:progress', flowId: 'f1', stage: 'asked', metadata: { page: 2 } });
    session.add({ type: 'flow:waits', flowId: 'f1', for: 'approval' });
    const serialized = new (typeOf('find').Flow)(session.flow('find')).serialize();
    expect(serialized).toEqual({
      ...{ flowId: 'f1', flowName: 'find', intent: 'Read', status: 'Active', slots: { source: [{ name: 'inbox' }] } },
      ...{ metadata: { tone: 'kind', page: 2 }, stage: 'asked', result: null, runId: 'r1', waitsFor: 'approval' },
      ...{ planId: null, stackedOn: null, fallbackFrom: [], by: 'user', isUncertain: false, turnIds: [] },
      ...{ dependsOn: [], recoveries: 0 },
    });
    expect(JSON.parse(JSON.stringify(serialized))).toEqual(serialized);
    expect(readSession(sessionText(session.state))).toEqual(session.state);
    expect(new (typeOf('find').Flow)(serialized).serialize()).toEqual(serialized);
  });

  test('has the method names of the specification as aliases', async () => {
    const flow = find({ source: twoSources });
    expect([flow.is_filled(), flow.needs_to_think()]).toEqual([false, true]);
    expect(flow.fill_slots_by_label({ number: 'AB-12' })).toBe(true);
    await expect(
      find({ source: twoSources }).fill_slot_values(askedModel({ number: 'AB-12' }).context, []),
    ).resolves.toBe(true);
  });

  test('FS-07 fills the same slots from the same labels without calling a model', () => {
    const labels = { source: ['archive', 'inbox'], number: 'AB-12', note: 'soon' };
    const [one, two] = [find({ source: [{ name: 'inbox' }] }), find({ source: [{ name: 'inbox' }] })];
    expect(one.fillSlotsByLabel(labels)).toBe(true);
    two.fillSlotsByLabel({ flow: 'find', slots: labels });
    expect(two.serialize()).toEqual(one.serialize());
    const once = one.serialize();
    one.fillSlotsByLabel(labels);
    expect(one.serialize()).toEqual(once);
    expect(once.slots).toEqual({ source: [{ name: 'inbox' }, { name: 'archive' }], number: 'AB-12', note: ['soon'] });
  });

  test('FS-08 calls a model once for empty slots, and keeps filled ones', async () => {
    const flow = find({ source: twoSources, number: 'AB-12' });
    const { questions, context } = askedModel({ number: 'XX-99', note: 'soon', limit: null, period: 'May', colour: 1 });
    const memory = [{ id: 'n1', text: 'May has two invoices.', flowId: 'f0', flowName: 'browse' }];
    await expect(flow.fillSlotValues(context, memory)).resolves.toBe(true);
    expect(questions).toHaveLength(1);
    const [{ schema, messages }] = questions as [SlotFilling];
    expect(Object.keys(schema['properties'] as JsonMap)).toEqual(['period', 'note', 'limit']);
    expect(messages[1]?.content).toContain('Person: AB-12 of May');
    expect(messages[1]?.content).toContain('- browse: May has two invoices.');
    expect(flow.serialize().slots).toEqual({ source: twoSources, number: 'AB-12', note: ['soon'] });
    expect(flow.filled).toEqual([{ slot: 'note', value: ['soon'], system: 2 }]);
    expect(flow.rejected.map(({ slot }) => slot)).toEqual(['period']);
  });

  test('FS-08 calls no model if nothing is empty, and ignores prose', async () => {
    const full = { source: twoSources, number: 'AB-12', period: { start: 1, stop: 2 }, note: ['x'], limit: 3 };
    const { questions, context } = askedModel({});
    await find(full).fillSlotValues(context, []);
    expect(questions).toEqual([]);
    const prose = find();
    await expect(prose.fillSlotValues(askedModel('the inbox').context, [])).resolves.toBe(false);
    expect(prose.serialize().slots).toEqual({});
  });

  test('FS-09 is not filled while a required slot is missing or insufficient', () => {
    expect(find({ number: 'AB-12' }).isFilled()).toBe(false);
    expect(find({ number: 'AB-12', source: [{ name: 'inbox' }] }).isFilled()).toBe(false);
    expect(find({ number: 'AB-12', source: twoSources }).isFilled()).toBe(true);
  });

  test.each([
    ['all required and no electives', 'browse', { number: 'AB-12' }, true],
    ['no filled elective', 'find', { source: twoSources }, false],
    ['only a filled optional slot', 'find', { source: twoSources, note: ['x'] }, false],
    ['one elective', 'find', { source: twoSources, number: 'AB-12' }, true],
    ['the other elective', 'find', { source: twoSources, period: { start: 1, stop: 2 } }, true],
    ['an incomplete elective', 'find', { source: twoSources, period: { start: 1 } }, false],
    ['no slots at all', 'a', {}, true],
  ])('FS-10 with %s', (_, name, slots, isFilled) => {
    expect(new (typeOf(name).Flow)(instance(slots as JsonMap)).isFilled()).toBe(isFilled);
  });

  test('FS-11 needs to think while something is missing, unless it is uncertain', () => {
    expect(find({ source: twoSources }).needsToThink()).toBe(true);
    expect(find({ source: twoSources, number: 'AB-12' }).needsToThink()).toBe(false);
    expect(find({}, { isUncertain: true }).needsToThink()).toBe(false);
  });

  test('FS-12 no method changes its status', async () => {
    for (const status of ['Pending', 'Active', 'Completed', 'Invalid'] as const) {
      const before = instance({}, { status });
      const flow = new (typeOf('find').Flow)(before);
      flow.fillSlotsByLabel({ source: ['inbox', 'archive'], number: 'AB-12' });
      await flow.fillSlotValues(askedModel({ note: 'x' }).context, []);
      flow.isFilled();
      flow.needsToThink();
      expect(flow.serialize()).toMatchObject({ status });
      expect(before).toEqual(instance({}, { status }));
    }
  });

  test('FS-12 applying it to a session does not change its status either', async () => {
    const session = new TestSession();
    session.take(requestFlow(session.state, desk, { flowName: 'a', by: 'user' }));
    session.take(requestFlow(session.state, desk, { flowName: 'find', by: 'user' }));
    session.take(fillSlots(session.state, desk, { flowId: 'f2', labels: { number: 'AB-12' } }));
    const flow = new (typeOf('find').Flow)(session.flow('find'));
    await flow.fillSlotValues(askedModel({ source: ['inbox', 'archive'] }).context, []);
    session.take(takeFilling(session.state, flow));
    expect(session.stack).toEqual(['a:Active', 'find:Pending']);
    expect(session.flow('find').slots).toEqual({ number: 'AB-12', source: twoSources });
    expect(session.log.at(-1)?.event).toMatchObject({ type: 'slot:filled', system: 2 });
    expect(refusalOf(takeFilling(session.state, new (typeOf('find').Flow)(instance({}, { flowId: 'f9' }))))).toBe(
      'flow.unknown',
    );
  });

  test('lists missing slots, and passes defaults of optional slots to its policy', () => {
    expect(
      find()
        .missingSlots()
        .map(({ name }) => name),
    ).toEqual(['source', 'period', 'number']);
    expect(
      find({ number: 'AB-12' })
        .missingSlots()
        .map(({ name }) => name),
    ).toEqual(['source']);
    expect(find({ number: 'AB-12' }).slotValues()).toEqual({ limit: 10, number: 'AB-12' });
    expect(find({ limit: 3 }).slotValues()).toEqual({ limit: 3 });
  });
});
