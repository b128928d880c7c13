/**
 * The command line of the same build, beside the window.
 */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';

// npm's note of where it was called would count as the folder, and no command needs a display.
const { INIT_CWD: _, DISPLAY: _display, ...env } = process.env;
const cli = path.join(import.meta.dirname, '..', 'out', 'cli', 'cli.cjs');

export interface CommandLineResult {
  readonly code: number | null;
  readonly out: string;
  /** Lines of stderr. */
  readonly errors: readonly string[];
}

interface Call {
  /** The folder it is called in. */
  readonly folder: string;
  /** Ends it as Ctrl+C does. */
  readonly signal?: AbortSignal;
  /** The base folder; the person's own if absent. */
  readonly home?: string;
}

/** Runs `millrace …args` in a folder. `signal` ends it as Ctrl+C does. */
export async function millrace(
  folder: string,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<CommandLineResult> {
  return await call([process.execPath, cli, ...args], { folder, ...(signal && { signal }) });
}

/** Runs it with a base folder of the test's own. */
export async function millraceAt(args: readonly string[], where: Call): Promise<CommandLineResult> {
  return await call([process.execPath, cli, ...args], where);
}

/** The same by the script that the packed program brings, where no display is. */
export async function packedMillrace(args: readonly string[], where: Call): Promise<CommandLineResult> {
  const program = process.env['MILLRACE_RELEASED_EXECUTABLE'];
  if (program === undefined) throw new Error('Start these tests with: npm run e2e');
  return await call([path.join(path.dirname(program), 'bin', 'millrace'), ...args], where);
}

async function call(
  [file = '', ...args]: readonly string[],
  { folder, signal, home }: Call,
): Promise<CommandLineResult> {
  const ownEnv = home === undefined ? env : { ...env, MILLRACE_HOME: home };
  const child = spawn(file, args, { cwd: folder, env: ownEnv, stdio: ['ignore', 'pipe', 'pipe'] });
  signal?.addEventListener('abort', () => child.kill('SIGINT'));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [code, out, errors] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { code, out, errors: errors.split('\n').filter((line) => line !== '') };
}
