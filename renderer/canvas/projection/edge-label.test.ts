import { expect, test } from 'vitest';
import type { WhenExpr } from '../../../engine/isomorphic.ts';
import { edgeLabel, labelWidth } from './edge-label.ts';

function routeIs(path: string): WhenExpr {
  return { equals: { var: path, value: 'major' } };
}

test('an edge that takes a route of its source shows only the name of the route', () => {
  expect(edgeLabel('route', routeIs('route.route'))).toEqual({ text: 'major', title: 'route.route is "major"' });
  expect(edgeLabel('a', routeIs('b.route')).text).toBe('b.route is "major"');
});

test('a long condition is cut on the edge and stays whole in its title', () => {
  const label = edgeLabel('a', { and: [{ exists: 'a.text' }, { gte: { var: 'a.count', value: 3 } }] });
  expect(label).toEqual({ text: 'a.text exists and…', title: 'a.text exists and a.count ≥ 3' });
  expect(labelWidth(label)).toBeLessThan(140);
});
