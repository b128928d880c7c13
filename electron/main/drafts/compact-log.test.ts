import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EditLog, newEditLog, takeStep } from '../../ipc/edit-log.ts';
import { compactLog, type LogSource } from './compact-log.ts';
import { history } from './test-random-steps.ts';

function replay({ baseText, steps }: LogSource): EditLog {
  return steps.reduce(takeStep, newEditLog(baseText));
}

/** All that matters of a log: a part's time is that of its entry. */
function factsOf(log: EditLog) {
  const { text, savedText, applied, isSealed, entries } = log;
  return { text, savedText, applied, isSealed, entries };
}

describe('a log made short', () => {
  it('is the same log: text, saved text, undo, redo, and what the next letter joins', () => {
    fc.assert(
      fc.property(history, ({ log }) => {
        const source = compactLog(log);
        expect(factsOf(replay(source))).toEqual(factsOf(log));
        expect(replay(source).version).toBe(source.steps.length);
      }),
      { numRuns: 1_000 },
    );
  });

  it('with a limit keeps the latest undos and all redos', () => {
    fc.assert(
      fc.property(history, fc.integer({ min: 1, max: 5 }), ({ log }, limit) => {
        const first = Math.max(0, log.applied - limit);
        const short = replay(compactLog(log, limit));
        expect(factsOf(short)).toEqual({
          ...factsOf(log),
          entries: log.entries.slice(first),
          applied: log.applied - first,
        });
      }),
      { numRuns: 500 },
    );
  });

  it('does not remember what was done and undone, nor what was saved in between', () => {
    let log = newEditLog('a');
    for (let round = 0; round < 10; round++) {
      log = takeStep(log, { do: 'edit', label: 'Type', at: round, edits: [{ start: 1, end: 1, text: 'b' }] });
      log = takeStep(takeStep(log, { do: 'saved' }), { do: 'undo' });
    }
    expect(compactLog(log).steps.map(({ do: kind }) => kind)).toEqual(['disk', 'edit', 'undo']);
  });
});
