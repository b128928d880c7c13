/**
 * Installs a verified package with the installer for its type. The user has to install packages of other types.
 */
import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { chmod, copyFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { EngineError, explainSystemError } from '../../ipc/engine-base.ts';
import type { PackageKind } from './manifest.ts';
import { text } from './text.ts';

/** Result of an installation. */
export type PackageInstallResult =
  /** The next start runs the new version. */
  | { readonly is: 'done'; readonly restart: Restart }
  /** The installer continues after the program has exited and starts the new version itself. */
  | { readonly is: 'when-ended' }
  /** The user declined. */
  | { readonly is: 'refused' }
  /**
   * The program cannot install it on this machine. Contains the reason as a sentence, and a command that installs the
   * package.
   */
  | { readonly is: 'by-hand'; readonly why: string; readonly command: string };

/** The program to start after an installation. */
export interface Restart {
  readonly program: string | null;
}

export interface PackageInstallOptions {
  /** Absolute path of the executable. */
  readonly file: string;
  /** Whether the version is older than the current one. Installers reject that unless it is allowed explicitly. */
  readonly isOlder: boolean;
}

/** @throws EngineError `update.not-installed`; the program is then unchanged */
export type InstallPackage = (options: PackageInstallOptions) => Promise<PackageInstallResult>;

/** The machine properties that an installation depends on. */
export interface InstallTarget {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the folder with the program's executable. */
  readonly programFolder: string;
  /** Passes an archive of the program to the system updater of macOS. */
  readonly installOnMac: (file: string) => Promise<void>;
}

/** Returns how packages of a type are installed on this machine; undefined if the user has to install them. */
export function installerOf(kind: PackageKind, machine: InstallTarget): InstallPackage | undefined {
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

/** Exit codes of `pkexec(1)`: the password dialog was closed; authorization failed or was not possible. */
const closed = 126;
const notAllowed = 127;

/** Installs with the system's package manager as root. The system asks for the password. */
async function installDeb(
  { file, isOlder }: PackageInstallOptions,
  env: InstallTarget['env'],
): Promise<PackageInstallResult> {
  const command = `sudo apt install ${isOlder ? '--allow-downgrades ' : ''}${quoted(file)}`;
  const options = ['--yes', ...(isOlder ? ['--allow-downgrades'] : []), '-o', 'DPkg::Lock::Timeout=60'];
  // pkexec's own agent would ask for the password in the terminal that started the program, where the user is not
  // looking.
  const args = ['--disable-internal-agent', '/usr/bin/apt-get', 'install', ...options, file];
  const { code, errors } = await run('pkexec', args, env);
  if (code === 0) return { is: 'done', restart: { program: null } };
  if (code === closed) return { is: 'refused' };
  if (code === undefined) return { is: 'by-hand', why: text().noPkexec, command };
  if (code === notAllowed) {
    return { is: 'by-hand', why: text().notAllowed, command };
  }
  throw notInstalled(`The system could not install it: ${lastLine(errors)}. By hand: ${command}`);
}

interface InstallerExit {
  /** Undefined if the program does not exist. */
  readonly code: number | undefined;
  readonly errors: string;
}

/** Maximum number of error output characters kept for messages. */
const mostErrors = 4000;

function run(program: string, args: readonly string[], env: InstallTarget['env']): Promise<InstallerExit> {
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

/** Quotes text for a shell. */
function quoted(text: string): string {
  return /^[\w./+~-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Replaces the AppImage file atomically. A running program continues with the old file. */
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
      const why = text().replaceFailed({ program, reason: explainSystemError(error) ?? '' });
      return { is: 'by-hand', why, command: `sudo install -m 755 ${quoted(file)} ${quoted(program)}` };
    }
  };
}

/**
 * Runs the silent installer for Windows, which waits for this program to exit and starts the new one. A program
 * installed for all users needs elevated rights, which the helper next to it requests.
 */
async function runInstaller(file: string, programFolder: string): Promise<PackageInstallResult> {
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
