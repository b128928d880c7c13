/**
 * The manifests of a folder, as files: what cannot be read is a problem of its file, and what has not changed is not read again.
 */
import { lstat, readdir, readFile, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Diagnostic } from '../flowspec/diagnostic.ts';
import { type ParsedManifest, parseManifest } from './parse-manifest.ts';

/** A folder that has manifests. */
export interface ToolFolder {
  /** Absolute. */
  readonly folder: string;
  /** As people know it: relative to the workspace with `/`, or absolute. */
  readonly shown: string;
  /** The workspace or the pack, absolute: what a link leads to outside of it is not read. */
  readonly within: string;
  /** The product that it is of: what the names of its tools begin with. */
  readonly product?: string;
  /** The pack that it is of; without it and `product` it is the workspace's. */
  readonly pack?: {
    /** What the names of its tools begin with. */
    readonly name: string;
    /** `namespace@name`. */
    readonly ref: string;
  };
}

/** A file that ought to be a manifest. */
export interface ManifestFile {
  /** Its name, without the folder. */
  readonly file: string;
  readonly text: string;
  readonly parsed: ParsedManifest;
}

export const manifestEnding = '.tool.yaml';
const mostBytes = 1024 * 1024;
/** More of one folder are not read. */
const mostManifests = 1000;

interface Known extends ManifestFile {
  readonly changed: string;
}

/** Gives the text that holds at a place where this one is; undefined = none does. @param path absolute */
export type HeldText = (path: string, text: string) => string | undefined;

/** Reads manifests when they are asked for. */
export class ManifestReader {
  readonly #held: HeldText;
  /** By absolute path. */
  readonly #known = new Map<string, Known>();

  /** @param held absent = what is there holds */
  constructor(held: HeldText = (_, text) => text) {
    this.#held = held;
  }

  /** In the order of their names. Of a folder that is not there, none. */
  async filesIn({ folder, shown, within }: ToolFolder): Promise<readonly ManifestFile[]> {
    const names = await readdir(folder).catch((): string[] => []);
    const files = names.filter((name) => name.endsWith(manifestEnding)).sort();
    if (files.length === 0) return [];
    const leadsOut = await outsideOf(within);
    if (await leadsOut(folder))
      return [problemFile(files[0] ?? '', `The folder ${shown} is a link that leads elsewhere.`)];
    const found = await Promise.all(files.slice(0, mostManifests).map((file) => this.#file(folder, file, leadsOut)));
    const read = found.filter((file) => file !== undefined);
    const next = files[mostManifests];
    if (next === undefined) return read;
    const message = `${shown} has ${files.length} manifests. Only the first ${mostManifests} by name are read; this is the next. Delete those that nobody needs.`;
    return [...read, problemFile(next, message)];
  }

  async #file(
    folder: string,
    file: string,
    leadsOut: (path: string) => Promise<boolean>,
  ): Promise<ManifestFile | undefined> {
    const path = join(folder, file);
    try {
      let state = await lstat(path);
      if (state.isSymbolicLink()) {
        if (await leadsOut(path)) return problemFile(file, 'This is a link that leads elsewhere. Copy the file here.');
        state = await lstat(await realpath(path));
      }
      if (!state.isFile()) return problemFile(file, 'This is no file.');
      if (state.size > mostBytes) return problemFile(file, 'The file is larger than 1 MiB, and is not read.');
      const changed = `${state.mtimeMs} ${state.size} ${state.ino}`;
      const known = this.#known.get(path);
      if (known?.changed === changed) return known;
      const found = await readFile(path, 'utf8');
      const text = this.#held(path, found);
      if (text === undefined) return undefined;
      const read = { changed, file, text, parsed: parseManifest(text) };
      // What does not hold yet may hold without having changed.
      if (text === found) this.#known.set(path, read);
      return read;
    } catch (thrown) {
      return problemFile(file, `The file cannot be read: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    }
  }
}

/** Whether a path leads out of a folder by way of links. What cannot be followed does. */
async function outsideOf(within: string): Promise<(path: string) => Promise<boolean>> {
  const real = await realpath(within).catch(() => within);
  return async (path) => {
    const target = await realpath(path).catch(() => undefined);
    return target === undefined || !`${target}${sep}`.startsWith(real.endsWith(sep) ? real : `${real}${sep}`);
  };
}

const start = { line: 1, column: 1, endLine: 1, endColumn: 2 };

function problemFile(file: string, message: string): ManifestFile {
  const problem: Diagnostic = { code: 'tool.unreadable', severity: 'error', message, range: start };
  const parsed: ParsedManifest = {
    ...{ manifest: null, diagnostics: [problem], secretNames: [] },
    ...{ codePlace: { line: 1, isExact: false }, places: { toolId: start, secret: start, run: start } },
  };
  return { file, text: '', parsed };
}
