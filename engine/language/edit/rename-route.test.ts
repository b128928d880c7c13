import { expect, test } from 'vitest';
import { changedText } from '../../testing/text-diff.ts';

const text = `flow: { name: x }
nodes:
  - id: sort # decides
    type: control.switch
    input:
      value: 1
      cases:
        - { when: { equals: { var: value, value: low } }, route: low } # first
        - { when: { equals: { var: value, value: 2 } }, route: high }
  - { id: a, type: echo, input: { text: "{{sort.route}} low" }, when: { not: { in: { var: sort.route, value: [low, x] } } } }
edges:
  - { from: sort, to: a, when: { equals: { var: sort.route, value: low } } } # way
  - { from: sort, to: a, when: { and: [{ equals: { var: sort.route, value: high } }, { equals: { var: a.text, value: low } }] } }
`;

const cases = (...routes: readonly string[]) => [
  { when: { equals: { var: 'value', value: 'low' } }, route: routes[0] ?? '' },
  { when: { equals: { var: 'value', value: 2 } }, route: routes[1] ?? '' },
];

function changed(before: string, routes: readonly string[]): string {
  return changedText(before, { do: 'set-node', id: 'sort', path: ['input', 'cases'], value: cases(...routes) });
}

test('conditions of edges and nodes are updated when a branch is renamed, and restored with its name', () => {
  const renamed = changed(text, ['little', 'high']);
  expect(renamed).toBe(
    text
      .replace('route: low }', 'route: little }')
      .replace('value: [low, x]', 'value: [little, x]')
      .replace('sort.route, value: low', 'sort.route, value: little'),
  );
  expect(changed(renamed, ['low', 'high'])).toBe(text);
  const one = { do: 'set-node', id: 'sort', path: ['input', 'cases', 0, 'route'], value: 'little' } as const;
  expect(changedText(text, one)).toBe(renamed);
});

test.each([
  ['the name of another branch', ['high', 'high']],
  ['the name of the default branch', ['default', 'high']],
  ['names that change places', ['high', 'low']],
])('%s updates no edge', (_, routes) => {
  const edgesOf = (source: string): string => source.slice(source.indexOf('edges:'));
  expect(edgesOf(changed(text, routes))).toBe(edgesOf(text));
});
