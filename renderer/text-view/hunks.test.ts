import { expect, test } from 'vitest';
import { diffFlows, locateDifferences } from '../../engine/isomorphic.ts';
import { type HunkChange, hunksOf } from './hunks.ts';

const before = `flow: { name: Mail }
nodes:
  - id: draft
    type: prompt
    input: { prompt: hi }
    config: { temperature: 0.7 }
  - { id: log, type: echo, input: { text: hi } }
  # The end
edges:
  - { from: draft, to: log }
  - { from: draft, to: draft }
`;
const after = before
  .replace('prompt: hi', 'prompt: hello')
  .replace('0.7', '0.2')
  .replace('  - { id: log, type: echo, input: { text: hi } }\n', '')
  .replace('# The end', '# The last one')
  .replace('  - { from: draft, to: log }\n', '');

const changes: readonly HunkChange[] = [
  { before: { first: 5, count: 2 }, after: { first: 5, count: 2 } },
  { before: { first: 7, count: 1 }, after: { first: 7, count: 0 } },
  { before: { first: 8, count: 1 }, after: { first: 7, count: 1 } },
  { before: { first: 10, count: 1 }, after: { first: 9, count: 0 } },
];

test('a difference may have several hunks, and neighboring differences have separate ones', () => {
  const hunks = hunksOf(changes, locateDifferences({ before, after }));
  const keys = diffFlows({ before, after }).differences.map(({ key }) => key);
  const [prompt, temperature, log] = keys;
  expect(hunks.map((hunk) => hunk.keys)).toEqual([[prompt], [temperature], [log], [], [log]]);
  expect(hunks.map(({ before: { first } }) => first)).toEqual([5, 6, 7, 8, 10]);
});

test('the lines of one text are not taken for those of the other', () => {
  const [insertion] = hunksOf(
    [{ before: { first: 5, count: 0 }, after: { first: 5, count: 1 } }],
    [
      { key: 'removed', before: [{ first: 5, last: 5 }], after: [] },
      { key: 'added', before: [], after: [{ first: 4, last: 6 }] },
    ],
  );
  expect(insertion?.keys).toEqual(['added']);
});

test('lines that two differences share are one hunk, and removed lines do not pair with unrelated ones', () => {
  const lines = [
    { key: 'a', before: [{ first: 1, last: 1 }], after: [{ first: 2, last: 2 }] },
    { key: 'b', before: [{ first: 1, last: 1 }], after: [{ first: 2, last: 2 }] },
    { key: 'gone', before: [{ first: 2, last: 3 }], after: [] },
    { key: 'new', before: [], after: [{ first: 1, last: 1 }] },
  ];
  const change = { before: { first: 1, count: 3 }, after: { first: 1, count: 2 } };
  expect(hunksOf([change], lines)).toEqual([
    { keys: ['new'], before: { first: 1, count: 0 }, after: { first: 1, count: 1 } },
    { keys: ['a', 'b'], before: { first: 1, count: 1 }, after: { first: 2, count: 1 } },
    { keys: ['gone'], before: { first: 2, count: 2 }, after: { first: 3, count: 0 } },
  ]);
});
