/**
 * The editor that a person works with, as their environment tells.
 */
import { spawn } from 'node:child_process';
import { basename } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** They draw in a terminal, and this program has none to give them. */
const terminalEditors = new Set(['vi', 'vim', 'nvim', 'nano', 'emacs', 'micro', 'hx', 'helix', 'pico', 'ed', 'joe']);

const byTerminal: Readonly<Record<string, string>> = { zed: 'zed', vscode: 'code' };

/** A command with its own arguments, for example `code --wait`; undefined = none that has a window. */
export function editorOf(environment: Environment): readonly string[] | undefined {
  const terminal = byTerminal[environment['TERM_PROGRAM'] ?? ''];
  const byEnvironment = [environment['VISUAL'], environment['EDITOR']].map((one) => one?.trim() ?? '');
  const isZed = environment['ZED_TERM'] === 'true' || environment['ZED_TERM'] === '1';
  const candidates = [isZed ? 'zed' : '', terminal ?? '', ...byEnvironment].filter((one) => one !== '');
  return candidates.map((one) => one.split(/\s+/)).find(([command = '']) => !terminalEditors.has(nameOf(command)));
}

/**
 * Opens a file in an editor and leaves it to the person: it outlives the run.
 * @param editor a command with its own arguments
 * @param file absolute
 * @returns its name, or null when it cannot be started
 */
export async function openEditor(
  editor: readonly string[],
  file: string,
  environment: Environment,
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

function nameOf(command: string): string {
  return basename(command).replace(/\.(?:exe|cmd)$/i, '');
}
