/**
 * Test helper: generates random but realistic edit histories of one file.
 */
import fc from 'fast-check';
import { type EditLog, type EditStep, newEditLog, takeStep } from '../../ipc/edit-log.ts';

type Draw =
  | {
      readonly do: 'edit';
      readonly at: number;
      readonly length: number;
      readonly text: string;
      readonly key: string | null;
      readonly pause: number;
    }
  | { readonly do: 'undo' | 'redo' | 'saved' }
  | { readonly do: 'disk'; readonly text: string };

const draw: fc.Arbitrary<Draw> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('edit' as const),
      at: fc.nat(),
      length: fc.nat(3),
      text: fc.string({ unit: 'binary', maxLength: 4 }),
      key: fc.constantFrom('type', 'move', null),
      pause: fc.constantFrom(0, 400, 1_000, 1_001),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.constantFrom('undo', 'redo', 'saved').map((kind) => ({ do: kind })) as fc.Arbitrary<Draw>,
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('disk' as const), text: fc.string({ maxLength: 4 }) }) },
);

/** Returns the observable state of a log, which excludes how an entry is divided into parts. */
export function tellableOf(log: EditLog) {
  const { savedText, applied, isSealed } = log;
  const entries = log.entries.map(({ label, at, mergeKey }) => ({ label, at, mergeKey }));
  let state = log;
  for (let left = applied; left > 0; left--) state = takeStep(state, { do: 'undo' });
  const texts = [state.text];
  for (const _ of entries) {
    state = takeStep(state, { do: 'redo' });
    texts.push(state.text);
  }
  return { savedText, applied, isSealed, entries, texts, text: log.text };
}

/** An initial text, the steps taken on it, and the resulting log. */
export interface History {
  readonly baseText: string;
  readonly steps: readonly EditStep[];
  readonly log: EditLog;
}

export const history: fc.Arbitrary<History> = fc
  .tuple(fc.string({ maxLength: 10 }), fc.array(draw, { maxLength: 30, size: 'max' }))
  .map(([baseText, draws]) => {
    const steps: EditStep[] = [];
    let log = newEditLog(baseText);
    let now = 1_000;
    for (const one of draws) {
      if (one.do === 'edit') now += one.pause;
      const step = one.do === 'edit' ? editOf(one, log.text.length, now) : one;
      steps.push(step);
      log = takeStep(log, step);
    }
    return { baseText, steps, log };
  });

function editOf({ at, length, text, key }: Extract<Draw, { do: 'edit' }>, size: number, now: number): EditStep {
  const start = at % (size + 1);
  const edits = [{ start, end: Math.min(size, start + length), text }];
  return { do: 'edit', label: `Edit ${at}`, at: now, edits, ...(key === null ? {} : { mergeKey: key }) };
}
