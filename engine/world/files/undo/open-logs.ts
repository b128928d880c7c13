/**
 * The lists of changes that are being written. A few stay open, because a run usually changes many files.
 */
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunId } from '../../../base/ids.ts';
import { systemHolder } from '../folders/folder-holder.ts';
import type { HeldFolder } from '../folders/held-folder.ts';
import { readTextFile } from '../read-text.ts';
import { type ChangeLine, logName, readChangeList } from './change-log.ts';
import { undoFolder } from './undo-folder.ts';

/** Number of unused lists that stay open. */
const maxUnused = 4;
/** Larger lists are not continued. */
const maxLogBytes = 256 * 1024 * 1024;

/** A run's open list of changes. */
export class RunLog {
  readonly id: string;
  readonly folder: HeldFolder;
  /** The listed paths. */
  readonly known: Set<string>;
  readonly #file: FileHandle;
  /** A kill may have left an incomplete line at the end. */
  #isFirst = true;

  constructor(id: string, folder: HeldFolder, { file, known }: { readonly file: FileHandle; known: Set<string> }) {
    this.id = id;
    this.folder = folder;
    this.known = known;
    this.#file = file;
  }

  /** Adds lines. @throws the system's error */
  async add(lines: readonly ChangeLine[], { isDurable = false } = {}): Promise<void> {
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    const start = this.#isFirst ? '\n' : '';
    this.#isFirst = false;
    await this.#file.appendFile(start + text);
    if (isDurable) await this.#file.datasync();
  }

  async close(): Promise<void> {
    await this.#file.close();
    await this.folder.close();
  }
}

interface LogInUse {
  readonly opening: Promise<RunLog>;
  uses: number;
}

export class OpenLogs {
  readonly #root: string;
  readonly #hideFromGit: (folder: string) => void;
  /** By run, the least recently used first. */
  readonly #logs = new Map<string, LogInUse>();

  constructor(root: string, hideFromGit: (folder: string) => void) {
    this.#root = root;
    this.#hideFromGit = hideFromGit;
  }

  /** Opens a run's list; the caller must release it. @throws EngineError `files.bad-link`; the system's error */
  async take(id: RunId): Promise<RunLog> {
    const log = this.#logs.get(id) ?? { opening: this.#open(id), uses: 0 };
    this.#logs.delete(id);
    this.#logs.set(id, log);
    log.uses += 1;
    try {
      return await log.opening;
    } catch (error) {
      if (this.#logs.get(id) === log) this.#logs.delete(id);
      throw error;
    }
  }

  async release({ id }: Pick<RunLog, 'id'>): Promise<void> {
    const released = this.#logs.get(id);
    if (released !== undefined) released.uses -= 1;
    const unused = [...this.#logs].filter(([, { uses }]) => uses === 0);
    for (const [one] of unused.slice(0, -maxUnused)) await this.close(one);
  }

  /** Whether a run's list is being written. */
  isInUse(id: string): boolean {
    return (this.#logs.get(id)?.uses ?? 0) > 0;
  }

  /** Closes a run's list if it is open. */
  async close(id: string): Promise<void> {
    const log = this.#logs.get(id);
    this.#logs.delete(id);
    await (await log?.opening.catch(() => undefined))?.close();
  }

  async closeAll(): Promise<void> {
    for (const id of [...this.#logs.keys()]) await this.close(id);
  }

  async #open(runId: RunId): Promise<RunLog> {
    const folder = await systemHolder.hold(join(undoFolder(this.#root), runId), 'made');
    try {
      this.#hideFromGit(join(this.#root, '.millrace'));
      const known = await knownPaths(folder);
      return new RunLog(runId, folder, { known, file: await folder.openFile(logName, 'append') });
    } catch (error) {
      await folder.close();
      throw error;
    }
  }
}

/** A resumed run continues its list. */
async function knownPaths(folder: HeldFolder): Promise<Set<string>> {
  if ((await folder.stat(logName)) === undefined) return new Set();
  const file = await folder.openFile(logName, 'read');
  try {
    const text = await readTextFile(file, { maxBytes: maxLogBytes, shownPath: logName });
    const { changes, outside } = readChangeList(text, false);
    return new Set([...changes.map(({ path }) => path), ...outside]);
  } finally {
    await file.close();
  }
}
