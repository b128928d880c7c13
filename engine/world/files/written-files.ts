/**
 * Records files that were written by runs and that later runs would load, until a person has seen them. Each record is
 * a small file in the base folder's `millrace/written/`, where runs cannot write. Without records, the folder does not
 * exist, and checking costs one system call.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { writeFileAtomically } from './atomic-write.ts';
import { readWholeFile } from './read-text.ts';
import { walkTree } from './walk-files.ts';

const record = z.object({
  version: z.literal(1),
  /** Real, absolute path. */
  path: z.string(),
  /**
   * SHA-256 hash of the text that the run wrote; `*` if the write was interrupted, in which case any content counts.
   */
  hash: z.string(),
  /** The text that a person last saw there; null if there was no file. Absent if it was too large to store. */
  before: z.string().nullable().optional(),
  /** What the file determines, for messages; absent for a flow, agent or script. */
  decides: z.string().optional(),
  /** Time in epoch milliseconds. */
  at: z.number(),
});

/** Text that a run wrote and no person has seen since. */
export type WrittenFile = Readonly<z.output<typeof record>>;

/** A file that is about to be written. */
export interface RecordedPath {
  /** Real, absolute path. */
  readonly real: string;
  /** See `WrittenFile.decides`. */
  readonly decides?: string | undefined;
}

interface WrittenFilesOptions {
  /** Absolute path. */
  readonly baseFolder: string;
  readonly clock: Clock;
}

/** Flows may be stored in files with any name that has one of these extensions. */
const definitionEnding = /\.(?:aip|lua|[cm]?js|ya?ml)$/i;
const definitionWords = /nodes|steps|\\[ux]/;
/** Larger files are never loaded. */
const maxTextBytes = 16 * 1024 * 1024;
const maxKeptLength = 256 * 1024;

export class WrittenFiles {
  readonly #folder: string;
  readonly #clock: Clock;

  constructor({ baseFolder, clock }: WrittenFilesOptions) {
    this.#folder = join(baseFolder, 'millrace', 'written');
    this.#clock = clock;
  }

