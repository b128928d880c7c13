/**
 * Reads the manifest files in a folder. An unreadable file is reported as that file's problem, and unchanged files are
 * not read again.
 */
import { lstat, readdir, readFile, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Diagnostic } from '../../language/findings/diagnostic.ts';
import { type ParsedManifest, parseManifest } from './parse-manifest.ts';

/** A folder with manifests. */
export interface ToolFolder {
  /** The folder's absolute path. */
  readonly folder: string;
  /** Path for display: relative to the workspace with forward slashes, or absolute. */
  readonly shown: string;
  /** Absolute path of the workspace or pack. Symbolic links that lead out of it are not followed. */
  readonly within: string;
  /** The tools' product, which is the prefix of their names. */
  readonly product?: string;
  /** The tools' pack; without it and `product`, they belong to the workspace. */
  readonly pack?: {
    /** Prefix of tool names. */
    readonly name: string;
    /** The pack's reference, as `namespace@name`. */
    readonly ref: string;
  };
}

/** A file that should be a manifest. */
export interface ManifestFile {
  /** File name without the folder. */
  readonly file: string;
  readonly text: string;
  readonly parsed: ParsedManifest;
}

export const manifestEnding = '.tool.yaml';
const mostBytes = 1024 * 1024;
/** Maximum number of manifests per folder. */
const mostManifests = 1000;

interface CachedManifest extends ManifestFile {
  readonly changed: string;
}

/** Returns the text to use for a file instead of its content on disk; undefined for none. @param path absolute */
export type HeldText = (path: string, text: string) => string | undefined;

/** Reads manifests on demand. */
export class ManifestReader {
  readonly #held: HeldText;
  /** By absolute path. */
  readonly #known = new Map<string, CachedManifest>();

  /** @param held if absent, the content on disk is used */
  constructor(held: HeldText = (_, text) => text) {
    this.#held = held;
  }

  /** Returns the files sorted by name; empty if the folder does not exist. */
  async filesIn({ folder, shown, within }: ToolFolder): Promise<readonly ManifestFile[]> {
    const names = await readdir(folder).catch((): string[] => []);
    const files = names.filter((name) => name.endsWith(manifestEnding)).sort();
    if (files.length === 0) return [];
    const leadsOut = await outsideOf(within);
    if (await leadsOut(folder))
      return [problemFile(files[0] ?? '', `The folder ${shown} is a link to another location.`)];
    const found = await Promise.all(files.slice(0, mostManifests).map((file) => this.#file(folder, file, leadsOut)));
    const read = found.filter((file) => file !== undefined);
    const next = files[mostManifests];
    if (next === undefined) return read;
    const message = `${shown} has ${files.length} manifests. Only the first ${mostManifests} by name are read; this is the next one. Delete manifests that are not used.`;
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
        if (await leadsOut(path)) return problemFile(file, 'This is a link to another location. Copy the file here.');
        state = await lstat(await realpath(path));
      }
      if (!state.isFile()) return problemFile(file, 'This is not a file.');
      if (state.size > mostBytes)
        return problemFile(file, 'The file is larger than 1 MiB, the limit for manifests. Make it smaller.');
      const changed = `${state.mtimeMs} ${state.size} ${state.ino}`;
      const known = this.#known.get(path);
      if (known?.changed === changed) return known;
      const found = await readFile(path, 'utf8');
      const text = this.#held(path, found);
      if (text === undefined) return undefined;
      const read = { changed, file, text, parsed: parseManifest(text) };
      // Replaced text is not cached, because it may become valid without a change to the file.
      if (text === found) this.#known.set(path, read);
      return read;
    } catch (thrown) {
      return problemFile(file, `The file cannot be read: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    }
  }
}

/**
 * Returns a function that checks whether symbolic links lead a path out of a folder. A path that cannot be resolved
 * counts as outside.
 */
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
