/**
 * The version of the workspace that is tested: the files, unsaved texts in their place, a commit of Git, or what a run
 * executed.
 */
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Engine } from '../engine.ts';
import { readDefinitions, textsOf } from '../host/reads/run-definitions.ts';
import { isCaseFile, runOfVersion } from '../language/cases/case-names.ts';
import { replaceFile } from '../world/files/atomic-write.ts';
import { inFolderOf } from '../world/files/folders/folder-holder.ts';
import { listVersionChanges, readCommittedText } from '../world/files/git-versions.ts';
import { resolveInWorkspace } from '../world/files/workspace-path.ts';
import type { CaseFiles } from './case-files.ts';
import type { RunTests } from './evaluation-engine.ts';

/** What a version is read from. */
export interface VersionSource extends Pick<Engine, 'findRun' | 'readEvents' | 'readHead' | 'readStoredDefinition'> {
  /** Absolute path. */
  readonly workspace: string;
}

export class WorkspaceVersion {
  readonly #workspace: string;
  /** Texts that differ from the files, by path; null for files that the version does not have. */
  readonly #texts: ReadonlyMap<string, string | null>;
  /** Whether the texts may do no more than the present files. */
  readonly #isLimited: boolean;

  private constructor(workspace: string, texts: ReadonlyMap<string, string | null>, isLimited: boolean) {
    this.#workspace = workspace;
    this.#texts = texts;
    this.#isLimited = isLimited;
  }

  /**
   * Opens the files themselves, a version of Git, or what a run executed. Texts count only without a version. Proposed
   * texts and those of runs may do no more than the present files, because a person may never have seen them.
   * @throws EngineError `git.*` | `run.not-found`
   */
  static async open(
    source: VersionSource,
    { version, texts = {}, isProposal = false }: Pick<RunTests, 'isProposal' | 'texts' | 'version'>,
  ): Promise<WorkspaceVersion> {
    const { workspace } = source;
    if (version === undefined) return new WorkspaceVersion(workspace, new Map(Object.entries(texts)), isProposal);
    const run = runOfVersion(version);
    if (run !== undefined) {
      const definitions = await readDefinitions(source, await source.findRun(run));
      return new WorkspaceVersion(workspace, new Map(Object.entries(textsOf(definitions))), true);
    }
    const changed = new Map<string, string | null>();
    for (const path of await listVersionChanges(workspace, version)) {
      if (isCaseFile(path)) continue;
      // Pictures and other large files are the current ones.
      const text = await readCommittedText(workspace, { path, ref: version }).catch(() => undefined);
      if (text !== undefined) changed.set(path, text.text);
    }
    return new WorkspaceVersion(workspace, changed, false);
  }

  /** Returns a text that differs from the file. @param path relative to the workspace */
  textOf(path: string): string | undefined {
    return this.#texts.get(path) ?? undefined;
  }

  /**
   * Returns the text that counts for what a limited text may do; undefined for a path without one.
   * @param path relative to the workspace, or absolute
   */
  limitOf(path: string): { readonly before: string | null } | undefined {
    if (!this.#isLimited) return undefined;
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
