import { describe, expect, test } from 'vitest';
import { checkProblems, specCatalog } from '../../testing/flow-problems.ts';
import type { NodeTypeCatalog } from '../types/node-type-spec.ts';
import { checkFlow } from './check-flow.ts';

function flowWith(packs: string, type: string): string {
  return `flow: { name: test${packs === '' ? '' : `, nodePacks: ${packs}`} }\nnodes:\n  - { id: a, type: ${type}, input: {} }\nedges: []\n`;
}

function messagesOf(text: string, catalog: NodeTypeCatalog = specCatalog): readonly string[] {
  return checkFlow(text, catalog).diagnostics.map(({ message }) => message);
}

describe('packs listed by a flow', () => {
  test('are accepted if the host allows them', () => {
    expect(checkProblems(flowWith('[shop, mail]', 'shop.order'))).toEqual([]);
  });

  test('are otherwise rejected, each at its position, with a list of the allowed ones', () => {
    const text = flowWith('[shop, shpo, crm]', 'open');
    expect(checkProblems(text)).toEqual(['1:39 error flow.pack-not-allowed', '1:45 error flow.pack-not-allowed']);
    expect(messagesOf(text)).toEqual([
      expect.stringContaining('Did you mean "shop"?'),
      expect.stringContaining('It allows: shop, mail.'),
    ]);
    expect(messagesOf(text, { ...specCatalog, packs: () => [] })).toContainEqual(
      expect.stringContaining('It allows no node packs.'),
    );
  });

  test.each(['shop', '[1]', '[""]'])('%s are not packs', (packs) => {
    expect(checkProblems(flowWith(packs, 'open'))).toEqual([
      expect.stringMatching(/^1:\d+ error flow\.(wrong-type|bad-value)$/),
    ]);
  });
});

test('BB-56 nodePacks: [core] refers to the built-in types, whatever a host allows', () => {
  expect(checkProblems(flowWith('[core]', 'open'))).toEqual([]);
  expect(checkFlow(flowWith('[core]', 'open'), { ...specCatalog, packs: () => [] }).diagnostics).toEqual([]);
  // It does not include types from packs.
  expect(checkProblems(flowWith('[core]', 'shop.order'))).toEqual(['3:20 error node.pack-not-listed']);
});

describe('a type from a pack', () => {
  test('is rejected in a flow that does not list the pack, which is named', () => {
    expect(checkProblems(flowWith('', 'shop.order'))).toEqual(['3:20 error node.pack-not-listed']);
    expect(messagesOf(flowWith('[mail]', 'shop.order'))).toEqual([
      expect.stringContaining('Add "shop" to flow.nodePacks'),
    ]);
  });

  test('is reported once if the host does not allow it', () => {
    const closed = { ...specCatalog, packs: () => [] };
    const codesOf = (text: string): readonly string[] =>
      checkFlow(text, closed).diagnostics.map(({ code, range }) => `${range.line} ${code}`);
    expect(codesOf(flowWith('', 'shop.order'))).toEqual(['3 flow.pack-not-allowed']);
    expect(codesOf(flowWith('[shop]', 'shop.order'))).toEqual(['1 flow.pack-not-allowed']);
  });
});

test('FE-71 rejects a long-lived type unless the host allows it by name', () => {
  expect(checkProblems(flowWith('', 'server'))).toEqual(['3:20 error node.long-lived']);
  expect(messagesOf(flowWith('', 'server'))).toEqual([expect.stringContaining('"server"')]);
  expect(checkFlow(flowWith('', 'server'), specCatalog).flow).toBeNull();
  expect(checkProblems(flowWith('', 'allowed-server'))).toEqual([]);
});
