import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkFlow } from '../../language/flow/check-flow.ts';
import { composeFlow } from '../../language/flow/compose-flow.ts';
import { testRounds } from '../../testing/test-rounds.ts';
import { builtinNodes } from './builtin-nodes.ts';
import { flowOfSteps } from './flow-of-steps.ts';
import { createNodeRegistry } from './node-registry.ts';

const registry = createNodeRegistry(builtinNodes);

test('every chain, under every name, is a file without diagnostics that reads back unchanged', () => {
  const types = fc.array(fc.constantFrom(...builtinNodes.map(({ type }) => type)), { maxLength: 8 });
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), types, (name, chain) => {
      const doc = flowOfSteps(
        name,
        chain.map((type) => ({ type })),
        registry,
      );
      const { parsed, diagnostics } = checkFlow(composeFlow(doc), registry);
      expect(diagnostics).toEqual([]);
      expect(parsed.doc).toEqual(doc);
    }),
    {
      numRuns: testRounds(70),
      examples: [
        ['null', []],
        [': - {', ['echo']],
        ['2026-01-01', ['constant', 'control.foreach']],
      ],
    },
  );
});

test('keeps explicit ids and avoids them in generated ones', () => {
  const { nodes, edges } = flowOfSteps(
    'x',
    [{ type: 'echo' }, { type: 'echo', id: 'echo' }, { type: 'echo' }],
    registry,
  );
  expect(nodes.map(({ id }) => id)).toEqual(['echo_2', 'echo', 'echo_3']);
  expect(edges).toEqual([
    { from: 'echo_2', to: 'echo' },
    { from: 'echo', to: 'echo_3' },
  ]);
});

test('a loop gets a node to run for each item', () => {
  const { nodes, edges } = flowOfSteps('x', [{ type: 'control.foreach' }, { type: 'echo' }], registry);
  expect(nodes.map(({ id }) => id)).toEqual(['control_foreach', 'control_foreach_item', 'echo']);
  expect(nodes[0]?.input).toMatchObject({ body: ['control_foreach_item'] });
  expect(edges).toEqual([{ from: 'control_foreach', to: 'echo' }]);
});

test('lists the packs of the types it uses', () => {
  const [echo] = builtinNodes.filter(({ type }) => type === 'echo');
  const nodeTypes = echo === undefined ? [] : [{ ...echo, type: 'acme.say' }];
  const withPack = createNodeRegistry(builtinNodes, { nodePacks: [{ name: 'acme', version: '1', nodeTypes }] });
  const doc = flowOfSteps('x', [{ type: 'acme.say' }, { type: 'acme.say' }], withPack);
  expect(doc.flow.nodePacks).toEqual(['acme']);
  expect(checkFlow(composeFlow(doc), withPack).diagnostics).toEqual([]);
});

test('sets the model of steps that use one', () => {
  const steps = ['constant', 'prompt'].map((type) => ({ type, model: 'a::b' }));
  expect(flowOfSteps('x', steps, registry).nodes.map(({ config }) => config)).toEqual([undefined, { model: 'a::b' }]);
});
