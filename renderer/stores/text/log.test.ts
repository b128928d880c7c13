import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type EditLog, type EditStep, newEditLog, takeStep } from '../../../electron/ipc/edit-log.ts';
import { EngineError } from '../../../engine/isomorphic.ts';
import { testRounds } from '../../../engine/testing/test-rounds.ts';
import type { MainClient } from '../../bridge/main-client.ts';
import { FileLog } from './file-log.ts';

const path = 'a.flow.yaml';

function typing(start: number, text: string, end = start): EditStep {
  return { do: 'edit', label: 'Typing', at: 0, edits: [{ start, end, text }] };
}

interface Message {
  readonly base: number;
  readonly steps: readonly EditStep[];
  readonly attempt: number;
}

function stepOf(kind: string, typed: EditStep): EditStep {
  return kind === 'type' ? typed : { do: kind as 'undo' | 'redo' | 'saved' };
}

function throwIfRefused(isOutOfStep: boolean, isFull: boolean): void {
  if (isOutOfStep) throw new EngineError({ code: 'draft.out-of-step', message: 'Steps are missing.' });
  if (isFull) throw new EngineError({ code: 'draft.not-written', message: 'The disk is full.' });
}

/** A main process with two windows on one file. The test controls when messages arrive. */
function createSharedFile(text: string) {
  const taken: EditStep[] = [];
  let log = newEditLog(text);
  let isFull = false;
  /** One queue of messages to main, and one from main to each window. Messages in a queue arrive in order. */
  const lines: (() => void)[][] = [[], [], []];
  const [toMain = [], ...toWindows] = lines;
  const refused = [-1, -1];
  const logs: FileLog[] = [];
  const troubles: unknown[] = [];

  const clientOf = (index: number): MainClient => {
    const answer = (message: Message): unknown => {
      const { base, steps, attempt } = message;
      const { version } = log;
      if (attempt <= (refused[index] ?? -1)) return { accepted: false, version, steps: [] };
      if (base !== version || isFull) refused[index] = attempt;
      if (base < version) return { accepted: false, version, steps: taken.slice(base) };
      throwIfRefused(base > version, isFull);
      taken.push(...steps);
      log = steps.reduce(takeStep, log);
      toWindows[1 - index]?.push(() => logs[1 - index]?.receive({ base, steps }));
      return { accepted: true, version: log.version };
    };
    const call = (_method: string, message: Message) =>
      new Promise((resolve, reject) => {
        toMain.push(() => {
          try {
            const result = answer(message);
            toWindows[index]?.push(() => resolve(result));
          } catch (error) {
            toWindows[index]?.push(() => reject(error));
          }
        });
      });
    return { call, onPush: () => () => undefined } as unknown as MainClient;
  };
  for (const index of [0, 1]) {
    const onTrouble = (error: unknown): void => void troubles.push(error);
    logs.push(new FileLog(path, log, clientOf(index), { onForeign: () => undefined, onTrouble }));
  }
  return {
    logs: logs as [FileLog, FileLog],
    troubles,
    main: (): EditLog => log,
    setFull(full: boolean) {
      isFull = full;
    },
    /** Delivers some or all messages and their consequences. `first` selects the queue to start with. */
    async deliver(count = Number.POSITIVE_INFINITY, first = 0) {
      for (let done = 0; done < count; done++) {
        const turns = [0, 1, 2].map((turn) => lines[(turn + first + done) % 3]);
        const next = turns.find((line) => line !== undefined && line.length > 0)?.shift();
        if (next === undefined) return;
        next();
        // Lets code that waits for the message continue before the next one arrives.
        for (let turn = 0; turn < 10; turn++) await Promise.resolve();
      }
    },
  };
}

describe('one file in two windows', () => {
  test('text typed in one window appears in the other', async () => {
    const file = createSharedFile('good night');
    file.logs[0].take(typing(10, ' moon'));
    await file.deliver();
    expect([file.logs[1].log.text, file.main().text]).toEqual(['good night moon', 'good night moon']);
  });

  test('simultaneous edits are both kept', async () => {
    const file = createSharedFile('good night');
    file.logs[0].take(typing(10, ' moon'));
    file.logs[1].take(typing(0, 'very '));
    await file.deliver();
    const texts = [file.logs[0].log.text, file.logs[1].log.text, file.main().text];
    expect(texts).toEqual(['very good night moon', 'very good night moon', 'very good night moon']);
  });

  test('undo in one window reverts the last edit of either window', async () => {
    const file = createSharedFile('a');
    file.logs[0].take(typing(1, 'b'));
    await file.deliver();
    file.logs[1].take({ do: 'undo' });
    await file.deliver();
    expect(file.logs.map(({ log }) => log.text)).toEqual(['a', 'a']);
  });

  test('a save applies to the text that was saved, not to text typed meanwhile in another window', async () => {
    const file = createSharedFile('a');
    file.logs[1].take(typing(1, 'b'));
    file.logs[0].take({ do: 'saved' });
    await file.deliver();
    expect(file.logs.map(({ log }) => [log.text, log.savedText])).toEqual([
      ['ab', 'a'],
      ['ab', 'a'],
    ]);
  });

  test('both windows always end with the same text, whatever they do and whatever order messages arrive in', async () => {
    const action = fc.record({
      window: fc.constantFrom(0 as const, 1 as const),
      kind: fc.constantFrom('type', 'type', 'type', 'undo', 'redo', 'saved'),
      at: fc.nat(),
      length: fc.nat(3),
      text: fc.string({ maxLength: 4 }),
      delivered: fc.nat(5),
      first: fc.nat(2),
      isFull: fc.constantFrom(false, false, false, true),
    });
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.array(action, { maxLength: 16 }), async (text, actions) => {
        const file = createSharedFile(text);
        for (const { window, kind, at, length, text: words, delivered, first, isFull } of actions) {
          file.setFull(isFull);
          const line = file.logs[window];
          const start = at % (line.log.text.length + 1);
          const end = Math.min(line.log.text.length, start + length);
          line.take(stepOf(kind, typing(start, words, end)));
          await file.deliver(delivered, first);
        }
        await file.deliver();
        file.setFull(false);
        // A step that the disk rejected is sent again with the next edit.
        for (const line of file.logs) line.take({ do: 'disk', text: line.log.savedText });
        await file.deliver();
        const { text: mainText, savedText } = file.main();
        for (const { log } of file.logs) expect([log.text, log.savedText]).toEqual([mainText, savedText]);
        for (const trouble of file.troubles) expect(trouble).toMatchObject({ code: 'draft.not-written' });
      }),
      { numRuns: testRounds(300) },
    );
  });
});

