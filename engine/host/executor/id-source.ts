/**
 * Creates readable, sortable run IDs such as `20261121-231502-k3f9x2`: the UTC time followed by random characters.
 */
import { createHash, randomFillSync } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { asRunId, asSessionId, type IdSource } from '../../base/ids.ts';

/** Base 32 without letters that are easily confused with digits or with each other. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const chanceLength = 6;

/**
 * Creates a source of IDs. One source never repeats an ID. IDs from two sources in the same second differ in 30 random
 * bits.
 */
export function createIdSource(clock: Clock): IdSource {
  let second = Number.NaN;
  let text = '';
  const takenInSecond = new Set<string>();

  function freshId(): string {
    const now = Math.floor(clock.now() / 1000);
    if (now !== second) {
      second = now;
      text = momentText(now);
      takenInSecond.clear();
    }
    let ending = randomText();
    while (takenInSecond.has(ending)) ending = randomText();
    takenInSecond.add(ending);
    return `${text}-${ending}`;
  }

  return { runId: () => asRunId(freshId()), sessionId: () => asSessionId(`s-${freshId()}`) };
}

/**
 * Creates a source whose IDs look like those of `createIdSource`, but are the same each time a run is repeated.
 * @param seed text that no other run has. @param now returns the time, which must also be the same in each repetition
 */
export function createRepeatableIds(seed: string, now: () => number): IdSource {
  const taken = new Set<string>();
  let count = 0;

  function nextId(): string {
    const hash = createHash('sha256').update(`${seed} ${count++}`).digest();
    const id = `${momentText(Math.floor(now() / 1000))}-${endingOf(hash)}`;
    if (taken.has(id)) return nextId();
    taken.add(id);
    return id;
  }

  return { runId: () => asRunId(nextId()), sessionId: () => asSessionId(`s-${nextId()}`) };
}

/** Formats a time for an ID: `20261121-231502`. */
function momentText(epochSeconds: number): string {
  const [date = '', time = ''] = new Date(epochSeconds * 1000).toISOString().split(/[T.]/);
  return `${date.replaceAll('-', '')}-${time.replaceAll(':', '')}`;
}

/** Random bytes are drawn in bulk, because a system call per ID would dominate the cost of creating it. */
const chance = new Uint8Array(chanceLength * 100);
let usedChance = chance.length;

function randomText(): string {
  if (usedChance === chance.length) {
    randomFillSync(chance);
    usedChance = 0;
  }
  const text = endingOf(chance.subarray(usedChance, usedChance + chanceLength));
  usedChance += chanceLength;
  return text;
}

function endingOf(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes.subarray(0, chanceLength)) text += alphabet[byte % alphabet.length];
  return text;
}
