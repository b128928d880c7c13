/**
 * Flushes journals to disk. Written data is already with the operating system and survives a program crash. Flushing
 * makes it survive a power loss, too. Typing never waits for it.
 */
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../../ipc/engine-base.ts';

/** Maximum age in milliseconds of steps that a power loss can destroy, and minimum time between two flushes. */
export const syncPauseMs = 1000;

/** Flushes files; replaced in tests. */
export interface DiskSync {
  /** Resolves when the file is flushed. @throws the system's error */
  sync(file: string): Promise<void>;
  /** Returns when the file is flushed. @throws the system's error */
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

  /**
   * Records that a journal was written. It is flushed shortly after, together with all other journals written until
   * then.
   */
  note(file: string): void {
    this.#written.add(file);
    this.#endTimer ??= this.#clock.setTimer(() => void this.flush(), syncPauseMs);
  }

  /** Flushes everything that was written. Resolves when that has completed or failed. */
  async flush(): Promise<void> {
    await Promise.all(this.#take().map((file) => this.#disk.sync(file).catch((error) => tell(file, error))));
  }

  /** Flushes everything synchronously, for the end of the program. */
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

/** A journal that was deleted because its text was saved needs no flushing. */
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

/**
 * Returns the file and its folder, which stores the file's name. Windows flushes folders itself and cannot open them.
 */
function placesOf(file: string): readonly (readonly [string, string])[] {
  const own = [file, 'r+'] as const;
  return process.platform === 'win32' ? [own] : [own, [path.dirname(file), 'r']];
}
