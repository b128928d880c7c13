import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyEdits } from '../../../base/text-edit.ts';
import { anyChange, rootOf } from '../../../testing/flow-changes.ts';
import { testRounds } from '../../../testing/test-rounds.ts';
import { corpus } from '../../../testing/yaml-corpus.ts';
import { type JsonMap, jsonEquals } from '../../json/json-value.ts';
import { editFlow } from '../edit-flow.ts';
import { mergeVersions } from './merge-versions.ts';

const base = `flow: { name: Mail }   # the name
nodes:
  - { id: read, type: file.read, input: { path: mail.txt } }
  - id: draft
    type: prompt
    input: { prompt: "Answer {{read.text}}" }
    config: { model: a, temperature: 0.7 }
  - { id: send, type: echo, input: { text: "{{draft.text}}" } }
edges:
  - { from: read, to: draft }
  - { from: draft, to: send }
`;

/** Applies plain replacements, each of which must find its text. */
function changed(text: string, ...changes: readonly (readonly [string, string])[]): string {
  return changes.reduce((now, [from, to]) => {
    if (!now.includes(from)) throw new Error(`The text does not contain ${from}`);
    return now.replaceAll(from, to);
  }, text);
}

const conflictsOf = (mine: string, theirs: string): readonly string[] =>
  mergeVersions({ base, mine, theirs }).conflicts.map(({ text }) => text);

describe('two versions of a flow', () => {
  test('different settings of one node do not conflict, even on one line', () => {
    const mine = changed(base, ['model: a', 'model: b']);
    const theirs = changed(base, ['0.7', '0.2'], ['# the name', '# its name']);
    expect(mergeVersions({ base, mine, theirs })).toEqual({
      text: changed(base, ['model: a', 'model: b'], ['0.7', '0.2']),
      conflicts: [],
    });
  });

  test('one setting that both have changed is a conflict; mine stays unless theirs is chosen', () => {
    const mine = changed(base, ['0.7', '0.9']);
    const theirs = changed(base, ['0.7', '0.2'], ['mail.txt', 'in.txt']);
    const { text, conflicts } = mergeVersions({ base, mine, theirs });
    expect(text).toBe(changed(base, ['0.7', '0.9'], ['mail.txt', 'in.txt']));
    expect(conflicts.map(({ key }) => key)).toEqual(['node-changed draft ["config","temperature"]']);
    const chosen = new Set(conflicts.map(({ key }) => key));
    expect(mergeVersions({ base, mine, theirs }, chosen).text).toBe(theirs);
  });

  test('a renamed node is followed in the changes of the other version', () => {
    const renamed = changed(base, ['draft', 'answer']);
    const theirs = changed(base, ['0.7', '0.2']);
    const both = changed(renamed, ['0.7', '0.2']);
    expect(mergeVersions({ base, mine: renamed, theirs })).toEqual({ text: both, conflicts: [] });
    expect(mergeVersions({ base, mine: theirs, theirs: renamed })).toEqual({ text: both, conflicts: [] });
  });

  test('a node that one version removes and the other changes or connects is a conflict', () => {
    const removed = changed(
      base,
      ['  - { id: send, type: echo, input: { text: "{{draft.text}}" } }\n', ''],
      ['  - { from: draft, to: send }\n', ''],
    );
    const uses = changed(base, ['text: "{{draft.text}}"', 'text: "Dear {{draft.text}}"']);
    expect(conflictsOf(uses, removed)).toEqual(['Removes send (echo)']);
    expect(conflictsOf(removed, uses)).toEqual(['Adds send (echo) after draft']);
    const connects = changed(base, [
      '  - { from: draft, to: send }',
      '  - { from: draft, to: send }\n  - { from: read, to: send }',
    ]);
    expect(conflictsOf(removed, connects)).toHaveLength(1);
  });

  test('both versions may add nodes at the same place', () => {
    const after = '  - { id: send,';
    const mine = changed(base, [after, `  - { id: mine, type: echo, input: { text: a } }\n${after}`]);
    const theirs = changed(base, [after, `  - { id: theirs, type: template, input: { text: b } }\n${after}`]);
    const { text, conflicts } = mergeVersions({ base, mine, theirs });
    expect(conflicts).toEqual([]);
    const ids = (rootOf(text)['nodes'] as readonly JsonMap[]).map(({ id }) => id);
    expect([...ids].sort()).toEqual(['draft', 'mine', 'read', 'send', 'theirs']);
  });
});

const files = Object.values(corpus).map((text) => {
  const root = rootOf(text);
  const ids = (root['nodes'] as readonly JsonMap[]).map((node) => String(node['id']));
  const edges = (root['edges'] as readonly JsonMap[]).map(({ id, from, to }) => String(id ?? `${from}->${to}`));
  return { text, ids, edges };
});

/** A file of the corpus, and two versions after up to three changes each. */
const versions = fc.constantFrom(...files).chain(({ text, ids, edges }) => {
  const changes = fc.array(anyChange(ids, edges), { maxLength: 3 });
  const version = changes.map((list) =>
    list.reduce((now, change) => {
      const edit = editFlow(now, change);
      return edit.ok ? applyEdits(now, edit.edits) : now;
    }, text),
  );
  return fc.tuple(version, version).map(([mine, theirs]) => ({ base: text, mine, theirs }));
});
const options = { numRuns: testRounds(20) };

describe('any versions of a flow', () => {
  test('merge to a text that can be read, whatever is chosen', { timeout: 120_000 }, () => {
    const holds = fc.property(versions, (given) => {
      const { conflicts } = mergeVersions(given);
      for (const keys of [new Set<string>(), new Set(conflicts.map(({ key }) => key))])
        expect(rootOf(mergeVersions(given, keys).text)).toBeDefined();
    });
    fc.assert(holds, options);
  });

  test('merge to the other one if only that has changed, or both alike', { timeout: 120_000 }, () => {
    const holds = fc.property(versions, ({ base: text, mine }) => {
      expect(mergeVersions({ base: text, mine, theirs: text })).toEqual({ text: mine, conflicts: [] });
      expect(mergeVersions({ base: text, mine: text, theirs: mine })).toEqual({ text: mine, conflicts: [] });
      expect(mergeVersions({ base: text, mine, theirs: mine })).toEqual({ text: mine, conflicts: [] });
    });
    fc.assert(holds, options);
  });

  test('with their version of all conflicts, the result has every value that they changed', {
    timeout: 120_000,
  }, () => {
    const holds = fc.property(versions, (given) => {
      const { conflicts } = mergeVersions(given);
      const { text } = mergeVersions(given, new Set(conflicts.map(({ key }) => key)));
      const [former, merged] = [inputsOf(given.base), inputsOf(text)];
      for (const [id, input] of inputsOf(given.theirs)) {
        const [was, now] = [former.get(id), merged.get(id)];
        for (const [key, value] of Object.entries(input)) {
          // My renaming also changes references in their values.
          const isFixed =
            was !== undefined && now !== undefined && key !== 'body' && !JSON.stringify(value).includes('{{');
          if (isFixed && !jsonEquals(was[key] ?? null, value)) expect(now[key]).toEqual(value);
        }
      }
    });
    fc.assert(holds, options);
  });
});

/** Returns the inputs of nodes by ID and type. */
function inputsOf(text: string): ReadonlyMap<string, JsonMap> {
  const nodes = rootOf(text)['nodes'] as readonly JsonMap[];
  return new Map(nodes.map(({ id, type, input }) => [`${id} ${type}`, (input ?? {}) as JsonMap]));
}
