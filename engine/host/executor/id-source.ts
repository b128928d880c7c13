/**
 * Creates readable, sortable run IDs such as `20261121-231502-k3f9x2`: the UTC time followed by random characters.
 */
import { randomFillSync } from 'node:crypto';
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
  let text = '';
  for (const byte of chance.subarray(usedChance, usedChance + chanceLength)) text += alphabet[byte % alphabet.length];
  usedChance += chanceLength;
  return text;
}
