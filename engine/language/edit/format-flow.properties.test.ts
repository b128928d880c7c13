import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyEdits, invertEdits } from '../../base/text-edit.ts';
import { rootOf } from '../../testing/flow-changes.ts';
import { oddYaml, usualYaml } from '../../testing/random-yaml.ts';
import { testRounds } from '../../testing/test-rounds.ts';
import { corpus, longFlow } from '../../testing/yaml-corpus.ts';
import { jsonEquals } from '../json/json-value.ts';
import { editFlow } from './edit-flow.ts';
import type { FlowChange } from './flow-change.ts';
import { type FormatLeaf, leavesOf } from './yaml/format-leaves.ts';

type Format = Extract<FlowChange, { do: 'format' }>;

const numRuns = testRounds(80);
/** Milliseconds; ten times the duration of a case on an idle machine. */
const timeout = 400 * numRuns;

/** Returns the text after formatting. @throws Error with the message of a rejection */
function formatted(text: string, change: Format = { do: 'format' }): string {
  const edit = editFlow(text, change);
  if (!edit.ok) throw new Error(`${edit.error.message}\n${text}`);
  const after = applyEdits(text, edit.edits);
  expect(applyEdits(after, invertEdits(text, edit.edits))).toBe(text);
  return after;
}

function leaves(text: string): readonly FormatLeaf[] {
  const found = leavesOf(text);
  if ('code' in found) throw new Error(found.message);
  return found;
}

function commentsOf(text: string): readonly string[] {
  const source = text.replace(/^\uFEFF/, '');
  return leaves(source).flatMap(({ kind, start, end }) => (kind === 'comment' ? source.slice(start, end) : []));
}

const readable = fc.oneof(usualYaml, oddYaml).filter((text) => editFlow(text, { do: 'move', positions: {} }).ok);
const files = fc.oneof(fc.constantFrom(...Object.values(corpus), longFlow(60)), readable);

describe('formatting any file', () => {
  test('preserves its meaning, its comments and its line endings; formatting again changes nothing', {
    timeout,
  }, () => {
    const keepsMeaning = fc.property(files, (text) => {
      const after = formatted(text);
      expect(jsonEquals(rootOf(after), rootOf(text))).toBe(true);
      expect(commentsOf(after)).toEqual(commentsOf(text));
      expect(after.includes('\r')).toBe(text.includes('\r'));
      expect(after.startsWith('\uFEFF')).toBe(text.startsWith('\uFEFF'));
      expect(formatted(after)).toBe(after);
    });
    fc.assert(keepsMeaning, { numRuns });
  });

  test('changes only spaces and line breaks', { timeout }, () => {
    const keepsSigns = fc.property(files, (text) => {
      expect(formatted(text).replace(/[ \t\r\n]/g, '')).toBe(text.replace(/[ \t\r\n]/g, ''));
    });
    fc.assert(keepsSigns, { numRuns });
  });

  test('changes no line outside the requested range', { timeout }, () => {
    const places = fc.tuple(fc.nat(80), fc.nat(12));
    const staysInside = fc.property(files, places, (text, [before, count]) => {
      const lines = text.split('\n');
      const first = 1 + (before % lines.length);
      const change = { do: 'format', lines: { first, last: first + count } } as const;
      const after = formatted(text, change);
      const now = after.split('\n');
      const rest = lines.slice(first + count);
      expect(now.slice(0, first - 1)).toEqual(lines.slice(0, first - 1));
      if (rest.length > 0) expect(now.slice(-rest.length)).toEqual(rest);
      expect(jsonEquals(rootOf(after), rootOf(text))).toBe(true);
    });
    fc.assert(staysInside, { numRuns });
  });
});

describe('formatting a file that was messed up', () => {
  /** Widens gaps between leaves of a line, adds trailing spaces, and doubles blank lines. */
  function untidy(text: string, amounts: readonly number[]): string {
    const all = leaves(text);
    return all
      .map((leaf, index) => {
        const before = all[index - 1];
        const gap = text.slice(before?.end ?? 0, leaf.start);
        const more = ' '.repeat(amounts[index % amounts.length] ?? 0);
        return widened(gap, more, [before, leaf]) + text.slice(leaf.start, leaf.end);
      })
      .join('');
  }

  function widened(gap: string, more: string, [before, leaf]: readonly [FormatLeaf | undefined, FormatLeaf]): string {
    if (leaf.kind === 'block-text' || leaf.kind === 'comment') return gap;
    if (gap.includes('\n')) return gap.replace(/\n\n+/, `$&${more}\n`).replace(/^/, more);
    const isSpace =
      before?.kind === 'comma' || (before?.kind === 'map-value-ind' && leaf.kind !== 'block-scalar-header');
    return isSpace && gap !== '' ? gap + more : gap;
  }

  test('has the same result as formatting the original', { timeout }, () => {
    const { usual, loops, unicode, brackets, windows } = corpus;
    const amounts = fc.array(fc.nat(3), { minLength: 5, maxLength: 9 });
    const isMended = fc.property(fc.constantFrom(usual, loops, unicode, brackets, windows), amounts, (text, more) => {
      expect(formatted(untidy(text, more))).toBe(formatted(text));
    });
    fc.assert(isMended, { numRuns: testRounds(30) });
  });
});
