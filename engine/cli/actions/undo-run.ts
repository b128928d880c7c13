/**
 * Implements `runs changes`, `runs undo` and `runs undo-limits`: what a run has changed in files, and putting it back.
 */
import type { RunId } from '../../base/ids.ts';
import type { Engine } from '../../index.ts';
import { diffLines } from '../../language/edit/yaml/line-diff.ts';
import { type CliContext, type GlobalOptions, isShared, resolveWorkspace, type SharedOptions } from '../cli-context.ts';
import { exitCode, usageError } from '../exit-code.ts';
import { oneLine } from '../progress/phrases.ts';
import { resolveRunReference } from '../run-reference.ts';
import { printable } from '../terminal.ts';
import { askPerson, confirmChange } from './ask-person.ts';
import { withEngine } from './with-engine.ts';

/** What a run has changed in files, and what else it has done. */
type AllChanges = Awaited<ReturnType<typeof readChanges>>;
type ListedChange = AllChanges['files'][number];

/** Options of `runs changes`. */
export interface ChangesFlags extends GlobalOptions, SharedOptions {
  readonly diff?: true;
}

/** Options of `runs undo`. */
export interface UndoFlags extends GlobalOptions, SharedOptions {
  readonly dryRun?: true;
  readonly overwrite?: true;
  readonly yes?: true;
}

/** Options of `runs undo-limits`. */
export interface UndoLimitFlags extends GlobalOptions, SharedOptions {
  readonly size?: number;
  readonly days?: number;
}

/** Maximum number of lines of a file's comparison. */
const mostLines = 2_000;

/** Lists what a run has changed. @throws EngineError `run.not-found` */
export async function showChanges(context: CliContext, run: string, flags: ChangesFlags): Promise<void> {
  const { terminal } = context;
  await withOwnFiles(context, flags, async (engine) => {
    const runId = await resolveRunReference(engine, run);
    const changes = await readChanges(engine, runId);
    if (flags.json === true) {
      terminal.json(`${JSON.stringify(changes)}\n`);
      return;
    }
    for (const file of changes.files) {
      terminal.out(`${lineOf(file)}\n`);
      if (flags.diff === true) terminal.out(await differences(engine, { runId, file }));
    }
    if (changes.files.length === 0) terminal.out(`${nothingText(changes)}\n`);
    for (const line of otherLines(changes)) terminal.err(line);
  });
}

/**
 * Puts files back after a person has agreed. Asks again for each file that has changed since.
 * @returns the exit code: 1 if a file was not put back
 * @throws EngineError `cli.usage` for a file that the run did not change | `permission.refused` | `run.not-found` |
 * `run.invalid-state`
 */
export async function undoRun(
  context: CliContext,
  { run, named }: { readonly run: string; readonly named: readonly string[] },
  flags: UndoFlags,
): Promise<number> {
  return await withOwnFiles(context, flags, async (engine) => {
    const runId = await resolveRunReference(engine, run);
    const changes = await readChanges(engine, runId);
    const files = chosen(changes, named).filter(({ state }) => state !== 'put-back');
    if (flags.json !== true || flags.dryRun === true) printPlan(context, files, { changes, flags });
    if (files.length === 0 || flags.dryRun === true) return exitCode.ok;
    await confirmChange(flags, `Put back ${countOf(files.length)} as before the run?`);
    const isSince = ({ state }: ListedChange): boolean => state === 'changed-since';
    const agreed = new Set<string>();
    for (const file of files.filter(isSince)) {
      const isAgreed = flags.overwrite ?? (flags.yes !== true && (await askAboutFile(engine, { runId, file })));
      if (isAgreed) agreed.add(file.path);
    }
    const undone = await engine.undoFiles({
      runId,
      files: files.map(({ path, now }) => (agreed.has(path) ? { path, over: now } : { path })),
    });
    return report(context, undone, flags);
  });
}

/** Shows the limits of copies, and changes them first if flags name new ones. @throws EngineError `http.bad-list` */
export async function undoLimits(context: CliContext, flags: UndoLimitFlags): Promise<void> {
  await withOwnFiles(context, flags, async (engine) => {
    const former = await engine.readUndoLimits();
    const { size = former.megabytes, days = former.days } = flags;
    if (flags.size !== undefined || flags.days !== undefined) await engine.setUndoLimits({ megabytes: size, days });
    const limits = await engine.readUndoLimits();
    if (flags.json === true) context.terminal.json(`${JSON.stringify(limits)}\n`);
    else context.terminal.out(`Copies of changed files: up to ${limits.megabytes} MiB, for ${limits.days} days.\n`);
  });
}

