/**
 * One run in a list. Selecting it shows it over its flow.
 */
import { Play } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useStore } from 'zustand';
import type { RunSide, RunSummary } from '../../engine/isomorphic.ts';
import { SideBadge } from '../card/compared-rows.tsx';
import { isComparable } from '../stores/runs/run-picks.ts';
import { type ShownState, selectShownRun, shownRunState } from '../stores/runs/shown-run.ts';
import { useStores } from '../stores/stores-context.tsx';
import { flowNameOf } from '../stores/text/paths.ts';
import { Button } from '../ui/button.tsx';
import { costText, durationText, fullDateTimeText, shortTimeText } from '../ui/quantity-text.ts';
import { rovingItem } from '../ui/roving-focus.ts';
import { StateIcon, visualStateLabels } from '../ui/state-icon.tsx';
import { partText, pinnedText, redoText, starterText } from './run-header.tsx';
import { RunMenu } from './run-menu.tsx';
import { text } from './text.ts';
import './run-history-list.css';

function detailText(
  { status, durationMs, redoOf, rerunOf, redoCount, scope, pinned, error, damage, endReason, startedBy }: RunSummary,
  state: ShownState,
  cost: string | null,
): string {
  const [part, given] = [partText(scope, (id) => id), pinnedText(pinned)];
  const redo = redoText({ redoOf, redoCount });
  const parts = [
    ...(startedBy === undefined || startedBy.kind === 'person' ? [] : [starterText(startedBy)]),
    ...(part === null ? [] : [part]),
    ...(given === null ? [] : [given]),
    ...(damage === undefined ? [] : [text.history.damaged({ damage })]),
    ...(state === 'completed' ? [] : [visualStateLabels[state]]),
    ...(endReason === undefined ? [] : [text.header.endReasons[endReason]]),
    ...(durationMs === undefined ? [] : [durationText(durationMs)]),
    ...(cost === null ? [] : [cost]),
    ...(redo === null ? [] : [redo]),
    ...(rerunOf === undefined ? [] : [text.history.rerun]),
    ...(error === undefined || status === 'cancelled' ? [] : [error.message]),
  ];
  return parts.join(' · ');
}

/** The name of an agent is that of its file. */
function nameOf({ kind, name }: RunSummary): string {
  return kind === 'agent' ? flowNameOf(name) : name;
}

/** Shows the run and resumes it. */
function ResumeButton({ onResume }: { onResume: () => Promise<void> }) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <Button
      size="small"
      className="run-resume"
      disabled={isAsking}
      onClick={() => {
        setIsAsking(true);
        void onResume().finally(() => setIsAsking(false));
      }}
      {...rovingItem(false)}
    >
      <Play aria-hidden size={11} />
      {text.history.resume}
    </Button>
  );
}

/** Returns the cost of a run, for an active one as far as it is known here. Null if it is not known. */
function useCostText({ runId, costUsd, unpricedCalls }: RunSummary): string | null {
  return useStore(useStores().liveRuns, ({ runs }) => {
    const isKnown = costUsd !== undefined || unpricedCalls !== undefined;
    const known = isKnown ? { costUsd, unpricedCalls } : runs.get(runId)?.state;
    return costText(known?.costUsd, known?.unpricedCalls);
  });
}

/** Returns whether the focus moves to another part of a row, or to its menu, which is elsewhere in the DOM. */
function staysWith(row: Element, next: EventTarget | null): boolean {
  return next instanceof Element && (row.contains(next) || next.closest('[role="menu"]') !== null);
}

/** Returns whether a run is chosen for a comparison, its letter, and how to choose it. */
function usePicked(run: RunSummary) {
  const { liveRuns, runHistory, runPicks } = useStores();
  const { runId, sourcePath } = run;
  const isPicked = useStore(runPicks, ({ picked }) => picked.some((one) => one.runId === runId));
  const isPicking = useStore(runPicks, (picks) => picks.isPicking);
  const side = useStore(liveRuns, (state): RunSide | undefined => {
    const { a, b } = selectShownRun(state, sourcePath)?.comparison?.request ?? {};
    return a === runId ? 'a' : b === runId ? 'b' : undefined;
  });
  const toggle = (): void => {
    const shown = liveRuns.getState().shown.get(sourcePath)?.runId;
    const listed = [...runHistory.getState().lists.values()].flatMap(({ runs }) => runs);
    runPicks.getState().toggle(
      run,
      listed.find((one) => one.runId === shown),
    );
  };
  return { isPicked, isPicking, side, toggle, clear: runPicks.getState().clear };
}

interface RunRowProps {
  readonly run: RunSummary;
  /** Shows the flow, for lists with runs of several flows. */
  readonly hasName: boolean;
  /** Whether its flow is the active one. */
  readonly isInFront: boolean;
  readonly isTabStop: boolean;
  /** Its element; the row of a longer list is part of one. */
  readonly as?: 'li' | 'div';
  readonly children?: ReactNode;
}

/** One run. Its children are shown at its end. */
export function RunRow({ run, hasName, isInFront, isTabStop, as: Item = 'li', children }: RunRowProps) {
  const { liveRuns, runs } = useStores();
  const isShown = useStore(liveRuns, ({ shown }) => isInFront && shown.get(run.sourcePath)?.runId === run.runId);
  const state = useStore(liveRuns, ({ runs: live }) => shownRunState(run, live.get(run.runId)));
  const cost = useCostText(run);
  const picked = usePicked(run);
  // Only the hovered or focused row has its button. With all of them, Tab would have to pass every row to leave the
  // list.
  const [hasFocus, setHasFocus] = useState(false);
  const [isPointedAt, setIsPointedAt] = useState(false);
  return (
    <Item
      className="run-item"
      data-run={run.runId}
      onFocus={() => setHasFocus(true)}
      onBlur={({ currentTarget, relatedTarget }) => setHasFocus(staysWith(currentTarget, relatedTarget))}
      onPointerEnter={() => setIsPointedAt(true)}
      onPointerLeave={() => setIsPointedAt(false)}
    >
      <button
        type="button"
        className="run-row"
        aria-current={isShown}
        title={text.history.runOn({ name: run.name, time: fullDateTimeText(run.startedAt) })}
        aria-keyshortcuts={isComparable(run) ? 'Space' : undefined}
        data-picked={picked.isPicked}
        onClick={(event) => {
          const isWanted = event.ctrlKey || event.metaKey || (picked.isPicking && isComparable(run));
          if (isWanted) picked.toggle();
          else {
            picked.clear();
            void runs.openRun(run.sourcePath, run.runId, run.kind);
          }
        }}
        onKeyDown={(event) => {
          if (event.key !== ' ') return;
          event.preventDefault();
          picked.toggle();
        }}
        {...rovingItem(isTabStop)}
      >
        <StateIcon state={state} />
        <b className="run-row-name">
          {hasName ? text.history.runOf({ name: nameOf(run), number: run.number }) : text.history.runNumber(run)}
          {picked.side === undefined ? null : <SideBadge side={picked.side} />}
        </b>
        <span className="run-row-time">{shortTimeText(run.startedAt, Date.now())}</span>
        <span className="run-row-detail">{detailText(run, state, cost)}</span>
      </button>
      {run.status === 'interrupted' && run.damage === undefined ? (
        <ResumeButton
          onResume={() => runs.openRun(run.sourcePath, run.runId, run.kind).then(() => runs.resume(run.runId))}
        />
      ) : null}
      {children}
      {hasFocus || isPointedAt ? <RunMenu run={run} /> : null}
    </Item>
  );
}
