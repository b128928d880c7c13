/**
 * Implements `inbox`.
 */
import type { RunHistoryReader } from '../../index.ts';
import type { CliContext, GlobalOptions, SharedOptions } from '../cli-context.ts';
import { answerCommand, oneLine } from '../progress/phrases.ts';
import type { Terminal } from '../terminal.ts';
import { withHistory } from './with-engine.ts';

/** Lists open requests. With `--json`, prints one complete request per line. */
export async function showInbox(context: CliContext, options: GlobalOptions & SharedOptions): Promise<void> {
  await withHistory(context, options, async (reads) => {
    if (options.json === true) context.terminal.json((await reads.listWaitingRequests()).map(lineOf).join(''));
    else printInbox(context, await reads.listWaiting());
  });
}

type WaitingEntry = Awaited<ReturnType<RunHistoryReader['listWaiting']>>[number];

function lineOf(entry: object): string {
  return `${JSON.stringify(entry)}\n`;
}

function printInbox({ terminal, clock }: CliContext, entries: readonly WaitingEntry[]): void {
  if (entries.length === 0) terminal.err('No requests are waiting in this workspace.');
  const now = clock.now();
  const places = new Map<string, number>();
  const placeOf = ({ number, name }: WaitingEntry): string => `${number} ${name}`;
  for (const entry of entries) places.set(placeOf(entry), (places.get(placeOf(entry)) ?? 0) + 1);
  for (const entry of entries) {
    const { number, flow, name, key, message, askedAt, deadlineAt } = entry;
    const isOneOfSeveral = key !== undefined && (places.get(placeOf(entry)) ?? 0) > 1;
    const place = isOneOfSeveral ? `${oneLine(name)} (${oneLine(key)})` : oneLine(name);
    terminal.out(`#${number} ${oneLine(flow)}  ${place}  ${terminal.colors.dim(oneLine(message))}\n`);
    const waited = `for ${longDurationText(now - askedAt)}`;
    terminal.out(
      `    ${waited}${deadlineAt === undefined ? '' : `, ${dueText(entry, deadlineAt - now, terminal.colors)}`}\n`,
    );
    terminal.out(
      `    ${answerCommand(number, {
        ...entry,
        key: isOneOfSeveral ? key : undefined,
        kind: entry.isPermission === true ? 'permission' : entry.kind,
      })}\n`,
    );
  }
}

const urgentMs = 3_600_000;

const atDeadline: Readonly<Record<string, string>> = {
  approve: ', then it is approved',
  reject: ', then it is rejected',
  fail: ', then it fails',
};

function dueText({ onDeadline = 'remind' }: WaitingEntry, leftMs: number, colors: Terminal['colors']): string {
  if (leftMs <= 0) return colors.red(`overdue since ${longDurationText(-leftMs)}`);
  const text = `due in ${longDurationText(leftMs)}${atDeadline[onDeadline] ?? ''}`;
  return leftMs < urgentMs ? colors.yellow(text) : text;
}

/** Formats a duration in its two largest units: `2 d 4 h`, `3 h 5 min`; at least a minute. */
function longDurationText(ms: number): string {
  const minutes = Math.max(1, Math.floor(Math.abs(ms) / 60_000));
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
