/**
 * What `inbox` does.
 */
import type { ReadsLater, RunReads } from '../../index.ts';
import type { CliContext, GlobalOptions } from '../cli-context.ts';
import { oneLine } from '../progress/phrases.ts';
import { withHistory } from './with-engine.ts';

/** Lists what waits for people: with `--json` one question a line, whole. */
export async function showInbox(context: CliContext, options: GlobalOptions): Promise<void> {
  await withHistory(context, options, async (reads) => {
    const entries = await reads.listWaiting();
    if (options.json === true) context.terminal.json((await withRequests(reads, entries)).map(lineOf).join(''));
    else printInbox(context, entries);
  });
}

type WaitingEntry = ReturnType<RunReads['listWaiting']>[number];

function lineOf(entry: object): string {
  return `${JSON.stringify(entry)}\n`;
}

/** Each run that asks is read once. */
async function withRequests(reads: ReadsLater<RunReads>, entries: readonly WaitingEntry[]): Promise<readonly object[]> {
  const requests = new Map<string, unknown>();
  const placeOf = ({ runId, name, key }: Pick<WaitingEntry, 'runId' | 'name' | 'key'>): string =>
    JSON.stringify([runId, name, key]);
  for (const runId of new Set(entries.map((entry) => entry.runId))) {
    for (const ask of await reads.waiting(runId)) requests.set(placeOf(ask), ask.request);
  }
  return entries.map((entry) => ({ ...entry, request: requests.get(placeOf(entry)) }));
}

function printInbox({ terminal }: CliContext, entries: readonly WaitingEntry[]): void {
  if (entries.length === 0) terminal.err('Nothing waits for a person here.');
  for (const { number, flow, name, key, kind, message } of entries) {
    const place = key === undefined ? oneLine(name) : `${oneLine(name)} (${oneLine(key)})`;
    terminal.out(`#${number} ${oneLine(flow)}  ${place}  ${terminal.colors.dim(oneLine(message))}\n`);
    const way = kind === 'input' ? '--answer FILE' : '--approve (or --reject)';
    terminal.out(`    millrace resume ${number} --node ${name} ${way}\n`);
  }
}
