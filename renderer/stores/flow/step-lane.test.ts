import { expect, test } from 'vitest';
import { editFlow, type FlowChange, parseFlow } from '../../../engine/isomorphic.ts';
import { isForSteps } from '../window/canvases.ts';
import { setOfferedAgents, setOfferedTools, stepChoice } from './node-types.ts';
import { stepCandidates } from './step-candidates.ts';
import { isStepFlow, moveBy, moveToSlot, newStep } from './step-lane.ts';
import { stepProblems } from './step-problems.ts';

const text = `id: refund
steps:
  - { id: load, type: tool, tool: shop.load, params: { order: "{{payload.order}}" } }
  - id: ask
    type: user_input
    params:
      form_id: answer
      title: Why?
      schema: { type: object, properties: { reason: { type: string } } }
  - { id: ok, type: human_approval, message: Pay? }
  - { id: pay, type: tool, tool: shop.pay }
`;

function docOf(source: string) {
  const { doc } = parseFlow(source);
  if (doc === null) throw new Error('This is no flow');
  return doc;
}

const doc = docOf(text);

function idsAfter(change: FlowChange | null): readonly string[] | null {
  if (change === null) return null;
  const edit = editFlow(text, change);
  if (!edit.ok) throw new Error(edit.error.message);
  const after = edit.edits.reduceRight(
    (now, { start, end, text: put }) => now.slice(0, start) + put + now.slice(end),
    text,
  );
  return docOf(after).nodes.map(({ id }) => id);
}

test('steps move past others, several together, and no further than the ends', () => {
  expect(idsAfter(moveBy(doc, new Set(['pay']), -1))).toEqual(['load', 'ask', 'pay', 'ok']);
  expect(idsAfter(moveBy(doc, new Set(['load']), 5))).toEqual(['ask', 'ok', 'pay', 'load']);
  expect(idsAfter(moveBy(doc, new Set(['pay', 'ask']), -5))).toEqual(['ask', 'pay', 'load', 'ok']);
  expect(moveBy(doc, new Set(['load']), -1)).toBeNull();
  expect(moveBy(doc, new Set(), 1)).toBeNull();
  expect(moveBy(doc, new Set(['load', 'ask', 'ok', 'pay']), 1)).toBeNull();
});

test('steps can be dropped between two others, and stay in place if that is their position', () => {
  expect(idsAfter(moveToSlot(doc, new Set(['load']), 2))).toEqual(['ask', 'ok', 'load', 'pay']);
  expect(idsAfter(moveToSlot(doc, new Set(['pay']), 0))).toEqual(['pay', 'load', 'ask', 'ok']);
  expect(moveToSlot(doc, new Set(['ask']), 1)).toBeNull();
});

test.each(['agent', 'tool', 'human_approval', 'user_input', 'plan_proposal'])(
  'a new step of type %s can be first, between two, or last, and the flow is valid',
  (type) => {
    for (const [place, index] of [
      ['first', 0],
      [{ behind: 'ask' }, 2],
      [undefined, 4],
    ] as const) {
      const made = newStep(doc, type, { place });
      const edit = editFlow(text, { do: 'all', changes: made?.changes ?? [], label: '' });
      if (!edit.ok) throw new Error(edit.error.message);
      const after = edit.edits.reduceRight(
        (now, { start, end, text: put }) => now.slice(0, start) + put + now.slice(end),
        text,
      );
      const parsed = parseFlow(after);
      expect(parsed.diagnostics).toEqual([]);
      expect(parsed.doc?.nodes[index]?.id).toBe(made?.node.id);
    }
  },
);

test('a new step has a new id, a new form and its own agent', () => {
  const first = newStep(doc, 'user_input', { place: undefined });
  expect(first?.node).toMatchObject({ id: 'input', input: { form_id: 'answer_2' } });
  const second = newStep(doc, 'user_input', {
    place: undefined,
    others: [first?.node ?? { id: '', type: '', input: {} }],
  });
  expect(second?.node.id).toBe('input_2');
  expect(newStep(doc, 'agent', { place: undefined })?.node.config).toEqual({ agent: 'shop.agent' });
  expect(newStep(doc, 'http.request', { place: undefined })).toBeNull();
});

