import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testRounds } from '../../../engine/testing/test-rounds.ts';
import { type EditLog, type EditStep, newEditLog, takeStep } from '../../ipc/edit-log.ts';
import { joinSteps } from './compact-log.ts';
import { history, tellableOf } from './test-random-steps.ts';

function replay(baseText: string, steps: readonly EditStep[]): EditLog {
  return steps.reduce(takeStep, newEditLog(baseText));
}

function typed(start: number, end: number, text: string): EditStep {
  return { do: 'edit', label: 'Typing', at: 0, edits: [{ start, end, text }], mergeKey: 'type' };
}

/** Simulates a user who types, undoes, deletes forward and occasionally moves the cursor. */
const typing = fc
  .array(fc.tuple(fc.constantFrom('letter', 'back', 'forward', 'replace', 'jump'), fc.nat(12), fc.nat(1_200)), {
    maxLength: 25,
    size: 'max',
  })
  .map((keys) => {
    const steps: EditStep[] = [];
    let [text, caret, at] = ['some text', 4, 0];
    for (const [key, place, pause] of keys) {
      if (key === 'jump') caret = place % (text.length + 1);
      const start = key === 'back' || key === 'replace' ? Math.max(0, caret - 1) : caret;
      const end = key === 'forward' || key === 'replace' ? Math.min(text.length, caret + 1) : caret;
      const inserted = key === 'letter' || key === 'replace' ? 'xy'.slice(place % 2) : '';
      at += pause;
      steps.push({ do: 'edit', label: key, at, edits: [{ start, end, text: inserted }], mergeKey: 'type' });
      text = text.slice(0, start) + inserted + text.slice(end);
      caret = start + inserted.length;
    }
    return steps;
  });

describe('merged steps', () => {
  it('combine a word that was typed, corrected and continued into one step', () => {
    const word = [
      typed(2, 2, 'h'),
      typed(3, 3, 'x'),
      typed(3, 4, ''),
      typed(3, 3, 'i'),
      typed(1, 2, ''),
      typed(3, 4, '!'),
    ];
    expect(joinSteps(word)).toEqual([typed(1, 3, 'hi!')]);
  });

  it('leave edits elsewhere, with another key, without one, or later separate', () => {
    const later: EditStep = {
      do: 'edit',
      label: 'Typing',
      at: 1_001,
      edits: [{ start: 1, end: 1, text: 'b' }],
      mergeKey: 'type',
    };
    const bare: EditStep = { do: 'edit', label: 'Move', at: 0, edits: [{ start: 1, end: 1, text: 'b' }] };
    for (const next of [typed(5, 5, 'b'), later, bare]) {
      expect(joinSteps([typed(0, 0, 'a'), next])).toEqual([typed(0, 0, 'a'), next]);
    }
  });

  it('give the same log for any steps', () => {
    fc.assert(
      fc.property(history, ({ baseText, steps, log }) => {
        expect(tellableOf(replay(baseText, joinSteps(steps)))).toEqual(tellableOf(log));
      }),
      { numRuns: testRounds(1_000) },
    );
  });

  it('give the same log for any typing', () => {
    fc.assert(
      fc.property(typing, (steps) => {
        expect(tellableOf(replay('some text', joinSteps(steps)))).toEqual(tellableOf(replay('some text', steps)));
      }),
      { numRuns: testRounds(1_000) },
    );
  });
});
