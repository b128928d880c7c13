import { expect, test } from 'vitest';
import { isAutonomyLevel, lowerOf } from './autonomy.ts';
import { compileFlow } from './compile-flow.ts';
import type { CompiledFlowPolicy } from './compiled-flow.ts';
import { parseFlow } from './parse-flow.ts';

const flowWith = (level: string): string => `
flow: { name: Act, policy: { autonomy: ${level} } }
nodes: [{ id: a, type: t, input: {} }]
edges: []
`;

function policyOf(text: string): CompiledFlowPolicy | undefined {
  const { doc } = parseFlow(text);
  return doc === null ? undefined : compileFlow(doc).policy;
}

test('a flow declares one of three levels, which is in its compiled form', () => {
  expect(policyOf(flowWith('semi_auto'))?.autonomy).toBe('semi_auto');
  expect(policyOf('flow: { name: A }\nnodes: []\nedges: []\n')).toEqual({ failFast: true, maxParallel: 1 });
});

test('rejects an unknown level at its position', () => {
  const { diagnostics } = parseFlow(flowWith('always'));
  expect(diagnostics).toHaveLength(1);
  expect(diagnostics[0]).toMatchObject({ message: expect.stringContaining('not "always"'), severity: 'error' });
  expect(diagnostics[0]?.range).toMatchObject({ line: 2 });
});

test('the lower of two levels is the one that allows less, and no level allows the most', () => {
  expect(lowerOf('semi_auto', 'full_auto')).toBe('semi_auto');
  expect(lowerOf('semi_auto', 'suggest_only')).toBe('suggest_only');
  expect(lowerOf(undefined, 'full_auto')).toBe('full_auto');
  expect(lowerOf('full_auto', undefined)).toBe('full_auto');
  expect(lowerOf(undefined, undefined)).toBeUndefined();
});

test('recognizes a level only by its exact name', () => {
  expect(['suggest_only', 'semi_auto', 'full_auto', 'Semi_auto', '', null].map(isAutonomyLevel)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});
