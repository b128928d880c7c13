/**
 * Provides Git operations for host programs: reading earlier versions of files, and commits that a person requests.
 */
import type { CommittableFiles } from '../../world/files/git-commit.ts';
import type { CommittedText, GitVersions } from '../../world/files/git-versions.ts';

/** Git operations. Except for commits in a trusted workspace, none of them runs hooks or other programs that a repository names. */
export interface GitEngine {
  /**
   * Reads a file's text in a branch, tag or commit.
   * @throws EngineError `git.not-available` | `git.unknown-ref` | `files.outside` | `files.not-text` | `files.too-large`
   */
  readCommitted(request: { readonly path: string; readonly ref: string }): Promise<CommittedText>;
  /** Reads the text that both sides of a merge changed. Null unless the file has conflicts in Git's index. */
  readMergeBase(path: string): Promise<{ readonly text: string | null }>;
  /** Lists branches and tags, and the commits that changed a file. @throws EngineError `git.not-available` | `files.outside` */
  listGitVersions(path: string): Promise<GitVersions>;
  /** Lists the changed flows and agents, and says how they would be committed. @throws EngineError `git.not-available` */
  listCommittable(): Promise<CommittableFiles>;
  /**
   * Commits the saved content of files, and no other changes. Pushes nothing. Hooks, the filters of the repository and
   * the signing program run only in a trusted workspace.
   * @throws EngineError `git.not-available` | `git.no-identity` | `git.merging` | `git.detached` |
   * `git.nothing-to-commit` | `git.failed` | `files.outside` | `files.not-writable`
   */
  commitFiles(request: {
    readonly paths: readonly string[];
    readonly message: string;
  }): Promise<{ readonly commit: string }>;
}

/** Creates the part of an engine that uses Git. */
export function createGitService(workspace: string, isTrusted: () => Promise<boolean>): GitEngine {
  const versions = () => import('../../world/files/git-versions.ts');
  const commits = () => import('../../world/files/git-commit.ts');
  return {
    readCommitted: async (request) => (await versions()).readCommittedText(workspace, request),
    readMergeBase: async (path) => (await versions()).readMergeBase(workspace, path),
    listGitVersions: async (path) => (await versions()).listGitVersions(workspace, path),
    listCommittable: async () => (await commits()).listCommittable(workspace, await isTrusted()),
    commitFiles: async (request) => (await commits()).commitFiles(workspace, request, await isTrusted()),
  };
}
