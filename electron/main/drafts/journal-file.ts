/**
 * The edits of one file on disk: a line that says of which file and what its text was, then a line for each step. Lines are
 * only ever added at the end, so a program that is killed loses at most the line it was writing.
 */
import { appendFileSync, existsSync, readFileSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { type EditLog, type EditStep, editStep, newEditLog, takeStep } from '../../ipc/edit-log.ts';
import { writeOwnFile, writeOwnFileThrough } from '../own-file.ts';
import { joinSteps, type LogSource } from './compact-log.ts';

import { makePrivateFolder, privateFileMode } from './private-folder.ts';

/** What could be read of a journal. */
export interface StoredDraft {
  /** Of the edited file, inside its workspace. */
  readonly path: string;
  /** The text with all entries of the log undone. */
  readonly baseText: string;
  readonly log: EditLog;
  readonly sizeBytes: number;
  /** When it was last written, epoch milliseconds. */
  readonly at: number;
  /** Whether a line before the last one makes no sense: the log ends there. */
  readonly isDamaged: boolean;
}

const firstLine = z.object({ version: z.literal(1), path: z.string(), baseText: z.string() });
const lineBreak = 0x0a;

/**
 * Reads a journal; a last line that was cut off does not count. Undefined = its first line makes no sense.
 * @throws the system's error, also when there is none
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

/** As `readJournal`; undefined also when there is none. @throws the system's error when it cannot be read */
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
 * Takes off a last line that was cut off, so that the next one starts anew.
 * @param sizeBytes of what was read of it
 * @throws the system's error
 */
export function mendJournal(file: string, sizeBytes: number): void {
  truncateSync(file, sizeBytes);
}

/** Adds steps; on disk when it returns. @returns by how many bytes it grew @throws the system's error */
export function appendToJournal(file: string, steps: readonly EditStep[]): number {
  const text = linesOf(steps);
  appendFileSync(file, text, { mode: privateFileMode });
  return Buffer.byteLength(text);
}

/** Writes a journal as a whole, in place of one that is there. @returns its size in bytes @throws the system's error */
export function writeJournal(file: string, { path: draftPath, baseText, steps }: LogSource & { path: string }): number {
  makePrivateFolder(path.dirname(file));
  const text = `${JSON.stringify({ version: 1, path: draftPath, baseText })}\n${linesOf(steps)}`;
  // What takes the place of the only copy of a text must not be empty after a power cut; the first letter need not wait.
  if (existsSync(file)) writeOwnFileThrough(file, text, privateFileMode);
  else writeOwnFile(file, text, privateFileMode);
  return Buffer.byteLength(text);
}

function linesOf(steps: readonly EditStep[]): string {
  return steps.map((step) => `${JSON.stringify(step)}\n`).join('');
}

/** Takes a journal away that is of no use; harmless when there is none. @throws the system's error */
export function removeJournal(file: string): void {
  rmSync(file, { force: true });
}

/**
 * Makes room for another journal of the same name: puts this one aside, and the text that it leads to beside it.
 * @returns the file with the text @throws the system's error
 */
export function setTextAside(file: string, text: string): string {
  const textFile = `${setJournalAside(file)}.txt`;
  writeOwnFileThrough(textFile, text, privateFileMode);
  return textFile;
}

/** Gives a damaged journal another name, for the person to look at. @returns that name @throws the system's error */
export function setJournalAside(file: string): string {
  let aside = `${file}.damaged`;
  for (let number = 2; existsSync(aside); number++) aside = `${file}.damaged${number}`;
  renameSync(file, aside);
  return aside;
}
