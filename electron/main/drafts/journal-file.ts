/**
 * Stores the edits of one file on disk: a line with the file's path and base text, then a line for each step. Lines are
 * only appended, so a program that is killed loses at most the line it was writing.
 */
import { appendFileSync, existsSync, readFileSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { type EditLog, type EditStep, editStep, newEditLog, takeStep } from '../../ipc/edit-log.ts';
import { writeOwnFile, writeOwnFileThrough } from '../own-file.ts';
import { type DraftLogSource, joinSteps } from './compact-log.ts';

import { makePrivateFolder, privateFileMode } from './private-folder.ts';

/** The readable content of a journal. */
export interface StoredDraft {
  /** Path of the edited file inside its workspace. */
  readonly path: string;
  /** The text with all entries of the log undone. */
  readonly baseText: string;
  readonly log: EditLog;
  readonly sizeBytes: number;
  /** Time of the last write, in epoch milliseconds. */
  readonly at: number;
  /** Whether a line before the last one is invalid. The log ends at that line. */
  readonly isDamaged: boolean;
}

const firstLine = z.object({ version: z.literal(1), path: z.string(), baseText: z.string() });
const lineBreak = 0x0a;

/**
 * Reads a journal, ignoring an incomplete last line. Returns undefined if its first line is invalid.
 * @throws the system's error, also if the file does not exist
 */
export function readJournal(file: string): StoredDraft | undefined {
  const bytes = readFileSync(file);
  const sizeBytes = bytes.lastIndexOf(lineBreak) + 1;
  const [head = '', ...lines] = bytes.toString('utf8', 0, sizeBytes).split('\n').slice(0, -1);
  const first = firstLine.safeParse(parseLine(head));
  if (!first.success) return undefined;
  const { path: draftPath, baseText } = first.data;
  const facts = { path: draftPath, baseText, sizeBytes, at: statSync(file).mtimeMs };
  const steps = lines.map((line) => editStep.safeParse(parseLine(line)));
  const bad = steps.findIndex(({ success }) => !success);
  const good = steps.slice(0, bad === -1 ? steps.length : bad).flatMap(({ data }) => data ?? []);
  const { log, isWhole } = replay(baseText, joinSteps(good));
  return { ...facts, log, isDamaged: bad !== -1 || !isWhole };
}

/**
 * Like `readJournal`, but also returns undefined if the file does not exist. @throws the system's error if it cannot be
 * read
 */
export function readJournalIfThere(file: string): StoredDraft | undefined {
  return existsSync(file) ? readJournal(file) : undefined;
}

function replay(baseText: string, steps: readonly EditStep[]): { log: EditLog; isWhole: boolean } {
  let log = newEditLog(baseText);
  for (const step of steps) {
    try {
      log = takeStep(log, step);
    } catch {
      return { log, isWhole: false };
    }
  }
  return { log, isWhole: true };
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/**
 * Removes an incomplete last line, so that the next one starts on a new line.
 * @param sizeBytes size of the part that was read
 * @throws the system's error
 */
export function mendJournal(file: string, sizeBytes: number): void {
  truncateSync(file, sizeBytes);
}

/**
 * Appends steps. They are written when the function returns. @returns the number of bytes added @throws the system's
 * error
 */
export function appendToJournal(file: string, steps: readonly EditStep[]): number {
  const text = linesOf(steps);
  appendFileSync(file, text, { mode: privateFileMode });
  return Buffer.byteLength(text);
}

/** Writes or replaces a whole journal. @returns its size in bytes @throws the system's error */
export function writeJournal(
  file: string,
  { path: draftPath, baseText, steps }: DraftLogSource & { path: string },
): number {
  makePrivateFolder(path.dirname(file));
  const text = `${JSON.stringify({ version: 1, path: draftPath, baseText })}\n${linesOf(steps)}`;
  // A file that replaces the only copy of a text must be flushed, so that it is not empty after a power loss. A new
  // file does not have to be flushed immediately.
  if (existsSync(file)) writeOwnFileThrough(file, text, privateFileMode);
  else writeOwnFile(file, text, privateFileMode);
  return Buffer.byteLength(text);
}

function linesOf(steps: readonly EditStep[]): string {
  return steps.map((step) => `${JSON.stringify(step)}\n`).join('');
}

/** Deletes a journal that is not needed, if it exists. @throws the system's error */
export function removeJournal(file: string): void {
  rmSync(file, { force: true });
}

/**
 * Renames a journal to free its name for another one, and writes its text to a file next to it.
 * @returns the file with the text @throws the system's error
 */
export function setTextAside(file: string, text: string): string {
  const textFile = `${setJournalAside(file)}.txt`;
  writeOwnFileThrough(textFile, text, privateFileMode);
  return textFile;
}

/** Renames a damaged journal, so that the user can inspect it. @returns the new name @throws the system's error */
export function setJournalAside(file: string): string {
  let aside = `${file}.damaged`;
  for (let number = 2; existsSync(aside); number++) aside = `${file}.damaged${number}`;
  renameSync(file, aside);
  return aside;
}
