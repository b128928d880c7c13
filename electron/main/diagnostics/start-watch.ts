/**
 * Detects failed starts: a start that ended before a window was usable counts as failed. After two of them, the user is
 * offered safe mode.
 */
import path from 'node:path';
import { z } from 'zod';
import { readOwnFile, writeOwnFile } from '../own-file.ts';

const manyFailures = 2;

const kept = z.object({ unfinished: z.number().int().min(0) });

export interface StartWatch {
  /** Whether enough consecutive starts have failed to offer safe mode. */
  readonly hasFailedOften: boolean;
  /** Marks this start as successful, because a window is usable or the user has quit. */
  succeed(): void;
}

/** Counts a new start. */
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

/** Ignores errors: on a full disk, starts are not counted. */
function write(file: string, unfinished: number): void {
  try {
    writeOwnFile(file, JSON.stringify({ unfinished }));
  } catch {
    // The failure to save settings reports the same problem.
  }
}
