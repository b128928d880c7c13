/**
 * The version of the workspace that is tested: the files, unsaved texts in their place, or a commit of Git.
 */
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isCaseFile } from '../language/cases/case-doc.ts';
import { replaceFile } from '../world/files/atomic-write.ts';
import { inFolderOf } from '../world/files/folders/folder-holder.ts';
import { listVersionChanges, readCommittedText } from '../world/files/git-versions.ts';
import { resolveInWorkspace } from '../world/files/workspace-path.ts';
import type { CaseFiles } from './case-files.ts';
import type { RunTests } from './evaluation-engine.ts';

export class WorkspaceVersion {
  readonly #workspace: string;
  /** Texts that differ from the files, by path; null for files that the version does not have. */
  readonly #texts: ReadonlyMap<string, string | null>;

  private constructor(workspace: string, texts: ReadonlyMap<string, string | null>) {
    this.#workspace = workspace;
    this.#texts = texts;
  }

  /**
   * Opens the files themselves, or a version of Git. Texts count only without a version.
   * @param workspace absolute path
   * @throws EngineError `git.*`
   */
  static async open(
    workspace: string,
    { version, texts = {} }: Pick<RunTests, 'texts' | 'version'>,
  ): Promise<WorkspaceVersion> {
    if (version === undefined) return new WorkspaceVersion(workspace, new Map(Object.entries(texts)));
    const changed = new Map<string, string | null>();
    for (const path of await listVersionChanges(workspace, version)) {
      if (isCaseFile(path)) continue;
      // Pictures and other large files are the current ones.
      const text = await readCommittedText(workspace, { path, ref: version }).catch(() => undefined);
      if (text !== undefined) changed.set(path, text.text);
    }
    return new WorkspaceVersion(workspace, changed);
  }

  /** Returns a text that differs from the file. @param path relative to the workspace */
  textOf(path: string): string | undefined {
    return this.#texts.get(path) ?? undefined;
  }

  /**
   * Returns the text that a differing text replaces; undefined for a path without one.
   * @param path relative to the workspace, or absolute
   */
  replacedText(path: string): { readonly before: string | null } | undefined {
    const real = resolve(this.#workspace, path);
    const isReplaced = [...this.#texts.keys()].some((one) => resolve(this.#workspace, one) === real);
    if (!isReplaced) return undefined;
    return { before: existsSync(real) ? readFileSync(real, 'utf8') : null };
  }

  /** Returns the text of a file; undefined if there is none. @param path relative to the workspace */
  async readText(path: string): Promise<string | undefined> {
    const own = this.#texts.get(path);
    if (own !== undefined) return own ?? undefined;
    const { real } = await resolveInWorkspace(this.#workspace, path);
    return await readFile(real, 'utf8').catch(() => undefined);
  }

  /** Writes the texts that differ, so that nodes and agents read them as files. */
  async writeTo(files: CaseFiles): Promise<void> {
    for (const [path, text] of this.#texts) {
      const { real } = await resolveInWorkspace(this.#workspace, path);
      if (text === null) await files.remove(real).catch(() => undefined);
      else
        await inFolderOf(
          files,
          real,
          (folder, name) => replaceFile(folder, name, { content: text, shown: path }),
          'made',
        );
    }
    files.mark();
  }
}
