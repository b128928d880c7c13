/**
 * What the program has to say about itself, kept in files of a folder of the person's: `millrace.log`, before it
 * `millrace.1.log` and so on. Secrets are taken out before a line is written.
 */
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { Clock } from '../../ipc/engine-base.ts';

/** Bytes of one file, at which the next one begins; and how many older ones stay. */
const maxSize = 1024 * 1024;
const olderFiles = 4;
/** Of one entry, in characters. */
const maxEntryLength = 16_384;
const crashFiles = 10;

export interface Log {
  readonly folder: string;
  /** Writes an entry. Never fails: a full disk must not end the program. */
  write(source: string, text: string): void;
  /** The last lines, the oldest first. */
  tail(lines: number): string[];
  /** Keeps a text of its own about a crash, as `crash-TIME.txt`; the newest ten stay. Never fails. */
  keepCrash(source: string, text: string): void;
}

interface LogParts {
  readonly folder: string;
  readonly clock: Clock;
  readonly redact: (text: string) => string;
}

/** Opens the log; the folder is made with its first entry, and nobody else may read it. */
export function openLog({ folder, clock, redact }: LogParts): Log {
  const fileOf = (age: number): string => path.join(folder, age === 0 ? 'millrace.log' : `millrace.${age}.log`);
  const now = (): string => new Date(clock.now()).toISOString();
  const shortened = (text: string): string =>
    text.length <= maxEntryLength ? text : `${text.slice(0, maxEntryLength)}… (${text.length - maxEntryLength} more)`;

  const rotateBefore = (bytes: number): void => {
    const size = statSync(fileOf(0), { throwIfNoEntry: false })?.size ?? 0;
    if (size === 0 || size + bytes <= maxSize) return;
    rmSync(fileOf(olderFiles), { force: true });
    for (let age = olderFiles - 1; age >= 0; age--) {
      if (statSync(fileOf(age), { throwIfNoEntry: false }) !== undefined) renameSync(fileOf(age), fileOf(age + 1));
    }
  };

  return {
    folder,
    write(source, text) {
      const plain = redact(shortened(text)).trimEnd();
      if (plain === '') return;
      const entry = plain
        .split('\n')
        .map((line) => `${now()} ${source} ${line}\n`)
        .join('');
      neverFailing(() => {
        makePrivate(folder);
        rotateBefore(Buffer.byteLength(entry));
        appendFileSync(fileOf(0), entry, { mode: 0o600 });
      });
    },
    tail(lines) {
      const found: string[] = [];
      for (let age = 0; age <= olderFiles && found.length < lines; age++) {
        const own = readLines(fileOf(age));
        found.unshift(...own.slice(Math.max(0, own.length - (lines - found.length))));
      }
      return found;
    },
    keepCrash(source, text) {
      neverFailing(() => {
        makePrivate(folder);
        const name = `crash-${now().replaceAll(':', '-')}.txt`;
        writeFileSync(path.join(folder, name), `${source}\n${redact(text)}\n`, { mode: 0o600 });
        for (const old of crashesIn(folder).slice(0, -crashFiles)) rmSync(path.join(folder, old), { force: true });
      });
    },
  };
}

function neverFailing(write: () => void): void {
  try {
    write();
  } catch {
    // There is nowhere left to say so.
  }
}

function makePrivate(folder: string): void {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o700);
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .filter((line) => line !== '');
  } catch {
    return [];
  }
}

/** Names, the oldest first. */
function crashesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => /^crash-.*\.txt$/.test(name))
    .sort();
}
