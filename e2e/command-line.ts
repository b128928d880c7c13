/**
 * Runs the command line of the same build.
 */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';

// npm's INIT_CWD would override the folder, and no command needs a display.
const { INIT_CWD: _, DISPLAY: _display, ...env } = process.env;
const cli = path.join(import.meta.dirname, '..', 'out', 'cli', 'cli.cjs');

export interface CommandLineResult {
  readonly code: number | null;
  readonly out: string;
  /** Lines of standard error. */
  readonly errors: readonly string[];
}

interface Call {
  /** The working directory of the call. */
  readonly folder: string;
  /** Interrupts the command as Ctrl+C does. */
  readonly signal?: AbortSignal;
  /** The base folder; the user's own if absent. */
  readonly home?: string;
  /** Variables of the environment that differ from this process's. */
  readonly env?: Readonly<Record<string, string>>;
  /** Content of stdin. */
  readonly input?: string;
}

/** Runs `millrace …args` in a folder. `signal` interrupts it as Ctrl+C does. */
export async function millrace(
  folder: string,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<CommandLineResult> {
  return await call([process.execPath, cli, ...args], { folder, ...(signal && { signal }) });
}

/** Runs the command line with a separate base folder. */
export async function millraceAt(args: readonly string[], where: Call): Promise<CommandLineResult> {
  return await call([process.execPath, cli, ...args], where);
}

/** Runs the script included in the packaged program, without a display. */
export async function packedMillrace(args: readonly string[], where: Call): Promise<CommandLineResult> {
  return await call([packedScript(), ...args], where);
}

/** Returns the path of the script included in the packaged program. */
export function packedScript(): string {
  const program = process.env['MILLRACE_RELEASED_EXECUTABLE'];
  if (program === undefined) throw new Error('Start these tests with: npm run e2e');
  return path.join(path.dirname(program), 'bin', 'millrace');
}

async function call(
  [file = '', ...args]: readonly string[],
  { folder, signal, home, env: changes, input = '' }: Call,
): Promise<CommandLineResult> {
  const ownEnv = { ...env, ...(home !== undefined && { MILLRACE_HOME: home }), ...changes };
  const child = spawn(file, args, { cwd: folder, env: ownEnv, stdio: ['pipe', 'pipe', 'pipe'] });
  // A command that doesn't read its input may end first.
  child.stdin.on('error', () => undefined).end(input);
  signal?.addEventListener('abort', () => child.kill('SIGINT'));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [code, out, errors] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { code, out, errors: errors.split('\n').filter((line) => line !== '') };
}
