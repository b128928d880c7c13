import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isMap, isSeq, type ParsedNode } from 'yaml';
import { applyEdits, invertEdits } from '../../base/text-edit.ts';
import { anyStepChange, rootOf } from '../../testing/flow-changes.ts';
import { stepCorpus } from '../../testing/step-corpus.ts';
import { testRounds } from '../../testing/test-rounds.ts';
import { changedText, diffBy } from '../../testing/text-diff.ts';
import { parseFlow } from '../flow/parse-flow.ts';
import { type JsonMap, type JsonValue, jsonEquals } from '../json/json-value.ts';
import { stepIdOf } from '../steps/step-findings.ts';
import { changeFlow } from './change-flow.ts';
import { editFlow } from './edit-flow.ts';
import type { FlowChange } from './flow-change.ts';
import { contentEnd, pairsByKey, readYamlText } from './yaml/yaml-text.ts';

function stepsIn(root: JsonMap): readonly JsonMap[] {
  return root['steps'] as readonly JsonMap[];
}

function idsIn(root: JsonMap): readonly (string | undefined)[] {
  return stepsIn(root).map(stepIdOf);
}

const files = Object.entries(stepCorpus).map(([name, text]) => {
  const root = rootOf(text);
  return { name, text, root, ids: idsIn(root).map(String), isJson: text.startsWith('{') };
});

/** A file of the corpus with a valid change. */
const changedFile = fc
  .constantFrom(...files)
  .chain((file) => anyStepChange(file.ids).map((change) => ({ ...file, change })));

function intended(root: JsonMap, change: FlowChange): JsonMap | undefined {
  try {
    return changeFlow(root, change).root;
  } catch {
    return undefined;
  }
}

/** Returns the text of each step, including its comments. */
function stepTexts(text: string): readonly string[] {
  const file = readYamlText(text.replace(/^\uFEFF/, ''));
  if ('code' in file || !isMap(file.root)) return [];
  const steps = pairsByKey(file.root).get('steps')?.value;
  const items = isSeq(steps) ? (steps.items as readonly ParsedNode[]) : [];
  return items.map((step) => file.source.slice(step.range[0], contentEnd(file, step)));
}

const numRuns = testRounds(70);
const timeout = 60_000;

describe('any change of any step flow', () => {
  test('results in the requested steps, remains JSON, and can be undone byte by byte', { timeout }, () => {
    const meansIt = fc.property(changedFile, ({ text, root, change, isJson }) => {
      const edit = editFlow(text, change);
      const goal = intended(root, change);
      // Every valid change can be written.
      expect(edit.ok).toBe(goal !== undefined);
      if (!edit.ok) return;
      const after = applyEdits(text, edit.edits);
      expect(jsonEquals(rootOf(after), goal ?? null)).toBe(true);
      if (isJson) expect(jsonEquals(JSON.parse(after), goal ?? null)).toBe(true);
      expect(applyEdits(after, invertEdits(text, edit.edits))).toBe(text);
    });
    fc.assert(meansIt, { numRuns });
  });

  test('leaves the text of unaffected steps unchanged', { timeout }, () => {
    const leavesAlone = fc.property(changedFile, ({ text, root, change }) => {
      const edit = editFlow(text, change);
      // If steps are also added and removed, moved steps are rewritten.
      const movesToo = change.do === 'all' && change.changes.some((part) => part.do === 'reorder');
      fc.pre(edit.ok && !movesToo);
      const after = edit.ok ? applyEdits(text, edit.edits) : '';
      const now = new Set<JsonValue>(stepsIn(intended(root, change) ?? {}));
      const same = stepsIn(root).map((step) => now.has(step));
      const texts = stepTexts(text).filter((_, index) => same[index]);
      expect(texts.filter((step) => !after.includes(step))).toEqual([]);
    });
    fc.assert(leavesAlone, { numRuns });
  });

  test('keeps the ID of every step unless it is changed explicitly', { timeout }, () => {
    const keepsIds = fc.property(changedFile, ({ root, ids, change }) => {
      fc.pre(change.do === 'reorder' || change.do === 'remove' || change.do === 'set-node');
      const after = intended(root, change);
      fc.pre(after !== undefined);
      const gone = change.do === 'remove' ? change.nodes : [];
      const left = ids.filter((id) => !gone.includes(id));
      expect(idsIn(after ?? {}).toSorted()).toEqual(left.toSorted());
    });
    fc.assert(keepsIds, { numRuns });
  });
});

describe('any step flow', () => {
  test.each(files)('$name: setting the current value changes nothing', ({ text }) => {
    const { doc } = parseFlow(text);
    const changes = (doc?.nodes ?? []).flatMap(({ id, type, name, input, config = {} }): FlowChange[] => [
      { do: 'set-node', id, path: ['type'], value: type },
      ...(name === undefined ? [] : [{ do: 'set-node', id, path: ['name'], value: name } as const]),
      ...Object.entries(input).map(([key, value]) => ({ do: 'set-node', id, path: ['input', key], value }) as const),
      ...Object.entries(config).map(([key, value]) => ({ do: 'set-node', id, path: ['config', key], value }) as const),
    ]);
    const edits = changes.map((change) => editFlow(text, structuredClone(change)));
    expect(edits.length).toBeGreaterThan(3);
    expect(edits.filter((edit) => !edit.ok || edit.edits.length > 0)).toEqual([]);
  });

  test.each(files)('$name: adding a step and removing it results in the same bytes', ({ text, ids }) => {
    const nodes = [{ id: 'brand_new', type: 'tool', input: { text: 'a\nb' }, config: { tool: 'p.t' } }];
    // If a step is added before steps with IDs derived from their index, these IDs are written explicitly.
    const added = changedText(text, { do: 'add', nodes, after: String(ids.at(-1)) });
    expect(changedText(added, { do: 'remove', nodes: ['brand_new'], edges: [] })).toBe(text);
  });
});

test('in a file of thousands of lines, a change affects only its own lines', { timeout }, () => {
  const steps = Array.from(
    { length: 600 },
    (_, index) =>
      `  - id: step_${index}   # number ${index}\n    type: tool\n    tool: p.t\n    params:\n      from: "{{artifacts.step.step_${index - 1}.output}}"\n`,
  );
  const text = `id: long\nsteps:\n${steps.join('\n')}`;
  expect(diffBy(text, { do: 'set-node', id: 'step_200', path: ['config', 'tool'], value: 'p.u' })).toEqual([
    '-    tool: p.t',
    '+    tool: p.u',
  ]);
  expect(changedText(text, { do: 'rename', id: 'step_200', to: 'other' })).toBe(text.replace(/\bstep_200\b/g, 'other'));
});
