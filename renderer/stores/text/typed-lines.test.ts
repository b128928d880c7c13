import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Diagnostic } from '../../../engine/isomorphic.ts';
import { openTestWindow, type TestWindow } from '../../app/testing/test-window.tsx';
import { createTypedLines, type TypedLines } from './typed-lines.ts';

const path = 'a.flow.yaml';

function problem(message: string, line: number, endLine = line): Diagnostic {
  return {
    code: 'binding.unknown-root',
    severity: 'error',
    message,
    range: { line, column: 1, endLine, endColumn: 2 },
  };
}

describe('problems of a line that is being edited', () => {
  let rested: Diagnostic[][];
  let lines: TypedLines;
  beforeEach(() => {
    vi.useFakeTimers();
    rested = [];
    lines = createTypedLines((_, { all }) => rested.push([...all]));
  });
  afterEach(() => void vi.useRealTimers());

  const calm = (all: readonly Diagnostic[], former: readonly Diagnostic[]): readonly Diagnostic[] =>
    lines.calm(path, { diagnostics: all }, { diagnostics: former }).diagnostics;

  test('wait until typing has paused for a second', () => {
    const [known, news, elsewhere] = [problem('known', 3), problem('new', 2, 4), problem('elsewhere', 9)];
    lines.type(path, 3);
    const shown = calm([known, news, elsewhere], [known]);
    expect(shown).toEqual([known, elsewhere]);
    expect(lines.all(path, shown)).toEqual([known, news, elsewhere]);
    vi.advanceTimersByTime(999);
    lines.type(path, 3);
    vi.advanceTimersByTime(999);
    expect(rested).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(rested).toEqual([[known, news, elsewhere]]);
    expect(calm([known, news], [known])).toEqual([known, news]);
  });

  test('are reported at once when the cursor leaves the line, or another line is edited', () => {
    lines.type(path, 3);
    calm([problem('one', 3)], []);
    lines.stay(path, 3);
    expect(rested).toEqual([]);
    lines.stay(path, 4);
    expect(rested).toEqual([[problem('one', 3)]]);
    lines.type(path, 4);
    calm([problem('two', 4)], []);
    lines.type(path, 5);
    expect(rested).toHaveLength(2);
  });

  test('that are fixed disappear at once, and nothing is reported if nothing is pending', () => {
    lines.type(path, 3);
    expect(calm([], [problem('one', 3)])).toEqual([]);
    lines.stay(path, 1);
    vi.advanceTimersByTime(5000);
    expect(rested).toEqual([]);
  });

  test('keep the previous list if they are the only new ones', () => {
    const former = [problem('elsewhere', 9)];
    lines.type(path, 3);
    expect(calm([former[0]!, problem('one', 3)], former)).toBe(former);
  });
});

describe('in a window', () => {
  let window: TestWindow;
  beforeEach(async () => {
    window = openTestWindow({
      readNotices: () => [],
      listFlows: () => [{ path, change: null }],
      readFlow: () => ({
        text: 'flow: { name: A }\nnodes:\n  - { id: a, type: echo, input: { text: "hi" } }\nedges: []\n',
      }),
    });
    window.engine.connect();
    await window.stores.openFiles.getState().open(path);
    await window.settle();
  });
  afterEach(() => window.close());

  const file = () => window.stores.openFiles.getState().files.get(path)!;
  const messages = (): readonly string[] => file().diagnostics.map(({ message }) => message);

  /** Types after `hi`. */
  async function type(letters: string): Promise<void> {
    const start = file().text.indexOf('"hi') + 3;
    window.stores.typedLines.type(path, 3);
    window.stores.edits.type(path, [{ start, end: start, text: letters }]);
    await window.settle();
  }

  test('an unfinished binding is not reported while it is typed, but prevents the flow from running', async () => {
    await type('{{nobody.x}}');
    expect(messages()).toEqual([]);
    expect(window.stores.typedLines.all(path, file().diagnostics)).toHaveLength(1);
    window.stores.typedLines.stay(path, 1);
    expect(messages()).toEqual([expect.stringContaining('nobody')]);
  });

  test('a problem elsewhere is reported while a line is edited', async () => {
    const before = file().text;
    window.stores.typedLines.type(path, 3);
    window.stores.edits.type(path, [{ start: before.length, end: before.length, text: 'colour: red\n' }]);
    await window.settle();
    expect(messages()).toEqual([expect.stringContaining('colour')]);
  });
});
