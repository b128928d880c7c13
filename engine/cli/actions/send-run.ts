/**
 * Implements `runs send`, which lists the private values of a run and writes it for other people without them, and
 * `runs open` and `runs replay`, which show such a run and run it again.
 */
import path from 'node:path';
import type { PrivateFinding } from '../../host/send/list-private.ts';
import { openReceivedRun } from '../../host/send/received-run.ts';
import { type CliContext, type GlobalOptions, isShared, resolveWorkspace, type SharedOptions } from '../cli-context.ts';
import { exitCodeOfRun, usageError } from '../exit-code.ts';
import { oneLine } from '../progress/phrases.ts';
import { resolveRunReference } from '../run-reference.ts';
import { printRun } from './runs.ts';
import { withEngine } from './with-engine.ts';

/** Options of `runs send`. */
export interface SendFlags extends GlobalOptions, SharedOptions {
  readonly out?: string;
  readonly dryRun?: true;
  readonly html?: true;
  readonly word: readonly string[];
  readonly keep: readonly string[];
}

/** @throws EngineError `run.not-found` | `export.private-left` | `files.not-writable`; `cli.usage` for missing options */
export async function sendOneRun(context: CliContext, run: string, flags: SendFlags): Promise<void> {
  const { terminal, folder } = context;
  const { out, dryRun, word: words, keep } = flags;
  if (isShared(flags))
    throw usageError('Runs in a shared history cannot be sent: this workspace may not know their secrets.');
  if (out === undefined && dryRun === undefined)
    throw usageError('Set the file with --out FILE, or list what would be replaced with --dry-run.');
  await withEngine(context, { workspace: resolveWorkspace(context, flags), store: flags.store }, async (engine) => {
    const runId = await resolveRunReference(engine, run);
    const { values: found } = await engine.listPrivateValues(runId, words);
    const unknown = keep.filter((name) => !found.some(({ id, kind }) => id === name || kind === name));
    if (unknown.length > 0)
      throw usageError(`--keep ${unknown.join(', ')}: this run has no such value. List them with --dry-run.`);
    if (flags.json === true) terminal.json(`${JSON.stringify(found)}\n`);
    else for (const finding of found) terminal.err(lineOf(finding, keep));
    if (found.length === 0) terminal.err('No private values found.');
    if (dryRun === true || out === undefined) return;
    await engine.sendRun({ runId, to: path.resolve(folder, out), words, keep, isPage: flags.html === true });
    terminal.err(`Wrote ${out}. Check it before you send it. Some private values cannot be recognized.`);
  });
}

/**
 * Shows a run that someone sent. Reads nothing but the file.
 * @throws EngineError `files.*` | `sent.not-a-run` | `sent.newer-format`
 */
export async function openSentRun(context: CliContext, file: string, { json }: GlobalOptions): Promise<void> {
  const { terminal, folder, clock } = context;
  const { store, history, runId, problems } = await openReceivedRun(path.resolve(folder, file), clock);
  try {
    for (const problem of problems) terminal.err(`note: ${problem}`);
    if (json === true) terminal.json(`${JSON.stringify(await history.getRun(runId))}\n`);
    else await printRun(context, history, runId);
  } finally {
    store.close();
  }
}

/**
 * Runs a sent run again with its recorded results, and shows that run. Reads nothing but the file. Returns the exit code.
 * @throws EngineError as `openSentRun` does; `replay.agent` | `flow.invalid`
 */
export async function replaySentRun(context: CliContext, file: string, { json }: GlobalOptions): Promise<number> {
  const { terminal, folder, clock } = context;
  const received = await openReceivedRun(path.resolve(folder, file), clock);
  const { store, history, problems } = received;
  const { Replays } = await import('../../host/send/replays.ts');
  try {
    for (const problem of problems) terminal.err(`note: ${problem}`);
    const { runId, ended } = new Replays(received, clock).start();
    const { status } = await ended;
    if (json === true) terminal.json(`${JSON.stringify(await history.getRun(runId))}\n`);
    else await printRun(context, history, runId);
    return exitCodeOfRun(status);
  } finally {
    store.close();
  }
}

function lineOf({ id, kind, count, places, placeCount, sample }: PrivateFinding, keep: readonly string[]): string {
  const where = places.map(({ part, name }) => (name === undefined ? part : `${part} ${name}`)).join(', ');
  const more = placeCount > places.length ? `, and ${placeCount - places.length} more` : '';
  const isKept = keep.includes(id) || keep.includes(kind);
  return oneLine(`${isKept ? 'keeps' : 'replaces'} ${id} ${kind} ${count}× in ${where}${more}: ${sample}`);
}
