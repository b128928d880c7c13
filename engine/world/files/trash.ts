/**
 * Moves files to the system's trash, so that people can restore them.
 */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import { systemCodeOf } from './file-error.ts';
import { moveToFreedesktopTrash } from './freedesktop-trash.ts';

export interface TrashWorld {
  /** Environment variables that locate the home folder and the trash. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** `process.platform`; overridden only in tests. */
  readonly platform?: string;
}

/**
 * macOS: uses the system API through its scripting language, which does not require permission to control another
 * program.
 */
const macScript = `ObjC.import('Foundation');
function run(argv) {
  const error = Ref();
  const url = $.NSURL.fileURLWithPath(argv[0]);
  if (!$.NSFileManager.defaultManager.trashItemAtURLResultingItemURLError(url, null, error)) {
    throw new Error(ObjC.unwrap(error[0].localizedDescription));
  }
}`;

/** Windows: passes the path in the environment, so that none of it is interpreted as a command. */
const windowsScript = `$ErrorActionPreference = 'Stop'
Add-Type -AssemblyName Microsoft.VisualBasic
$path = $env:MILLRACE_TRASH_PATH
$io = [Microsoft.VisualBasic.FileIO.FileSystem]
if ([System.IO.Directory]::Exists($path)) { $io::DeleteDirectory($path, 'OnlyErrorDialogs', 'SendToRecycleBin') }
else { $io::DeleteFile($path, 'OnlyErrorDialogs', 'SendToRecycleBin') }`;

/**
 * Moves a file, folder or symbolic link to the trash.
 * @param path absolute; its folder may be referenced through a descriptor
 * @param putBackTo the original path for the user, if it is not `path`; only the Linux trash can record it
 * @throws EngineError `files.not-found` | `files.no-trash`; nothing is then lost
 */
export async function moveToTrash(path: string, world: TrashWorld, putBackTo?: string): Promise<void> {
  const target = resolve(path);
  try {
    switch (world.platform ?? process.platform) {
      case 'darwin':
        return await run('/usr/bin/osascript', ['-l', 'JavaScript', '-e', macScript, target], world.env);
      case 'win32':
        return await trashOnWindows(target, world.env);
      default:
        return await moveToFreedesktopTrash(target, world, putBackTo ?? target);
    }
  } catch (error) {
    throw toTrashError(error, putBackTo ?? target);
  }
}

async function trashOnWindows(path: string, env: TrashWorld['env']): Promise<void> {
  const program = `${env['SystemRoot'] ?? 'C:\\Windows'}\\System32\\WindowsPowerShell\\v1.0\\powershell.exe`;
  const args = ['-NoProfile', '-NonInteractive', '-ExecutionPolicy', 'Bypass', '-Command', windowsScript];
  await run(program, args, { ...env, MILLRACE_TRASH_PATH: path });
}

function run(program: string, args: readonly string[], env: TrashWorld['env']): Promise<void> {
  return new Promise((resolveRun, reject) => {
    execFile(program, args, { env, windowsHide: true, timeout: 60_000 }, (error, _stdout, stderr) => {
      if (error === null) resolveRun();
      else reject(new Error(stderr.trim() || error.message));
    });
  });
}

function toTrashError(error: unknown, path: string): unknown {
  if (EngineError.is(error)) return error;
  if (systemCodeOf(error) === 'ENOENT') {
    return new EngineError({ code: 'files.not-found', message: `${path} does not exist.`, cause: error });
  }
  const reason = systemCodeOf(error) ?? (error instanceof Error ? error.message : String(error));
  return new EngineError({
    code: 'files.no-trash',
    message: `${path} could not be moved to the trash (${reason}) and was not deleted. If you are sure, delete it yourself.`,
    cause: error,
  });
}
