/**
 * Journals on the disk itself: what was written is with the system at once, and so outlives the program; here the system is
 * made to store it, so that it outlives the machine's power, too. Typing never waits for that.
 */
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../../ipc/engine-base.ts';

/** Milliseconds that a step may be lost by a power cut, and the least time between two waits for the disk. */
export const syncPauseMs = 1000;

/** How files are stored; tests watch it. */
export interface DiskSync {
  /** @throws the system's error */
  sync(file: string): Promise<void>;
  /** Returns when it is stored. @throws the system's error */
  syncNow(file: string): void;
}

export class JournalSync {
  readonly #clock: Clock;
  readonly #disk: DiskSync;
  readonly #written = new Set<string>();
  #endTimer: (() => void) | null = null;

  constructor(clock: Clock, disk: DiskSync = systemDisk) {
    this.#clock = clock;
    this.#disk = disk;
  }

  /** A journal was written; it is stored shortly after, together with what is written until then. */
  note(file: string): void {
    this.#written.add(file);
    this.#endTimer ??= this.#clock.setTimer(() => void this.flush(), syncPauseMs);
  }

  /** Stores all that was written. Resolves when that is done, or has failed. */
  async flush(): Promise<void> {
    await Promise.all(this.#take().map((file) => this.#disk.sync(file).catch((error) => tell(file, error))));
  }

  /** Stores all that was written before it returns: for the end of the program. */
  flushNow(): void {
    for (const file of this.#take()) {
      try {
        this.#disk.syncNow(file);
      } catch (error) {
        tell(file, error);
      }
    }
  }

  #take(): string[] {
    this.#endTimer?.();
    this.#endTimer = null;
    const files = [...this.#written];
    this.#written.clear();
    return files;
  }
}

/** A journal that is gone, because all of it was saved, needs no storing. */
function tell(file: string, error: unknown): void {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
  process.stderr.write(`millrace: ${file} is written, but the disk does not confirm it: ${error}\n`);
}

const systemDisk: DiskSync = {
  async sync(file) {
    for (const [place, flags] of placesOf(file)) {
      const handle = await open(place, flags);
      try {
        await handle.sync();
      } finally {
        await handle.close();
      }
    }
  },
  syncNow(file) {
    for (const [place, flags] of placesOf(file)) {
      const handle = openSync(place, flags);
      try {
        fsyncSync(handle);
      } finally {
        closeSync(handle);
      }
    }
  },
};

/** The file, and the folder that has its name: Windows stores that by itself, and opens no folders. */
function placesOf(file: string): readonly (readonly [string, string])[] {
  const own = [file, 'r+'] as const;
  return process.platform === 'win32' ? [own] : [own, [path.dirname(file), 'r']];
}
