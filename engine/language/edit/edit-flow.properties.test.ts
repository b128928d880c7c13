import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isMap, isSeq, type ParsedNode } from 'yaml';
import { applyEdits, invertEdits } from '../../base/text-edit.ts';
import { anyChange, rootOf } from '../../testing/flow-changes.ts';
import { testRounds } from '../../testing/test-rounds.ts';
import { changedText, diffBy } from '../../testing/text-diff.ts';
import { corpus, longFlow } from '../../testing/yaml-corpus.ts';
import { type JsonMap, type JsonValue, jsonEquals } from '../json/json-value.ts';
import { changeFlow } from './change-flow.ts';
import { editFlow } from './edit-flow.ts';
import type { FlowChange } from './flow-change.ts';
import { contentEnd, pairsByKey, readYamlText } from './yaml/yaml-text.ts';

const files = Object.entries(corpus).map(([name, text]) => {
  const root = rootOf(text);
  const ids = (root['nodes'] as readonly JsonMap[]).map((node) => String(node['id']));
  const edges = (root['edges'] as readonly JsonMap[]).map(({ id, from, to }) => String(id ?? `${from}->${to}`));
  return { name, text, root, ids, edges };
});

/** A file of the corpus with a valid change. */
const changedFile = fc
  .constantFrom(...files)
  .chain((file) => anyChange(file.ids, file.edges).map((change) => ({ ...file, change })));

function intended(root: JsonMap, change: FlowChange): JsonMap | undefined {
  try {
    return changeFlow(root, change).root;
  } catch {
    return undefined;
  }
}

/** Returns the text of each node, including its comments. */
function nodeTexts(text: string): readonly string[] {
  const file = readYamlText(text.replace(/^\uFEFF/, ''));
  if ('code' in file || !isMap(file.root)) return [];
  const nodes = pairsByKey(file.root).get('nodes')?.value;
  const items = isSeq(nodes) ? (nodes.items as readonly ParsedNode[]) : [];
  return items.map((node) => file.source.slice(node.range[0], contentEnd(file, node)));
}

const numRuns = testRounds(70);
const timeout = 60_000;

describe('any change of any file', () => {
  test('results in the requested flow, and can be undone byte by byte', { timeout }, () => {
    const meansIt = fc.property(changedFile, ({ text, root, change }) => {
      const edit = editFlow(text, change);
      const goal = intended(root, change);
      // Every valid change can be written.
      expect(edit.ok).toBe(goal !== undefined);
      if (!edit.ok) return;
      const after = applyEdits(text, edit.edits);
      expect(jsonEquals(rootOf(after), goal ?? null)).toBe(true);
      expect(applyEdits(after, invertEdits(text, edit.edits))).toBe(text);
    });
    fc.assert(meansIt, { numRuns });
  });

  test('leaves the text of unaffected nodes unchanged', { timeout }, () => {
    const leavesAlone = fc.property(changedFile, ({ text, root, change }) => {
      const edit = editFlow(text, change);
      // The value of an alias may move into it. If nodes are also added and removed, moved nodes are rewritten.
      const movesToo = change.do === 'all' && change.changes.some((part) => part.do === 'reorder');
      fc.pre(edit.ok && text !== corpus.anchors && !movesToo);
      const after = edit.ok ? applyEdits(text, edit.edits) : '';
      const now = new Set((intended(root, change)?.['nodes'] ?? []) as readonly JsonValue[]);
      const same = (root['nodes'] as readonly JsonValue[]).map((node) => now.has(node));
      const texts = nodeTexts(text).filter((_, index) => same[index]);
      expect(texts.filter((node) => !after.includes(node))).toEqual([]);
    });
    fc.assert(leavesAlone, { numRuns });
  });
});

describe('any file', () => {
  test.each(files)('$name: setting the current value changes nothing', ({ text, root }) => {
    const header = Object.entries(root['flow'] as JsonMap).map(
      ([key, value]): FlowChange => ({ do: 'set-flow', path: [key], value }),
    );
    const values = (root['nodes'] as readonly JsonMap[]).flatMap((node) =>
      Object.entries(node).map(
        ([key, value]): FlowChange => ({ do: 'set-node', id: String(node['id']), path: [key], value }),
      ),
    );
    const layout = Object.entries((root['layout'] ?? {}) as JsonMap).map(
      ([key, value]): FlowChange => ({ do: 'set-layout', path: [key], value: structuredClone(value) }),
    );
    const edits = [...header, ...values, ...layout].map((change) => editFlow(text, structuredClone(change)));
    expect(edits.filter((edit) => !edit.ok || edit.edits.length > 0)).toEqual([]);
  });

  test.each(files.filter(({ ids }) => ids.length > 0))(
    '$name: once all nodes have a position, moving one changes one line',
    ({ text, ids }) => {
      const positions = Object.fromEntries(ids.map((id, index) => [id, { x: index, y: 0 }]));
      const placed = changedText(text, { do: 'move', positions });
      for (const id of ids) {
        const diff = diffBy(placed, { do: 'move', positions: { [id]: { x: 900, y: -7 } } });
        expect(diff.map((line) => line[0])).toEqual(['-', '+']);
      }
    },
  );

  test.each(files)('$name: adding a node and removing it results in the same bytes', ({ text }) => {
    const added = changedText(text, { do: 'add', nodes: [{ id: 'brand_new', type: 'echo', input: { text: 'a\nb' } }] });
    const removed = changedText(added, { do: 'remove', nodes: ['brand_new'], edges: [] });
    expect(removed.replace(/nodes: \[\] +# none/, 'nodes: []   # none')).toBe(text);
  });
});

test('in a file of 3,000 lines, a change affects only its own lines', { timeout }, () => {
  const text = longFlow(430);
  expect(text.split('\n').length).toBeGreaterThan(3000);
  expect(diffBy(text, { do: 'move', positions: { node_200: { x: 1, y: 2 } } })).toEqual([
    '-    node_200: { x: 60000, y: 0 }',
    '+    node_200: { x: 1, y: 2 }',
  ]);
  const renamed = changedText(text, { do: 'rename', id: 'node_200', to: 'other' });
  expect(renamed).toBe(text.replace(/\bnode_200\b/g, 'other'));
});