function report(
  { terminal }: CliContext,
  undone: Awaited<ReturnType<Engine['undoFiles']>>,
  { json }: UndoFlags,
): number {
  const { files, undoId } = undone;
  if (json === true) terminal.json(`${JSON.stringify(undone)}\n`);
  const isDone = (outcome: string): boolean => outcome === 'restored' || outcome === 'removed';
  for (const { path, outcome, message } of files) {
    if (outcome === 'changed-since') terminal.err(`Left as it is: ${oneLine(path)} has changed since the run.`);
    else if (outcome === 'failed') terminal.err(`Not put back: ${oneLine(message ?? path)}`);
  }
  terminal.err(`Put back ${countOf(files.filter(({ outcome }) => isDone(outcome)).length)}.`);
  if (undoId !== undefined) terminal.err(`To take this back: millrace runs undo ${undoId}`);
  return files.every(({ outcome }) => isDone(outcome) || outcome === 'unchanged') ? exitCode.ok : exitCode.failed;
}

function printPlan(
  { terminal }: CliContext,
  files: readonly ListedChange[],
  { changes, flags }: { readonly changes: AllChanges; readonly flags: UndoFlags },
): void {
  for (const file of files) terminal.out(`${lineOf(file)}\n`);
  if (files.length === 0) terminal.err(changes.files.length === 0 ? nothingText(changes) : 'All files are as before.');
  else if (flags.dryRun === true) terminal.err(`Without --dry-run, this puts back ${countOf(files.length)}.`);
  for (const line of otherLines(changes)) terminal.err(line);
}

/** @throws EngineError `cli.usage` */
function chosen({ files }: AllChanges, named: readonly string[]): readonly ListedChange[] {
  if (named.length === 0) return files;
  return named.map((name) => {
    const path = name.replaceAll('\\', '/').replace(/^\.\//, '');
    const file = files.find((one) => one.path === path);
    if (file !== undefined) return file;
    throw usageError(`The run did not change ${name}. To list what it changed: millrace runs changes RUN`);
  });
}

interface FileOfRun {
  readonly runId: RunId;
  readonly file: ListedChange;
}

async function askAboutFile(engine: Engine, { runId, file }: FileOfRun): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const shown = await differences(engine, { runId, file });
  process.stderr.write(`${printable(shown)}`);
  const question = `${file.path} has changed since the run. Replace it as shown above? [y/N] `;
  return (await askPerson(question)) === true;
}

/** Returns the lines that putting back would remove and add. */
async function differences(engine: Engine, { runId, file: { path } }: FileOfRun): Promise<string> {
  const { before, now, isText } = await engine.readChangedFile({ runId, path });
  if (!isText) return '  (not text, too large or without a copy)\n';
  const lines = diffLines(now ?? '', before ?? '');
  const more = lines.length > mostLines ? [`… and ${lines.length - mostLines} more lines`] : [];
  const heads = [
    now === null ? '--- no file' : `--- ${path} now`,
    before === null ? '+++ no file' : `+++ ${path} before`,
  ];
  return `${[...heads, ...lines.slice(0, mostLines), ...more].join('\n')}\n`;
}

const stateTexts: Readonly<Record<ListedChange['state'], string>> = {
  'as-left': '',
  'changed-since': 'changed since the run',
  'put-back': 'as before the run',
};

function lineOf({ change, path, kind, movedFrom, state, isLost }: ListedChange): string {
  const name = `${oneLine(path)}${kind === 'folder' ? '/' : ''}`;
  const from = movedFrom === undefined ? '' : `, moved from ${oneLine(movedFrom)}`;
  const remarks = [stateTexts[state], isLost === true ? 'no copy' : ''].filter((text) => text !== '');
  return `${change.padEnd(7)}  ${name}${from}${remarks.length === 0 ? '' : `  (${remarks.join(', ')})`}`;
}

function nothingText({ isExpired }: AllChanges): string {
  return isExpired ? 'Changes of this run are no longer stored.' : 'This run changed no files in the workspace.';
}

const kindTexts = { command: 'command', web: 'web request', tool: 'tool' } as const;

/** Describes what cannot be undone. */
function otherLines({ outside, unlisted, undos, undoOf }: AllChanges): readonly string[] {
  const others = unlisted.map(({ kind, target, count }) => {
    const times = count === 1 ? '' : ` (${count} times)`;
    return `  ${kindTexts[kind]} ${oneLine(target)}${times}`;
  });
  const files = outside.map((path) => `  file ${oneLine(path)}`);
  const all = [...files, ...others];
  return [
    ...(undoOf === undefined ? [] : [`This is an undo of run ${undoOf}.`]),
    ...undos.map(({ id, at }) => `Files were put back at ${new Date(at).toISOString()}: ${id}`),
    ...(all.length === 0 ? [] : ['What these have changed is not known and cannot be undone:', ...all]),
  ];
}

async function readChanges(engine: Engine, runId: RunId) {
  return { ...(await engine.changedFiles(runId)), unlisted: await engine.unlistedEffects(runId) };
}

function countOf(files: number): string {
  return files === 1 ? '1 file' : `${files} files`;
}

async function withOwnFiles<T>(
  context: CliContext,
  options: GlobalOptions & SharedOptions,
  use: (engine: Engine) => Promise<T>,
): Promise<T> {
  if (isShared(options)) throw usageError('Changes of files are stored in their workspace. Remove --history and --on.');
  return await withEngine(context, { workspace: resolveWorkspace(context, options), store: options.store }, use);
}