  /**
   * Returns the record of exactly this text at this path; undefined if a person has seen it or no run wrote it.
   * @param path absolute
   */
  find(path: string, text: string): WrittenFile | undefined {
    if (!existsSync(this.#folder)) return undefined;
    const noted = readRecord(this.#fileOf(realOf(path)));
    return noted !== undefined && (noted.hash === '*' || noted.hash === hashOf(text)) ? noted : undefined;
  }

  /**
   * Returns the text to use for a policy or settings file: until a person has seen the current text, the text that
   * they last saw.
   * @param path absolute
   * @param text the file's current content
   * @returns undefined if there was no file before
   */
  held(path: string, text: string): string | undefined {
    const noted = this.find(path, text);
    return noted?.decides === undefined ? text : (noted.before ?? undefined);
  }

  /**
   * Runs `work`, which writes the paths, and records the files that later runs could load. @throws errors from `work`
   */
  async noting<T>(paths: readonly RecordedPath[], work: () => Promise<T>): Promise<T> {
    const before = new Map<string, string | null | undefined>();
    for (const path of paths) {
      if (!isWatched(path)) continue;
      before.set(path.real, await this.#seenAt(path.real));
      await this.#note(path, '*', before.get(path.real));
    }
    try {
      return await work();
    } finally {
      for (const path of paths) await this.#noteWritten(path, before);
    }
  }

  /** Returns the files that no person has seen yet, by path. Drops records of files that a person has since changed. */
  async list(): Promise<readonly WrittenFile[]> {
    if (!existsSync(this.#folder)) return [];
    const names = await readdir(this.#folder);
    const noted = names.flatMap((name) => readRecord(join(this.#folder, name)) ?? []);
    const kept = await Promise.all(
      noted.map(async (one) => {
        const text = await textOf(one.path);
        if (text !== undefined && (one.hash === '*' || one.hash === hashOf(text))) return [one];
        if (text !== undefined) await this.#forget(one.path);
        return [];
      }),
    );
    return kept.flat().sort((left, right) => (left.path < right.path ? -1 : 1));
  }

  /**
   * Records that a person has seen the file. @param text as they saw it @returns false if it is not the current content
   */
  async accept(path: string, text: string): Promise<boolean> {
    if ((await textOf(path)) !== text) return false;
    await this.#forget(path);
    return true;
  }

  /** Returns a file's content; undefined if it does not exist or is too large. @param path real and absolute */
  async textOf(path: string): Promise<string | undefined> {
    return await textOf(path);
  }

  /** Returns a value that changes with a path's record. @param path absolute */
  markOf(path: string): string {
    if (!existsSync(this.#folder)) return '';
    const state = statSync(this.#fileOf(realOf(path)), { throwIfNoEntry: false });
    return state === undefined ? '' : `${state.ino} ${state.mtimeMs}`;
  }

  async #noteWritten(path: RecordedPath, before: Map<string, string | null | undefined>): Promise<void> {
    const state = await lstat(path.real).catch(() => undefined);
    if (state?.isDirectory()) {
      const below = await walkTree(path.real, { maxDepth: Number.POSITIVE_INFINITY, enters: () => true });
      for (const { path: name } of below) await this.#noteWritten({ ...path, real: join(path.real, name) }, before);
      return;
    }
    const isExpected = before.has(path.real);
    if (state === undefined || (!isExpected && !isWatched(path) && state.size > maxTextBytes)) return;
    const text = await textOf(path.real);
    if (text === undefined) return;
    if (!isExpected && !isWatched(path) && !definitionWords.test(text)) return;
    const seen = before.get(path.real);
    if (seen === text) await this.#forget(path.real);
    else await this.#note(path, hashOf(text), isExpected ? seen : null);
  }

  /** Returns the text that a person last saw there. */
  async #seenAt(real: string): Promise<string | null | undefined> {
    const text = await textOf(real);
    const noted = readRecord(this.#fileOf(real));
    if (noted !== undefined && text !== undefined && (noted.hash === '*' || noted.hash === hashOf(text)))
      return noted.before;
    return text ?? ((await lstat(real).catch(() => undefined)) === undefined ? null : undefined);
  }

  async #note({ real, decides }: RecordedPath, hash: string, before: string | null | undefined): Promise<void> {
    const kept = before !== undefined && (before === null || before.length <= maxKeptLength) ? { before } : {};
    const of = decides === undefined ? {} : { decides };
    const noted: WrittenFile = { version: 1, path: real, hash, ...kept, ...of, at: this.#clock.now() };
    await writeFileAtomically(this.#fileOf(real), `${JSON.stringify(noted)}\n`, 0o600);
  }

  async #forget(real: string): Promise<void> {
    await rm(this.#fileOf(real), { force: true });
  }

  #fileOf(real: string): string {
    return join(this.#folder, `${hashOf(real)}.json`);
  }
}

function isWatched({ real, decides }: RecordedPath): boolean {
  return decides !== undefined || definitionEnding.test(real);
}

/** Ignores the byte order mark, which only some loaders remove. */
function hashOf(text: string): string {
  return createHash('sha256')
    .update(text.replace(/^\uFEFF/, ''))
    .digest('hex');
}

function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** A damaged record matches any text, so an attacker gains nothing by damaging it. */
function readRecord(file: string): WrittenFile | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
  const { success, data } = record.safeParse(parsed(text));
  return success ? data : { version: 1, path: '', hash: '*', at: 0 };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads text leniently, as for flows: a flow with invalid UTF-8 still runs. Undefined if the file does not exist. */
async function textOf(real: string): Promise<string | undefined> {
  const bytes = await readWholeFile(real, { maxBytes: maxTextBytes, shownPath: real }).catch(() => undefined);
  return bytes === undefined ? undefined : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}
