/**
 * Scripts' host calls with effects beyond files: commands, Git, web requests, editors.
 */

import { spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { basename, relative } from 'node:path';
import { EngineError } from '../../base/engine-error.ts';
import { readWebAddress, shownAddress } from '../../base/web-address.ts';
import { isSecretName } from '../../language/bindings/secret-bindings.ts';
import type { ScriptScope } from '../../runtime/kernel/capabilities/capabilities.ts';
import type { WebCapability } from '../../runtime/kernel/capabilities/web-capability.ts';
import type { RunSecrets } from '../../runtime/kernel/hub/run-secrets.ts';
import type { HostCalls, ScriptHost, WebAnswer } from '../lua/host-calls.ts';
import { scriptError } from '../lua/script-error.ts';
import { withPathLock } from './path-locks.ts';
import { type CommandResult, runCommand, type ScriptCommandRequest } from './run-command.ts';
import type { ScriptAccess } from './script-access.ts';
import type { ScriptHostOptions } from './script-host-options.ts';
import { isWithin, slashed } from './script-paths.ts';

type ScriptEnvironment = Readonly<Record<string, string | undefined>>;

/** Terminal editors, which cannot be used because this program has no terminal. */
const terminalEditors = new Set(['vi', 'vim', 'nvim', 'nano', 'emacs', 'micro', 'hx', 'helix', 'pico', 'ed', 'joe']);

const byTerminal: Readonly<Record<string, string>> = { zed: 'zed', vscode: 'code' };

/**
 * Returns the editor command with its arguments, for example `code --wait`; undefined if there is none with a window.
 */
export function editorOf(environment: ScriptEnvironment): readonly string[] | undefined {
  const terminal = byTerminal[environment['TERM_PROGRAM'] ?? ''];
  const byEnvironment = [environment['VISUAL'], environment['EDITOR']].map((one) => one?.trim() ?? '');
  const isZed = environment['ZED_TERM'] === 'true' || environment['ZED_TERM'] === '1';
  const candidates = [isZed ? 'zed' : '', terminal ?? '', ...byEnvironment].filter((one) => one !== '');
  return candidates.map((one) => one.split(/\s+/)).find(([command = '']) => !terminalEditors.has(nameOf(command)));
}

/**
 * Opens a file in an editor that keeps running after the run.
 * @param editor a command with its arguments
 * @param file absolute
 * @returns its name, or null if it cannot be started
 */
async function openEditor(
  editor: readonly string[],
  file: string,
  environment: ScriptEnvironment,
): Promise<string | null> {
  const [command = '', ...args] = editor;
  return await new Promise((resolve) => {
    const child = spawn(command, [...args, file], {
      env: { ...environment },
      stdio: 'ignore',
      detached: true,
      windowsHide: true,
    });
    child.once('error', () => resolve(null));
    child.once('spawn', () => {
      child.unref();
      resolve(nameOf(command));
    });
  });
}

export function nameOf(command: string): string {
  return basename(command).replace(/\.(?:exe|cmd)$/i, '');
}

type EffectCalls = Pick<ScriptHost, 'command.exec' | 'git.restore' | 'web.request' | 'secret.get' | 'editor.open'>;

export type EffectOptions = Pick<ScriptHostOptions, 'web' | 'environment' | 'openInEditor' | 'recordCommand'>;

/** Maximum size of a web response for a script, in bytes. */
const maxAnswerBytes = 32 * 1024 * 1024;

/**
 * Effects that run after the policy allowed them. A dry run performs none of them. `shown` is the display name of the
 * target.
 */
export interface EffectActs {
  exec(
    request: Pick<ScriptCommandRequest, 'command' | 'args' | 'cwd'>,
    shown: string,
    signal: AbortSignal,
  ): Promise<CommandResult>;
  /** Restores a file with Git. @param path absolute @returns Git's output */
  restore(path: string, shown: string, signal: AbortSignal): Promise<string>;
  send(params: WebParams, shown: string, signal: AbortSignal): Promise<WebAnswer>;
  /** Opens a file in the program's own editor. @returns its name; null if it has none */
  openInside(file: string, shown: string): Promise<string | null>;
  /**
   * Starts an external editor. @param editor a command with its arguments @returns its name; null if it cannot be
   * started
   */
  startEditor(editor: readonly string[], file: string, shown: string): Promise<string | null>;
}

type WebParams = HostCalls['web.request']['params'];

/** Returns the real effects. */
export function realActs(
  { environment, web, openInEditor, recordCommand }: EffectOptions,
  access: ScriptEffectScope,
): EffectActs {
  return {
    async exec({ command, args, cwd }, _shown, signal) {
      const run = async (): Promise<CommandResult> => {
        await refuseMissingFolder(cwd, [command, ...args]);
        const result = await runCommand({ command, args, cwd, environment, runId: access.runId }, signal);
        return access.secrets === undefined ? result : access.secrets.mask(result);
      };
      if (recordCommand === undefined) return await run();
      const folder = isWithin(access.workspace, cwd) ? slashed(relative(access.workspace, cwd)) : cwd;
      return await recordCommand({ command, args, folder }, run, signal);
    },
    restore: (path, _shown, signal) => restore(path, access.workspace, environment, signal),
    send: (params, _shown, signal) => sendRequest(params, { web, secrets: access.secrets }, signal),
    openInside: async (file) => (await openInEditor?.(file)) ?? null,
    startEditor: (editor, file) => openEditor(editor, file, environment),
  };
}

interface ScriptEffectScope {
  readonly workspace: string;
  readonly runId: ScriptScope['hub']['runId'];
  readonly secrets: RunSecrets | undefined;
}

interface EffectScope {
  readonly acts: EffectActs;
  /** Shows a line to people. */
  readonly announce: (text: string) => void;
  /** The script's scope. */
  readonly scope: Pick<ScriptScope, 'place' | 'secrets'>;
}

/** Returns one script's calls that start programs or send requests. */
export function effectCalls(
  access: ScriptAccess,
  { environment }: Pick<EffectOptions, 'environment'>,
  { acts, announce, scope }: EffectScope,
): EffectCalls {
  return {
    'command.exec': async ({ command, args, cwd }, signal) => {
      const shown = shownCommand([command, ...args]);
      await access.pass({ effect: 'command', target: shown, place: 'elsewhere' }, signal);
      return await acts.exec({ command, args, cwd: await access.resolve({ path: cwd ?? '' }) }, shown, signal);
    },
    'git.restore': async (params, signal) => {
      const { absolute, real } = await access.write(params, signal);
      const shown = `git restore ${params.path}`;
      await access.pass({ effect: 'command', target: shown, place: 'elsewhere' }, signal);
      const restore = () => access.changing({ others: [real] }, () => acts.restore(absolute, shown, signal));
      return { stdout: await withPathLock([real], restore) };
    },
    'web.request': async (params, signal) => {
      const shown = shownAddress(readWebAddress(params.url));
      await access.pass({ effect: 'web', target: shown, place: 'elsewhere' }, signal);
      const answer = await acts.send(params, shown, signal);
      announce(`-> Lua aip.web.${params.method.toLowerCase()} called on: ${shown} (status ${answer.status})`);
      return answer;
    },
    'secret.get': async ({ name }, signal) => {
      if (!isSecretName(name)) {
        throw scriptError(
          'aip.secret - the name of a secret can have at most 64 uppercase letters, digits and _, for example API_TOKEN',
        );
      }
      const { place, secrets } = scope;
      const isOfPack = place.pack !== undefined || secrets?.isOfPack === true;
      const from = isOfPack ? 'pack' : await access.placeOf(await access.realPathOf(place.file));
      await access.pass({ effect: 'secret', target: name, place: secrets === undefined ? 'elsewhere' : from }, signal);
      return { placeholder: (await secrets?.take(name)) ?? '' };
    },
    'editor.open': async (params, signal) => {
      const { real } = await access.read(params, signal);
      await access.pass({ effect: 'editor', target: params.path, place: await access.placeOf(real) }, signal);
      const own = await acts.openInside(real, params.path);
      if (own !== null) return { editor: own };
      const editor = editorOf(environment);
      if (editor === undefined) return { editor: null };
      // Some editors run commands contained in the opened file.
      const target = shownCommand([...editor, params.path]);
      await access.pass({ effect: 'command', target, place: 'elsewhere' }, signal);
      return { editor: await acts.startEditor(editor, real, target) };
    },
  };
}

/** Truncates a long command, because the request must be readable and its end does not affect the decision. */
function shownCommand(words: readonly string[]): string {
  const line = words.join(' ');
  return line.length <= 200 ? line : `${line.slice(0, 199)}…`;
}

/** Without this check, the system would report that the command is missing. */
async function refuseMissingFolder(folder: string, words: readonly string[]): Promise<void> {
  const stats = await stat(folder).catch(() => undefined);
  if (stats?.isDirectory()) return;
  throw new EngineError({
    code: 'command.not-started',
    message: `Fail to execute: ${words.join(' ')}\nCause:\n${folder} is not a folder, so the command cannot start in it`,
  });
}

/** Prevents Git from running programs named by the repository; only a folder with `.git` counts as a repository. */
const safeSettings = ['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'safe.bareRepository=explicit'].flatMap(
  (setting) => ['-c', setting],
);

/** Variables that would make Git use another repository if the program was started from a Git hook. */
const repositoryVariables = new Set(['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_PREFIX', 'GIT_COMMON_DIR']);

async function restore(
  path: string,
  workspace: string,
  environment: EffectOptions['environment'],
  signal: AbortSignal,
): Promise<string> {
  const entries = Object.entries(environment).filter(([name]) => !repositoryVariables.has(name));
  const { stdout, stderr, exit } = await runCommand(
    {
      command: 'git',
      // Passes the folder with -C, because Windows would search the working folder for a program called git.
      args: ['-C', workspace, ...safeSettings, 'restore', '--', path],
      cwd: workspace,
      environment: Object.fromEntries(entries),
      isProgram: true,
    },
    signal,
  );
  if (stderr !== '' || exit !== 0) {
    throw new EngineError({ code: 'command.failed', message: `git restore ${path} failed\nCause: ${stderr.trim()}` });
  }
  return stdout;
}

async function sendRequest(
  { method, url, headers, body, redirectLimit }: HostCalls['web.request']['params'],
  { web, secrets }: { readonly web: WebCapability; readonly secrets: RunSecrets | undefined },
  signal: AbortSignal,
): Promise<WebAnswer> {
  const names: Record<string, string> = {};
  for (const [name, value] of headers) {
    const known = Object.keys(names).find((one) => one.toLowerCase() === name.toLowerCase()) ?? name;
    names[known] = names[known] === undefined ? value : `${names[known]}, ${value}`;
  }
  const answer = await web.send(
    {
      ...{ method, url, headers: names, body, maxBytes: maxAnswerBytes, maxRedirects: redirectLimit },
      ...(secrets === undefined ? {} : { secrets }),
    },
    signal,
  );
  const { 'set-cookie': cookies, ...others } = answer.headers;
  return {
    status: answer.status,
    url: answer.url ?? url,
    text: answer.text,
    headers: { ...others, ...(cookies === undefined ? {} : { 'set-cookie': severalOf(cookies) }) },
  };
}

/** Only cookies occur more than once; the client returns them on separate lines. */
function severalOf(lines: string): string | readonly string[] {
  const values = lines.split('\n');
  return values.length === 1 ? lines : values;
}
