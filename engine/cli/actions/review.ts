/**
 * Implements `review`, and the question that other commands ask about files written by runs.
 */
import type { Engine } from '../../index.ts';
import { type CliContext, type GlobalOptions, resolveWorkspace } from '../cli-context.ts';
import { exitCode, usageError } from '../exit-code.ts';
import { printable } from '../terminal.ts';
import { askPerson } from './ask-person.ts';
import { withEngine } from './with-engine.ts';
import { printEach } from './with-packs.ts';

type ReviewedFile = Awaited<ReturnType<Engine['listWritten']>>[number];

/** Maximum number of lines of a file that are shown. */
const mostLines = 2_000;

/**
 * Lists unreviewed files written by runs, or shows one and asks whether to accept it.
 * @returns the exit code: 4 if the user declined, or without an interactive terminal
 * @throws EngineError `cli.usage` for a file that is not in the list, or errors of `createEngine`
 */
export async function review(context: CliContext, file: string | undefined, options: GlobalOptions): Promise<number> {
  const workspace = resolveWorkspace(context, options);
  return await withEngine(context, { workspace, store: options.store }, async (engine) => {
    const written = await engine.listWritten();
    if (file === undefined) {
      printEach(context, options, { values: written, lineOf: ({ path, decides }) => `${path}: ${whatIs(decides)}` });
      if (written.length === 0 && options.json !== true) context.terminal.out('No files are waiting for review.\n');
      return exitCode.ok;
    }
    const found = written.find(({ path }) => path === file.replaceAll('\\', '/').replace(/^\.\//, ''));
    if (found === undefined)
      throw usageError(`${file} is not waiting for review. To list the files that are: millrace review`);
    context.terminal.out(`${textOfChange(found)}\n`);
    return (await mayHold(engine, found)) ? exitCode.ok : exitCode.denied;
  });
}

/**
 * Shows a file written by a run and asks whether to accept it.
 * @returns whether the user agreed; also false if the file is not pending
 */
export async function askAboutWritten(
  engine: Pick<Engine, 'listWritten' | 'acceptWritten'>,
  path: string,
): Promise<boolean> {
  const found = (await engine.listWritten()).find((one) => one.path === path);
  if (found === undefined || !process.stdin.isTTY) return false;
  process.stderr.write(`${printable(textOfChange(found))}\n`);
  return await mayHold(engine, found);
}

async function mayHold(engine: Pick<Engine, 'acceptWritten'>, { path, text, decides }: ReviewedFile): Promise<boolean> {
  const question = `A run wrote ${path} (${whatIs(decides)}). Allow the change shown above? [y/N] `;
  return (await askPerson(question)) === true && (await engine.acceptWritten({ path, text }));
}

function whatIs(decides: string | undefined): string {
  return decides ?? 'runs as in an untrusted workspace until you allow it';
}

function textOfChange({ path, before, changes: lines }: ReviewedFile): string {
  const more = lines.length > mostLines ? [`… and ${lines.length - mostLines} more lines`] : [];
  const from = before === undefined ? ' (previous text unknown)' : '';
  return [
    `--- ${before === null ? 'no file' : `${path}${from}`}`,
    `+++ ${path}`,
    ...lines.slice(0, mostLines),
    ...more,
  ].join('\n');
}
