import { expect, test } from 'vitest';
import { checkFlow } from '../../../language/flow/check-flow.ts';
import { testRun } from '../../../testing/test-run.ts';
import { foldRun } from '../../kernel/events/fold-run.ts';
import { emptyRunState } from '../../kernel/events/run-state.ts';
import { builtinNodes } from '../builtin-nodes.ts';
import { createNodeRegistry } from '../node-registry.ts';

const flow = (schema: string) => `
flow: { name: f }
nodes: [ { id: ask, type: user_input, input: { title: Who?, schema: ${schema}, defaults: { who: kim } } } ]
edges: []`;
const schema = '{ type: object, properties: { who: { type: string } }, required: [who] }';

test('MF-070 MF-075 asks with its form and defaults and returns the values', async () => {
  const { events, last } = await testRun(flow(schema));
  expect(last).toMatchObject({ type: 'run:suspended', reason: 'user_input', nodeId: 'ask' });
  const asked = events.find(({ event }) => event.type === 'input:requested')?.event;
  if (asked?.type !== 'input:requested') throw new Error('It has not asked');
  expect(asked.request).toMatchObject({ kind: 'input', title: 'Who?', defaults: { who: 'kim' } });
  const { requestHash } = asked;
  const given = { name: 'ask', key: 'input', requestHash, payload: { values: { who: 'lee' } }, at: 3 };
  const answers = { list: () => [given], listen: () => () => undefined };
  const { events: rest } = await testRun(flow(schema), { answers, resume: { events } });
  const { nodes } = foldRun(emptyRunState, [...events, ...rest]);
  expect(nodes.get('ask')?.output).toEqual({ values: { who: 'lee' }, comment: '', by: null, at: 3 });
});

test('rejects a schema that is not a form before a run', () => {
  const { diagnostics } = checkFlow(flow('{ type: string }'), createNodeRegistry(builtinNodes));
  expect(diagnostics.map(({ severity, message }) => [severity, message])).toEqual([
    ['error', expect.stringContaining('has no properties')],
  ]);
});
