/**
 * The queue: what runs, waits or has failed in all flows, and firings of triggers that have started no run.
 */
import { CircleSlash, Clock, ListChecks, RotateCcw } from 'lucide-react';
import { useMemo } from 'react';
import type { RunSummary } from '../../engine/isomorphic.ts';
import type { RunList } from '../stores/runs/history/run-history.ts';
import { useStores } from '../stores/stores-context.tsx';
import { flowNameOf } from '../stores/text/paths.ts';
import type { ListedFiring } from '../stores/workspace/triggers.ts';
import { IconButton } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { fullDateTimeText, shortTimeText } from '../ui/quantity-text.ts';
import { rovingItem } from '../ui/roving-focus.ts';
import { VirtualRows } from '../ui/virtual-rows.tsx';
import { starterText } from './run-header.tsx';
import { RunRow } from './run-row.tsx';
import { text } from './text.ts';

type Group = keyof typeof text.queue.groups;

type QueueRow =
  | { readonly kind: 'heading'; readonly group: Group; readonly count: number }
  | { readonly kind: 'run'; readonly run: RunSummary; readonly firing: ListedFiring | undefined }
  | { readonly kind: 'firing'; readonly firing: ListedFiring };

/** Height of each row, in pixels. */
const rowHeight = 52;

const groupsOfRuns = ['running', 'paused', 'waiting', 'queued', 'interrupted', 'failed'] as const;

function groupOf({ status, waitStatus }: RunSummary): Group {
  if (waitStatus === 'PAUSED') return 'paused';
  return status === 'suspended' ? 'waiting' : (groupsOfRuns.find((group) => group === status) ?? 'failed');
}

/** Returns the rows of all groups that are not empty, each below its heading. */
function rowsOf({ runs, firings }: RunList): readonly QueueRow[] {
  const byRun = new Map(
    firings.flatMap((firing) => (firing.runId === undefined ? [] : [[firing.runId, firing] as const])),
  );
  const groups = groupsOfRuns.map((group) => {
    const own = runs.filter((run) => groupOf(run) === group);
    return [group, own.map((run): QueueRow => ({ kind: 'run', run, firing: byRun.get(run.runId) }))] as const;
  });
  const others = firings
    .filter(({ runId }) => runId === undefined)
    .map((firing): QueueRow => ({ kind: 'firing', firing }));
  return [...groups, ['firings', others] as const].flatMap(([group, rows]): readonly QueueRow[] =>
    rows.length === 0 ? [] : [{ kind: 'heading', group, count: rows.length }, ...rows],
  );
}

function keyOf(row: QueueRow | undefined): string {
  if (row === undefined) return '';
  return row.kind === 'heading' ? row.group : row.kind === 'run' ? row.run.runId : String(row.firing.id);
}

interface RunQueueProps {
  readonly list: RunList;
  /** The active flow, or null. */
  readonly path: string | null;
}

export function RunQueue({ list, path }: RunQueueProps) {
  const rows = useMemo(() => rowsOf(list), [list]);
  if (list.status === 'failed') return <p className="run-history-note">{list.error}</p>;
  if (rows.length === 0)
    return list.status === 'loading' ? null : (
      <EmptyState icon={<ListChecks aria-hidden size={20} />} title={text.queue.none}>
        {text.queue.noneHint}
      </EmptyState>
    );
  return (
    <VirtualRows
      label={text.queue.title}
      count={rows.length}
      rowHeight={rowHeight}
      keyOf={(index) => keyOf(rows[index])}
      renderRow={(index, isTabStop) => {
        const row = rows[index];
        if (row === undefined) return null;
        if (row.kind === 'firing') return <FiringRow firing={row.firing} isTabStop={isTabStop} />;
        if (row.kind === 'heading') return <Heading group={row.group} count={row.count} />;
        return (
          <RunRow as="div" run={row.run} hasName isInFront={row.run.sourcePath === path} isTabStop={isTabStop}>
            {row.run.status === 'failed' && row.firing !== undefined ? <Again firing={row.firing} /> : null}
          </RunRow>
        );
      }}
    />
  );
}

function Heading({ group, count }: { readonly group: Group; readonly count: number }) {
  return <h3 className="run-queue-heading">{text.queue.heading({ group: text.queue.groups[group], count })}</h3>;
}

function FiringRow({ firing, isTabStop }: { readonly firing: ListedFiring; readonly isTabStop: boolean }) {
  const { flow, trigger, state, reason, createdAt, priority } = firing;
  const Icon = state === 'waiting' ? Clock : CircleSlash;
  const starter = starterText({ kind: 'trigger', name: trigger });
  const rank = priority === 0 ? [] : [text.queue.priority({ priority })];
  const details = [text.queue.firing[state], ...(reason === undefined ? [] : [reason]), starter, ...rank].join(' · ');
  return (
    <div className="run-item">
      <div className="run-row" title={`${fullDateTimeText(createdAt)}\n${details}`}>
        <Icon aria-hidden size={14} className="run-queue-icon" />
        <b className="run-row-name">{flowNameOf(flow)}</b>
        <span className="run-row-time">{shortTimeText(createdAt, Date.now())}</span>
        <span className="run-row-detail">{details}</span>
      </div>
      {state === 'waiting' ? null : <Again firing={firing} isTabStop={isTabStop} />}
    </div>
  );
}

/** Starts the flow again for the same event. */
function Again({ firing, isTabStop = false }: { readonly firing: ListedFiring; readonly isTabStop?: boolean }) {
  const { triggers, runHistory } = useStores();
  return (
    <IconButton
      label={text.queue.again}
      className="run-again"
      onClick={() =>
        void triggers
          .getState()
          .fireAgain(firing.id)
          .then(() => runHistory.getState().refresh())
      }
      {...rovingItem(isTabStop)}
    >
      <RotateCcw aria-hidden size={14} />
    </IconButton>
  );
}
