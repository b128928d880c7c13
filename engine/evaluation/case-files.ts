/**
 * The files of one case at a time: those of the workspace, with changes that are discarded after the case.
 */
import { existsSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import type { DiscardedFiles } from '../host/wiring/case-world.ts';
import { whileOpen } from '../world/files/folders/folder-holder.ts';
import type { HeldFolder } from '../world/files/folders/held-folder.ts';
import { OverlayFiles } from '../world/files/overlay/overlay-files.ts';
import { withSlashes } from '../world/files/workspace-path.ts';
import { realPathOf } from '../world/script/script-paths.ts';

/** Longer texts are not compared. In bytes. */
const maxTextBytes = 16 * 1024 * 1024;

export class CaseFiles implements DiscardedFiles {
  readonly #workspace: string;
  #overlay = new OverlayFiles();
  /** Paths that belong to the tested version. */
  #ofVersion: ReadonlyMap<string, 'write' | 'delete'> = new Map();
  readonly #read = new Set<string>();

  /** @param workspace absolute path without symbolic links */
  constructor(workspace: string) {
    this.#workspace = workspace;
  }

  /** Discards all changes, and the list of read files. */
  async reset(): Promise<void> {
    this.#read.clear();
    const { tree } = this.#overlay;
    if (tree.isEmpty) return;
    await this.#overlay.close();
    this.#overlay = new OverlayFiles();
    this.#ofVersion = new Map();
  }

  /** Counts everything so far as part of the tested version, not as a change. */
  mark(): void {
    this.#ofVersion = this.#all();
  }

  /** Returns the written and deleted files by path: relative to the workspace with `/`, or absolute outside. */
  changes(): ReadonlyMap<string, 'write' | 'delete'> {
    return new Map([...this.#all()].filter(([path, change]) => this.#ofVersion.get(path) !== change));
  }

  #all(): Map<string, 'write' | 'delete'> {
    const changed = new Map<string, 'write' | 'delete'>();
    for (const { change, path } of this.#overlay.changes()) {
      if (change === 'make') continue;
      changed.set(this.#shown(path), change);
    }
    return changed;
  }

  #shown(path: string): string {
    const below = relative(this.#workspace, path);
    return below.startsWith('..') || isAbsolute(below) ? path : withSlashes(below);
  }

  /** Returns the text of a file as the case left it; undefined if there is none. @param path as in `changes` */
  async textOf(path: string): Promise<string | undefined> {
    const real = resolve(this.#workspace, path);
    try {
      return await whileOpen(this.#overlay, { real, shown: path }, async (file) => {
        const { size } = await file.stat();
        return size > maxTextBytes ? undefined : await file.readFile('utf8');
      });
    } catch {
      return undefined;
    }
  }

  /** Notes that the case reads a file of the workspace. @param path relative to the workspace, or absolute */
  noteRead(path: string): void {
    const below = this.#shown(resolve(this.#workspace, path));
    if (!isAbsolute(below)) this.#read.add(below);
  }

  /** Returns the files of the workspace that the case has read, sorted. */
  read(): readonly string[] {
    return [...this.#read].filter((path) => existsSync(resolve(this.#workspace, path))).sort();
  }

  async hold(real: string, isMade?: 'made'): Promise<HeldFolder> {
    const folder = await this.#overlay.hold(real, isMade);
    const { openFile } = folder;
    return Object.assign(folder, {
      openFile: (...how: Parameters<typeof openFile>) => {
        this.noteRead(join(real, how[0]));
        return openFile.apply(folder, how);
      },
    });
  }

  realPathOf(absolute: string): Promise<string> {
    return this.#overlay.realPathOf(absolute, realPathOf);
  }

  remove(real: string): Promise<void> {
    return this.#overlay.remove(real);
  }

  close(): Promise<void> {
    return this.#overlay.close();
  }
}