test('editing continues in the window if main cannot store edits, and this is reported', async () => {
  const troubles: unknown[] = [];
  const main = {
    call: () => Promise.reject(new Error('full')),
    onPush: () => () => undefined,
  } as unknown as MainClient;
  const log = newEditLog('a');
  const onTrouble = (error: unknown): void => void troubles.push(error);
  const line = new FileLog(path, log, main, { onForeign: () => undefined, onTrouble });
  line.take(typing(1, 'b'));
  await new Promise((resolve) => setTimeout(resolve, 0));
  line.take(typing(2, 'c'));
  expect([line.log.text, troubles.length]).toEqual(['abc', 1]);
});

test('a step rejected by a full disk is sent with the next edit', async () => {
  let isFull = true;
  const taken: EditStep[] = [];
  const call = async (_method: string, { base, steps }: { base: number; steps: readonly EditStep[] }) => {
    if (isFull) throw new EngineError({ code: 'draft.not-written', message: 'The disk is full.' });
    taken.push(...steps);
    return { accepted: true, version: base + steps.length };
  };
  const main = { call, onPush: () => () => undefined } as unknown as MainClient;
  const listener = { onForeign: () => undefined, onTrouble: () => undefined };
  const line = new FileLog(path, newEditLog(''), main, listener);
  line.take(typing(0, 'a'));
  await line.whenSent();
  isFull = false;
  line.take(typing(1, 'b'));
  await line.whenSent();
  expect(taken).toEqual([typing(0, 'a'), typing(1, 'b')]);
});

test('a disk that is full again later is reported again', async () => {
  let isFull = true;
  const troubles: unknown[] = [];
  const call = async (_method: string, { base, steps }: { base: number; steps: readonly EditStep[] }) => {
    if (isFull) throw new EngineError({ code: 'draft.not-written', message: 'The disk is full.' });
    return { accepted: true, version: base + steps.length };
  };
  const main = { call, onPush: () => () => undefined } as unknown as MainClient;
  const onTrouble = (error: unknown): void => void troubles.push(error);
  const line = new FileLog(path, newEditLog(''), main, { onForeign: () => undefined, onTrouble });
  for (const isFullNow of [true, true, false, true]) {
    isFull = isFullNow;
    line.take(typing(0, 'a'));
    await line.whenSent();
  }
  expect(troubles.length).toBe(2);
});

test('long steps are split into messages that main accepts', async () => {
  const lengths: number[] = [];
  const call = async (_method: string, { base, steps }: { base: number; steps: readonly EditStep[] }) => {
    lengths.push(steps.length);
    return { accepted: true, version: base + steps.length };
  };
  const main = { call, onPush: () => () => undefined } as unknown as MainClient;
  const listener = { onForeign: () => undefined, onTrouble: () => undefined };
  const line = new FileLog(path, newEditLog(''), main, listener);
  const long = 'x'.repeat(3 * 1024 * 1024);
  for (let count = 0; count < 6; count++) line.take({ do: 'disk', text: long });
  await line.whenSent();
  expect(lengths.reduce((sum, length) => sum + length)).toBe(6);
  expect(Math.max(...lengths)).toBeLessThan(3);
});

test('each step is sent at once, in order, without waiting for a response', () => {
  const messages: Message[] = [];
  const call = (_method: string, message: Message) => {
    messages.push(message);
    return new Promise(() => undefined);
  };
  const main = { call, onPush: () => () => undefined } as unknown as MainClient;
  const line = new FileLog(path, newEditLog(''), main, { onForeign: () => undefined, onTrouble: () => undefined });
  for (let letter = 0; letter < 900; letter++) line.take(typing(letter, 'x'));
  expect(messages.map(({ base, steps }) => [base, steps.length])).toEqual(messages.map((_, index) => [index, 1]));
  expect(messages).toHaveLength(900);
});

test('steps sent after a failed message are sent again, once and in order', async () => {
  const file = createSharedFile('');
  file.setFull(true);
  for (const [at, letter] of [...'abc'].entries()) file.logs[0].take(typing(at, letter));
  await file.deliver(2);
  file.setFull(false);
  await file.deliver();
  expect(file.main().text).toBe('');
  file.logs[0].take(typing(3, 'd'));
  await file.deliver();
  expect([file.main().text, file.main().version, file.troubles.length]).toEqual(['abcd', 4, 1]);
});

test('steps sent after a message that lost to another window are rebased as a whole', async () => {
  const file = createSharedFile('');
  file.logs[1].take(typing(0, 'X'));
  for (const [at, letter] of [...'abc'].entries()) file.logs[0].take(typing(at, letter));
  await file.deliver();
  expect(file.logs.map(({ log }) => log.text)).toEqual([file.main().text, file.main().text]);
  expect(file.main().text.replace('X', '')).toBe('abc');
  expect(file.main().version).toBe(4);
});
