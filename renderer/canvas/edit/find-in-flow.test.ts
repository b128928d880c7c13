import { describe, expect, test } from 'vitest';
import { checkText } from '../../stores/text/check.ts';
import { findNodes, replaceInFlow } from './find-in-flow.ts';

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

describe('replaceInFlow', () => {
  test('changes names and texts wherever they stand, and no ids', () => {
    const { count, change } = replaceInFlow(doc, 'notes', 'papers');
    expect(count).toBe(4);
    expect(change).toMatchObject({
      label: 'Replace 4 texts',
      changes: [
        { id: 'read', path: ['name'], value: 'Read the papers' },
        { id: 'read', path: ['input', 'path'], value: 'papers/a.md' },
        { id: 'ask', path: ['input', 'prompt'] },
        { id: 'list', path: ['input', 'more', 0, 'deep'], value: 'papers' },
      ],
    });
  });

  test('is nothing for text that is nowhere, or stays', () => {
    expect(replaceInFlow(doc, 'nowhere', 'x')).toEqual({ count: 0, change: null });
    expect(replaceInFlow(doc, 'notes', 'notes').change).toBeNull();
  });
});
