import { describe, expect, test } from 'vitest';
import { mergeVersions } from './merge-versions.ts';

const base = `flow: { name: Mail }
nodes:
  - { id: draft, type: prompt, input: { prompt: Answer }, config: { temperature: 0.7 } }
  - { id: send, type: echo, input: { text: "{{draft.text}}" } }
edges:
  - { from: draft, to: send }
`;

describe('merging unsaved edits with the changes of another program', () => {
  test('13.7 keeps both changes of one line if they concern different fields', () => {
    const mine = base.replace('Answer', 'Reply');
    const theirs = base.replace('0.7', '0.2');
    const merged = mergeVersions({ base, mine, theirs }, 'flow');
    expect(merged).toEqual({ text: base.replace('Answer', 'Reply').replace('0.7', '0.2'), clashes: 0 });
    expect(mergeVersions({ base, mine, theirs }, 'file').clashes).toBe(1);
  });

  test('13.7 keeps my value of a field that both sides changed, and counts it', () => {
    const mine = base.replace('0.7', '0.1');
    const theirs = base.replace('0.7', '0.2').replace('Answer', 'Reply');
    expect(mergeVersions({ base, mine, theirs }, 'flow')).toEqual({
      text: base.replace('0.7', '0.1').replace('Answer', 'Reply'),
      clashes: 1,
    });
  });

  test('counts changes of a node that I have removed', () => {
    const mine = base
      .replace(/ {2}- \{ id: send.*\n/, '')
      .replace('edges:\n  - { from: draft, to: send }', 'edges: []');
    const theirs = base.replace('{{draft.text}}', '{{draft.text}}!');
    const { text, clashes } = mergeVersions({ base, mine, theirs }, 'flow');
    expect([text, clashes > 0]).toEqual([mine, true]);
  });

  test('merges line by line while a text is not a flow', () => {
    const merged = mergeVersions({ base, mine: base.replace('0.7', '['), theirs: base.replace('0.7', '0.2') }, 'flow');
    expect(merged).toEqual({ text: base.replace('0.7', '['), clashes: 1 });
  });
});
