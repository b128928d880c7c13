import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EditLog, type EditStep, newEditLog, takeStep } from './edit-log.ts';

function edit([start, end]: [number, number], text: string, more: { at?: number; mergeKey?: string } = {}): EditStep {
  return { do: 'edit', label: `Type ${text}`, at: 0, edits: [{ start, end, text }], ...more };
}

function logAfter(text: string, ...steps: readonly EditStep[]): EditLog {
  return steps.reduce(takeStep, newEditLog(text));
}

describe('the edits of a file', () => {
  it('undoes and redoes entries one by one, and returns the label of each', () => {
    const log = logAfter('ab', edit([2, 2], 'c'), edit([0, 1], 'A'), { do: 'undo' });
    expect([log.text, log.applied, log.entries.map(({ label }) => label)]).toEqual(['abc', 1, ['Type c', 'Type A']]);
    expect(takeStep(log, { do: 'redo' }).text).toBe('Abc');
    expect(takeStep(takeStep(log, { do: 'undo' }), { do: 'undo' }).text).toBe('ab');
  });

  it('clears the redo list when the text is edited', () => {
    const log = logAfter('ab', edit([2, 2], 'c'), { do: 'undo' }, edit([2, 2], 'd'), { do: 'redo' });
    expect([log.text, log.entries.length]).toEqual(['abd', 1]);
  });

  it('merges the letters of a word, but not after a pause or a save', () => {
    const typed = logAfter(
      '',
      edit([0, 0], 'a', { mergeKey: 'type', at: 0 }),
      edit([1, 1], 'b', { mergeKey: 'type', at: 900 }),
    );
    expect(typed.entries).toHaveLength(1);
    expect(takeStep(typed, { do: 'undo' }).text).toBe('');
    expect(takeStep(typed, edit([2, 2], 'c', { mergeKey: 'type', at: 2_000 })).entries).toHaveLength(2);
    const saved = takeStep(typed, { do: 'saved' });
    expect(takeStep(saved, edit([2, 2], 'c', { mergeKey: 'type', at: 950 })).entries).toHaveLength(2);
  });

  it('tracks the content of the file separately from the text on screen', () => {
    const log = logAfter('a', edit([1, 1], 'b'));
    expect([log.text, log.savedText]).toEqual(['ab', 'a']);
    expect(takeStep(log, { do: 'saved' }).savedText).toBe('ab');
    expect(takeStep(log, { do: 'saved', text: 'a ' }).savedText).toBe('a ');
    const elsewhere = takeStep(log, { do: 'disk', text: 'x' });
    expect([elsewhere.text, elsewhere.savedText]).toEqual(['ab', 'x']);
  });

  it('undoing everything restores the first text, and redoing everything the last', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.tuple(fc.nat(), fc.nat(), fc.string())), (text, cuts) => {
        let log = newEditLog(text);
        for (const [at, length, words] of cuts) {
          const start = at % (log.text.length + 1);
          log = takeStep(
            log,
            edit([start, Math.min(log.text.length, start + (length % 5))], words, { mergeKey: 'type' }),
          );
        }
        const { text: last, entries } = log;
        for (const _ of entries) log = takeStep(log, { do: 'undo' });
        expect(log.text).toBe(text);
        for (const _ of entries) log = takeStep(log, { do: 'redo' });
        expect(log.text).toBe(last);
      }),
    );
  });

  it('counts every step', () => {
    expect(logAfter('', { do: 'undo' }, { do: 'redo' }, { do: 'saved' }).version).toBe(3);
  });
});
