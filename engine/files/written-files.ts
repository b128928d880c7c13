/**
 * What runs have written that later runs would load, until a person has seen it: one small file for each in `millrace/written/` of the base
 * folder, where no run writes. Where no run has written anything, that folder is missing, and to look costs one call of the system.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../base/clock.ts';
import { writeFileAtomically } from './atomic-write.ts';
import { readWholeFile } from './read-text.ts';
import { walkTree } from './walk-files.ts';

const record = z.object({
  version: z.literal(1),
  /** Real and absolute. */
  path: z.string(),
  /** SHA-256 of what the run wrote; `*` = it was cut while it wrote, and whatever is there counts. */
  hash: z.string(),
  /** What a person last saw there; null = there was no file. Absent when it was too large to keep. */
  before: z.string().nullable().optional(),
  /** What it decides, for messages; absent for a flow, an agent or a script. */
  decides: z.string().optional(),
  /** Epoch milliseconds. */
  at: z.number(),
});

/** A text that a run has written and no person has seen since. */
export type WrittenFile = Readonly<z.output<typeof record>>;

/** A file that is about to be written. */
export interface NotedPath {
  /** Real and absolute. */
  readonly real: string;
  /** As `WrittenFile.decides`. */
  readonly decides?: string | undefined;
}

interface WrittenFilesOptions {
  /** Absolute. */
  readonly baseFolder: string;
  readonly clock: Clock;
}

/** Texts of flows may lie in files of any name. */
const definitionEnding = /\.(?:aip|lua|[cm]?js|ya?ml)$/i;
const definitionWords = /nodes|steps|\\[ux]/;
/** Nothing larger is loaded. */
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
   * Returns the record of this exact text at this path. Undefined when a person has seen it, or no run wrote it.
   * @param path absolute
   */
  find(path: string, text: string): WrittenFile | undefined {
    if (!existsSync(this.#folder)) return undefined;
    const noted = readRecord(this.#fileOf(realOf(path)));
    return noted !== undefined && (noted.hash === '*' || noted.hash === hashOf(text)) ? noted : undefined;
  }

  /**
   * Returns the text to load for a deciding file: what a person last saw, until they have seen the present one.
   * @param path absolute
   * @param text what the file holds now
   * @returns undefined when there was no file before
   */
  held(path: string, text: string): string | undefined {
    const noted = this.find(path, text);
    return noted?.decides === undefined ? text : (noted.before ?? undefined);
  }

  /** Runs `work`, which writes the paths, and records what later runs could load of it. @throws what `work` throws */
  async noting<T>(paths: readonly NotedPath[], work: () => Promise<T>): Promise<T> {
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

  /** Returns the files that no person has seen yet, by path. Drops the record of a file that a person has changed since. */
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

  /** A person has seen what the file holds. @param text as they saw it @returns false when it is not what is there */
  async accept(path: string, text: string): Promise<boolean> {
    if ((await textOf(path)) !== text) return false;
    await this.#forget(path);
    return true;
  }

  /** What the file holds; undefined = there is none, or it is too large. @param path real and absolute */
  async textOf(path: string): Promise<string | undefined> {
    return await textOf(path);
  }

  /** Changes when what is noted of a place does. @param path absolute */
  markOf(path: string): string {
    if (!existsSync(this.#folder)) return '';
    const state = statSync(this.#fileOf(realOf(path)), { throwIfNoEntry: false });
    return state === undefined ? '' : `${state.ino} ${state.mtimeMs}`;
  }

  async #noteWritten(path: NotedPath, before: Map<string, string | null | undefined>): Promise<void> {
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

  /** What a person has last seen there. */
  async #seenAt(real: string): Promise<string | null | undefined> {
    const text = await textOf(real);
    const noted = readRecord(this.#fileOf(real));
    if (noted !== undefined && text !== undefined && (noted.hash === '*' || noted.hash === hashOf(text)))
      return noted.before;
    return text ?? ((await lstat(real).catch(() => undefined)) === undefined ? null : undefined);
  }

  async #note({ real, decides }: NotedPath, hash: string, before: string | null | undefined): Promise<void> {
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

function isWatched({ real, decides }: NotedPath): boolean {
  return decides !== undefined || definitionEnding.test(real);
}

/** Some loaders leave the byte order mark out, some do not. */
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

/** A damaged record matches any text, so that damaging it gains nothing. */
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

/** Reads a text leniently, as flows are read: a flow with invalid UTF-8 still runs. Undefined when there is no file. */
async function textOf(real: string): Promise<string | undefined> {
  const bytes = await readWholeFile(real, { maxBytes: maxTextBytes, shownPath: real }).catch(() => undefined);
  return bytes === undefined ? undefined : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}
