/**
 * Provides Git operations for host programs: reading earlier versions of files, and commits that a person requests.
 */
import type { CommittedText, GitVersions } from '../../world/files/git-versions.ts';

/** Git operations. None of them runs hooks, filters or other programs that a repository names. */
export interface GitEngine {
  /**
   * Reads a file's text in a branch, tag or commit.
   * @throws EngineError `git.not-available` | `git.unknown-ref` | `files.outside` | `files.not-text` | `files.too-large`
   */
  readCommitted(request: { readonly path: string; readonly ref: string }): Promise<CommittedText>;
  /** Lists branches and tags, and the commits that changed a file. @throws EngineError `git.not-available` | `files.outside` */
  listGitVersions(path: string): Promise<GitVersions>;
  /**
   * Commits the saved content of files, and no other changes. Pushes nothing.
   * @throws EngineError `git.not-available` | `git.no-identity` | `git.merging` | `git.nothing-to-commit` |
   * `git.failed` | `files.outside` | `files.not-writable`
   */
  commitFiles(request: {
    readonly paths: readonly string[];
    readonly message: string;
  }): Promise<{ readonly commit: string }>;
}

/** Creates the part of an engine that uses Git. */
export function createGitService(workspace: string): GitEngine {
  const versions = () => import('../../world/files/git-versions.ts');
  return {
    readCommitted: async (request) => (await versions()).readCommittedText(workspace, request),
    listGitVersions: async (path) => (await versions()).listGitVersions(workspace, path),
    commitFiles: async (request) => (await versions()).commitFiles(workspace, request),
  };
}
