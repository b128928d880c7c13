import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testRounds } from '../../../engine/testing/test-rounds.ts';
import { type EditLog, newEditLog, takeStep } from '../../ipc/edit-log.ts';
import { compactLog, type DraftLogSource, forgetOldUndo } from './compact-log.ts';
import { history, tellableOf } from './test-random-steps.ts';

function replay({ baseText, steps }: DraftLogSource): EditLog {
  return steps.reduce(takeStep, newEditLog(baseText));
}

describe('a compacted log', () => {
  it('has the same text, saved text, undo, redo, and merging of the next letter', () => {
    fc.assert(
      fc.property(history, ({ baseText, log }) => {
        const source = compactLog({ baseText, log });
        expect(tellableOf(replay(source))).toEqual(tellableOf(log));
        expect(replay(source).version).toBe(source.steps.length);
      }),
      { numRuns: testRounds(1_000) },
    );
  });

  it('keeps the latest undo entries up to a limit, and all redo entries', () => {
    fc.assert(
      fc.property(history, fc.integer({ min: 1, max: 5 }), ({ baseText, log }, limit) => {
        const first = Math.max(0, log.applied - limit);
        const { entries, texts, applied, ...others } = tellableOf(log);
        expect(tellableOf(replay(compactLog(forgetOldUndo({ baseText, log }, limit))))).toEqual({
          ...others,
          entries: entries.slice(first),
          texts: texts.slice(first),
          applied: applied - first,
        });
      }),
      { numRuns: testRounds(500) },
    );
  });

  it('omits edits that were undone and discarded, and intermediate saves', () => {
    let log = newEditLog('a');
    for (let round = 0; round < 10; round++) {
      log = takeStep(log, { do: 'edit', label: 'Type', at: round, edits: [{ start: 1, end: 1, text: 'b' }] });
      log = takeStep(takeStep(log, { do: 'saved' }), { do: 'undo' });
    }
    expect(compactLog({ baseText: 'a', log }).steps.map(({ do: kind }) => kind)).toEqual(['disk', 'edit', 'undo']);
  });
});
