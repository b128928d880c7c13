/**
 * What `inbox` does.
 */
import type { ReadsLater, RunReads } from '../../index.ts';
import type { CliContext, GlobalOptions } from '../cli-context.ts';
import { oneLine } from '../progress/phrases.ts';
import { withHistory } from './with-engine.ts';

/** Older runs that wait are not looked for. */
const mostRuns = 10_000;

/** Lists what waits for a person: with `--json` one question a line, whole. */
export async function showInbox(context: CliContext, options: GlobalOptions): Promise<void> {
  await withHistory(context, options, async (reads) => {
    const asks = await waitingIn(reads);
    if (options.json === true) context.terminal.json(asks.map((ask) => `${JSON.stringify(ask)}\n`).join(''));
    else printInbox(context, asks);
  });
}

type WaitingAsk = ReturnType<RunReads['waiting']>[number];

interface InboxEntry extends WaitingAsk {
  /** Of the run, as people name it. */
  readonly number: number;
  readonly flow: string;
  readonly sourcePath: string;
}

async function waitingIn(reads: ReadsLater<RunReads>): Promise<readonly InboxEntry[]> {
  const asks: InboxEntry[] = [];
  for (const { runId, number, name: flow, sourcePath } of await reads.listRuns({
    status: 'suspended',
    limit: mostRuns,
  }))
    for (const ask of await reads.waiting(runId)) asks.push({ ...ask, number, flow, sourcePath });
  return asks.sort((a, b) => (a.askedAt ?? 0) - (b.askedAt ?? 0));
}

function printInbox({ terminal }: CliContext, asks: readonly InboxEntry[]): void {
  if (asks.length === 0) terminal.err('Nothing waits for a person here.');
  for (const { number, flow, name, key, request, message } of asks) {
    const place = key === undefined ? oneLine(name) : `${oneLine(name)} (${oneLine(key)})`;
    terminal.out(`#${number} ${oneLine(flow)}  ${place}  ${terminal.colors.dim(oneLine(message))}\n`);
    const way = request?.kind === 'input' ? '--answer FILE' : '--approve (or --reject)';
    terminal.out(`    millrace resume ${number} --node ${name} ${way}\n`);
  }
}
