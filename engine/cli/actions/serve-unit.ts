/**
 * Implements `serve install`, `uninstall` and `status`: a user service of systemd.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { EngineError } from '../../base/engine-error.ts';
import { writeFileAtomically } from '../../world/files/atomic-write.ts';
import type { CliContext } from '../cli-context.ts';
import { exitCode, usageError } from '../exit-code.ts';
import { type ServeFlags, workspacesOf } from './serve.ts';

/** What the unit starts. */
export interface ServedUnit {
  /** Absolute path of Node, and of the program. */
  readonly command: readonly string[];
  /** Absolute path. */
  readonly workspace: string;
}

/** Returns the text of the unit. Paths may contain spaces, quotes and percent signs. */
export function unitText({ command, workspace }: ServedUnit): string {
  const words = [...command, 'serve', '--workspace', workspace].map(quoted).join(' ');
  return `[Unit]
Description=Millrace triggers of ${escaped(workspace)}
After=network-online.target

[Service]
ExecStart=${words}
Restart=on-failure
RestartSec=5
KillMode=mixed
TimeoutStopSec=60

[Install]
WantedBy=default.target
`;
}

/** In a unit, `%` starts a specifier and `$` a variable. */
function escaped(text: string): string {
  return text.replaceAll('%', '%%');
}

function quoted(word: string): string {
  return `"${escaped(word).replace(/[\\"]/g, '\\$&').replaceAll('$', '$$$$')}"`;
}

/** Returns the unit's name, which is different for each workspace. */
export function unitNameOf(workspace: string): string {
  const plain = path.basename(workspace).replace(/[^A-Za-z0-9_-]/g, '_');
  return `millrace-${plain}-${createHash('sha256').update(workspace).digest('hex').slice(0, 8)}.service`;
}

/** @returns the exit code @throws EngineError `cli.usage` | `serve.no-systemd` */
export async function manageService(
  context: CliContext,
  action: 'install' | 'uninstall' | 'status',
  flags: Pick<ServeFlags, 'workspace'>,
): Promise<number> {
  const [workspace, second] = workspacesOf(context, flags);
  if (workspace === undefined || second !== undefined)
    throw usageError('Name one --workspace. Each has its own service.');
  const name = unitNameOf(workspace);
  const folder = path.join(process.env['XDG_CONFIG_HOME'] ?? path.join(homedir(), '.config'), 'systemd', 'user');
  const file = path.join(folder, name);
  if (action === 'status') return await showStatus(context, name);
  await systemctl('show-environment');
  if (action === 'uninstall') {
    await systemctl('disable', '--now', name).catch(() => undefined);
    await rm(file, { force: true });
    await systemctl('daemon-reload');
    context.terminal.err(`Removed ${name}. Runs and triggers are unchanged.`);
    return exitCode.ok;
  }
  await mkdir(folder, { recursive: true });
  const program = process.argv[1] ?? '';
  await writeFileAtomically(file, unitText({ command: [process.execPath, path.resolve(program)], workspace }));
  await systemctl('daemon-reload');
  await systemctl('enable', '--now', name);
  context.terminal.err(`Installed ${name}. Its log: journalctl --user -u ${name}`);
  context.terminal.err('To keep it active when you are not logged in: loginctl enable-linger');
  return exitCode.ok;
}

async function showStatus({ terminal }: CliContext, name: string): Promise<number> {
  const { stdout } = await systemctl('show', name, '--property=LoadState,ActiveState,SubState');
  const isInstalled = stdout.includes('LoadState=loaded');
  terminal.out(
    isInstalled ? `${name}\n${stdout}` : `${name} is not installed. To install it: millrace serve install\n`,
  );
  return isInstalled ? exitCode.ok : exitCode.failed;
}

/** @throws EngineError `serve.no-systemd` */
async function systemctl(...args: readonly string[]): Promise<{ readonly stdout: string }> {
  try {
    return await promisify(execFile)('systemctl', ['--user', ...args]);
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim() : String(error);
    const message = `systemd did not accept the request (${reason}). Without systemd, start millrace serve with the service manager of your system.`;
    throw new EngineError({ code: 'serve.no-systemd', message, cause: error });
  }
}
