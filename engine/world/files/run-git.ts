/**
 * Runs Git in folders that may come from others. Nothing in such a repository makes Git run a program: no hook, file
 * system monitor, external diff, pager, signing program or transport. Calls that read files turn off its filters, too.
 */
import { execFile } from 'node:child_process';
import { access, realpath } from 'node:fs/promises';
import { devNull } from 'node:os';
import { dirname, join } from 'node:path';

const timeoutMs = 5_000;
const maxOutputBytes = 32 * 1024 * 1024;
/** Characters of the names of filters and hooks. Each appears several times among the arguments, which systems limit. */
const mostNameLength = 5_000;

/** Variables that are set when a Git hook starts the program. They would direct Git to that repository instead. */
const repositoryVariables = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_PREFIX', 'GIT_COMMON_DIR'];
/** Variables that name programs. */
const programVariables = ['GIT_EXTERNAL_DIFF', 'GIT_PAGER', 'GIT_EDITOR', 'GIT_ASKPASS'];

/** What a call of Git may have in addition. */
interface GitCall {
  /** Written to stdin. */
  readonly input?: string;
  readonly timeoutMs?: number;
  /** Settings that override those of the repository, as `name=value`. */
  readonly settings?: readonly string[];
  /** Whether hooks and the signing program may run. Filters may run unless the settings turn them off. */
  readonly isTrusted?: boolean;
}

/** How a call of Git ended. */
export interface GitResult {
  readonly isOk: boolean;
  readonly stdout: Buffer;
  /** Git's message, in English. */
  readonly stderr: string;
}

/**
 * Returns Git's output, or null if Git failed. Prevents Git from writing to the repository, because opening a folder
 * must not change it.
 */
export async function runGit(
  folder: string,
  args: readonly string[],
  settings: readonly string[] = [],
): Promise<string | null> {
  const result = await callGit(folder, args, { settings });
  return result?.isOk === true ? result.stdout.toString('utf8') : null;
}

/**
 * Runs Git. Null without Git or a repository. Also prevents Git from treating a folder as a bare repository because of
 * files that a script could have written there.
 */
export async function callGit(folder: string, args: readonly string[], call: GitCall = {}): Promise<GitResult | null> {
  if (!(await mayBeInRepository(folder))) return null;
  const env: NodeJS.ProcessEnv = { ...process.env, ...safeEnvironment, ...(call.isTrusted === true ? {} : offline) };
  for (const name of [...repositoryVariables, ...programVariables]) {
    delete env[name];
  }
  const own = call.isTrusted === true ? [] : withoutPrograms;
  const settings = [...safeSettings, ...own, ...(call.settings ?? [])].flatMap((setting) => ['-c', setting]);
  // The folder is passed with -C, not as the working directory, where Windows would look for a program named git.
  const gitArgs = ['-C', folder, '--no-pager', ...settings, ...args];
  const limits = { timeout: call.timeoutMs ?? timeoutMs, maxBuffer: maxOutputBytes };
  return new Promise((resolve) => {
    const child = execFile(
      'git',
      gitArgs,
      { env, ...limits, windowsHide: true, encoding: 'buffer' },
      (error, stdout, stderr) => {
        const isMissing = error !== null && error.code === 'ENOENT';
        resolve(isMissing ? null : { isOk: error === null, stdout, stderr: stderr.toString('utf8').trim() });
      },
    );
    // Git may end before it has read its input. The result reports the failure.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(call.input ?? '');
  });
}

const safeEnvironment = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  LC_ALL: 'C',
};

const offline = {
  // A partial clone would otherwise fetch missing objects with a program that the repository names.
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_LAZY_FETCH: '1',
};

const safeSettings = [
  'core.fsmonitor=false',
  'safe.bareRepository=explicit',
  'log.showSignature=false',
  'gc.auto=0',
  'maintenance.auto=false',
];

const withoutPrograms = [`core.hooksPath=${devNull}`, 'commit.gpgSign=false'];

/**
 * Returns settings that turn off the filters that a repository defines itself, and hooks that are defined in settings.
 * They are programs that Git would run to compare or commit files. Filters in the person's own settings stay. Null
 * without Git or a repository, if Git can't list the settings, or if it can't turn a program off because of its name.
 */
export async function withoutFilters(folder: string): Promise<readonly string[] | null> {
  // Part of the list is not enough: a program at its end would run.
  const listed = await runGit(folder, ['config', '--list', '-z', '--show-scope', '--name-only']);
  if (listed === null) return null;
  const entries = listed.split('\0');
  const filters = new Set<string>();
  const hooks = new Set<string>();
  for (let index = 0; index + 1 < entries.length; index += 2) {
    const isOwn = entries[index] === 'system' || entries[index] === 'global';
    const [, section, name = ''] = /^(filter|hook)\.(.*)\.[^.]*$/s.exec(entries[index + 1] ?? '') ?? [];
    if (section === 'filter' && !isOwn) filters.add(name);
    if (section === 'hook') hooks.add(name);
  }
  const names = [...filters, ...hooks];
  if (names.some((name) => /[=\n]/.test(name)) || names.join('').length > mostNameLength) return null;
  return [...[...filters].flatMap(filterOff), ...[...hooks].map((name) => `hook.${name}.enabled=false`)];
}

function filterOff(name: string): readonly string[] {
  return [...['clean', 'smudge', 'process'].map((key) => `filter.${name}.${key}=`), `filter.${name}.required=false`];
}

/**
 * Returns whether the folder or one of its parents has a `.git` entry, which git needs to find a repository. Starting
 * Git only to find this out would block the thread for tens of milliseconds.
 */
export async function mayBeInRepository(folder: string): Promise<boolean> {
  let place = await realpath(folder).catch(() => folder);
  for (;;) {
    const isThere = await access(join(place, '.git')).then(
      () => true,
      () => false,
    );
    const parent = dirname(place);
    if (isThere || parent === place) return isThere;
    place = parent;
  }
}
