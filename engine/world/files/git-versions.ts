/**
 * Reads earlier versions of files from Git.
 */
import { EngineError } from '../../base/engine-error.ts';
import { isMissing } from './file-error.ts';
import { callGit, type GitResult, mayBeInRepository, runGit, withoutFilters } from './run-git.ts';
import { resolveInWorkspace } from './workspace-path.ts';

/** A file's text in a commit. */
export interface CommittedText {
  /** Null if the commit does not contain the file. */
  readonly text: string | null;
  /** Hash of the commit. */
  readonly commit: string;
}

/** What a file can be compared with. */
export interface GitVersions {
  /** Local branches first, then those of remote repositories, each with the latest commit first. */
  readonly branches: readonly { readonly name: string; readonly isCurrent: boolean }[];
  /** Newest first. */
  readonly tags: readonly string[];
  /** The latest commits that changed the file, newest first. */
  readonly commits: readonly GitCommit[];
}

export interface GitCommit {
  readonly commit: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly author: string;
  /** First line of the message. */
  readonly subject: string;
}

const maxTextBytes = 16 * 1024 * 1024;
const maxBranches = 500;
const maxTags = 200;
const maxCommits = 100;

/** Git's regular file modes. Symbolic links and submodules have others. */
const regularFile = /^100(?:644|755|664) blob ([0-9a-f]{40,64})\t/;

/**
 * Reads a file's text in a commit.
 * @param workspace absolute path
 * @param ref a branch, a tag or a commit
 * @throws EngineError `git.not-available` | `git.unknown-ref` | `files.outside` | `files.not-text` | `files.too-large`
 */
export async function readCommittedText(
  workspace: string,
  { path, ref }: { readonly path: string; readonly ref: string },
): Promise<CommittedText> {
  const { shown } = await resolveInWorkspace(workspace, path);
  const commit = await commitOf(workspace, ref);
  const listed = textOf(await need(workspace, ['--literal-pathspecs', 'ls-tree', '-z', commit, '--', shown]));
  const blob = regularFile.exec(listed)?.[1];
  if (blob === undefined) return { text: null, commit };
  const size = Number(textOf(await need(workspace, ['cat-file', '-s', blob])));
  if (!(size <= maxTextBytes))
    throw refused('files.too-large', `${shown} in ${ref} is larger than 16 MiB, the limit for a text file.`);
  const { stdout } = await need(workspace, ['cat-file', 'blob', blob]);
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(stdout), commit };
  } catch {
    throw refused('files.not-text', `${shown} in ${ref} is not UTF-8 text.`);
  }
}

/**
 * Reads the text that both sides of a merge changed, while the file has conflicts in Git's index.
 * @returns null if Git has no such text
 * @throws EngineError `files.outside`
 */
export async function readMergeBase(workspace: string, path: string): Promise<{ readonly text: string | null }> {
  const { shown } = await resolveInWorkspace(workspace, path);
  const listed = await runGit(workspace, ['--literal-pathspecs', 'ls-files', '--unmerged', '-z', '--', shown]);
  const blob = /(?:^|\0)100(?:644|755) ([0-9a-f]{40,64}) 1\t/.exec(listed ?? '')?.[1];
  return { text: blob === undefined ? null : await runGit(workspace, ['cat-file', 'blob', blob]) };
}

/** Lists what a file can be compared with. @throws EngineError `git.not-available` | `files.outside` */
export async function listGitVersions(workspace: string, path: string): Promise<GitVersions> {
  const { shown } = await resolveInWorkspace(workspace, path);
  const refs = async (most: number, order: string, folder: string): Promise<readonly string[]> => {
    const flags = [`--count=${most}`, `--sort=-${order}`, '--format=%(HEAD)%(refname:short)'];
    return textOf(await need(workspace, ['for-each-ref', ...flags, folder]))
      .split('\n')
      .filter(Boolean);
  };
  const local = await refs(maxBranches, 'committerdate', 'refs/heads');
  const remote = await refs(maxBranches, 'committerdate', 'refs/remotes');
  const branches = [...local, ...remote].slice(0, maxBranches);
  const tags = await refs(maxTags, 'creatordate', 'refs/tags');
  const wanted = [`--max-count=${maxCommits}`, '-z', '--no-show-signature', '--format=%H%x1f%at%x1f%an%x1f%s'];
  // Fails before the first commit.
  const log = await gitIn(workspace, ['--literal-pathspecs', 'log', ...wanted, 'HEAD', '--', shown]);
  return {
    branches: branches.map((line) => ({ name: line.slice(1), isCurrent: line.startsWith('*') })),
    tags: tags.map((line) => line.slice(1)),
    commits: log.isOk ? textOf(log).split('\0').filter(Boolean).map(readCommit) : [],
  };
}

/**
 * Lists the tracked files that differ from a commit, by path relative to the workspace.
 * @param ref a branch, a tag or a commit
 * @throws EngineError `git.not-available` | `git.unknown-ref` | `git.failed`
 */
export async function listVersionChanges(workspace: string, ref: string): Promise<readonly string[]> {
  const [commit, settings] = await Promise.all([commitOf(workspace, ref), withoutFilters(workspace)]);
  const args = [
    'diff',
    '--name-only',
    '-z',
    '--relative',
    '--no-renames',
    '--no-ext-diff',
    '--no-textconv',
    commit,
    '--',
  ];
  return textOf(await done(gitIn(workspace, args, { settings: settings ?? [] })))
    .split('\0')
    .filter(Boolean);
}

/** Returns the hash of a branch, tag or commit. @throws EngineError `git.unknown-ref` | `git.not-available` */
export async function commitOf(workspace: string, ref: string): Promise<string> {
  const isName = /^(?![-.])[^\s\p{Cc}:?*[\\{]{1,250}$/u.test(ref) && !ref.includes('..');
  const found = isName && (await gitIn(workspace, ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`]));
  if (found === false || !found.isOk)
    throw refused('git.unknown-ref', `Git has no branch, tag or commit named "${ref.slice(0, 250)}".`);
  return textOf(found).trim();
}

function readCommit(line: string): GitCommit {
  const [commit = '', at = '', author = '', ...subject] = line.split('\x1f');
  return { commit, at: Number(at) * 1_000, author, subject: subject.join(' ') };
}

async function need(workspace: string, args: readonly string[]): Promise<GitResult> {
  return await done(gitIn(workspace, args));
}

/** Runs Git in a workspace. @throws EngineError `git.not-available` */
export async function gitIn(
  workspace: string,
  ...rest: [readonly string[], Parameters<typeof callGit>[2]?]
): Promise<GitResult> {
  const result = await callGit(workspace, ...rest).catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
  if (result !== null) return result;
  const reason = (await mayBeInRepository(workspace))
    ? 'Git is not installed, or not in the PATH. Install git, and start Millrace again.'
    : 'The workspace is not in a git repository. Create one with "git init".';
  throw refused('git.not-available', reason);
}

/** @throws EngineError `git.failed` with Git's message */
export async function done(calling: Promise<GitResult>): Promise<GitResult> {
  const result = await calling;
  if (result.isOk) return result;
  throw refused('git.failed', `Git reports: ${result.stderr || 'no reason'}`);
}

export function textOf({ stdout }: GitResult): string {
  return stdout.toString('utf8');
}

export function refused(code: string, message: string): EngineError {
  return new EngineError({ code, message });
}
