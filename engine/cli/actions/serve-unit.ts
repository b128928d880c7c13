/**
 * Implements `serve install`, `uninstall` and `status`: a user service of systemd.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { EngineError } from '../../base/engine-error.ts';
import { writeFileAtomically } from '../../world/files/atomic-write.ts';
import type { CliContext } from '../cli-context.ts';
import { exitCode } from '../exit-code.ts';
import { type ServeFlags, workspacesOf } from './serve.ts';

/** What the unit starts. */
export interface ServedUnit {
  /** Absolute path of the program, and its first arguments. */
  readonly command: readonly string[];
  /** Absolute paths. */
  readonly workspaces: readonly string[];
}

/** Returns the text of the unit. Paths may contain spaces, quotes, percent signs and line breaks. */
export function unitText({ command: [program = '', ...args], workspaces }: ServedUnit): string {
  const folders = workspaces.flatMap((workspace) => ['--workspace', workspace]);
  // Variables are replaced in arguments, but not in the program.
  const words = [...args, 'serve', ...folders].map((word) => quoted(word).replaceAll('$', '$$$$'));
  return `[Unit]
Description=Millrace triggers of ${workspaces.map((workspace) => escaped(path.basename(workspace))).join(', ')}
After=network-online.target

[Service]
ExecStart=${[quoted(program), ...words].join(' ')}
Restart=on-failure
RestartSec=5
KillMode=mixed
TimeoutStopSec=60

[Install]
WantedBy=default.target
`;
}

/** In a unit, `%` starts a specifier, and a line break ends a setting. */
function escaped(text: string): string {
  return text
    .replaceAll('%', '%%')
    .replace(/\p{Cc}/gu, ' ')
    .replaceAll('\\', '/');
}

function quoted(word: string): string {
  const signs = word.replaceAll('%', '%%').replace(/[\\"]/g, '\\$&');
  return `"${signs.replace(/\p{Cc}/gu, (sign) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`)}"`;
}

/** Returns the unit's name, which is different for each set of workspaces. */
export function unitNameOf(workspaces: readonly string[]): string {
  const plain = path.basename(workspaces[0] ?? '').replace(/[^A-Za-z0-9_-]/g, '_');
  const hash = createHash('sha256').update(workspaces.toSorted().join('\n')).digest('hex');
  return `millrace-${plain}-${hash.slice(0, 8)}.service`;
}

/** @returns the exit code @throws EngineError `cli.usage` | `serve.no-systemd` | `serve.no-program` */
export async function manageService(
  context: CliContext,
  action: 'install' | 'uninstall' | 'status',
  flags: Pick<ServeFlags, 'workspace'>,
): Promise<number> {
  const workspaces = workspacesOf(context, flags);
  const name = unitNameOf(workspaces);
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
  const { command } = context;
  const missing = command.find((one) => !existsSync(one));
  if (missing !== undefined) throw noProgram(missing);
  await mkdir(folder, { recursive: true });
  await writeFileAtomically(file, unitText({ command, workspaces }));
  await systemctl('daemon-reload');
  await systemctl('enable', name);
  // A service that is active already gets the new command.
  await systemctl('restart', name);
  context.terminal.err(`Installed ${name}. Its log: journalctl --user -u ${name}`);
  context.terminal.err('To keep it active when you are not logged in: loginctl enable-linger');
  return exitCode.ok;
}

function noProgram(file: string): EngineError {
  const message = `${file} does not exist, so systemd could not start the service. Install Millrace, then try again.`;
  return new EngineError({ code: 'serve.no-program', message });
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
    const { stderr, message: failure } = error as { readonly stderr?: string; readonly message: string };
    const reason = stderr?.trim() || failure;
    const message = `systemd did not accept the request (${reason}). Without systemd, start millrace serve with the service manager of your system.`;
    throw new EngineError({ code: 'serve.no-systemd', message, cause: error });
  }
}
