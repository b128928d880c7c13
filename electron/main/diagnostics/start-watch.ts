/**
 * Whether the last starts went well: one that ended before a window could be used counts as failed, and after two of them
 * the person is offered a start without packs, trust and settings of theirs.
 */
import path from 'node:path';
import { z } from 'zod';
import { readOwnFile, writeOwnFile } from '../own-file.ts';

const manyFailures = 2;

const kept = z.object({ unfinished: z.number().int().min(0) });

export interface StartWatch {
  /** Whether so many starts in a row have failed that this one should do without much. */
  readonly hasFailedOften: boolean;
  /** A window can be used, or the person has quit: this start was none of those. */
  succeed(): void;
}

/** Counts a start that begins. */
export function watchStart(folder: string): StartWatch {
  const file = path.join(folder, 'starts.json');
  const unfinished = readCount(file);
  write(file, unfinished + 1);
  let isDone = false;
  return {
    hasFailedOften: unfinished >= manyFailures,
    succeed() {
      if (!isDone) write(file, 0);
      isDone = true;
    },
  };
}

function readCount(file: string): number {
  try {
    return kept.parse(JSON.parse(readOwnFile(file) ?? '{"unfinished":0}')).unfinished;
  } catch {
    return 0;
  }
}

/** On a full disk nothing is counted, and nothing fails. */
function write(file: string, unfinished: number): void {
  try {
    writeOwnFile(file, JSON.stringify({ unfinished }));
  } catch {
    // Said when settings cannot be kept either.
  }
}
