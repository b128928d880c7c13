/**
 * Describes the bars of a timeline under the pointer, and those of the row that has the keyboard focus.
 */
import type { ReactElement } from 'react';
import { itemText } from '../stores/flow/node-places.ts';
import type { LiveRun } from '../stores/runs/live/live-runs.ts';
import { nodeWorkedMs } from '../stores/runs/live/run-time.ts';
import { durationText } from '../ui/quantity-text.ts';
import { visualStateLabels } from '../ui/state-icon.tsx';
import { TooltipArea } from '../ui/tooltip.tsx';
import { text } from './time/text.ts';
import { statesInBody } from './timeline-model.ts';
import type { TimelineBar, TimelineRow } from './timeline-rows.ts';

/** Bars are drawn at least 3 pixels wide, and rounded. */
const roundingMs = 1;

interface TipSource {
  readonly run: LiveRun;
  readonly rows: readonly TimelineRow[];
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Returns what the items of a node in a loop did during a bar: how many there were, and which one took longest. */
function itemsWords({ run, now }: TipSource, row: TimelineRow, { fromMs, toMs }: TimelineBar): string | null {
  const start = run.state.startedAt ?? 0;
  const during = statesInBody(run, row.nodeId).flatMap((state) => {
    const { startedAt, endedAt = now } = state;
    if (startedAt === undefined) return [];
    const isWithin = startedAt - start <= toMs + roundingMs && endedAt - start >= fromMs - roundingMs;
    return isWithin ? [{ state, workedMs: nodeWorkedMs(state, now) ?? 0 }] : [];
  });
  const longest = during.toSorted((a, b) => b.workedMs - a.workedMs)[0];
  if (longest === undefined) return null;
  const { nodeId: place, status, startedAt = start } = longest.state;
  const item = itemText(place, run.state.tallies.loops);
  const duration = durationText(longest.workedMs);
  const state = visualStateLabels[status];
  if (during.length === 1) {
    return text.tip.bar({ what: `${row.name}, ${item}`, state, start: durationText(startedAt - start), duration });
  }
  const items = { name: row.name, count: during.length, start: durationText(fromMs) };
  const total = durationText(toMs - fromMs);
  return `${text.tip.items({ ...items, duration: total })}. ${text.tip.longest({ item, state, duration })}`;
}

/** Returns what a bar stands for, for example `fetch, attempt 2: completed, from 1.2 s for 0.3 s`. */
export function barWords(source: TipSource, row: TimelineRow, index: number): string {
  const bar = row.bars[index];
  if (bar === undefined) return '';
  if (row.isInBody === true) return itemsWords(source, row, bar) ?? row.name;
  const failedBefore = row.bars.slice(0, index).filter(({ kind }) => kind === 'failed-attempt').length;
  const hasAttempts = row.bars.some(({ kind }) => kind === 'failed-attempt');
  const words: Readonly<Record<TimelineBar['kind'], string>> = {
    work: visualStateLabels[row.state],
    loop: visualStateLabels[row.state],
    'failed-attempt': visualStateLabels.failed,
    pause: text.tip.pause,
    wait: text.tip.wait,
  };
  const number = bar.kind === 'pause' ? failedBefore : failedBefore + 1;
  return text.tip.bar({
    what: hasAttempts ? text.tip.attempt({ name: row.name, number }) : row.name,
    state: words[bar.kind],
    start: durationText(bar.fromMs),
    duration: durationText(bar.toMs - bar.fromMs),
  });
}

/** Returns what all bars of a row stand for. */
function rowWords(source: TipSource, row: TimelineRow): string {
  const [first, last] = [row.bars[0], row.bars.at(-1)];
  if (first === undefined || last === undefined) return `${row.name}: ${visualStateLabels[row.state]}`;
  const all = { ...row, bars: [{ ...last, fromMs: first.fromMs }] };
  if (row.isInBody === true) return barWords(source, all, 0);
  return row.bars.map((_, index) => barWords(source, row, index)).join('\n');
}

interface TimelineTipsProps extends TipSource {
  readonly children: ReactElement;
}

export function TimelineTips({ children, ...source }: TimelineTipsProps) {
  return (
    <TooltipArea
      find={(target, isFocus) =>
        isFocus
          ? (target.closest('.timeline-row')?.querySelector('.timeline-track') ?? null)
          : target.closest('.timeline-bar')
      }
      textOf={(element) => {
        const row = source.rows[Number(element.closest('li')?.getAttribute('aria-posinset')) - 1];
        if (row === undefined) return '';
        const bar = element.getAttribute('data-bar');
        return bar === null ? rowWords(source, row) : barWords(source, row, Number(bar));
      }}
    >
      {children}
    </TooltipArea>
  );
}
