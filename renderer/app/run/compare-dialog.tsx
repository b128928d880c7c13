/**
 * Asks which run of the same flow to compare a run with.
 */
import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import type { RunSummary } from '../../../engine/isomorphic.ts';
import { isOver } from '../../stores/runs/live/live-runs.ts';
import { emptyRunList } from '../../stores/runs/run-history.ts';
import { shownRunState } from '../../stores/runs/shown-run.ts';
import { durationText, shortTimeText } from '../../ui/quantity-text.ts';
import { StateIcon, visualStateLabels } from '../../ui/state-icon.tsx';
import { useCommandContext } from '../commands/command-context.tsx';
import { QuickPick } from '../quick-pick/quick-pick.tsx';
import { text } from './text.ts';

function detailOf(run: RunSummary): string {
  const { startedAt, durationMs } = run;
  const lasted = durationMs === undefined ? [] : [durationText(durationMs)];
  return [visualStateLabels[shownRunState(run)], shortTimeText(startedAt, Date.now()), ...lasted].join(' · ');
}

function RunPick({ run }: { run: RunSummary }) {
  const { stores, dialogs } = useCommandContext();
  const { runHistory, runs } = stores;
  const { sourcePath } = run;
  const list = useStore(runHistory, ({ lists }) => lists.get(sourcePath)) ?? emptyRunList;
  useEffect(() => runHistory.getState().watch(sourcePath), [runHistory, sourcePath]);
  const others = useMemo(
    () => list.runs.filter((other) => other.runId !== run.runId && isOver(other)),
    [list, run.runId],
  );
  const items = others.map((other) => ({
    kind: 'run' as const,
    id: other.runId,
    title: text.compare.run(other),
    detail: detailOf(other),
  }));
  const byId = new Map<string, RunSummary>(others.map((other) => [other.runId, other]));
  return (
    <QuickPick
      isOpen
      onClose={() => dialogs.getState().close()}
      title={text.compare.title(run)}
      placeholder={text.compare.placeholder}
      items={items}
      iconOf={({ id }) => <StateIcon state={byId.get(id)?.status ?? 'idle'} isDecorative />}
      empty={list.status === 'loading' ? text.compare.loading : text.compare.none}
      onPick={(id) => {
        const other = byId.get(id);
        if (other !== undefined) void runs.compare(run, other);
      }}
    />
  );
}

export function CompareDialog() {
  const { dialogs } = useCommandContext();
  const run = useStore(dialogs, ({ open, comparing }) => (open === 'compare' ? comparing : null));
  return run === null ? null : <RunPick run={run} />;
}
