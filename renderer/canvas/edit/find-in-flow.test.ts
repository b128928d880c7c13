import { describe, expect, test } from 'vitest';
import { checkText } from '../../stores/text/check.ts';
import { findNodes, findTriggers, replaceInFlow } from './find-in-flow.ts';

const { doc } = checkText(`
flow: { name: x }
nodes:
  - { id: read, type: file.read, name: Read the notes, input: { path: notes/a.md } }
  - { id: ask, type: prompt, input: { prompt: "About the notes: {{read.text}}" }, config: { model: fast } }
  - { id: list, type: echo, input: { text: "a", more: [{ deep: notes }] } }
edges: []
`);
if (doc === null) throw new Error('This text must be readable');

describe('findNodes', () => {
  test.each([
    ['NOTES', ['read', 'ask', 'list']],
    ['file.read', ['read']],
    ['fast', ['ask']],
    ['nowhere', []],
    ['  ', []],
  ])('%s', (query, expected) => {
    expect(findNodes(doc, query)).toEqual(expected);
  });
});

test.each([
  ['DAILY', ['daily']],
  ['webhook', ['orders']],
  ['shop', ['orders']],
  ['trigger', ['daily', 'orders']],
  ['constant', []],
])('findTriggers finds %s in IDs, kinds and values', (query, expected) => {
  const triggers = [
    { id: 'daily', schedule: { every: '1d' } },
    { id: 'orders', webhook: { path: 'new', secret: '{{secret.SHOP}}' } },
  ];
  expect(findTriggers({ flow: { name: 'x', triggers } }, query)).toEqual(expected);
});

describe('replaceInFlow', () => {
  test('changes names and texts everywhere, but not ids', () => {
    const { nodeCount, change } = replaceInFlow(doc, 'notes', 'papers');
    expect(nodeCount).toBe(3);
    expect(change).toMatchObject({
      label: 'Replace in 3 nodes',
      changes: [
        { id: 'read', path: ['name'], value: 'Read the papers' },
        { id: 'read', path: ['input', 'path'], value: 'papers/a.md' },
        { id: 'ask', path: ['input', 'prompt'] },
        { id: 'list', path: ['input', 'more', 0, 'deep'], value: 'papers' },
      ],
    });
  });

  test.each(['NOTES', ' Notes ', 'a.md', 'fast', '{{read.text}}', 'a'])(
    'counts the nodes that a search for %j finds, excluding ids and types',
    (query) => {
      const searched = { nodes: doc.nodes.map((node, index) => ({ ...node, id: `${index}`, type: '-' })) };
      expect(replaceInFlow(searched, query, 'x').nodeCount).toBe(findNodes(searched, query).length);
    },
  );

  test('treats the query as text, not as a pattern', () => {
    expect(replaceInFlow(doc, 'a.md', '$&').change).toMatchObject({ changes: [{ value: 'notes/$&' }] });
    expect(replaceInFlow(doc, 'a?md', 'x').change).toBeNull();
  });

  test('returns no change if the text is not found or would stay the same', () => {
    expect(replaceInFlow(doc, 'nowhere', 'x')).toEqual({ nodeCount: 0, change: null });
    expect(replaceInFlow(doc, 'notes', 'notes').change).toBeNull();
  });
});
