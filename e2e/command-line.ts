/**
 * The command line of the same build, beside the window.
 */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';

// npm's note of where it was called would count as the folder.
const { INIT_CWD: _, ...env } = process.env;
const cli = path.join(import.meta.dirname, '..', 'out', 'cli', 'cli.cjs');

export interface CommandLineResult {
  readonly code: number | null;
  readonly out: string;
  /** Lines of stderr. */
  readonly errors: readonly string[];
}

/** Runs `millrace …args` in a folder. `signal` ends it as Ctrl+C does. */
export async function millrace(
  folder: string,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<CommandLineResult> {
  const child = spawn(process.execPath, [cli, ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  signal?.addEventListener('abort', () => child.kill('SIGINT'));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [code, out, errors] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { code, out, errors: errors.split('\n').filter((line) => line !== '') };
}
