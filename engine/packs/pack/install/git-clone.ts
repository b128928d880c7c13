/**
 * Clones packs from Git repositories with the system's Git. Repositories are untrusted, so none of their code may run.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Clock } from '../../../base/clock.ts';
import { EngineError } from '../../../base/engine-error.ts';

interface GitOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const timeoutMs = 10 * 60_000;
const maxErrorText = 4_000;

/** Git settings that disable prompts and the user's hooks, and allow only two protocols. */
const safeSettings = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.symlinks=true',
  'credential.interactive=false',
  'submodule.recurse=false',
].flatMap((setting) => ['-c', setting]);

const quietEnvironment = {
  GIT_ALLOW_PROTOCOL: 'git:ssh',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: '',
  SSH_ASKPASS: '',
  GIT_LFS_SKIP_SMUDGE: '1',
  GCM_INTERACTIVE: 'never',
  LC_ALL: 'C',
};

/** Variables that would make Git use another repository. */
const repositoryVariables = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_PREFIX',
  'GIT_COMMON_DIR',
  'GIT_TEMPLATE_DIR',
];

/**
 * Clones a single revision of a repository.
 * @param url `git:`, `ssh:` or `git+ssh:`
 * @param target a folder that does not exist
 * @returns the commit
 * @throws EngineError `pack.no-git` | `pack.git-failed` | `pack.timeout`; the signal's reason
 */
export async function cloneRepository(
  url: string,
  target: string,
  { commit: wanted, ...options }: GitOptions & { readonly commit?: string },
): Promise<string> {
  const address = url.replace(/^git\+ssh:/i, 'ssh:');
  if (wanted !== undefined) return await cloneCommit({ address, commit: wanted, target }, options);
  const flags = ['--depth=1', '--single-branch', '--no-tags', '--template=', '--no-recurse-submodules', '--quiet'];
  await runGit([...safeSettings, 'clone', ...flags, '--', address, target], options);
  const commit = await runGit(['-C', target, ...safeSettings, 'rev-parse', 'HEAD'], options);
  return commit.trim();
}

interface WantedCommit {
  readonly address: string;
  readonly commit: string;
  readonly target: string;
}

async function cloneCommit({ address, commit, target }: WantedCommit, options: GitOptions): Promise<string> {
  await runGit([...safeSettings, 'init', '--template=', '--quiet', '--', target], options);
  const there = ['-C', target, ...safeSettings];
  const fetching = [...there, 'fetch', '--no-tags', '--no-recurse-submodules', '--quiet'];
  try {
    await runGit([...fetching, '--depth=1', '--', address, commit], options);
  } catch (error) {
    if (!EngineError.is(error) || error.code !== 'pack.git-failed') throw error;
    // Older servers only allow fetching branches. The commit may be on one of them.
    await runGit([...fetching, '--', address, '+refs/heads/*:refs/remotes/origin/*'], options);
  }
  await runGit([...there, 'checkout', '--quiet', '--detach', commit, '--'], options);
  return (await runGit([...there, 'rev-parse', 'HEAD'], options)).trim();
}

async function runGit(args: readonly string[], { env, clock, signal }: GitOptions): Promise<string> {
  signal.throwIfAborted();
  const child = start(args, env);
  let isLate = false;
  const stop = (): void => kill(child);
  const endTimer = clock.setTimer(() => {
    isLate = true;
    stop();
  }, timeoutMs);
  signal.addEventListener('abort', stop, { once: true });
  try {
    const { status, stdout, stderr } = await ended(child);
    signal.throwIfAborted();
    if (isLate) throw late();
    if (status !== 0) throw gitFailed(stderr);
    return stdout;
  } finally {
    endTimer();
    signal.removeEventListener('abort', stop);
  }
}

function start(args: readonly string[], given: GitOptions['env']): ChildProcess {
  const env: NodeJS.ProcessEnv = { ...given, ...quietEnvironment };
  for (const name of repositoryVariables) delete env[name];
  if (!given['GIT_SSH_COMMAND'] && !given['GIT_SSH']) env['GIT_SSH_COMMAND'] = 'ssh -o BatchMode=yes';
  // Runs in a separate process group, so that child processes of Git end with it.
  return spawn('git', args, {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
    detached: process.platform !== 'win32',
  });
}

function kill(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null) return;
  if (process.platform === 'win32') {
    spawn('taskkill', ['/pid', String(child.pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true });
    return;
  }
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The process has already exited.
  }
}

function ended(child: ChildProcess): Promise<{ status: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    const texts = { stdout: '', stderr: '' };
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      texts.stdout = (texts.stdout + text).slice(-maxErrorText);
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      texts.stderr = (texts.stderr + text).slice(-maxErrorText);
    });
    child.on('error', (error) => reject(noGit(error)));
    child.on('close', (status) => resolve({ status, ...texts }));
  });
}

function noGit(cause: Error): EngineError {
  return new EngineError({
    code: 'pack.no-git',
    message: `Git could not be started (${cause.message}). It is required for packs from repositories. Install git, or get the pack's archive.`,
    cause,
  });
}

function late(): EngineError {
  return new EngineError({
    code: 'pack.timeout',
    message: `The repository was not cloned within ${timeoutMs / 60_000} minutes. Try again later.`,
    recoverable: true,
  });
}

function gitFailed(stderr: string): EngineError {
  const text = stderr.replace(/\/\/[^/@\s]*:[^/@\s]*@/g, '//').trim();
  return new EngineError({
    code: 'pack.git-failed',
    message: `The repository could not be cloned: ${text === '' ? 'git gave no reason' : text}`,
  });
}