test('only steps are offered, also by names from other tools', () => {
  const keysFor = (query: string) => stepChoice(query, undefined).flatMap(({ types }) => types.map(({ key }) => key));
  expect(keysFor('')).toEqual(['agent', 'tool', 'human_approval', 'user_input', 'plan_proposal']);
  expect(keysFor('approv')[0]).toBe('human_approval');
  expect(keysFor('http request')).toEqual([]);
});

test("a flow of a product is offered the product's agents and tools first, and none that are private to another product", () => {
  const tool = { description: 'does it', inputSchema: {}, kind: 'js' };
  setOfferedTools([
    { ...tool, name: 'bank.give', product: 'bank', shared: true },
    { ...tool, name: 'bank.keep', product: 'bank' },
    { ...tool, name: 'core.give', kind: 'core' },
    { ...tool, name: 'shop.give', product: 'shop' },
  ]);
  setOfferedAgents([
    { name: 'bank.clerk', path: 'products/bank/agents/clerk.aip' },
    { name: 'shop.planner', path: 'products/shop/agents/all.mjs' },
    { name: 'shop.writer', path: 'products/shop/agents/writer.aip' },
  ]);
  const keys = (query: string) => stepChoice(query, 'shop').flatMap(({ types }) => types.map(({ key }) => key));
  const own = ['agent:shop.planner', 'agent:shop.writer', 'tool:shop.give'];
  expect(keys('').slice(5)).toEqual([...own, 'tool:bank.give', 'tool:core.give']);
  expect(stepChoice('', 'shop').map(({ title }) => title)).toEqual(['Steps', 'From shop', 'Tools']);
  expect(keys('give').find((key) => key.startsWith('tool:'))).toBe('tool:shop.give');
  expect(newStep(doc, 'agent:shop.writer', { place: undefined })?.node).toMatchObject({
    id: 'writer',
    type: 'agent',
    config: { agent: 'shop.writer' },
  });
  setOfferedTools([]);
  setOfferedAgents([]);
});

test('commands that need edges, positions or conditions are not available for steps', () => {
  expect(isStepFlow(doc)).toBe(true);
  expect(isStepFlow({})).toBe(false);
  expect(isForSteps({ do: 'align', to: 'left' })).toBe(false);
  expect(isForSteps({ do: 'toggle-disabled' })).toBe(false);
  expect(isForSteps({ do: 'remove', heal: true })).toBe(false);
  expect(isForSteps({ do: 'remove', heal: false })).toBe(true);
  expect(isForSteps({ do: 'paste', withLinks: true })).toBe(false);
  expect(isForSteps({ do: 'nudge', direction: 'left', steps: 1 })).toBe(true);
});

test('templates can use the outputs of earlier steps, nearest first, and the payload', () => {
  const paths = (id: string | null) => stepCandidates(doc, id)('').map(({ path }) => path);
  expect(paths('load')).toEqual(['payload.order']);
  expect(paths('ok')).toEqual([
    'artifacts.user_input.answer.values.reason',
    'artifacts.user_input.answer.values',
    'artifacts.user_input.answer.comment',
    'artifacts.step.ask.output',
    'artifacts.step.load.output',
    'artifacts.tool.shop.load.output',
    'payload.order',
  ]);
  expect(paths(null)).toContain('artifacts.tool.shop.pay.output');
});

test('a problem is shown at the field of its position, and a problem of the whole step at none', () => {
  const bad = text.replace('form_id: answer', 'form_id: 3').replace('title: Why?', 'modus: 1');
  const { doc: read, diagnostics } = parseFlow(bad);
  const ask = read?.nodes.find(({ id }) => id === 'ask');
  if (ask === undefined) throw new Error('It has no such step');
  const found = stepProblems(bad, ask, diagnostics);
  expect(found.map(({ path }) => path.join('.')).sort()).toEqual(['input.form_id', 'input.modus']);
  expect(diagnostics.filter(({ nodeId }) => nodeId === 'ask')).toHaveLength(3);
});
