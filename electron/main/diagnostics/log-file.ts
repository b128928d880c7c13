/**
 * Writes the program's log to a private folder: `millrace.log`, older files as `millrace.1.log` and so on. Secrets are
 * removed before a line is written.
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

/** Maximum size of one file in bytes; `olderFiles` is the number of older files that are kept. */
const maxSize = 1024 * 1024;
const olderFiles = 4;
/** Maximum length of one entry, in characters. */
const maxEntryLength = 16_384;
const crashFiles = 10;

export interface DiagnosticLog {
  readonly folder: string;
  /** Writes an entry. Never throws: a full disk must not end the program. */
  write(source: string, text: string): void;
  /** Returns the last lines, oldest first. */
  tail(lines: number): string[];
  /** Stores a crash report as `crash-TIME.txt` and keeps the newest ten. Never throws. */
  keepCrash(source: string, text: string): void;
}

interface LogParts {
  readonly folder: string;
  readonly clock: Clock;
  readonly redact: (text: string) => string;
}

/** Opens the log. Its folder is created with the first entry and is private to the user. */
export function openLog({ folder, clock, redact }: LogParts): DiagnosticLog {
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
    // The error cannot be reported anywhere else.
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

/** Returns file names, oldest first. */
function crashesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => /^crash-.*\.txt$/.test(name))
    .sort();
}
