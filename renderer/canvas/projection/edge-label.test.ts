import { expect, test } from 'vitest';
import type { WhenExpr } from '../../../engine/isomorphic.ts';
import { edgeLabel, labelSize, lineOffset } from './edge-label.ts';

function routeIs(path: string): WhenExpr {
  return { equals: { var: path, value: 'major' } };
}

test('an edge of a branch shows only the name of the branch', () => {
  expect(edgeLabel('route', routeIs('route.route'))).toEqual({ lines: ['major'], title: 'route.route is "major"' });
  expect(edgeLabel('a', routeIs('b.route')).lines).toEqual(['b.route is "major"']);
});

test('an edge for all branches except one has a short label', () => {
  const label = edgeLabel('sort', { not: routeIs('sort.route') });
  expect(label).toEqual({ lines: ['not major'], title: 'sort.route is not "major"' });
});

test('a condition that is too long for one line is broken into two between words', () => {
  const label = edgeLabel('a', { not: { equals: { var: 'sort.route', value: 'unhappy' } } });
  expect(label.lines).toEqual(['sort.route is not', '"unhappy"']);
  expect(labelSize(label)).toEqual({ width: 125, height: 32 });
  expect([lineOffset(label, 0), lineOffset(label, 1)]).toEqual([-7, 7]);
  expect(labelSize({ lines: ['one'] }).height).toBe(18);
  expect(lineOffset({ lines: ['one'] }, 0)).toBe(0);
});

test('an even longer condition is truncated on the edge and complete in its title', () => {
  const label = edgeLabel('a', { and: [{ exists: 'a.text' }, { gte: { var: 'a.total_count', value: 3 } }] });
  expect(label).toEqual({
    lines: ['a.text exists and', 'a.total_count ≥ 3'],
    title: 'a.text exists and a.total_count ≥ 3',
  });
  const long = edgeLabel('a', { exists: `a.${'b'.repeat(60)}` });
  expect(long.lines).toEqual([`a.${'b'.repeat(18)}`, `${'b'.repeat(19)}…`]);
  expect(long.title).toContain('b'.repeat(60));
  expect(labelSize(long).width).toBeLessThan(150);
});
