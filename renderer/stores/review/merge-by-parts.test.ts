import { describe, expect, test } from 'vitest';
import type { DocumentKind } from '../text/check.ts';
import type { ThreeTexts } from '../text/merge.ts';
import { createDocumentWork } from '../text/service.ts';
import { mergeByParts } from './merge-by-parts.ts';

/** Merges with the worker's own code. */
function mergeVersions(versions: ThreeTexts, kind: DocumentKind) {
  const work = createDocumentWork();
  const service = {
    mergeVersions: async (given: ThreeTexts) => {
      const answer = work({ id: 1, do: 'merge-versions', versions: given });
      if (answer === undefined || !('result' in answer)) throw new Error('No result');
      return answer.result as never;
    },
  };
  return mergeByParts(service, versions, kind);
}

const base = `flow: { name: Mail }
nodes:
  - { id: draft, type: prompt, input: { prompt: Answer }, config: { temperature: 0.7 } }
  - { id: send, type: echo, input: { text: "{{draft.text}}" } }
edges:
  - { from: draft, to: send }
`;

describe('merging unsaved edits with the changes of another program', () => {
  test('13.7 keeps both changes of one line if they concern different fields', async () => {
    const mine = base.replace('Answer', 'Reply');
    const theirs = base.replace('0.7', '0.2');
    const merged = await mergeVersions({ base, mine, theirs }, 'flow');
    expect(merged).toEqual({ text: base.replace('Answer', 'Reply').replace('0.7', '0.2'), clashes: 0 });
    expect((await mergeVersions({ base, mine, theirs }, 'file')).clashes).toBe(1);
  });

  test('13.7 keeps my value of a field that both sides changed, and counts it', async () => {
    const mine = base.replace('0.7', '0.1');
    const theirs = base.replace('0.7', '0.2').replace('Answer', 'Reply');
    expect(await mergeVersions({ base, mine, theirs }, 'flow')).toEqual({
      text: base.replace('0.7', '0.1').replace('Answer', 'Reply'),
      clashes: 1,
    });
  });

  test('counts changes of a node that I have removed', async () => {
    const mine = base
      .replace(/ {2}- \{ id: send.*\n/, '')
      .replace('edges:\n  - { from: draft, to: send }', 'edges: []');
    const theirs = base.replace('{{draft.text}}', '{{draft.text}}!');
    const { text, clashes } = await mergeVersions({ base, mine, theirs }, 'flow');
    expect([text, clashes > 0]).toEqual([mine, true]);
  });

  test('merges line by line while a text is not a flow', async () => {
    const merged = await mergeVersions(
      { base, mine: base.replace('0.7', '['), theirs: base.replace('0.7', '0.2') },
      'flow',
    );
    expect(merged).toEqual({ text: base.replace('0.7', '['), clashes: 1 });
  });
});
