/**
 * Run ids that people can read and sort: `20261121-231502-k3f9x2`, the moment in UTC and some chance.
 */
import { randomBytes } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import { asRunId, asSessionId, type IdSource } from '../base/ids.ts';

/** Base 32 without the letters that look like digits or each other. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const chanceLength = 6;

/** Makes the source of ids. Ids of one source never repeat; those of two differ by 30 bits of chance per second. */
export function createIdSource(clock: Clock): IdSource {
  let second = '';
  const takenInSecond = new Set<string>();

  function freshId(): string {
    const now = momentText(clock.now());
    if (now !== second) {
      second = now;
      takenInSecond.clear();
    }
    let chance = randomText();
    while (takenInSecond.has(chance)) chance = randomText();
    takenInSecond.add(chance);
    return `${second}-${chance}`;
  }

  return { runId: () => asRunId(freshId()), sessionId: () => asSessionId(`s-${freshId()}`) };
}

/** `20261121-231502` */
function momentText(epochMs: number): string {
  const [date = '', time = ''] = new Date(epochMs).toISOString().split(/[T.]/);
  return `${date.replaceAll('-', '')}-${time.replaceAll(':', '')}`;
}

function randomText(): string {
  return Array.from(randomBytes(chanceLength), (byte) => alphabet[byte % alphabet.length]).join('');
}
