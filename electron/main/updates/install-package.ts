/**
 * Installing a package that was checked, by the means of each kind. Packages of kinds without such means are the person's to
 * install.
 */
import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { chmod, copyFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { EngineError, systemTrouble } from '../../ipc/engine-base.ts';
import type { PackageKind } from './manifest.ts';

/** What became of it. */
export type Installed =
  /** The next start is the new version. */
  | { readonly is: 'done'; readonly restart: Restart }
  /** It goes on when the program has ended, and starts the new version itself. */
  | { readonly is: 'when-ended' }
  /** The person said no. */
  | { readonly is: 'refused' }
  /** Not by this program on this machine: why, in a sentence, and a command that does. */
  | { readonly is: 'by-hand'; readonly why: string; readonly command: string };

/** The program to start; null = this one's own file. */
export interface Restart {
  readonly program: string | null;
}

export interface InstallOptions {
  /** Absolute. */
  readonly file: string;
  /** A version below this one's, which installers take for a mistake unless they are told. */
  readonly isOlder: boolean;
}

/** @throws EngineError `update.not-installed`; the program is then what it was */
export type InstallPackage = (options: InstallOptions) => Promise<Installed>;

/** What installing rests on, of the machine. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder of the program's executable, absolute. */
  readonly programFolder: string;
  /** Hands an archive of the program to the system's own updater of macOS. */
  readonly installOnMac: (file: string) => Promise<void>;
}

/** How packages of a kind are installed on this machine; undefined = the person does it. */
export function installerOf(kind: PackageKind, machine: Machine): InstallPackage | undefined {
  const { platform, env } = machine;
  if (kind === 'deb' && platform === 'linux') return (options) => installDeb(options, env);
  if (kind === 'AppImage' && platform === 'linux' && env['APPIMAGE']) return replaceAppImage(env['APPIMAGE']);
  if (kind === 'nsis' && platform === 'win32') return ({ file }) => runInstaller(file, machine.programFolder);
  if (kind === 'dmg' && platform === 'darwin') {
    return async ({ file }) => {
      await machine.installOnMac(file);
      return { is: 'when-ended' };
    };
  }
  return undefined;
}

/** The exit codes of `pkexec(1)` for a question that was closed, and for one that could not be asked or was not passed. */
const closed = 126;
const notAllowed = 127;

/** By the system's own program for packages, as root: the system asks for the password. */
async function installDeb({ file, isOlder }: InstallOptions, env: Machine['env']): Promise<Installed> {
  const command = `sudo apt install ${isOlder ? '--allow-downgrades ' : ''}${quoted(file)}`;
  const options = ['--yes', ...(isOlder ? ['--allow-downgrades'] : []), '-o', 'DPkg::Lock::Timeout=60'];
  // Its own agent would ask in the terminal that the program was started from, where nobody looks.
  const args = ['--disable-internal-agent', '/usr/bin/apt-get', 'install', ...options, file];
  const { code, errors } = await run('pkexec', args, env);
  if (code === 0) return { is: 'done', restart: { program: null } };
  if (code === closed) return { is: 'refused' };
  if (code === undefined)
    return { is: 'by-hand', why: 'This system has no pkexec, which asks for the password.', command };
  if (code === notAllowed) {
    return { is: 'by-hand', why: 'The system did not let this program ask for the password.', command };
  }
  throw notInstalled(`The system could not install it: ${lastLine(errors)}. By hand: ${command}`);
}

interface Ended {
  /** Undefined = there is no such program. */
  readonly code: number | undefined;
  readonly errors: string;
}

/** As much of what a program says as a message needs, in characters. */
const mostErrors = 4000;

function run(program: string, args: readonly string[], env: Machine['env']): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let errors = '';
    child.stderr.on('data', (data) => {
      errors = `${errors}${data}`.slice(-mostErrors);
    });
    child.once('error', (error) => resolve({ code: undefined, errors: error.message }));
    child.once('close', (code) => resolve({ code: code ?? -1, errors }));
  });
}

function lastLine(text: string): string {
  const lines = text.trim().split('\n');
  return lines.at(-1)?.trim().replace(/\.$/, '') || 'it did not say why';
}

/** For a shell. */
function quoted(text: string): string {
  return /^[\w./+~-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** An AppImage is one file: the new one takes its place as a whole, and a program that runs goes on with the old one. */
function replaceAppImage(program: string): InstallPackage {
  return async ({ file }) => {
    const next = path.join(path.dirname(program), `.${path.basename(program)}.new`);
    try {
      await copyFile(file, next);
      await chmod(next, 0o755);
      await rename(next, program);
      return { is: 'done', restart: { program } };
    } catch (error) {
      await rm(next, { force: true }).catch(() => undefined);
      const why = `${program} cannot be replaced. ${systemTrouble(error) ?? ''}`.trim();
      return { is: 'by-hand', why, command: `sudo install -m 755 ${quoted(file)} ${quoted(program)}` };
    }
  };
}

/**
 * The installer for Windows, without questions: it waits for this program to end, and starts the new one. One that is
 * installed for all belongs to the administrator, whom the helper beside the program asks.
 */
async function runInstaller(file: string, programFolder: string): Promise<Installed> {
  const args = ['--updated', '/S', '--force-run'];
  const [program, all] = mayWrite(programFolder)
    ? [file, args]
    : [path.join(programFolder, 'resources', 'elevate.exe'), [file, ...args]];
  await new Promise<void>((resolve, reject) => {
    const child = spawn(program, all, { detached: true, stdio: 'ignore' });
    child.once('error', (error) => reject(notInstalled(`The installer could not be started: ${error.message}.`)));
    child.once('spawn', () => {
      child.unref();
      resolve();
    });
  });
  return { is: 'when-ended' };
}

function mayWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function notInstalled(message: string): EngineError {
  return new EngineError({ code: 'update.not-installed', message });
}
