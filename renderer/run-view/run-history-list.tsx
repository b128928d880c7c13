/**
 * Past runs, newest first. Selecting one shows it over its flow.
 */
import { History, Play } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { type RunSummary, type StartedBy, startKinds } from '../../engine/isomorphic.ts';
import { allFlows, emptyRunList, maxListedRuns, type RunHistory, type RunList } from '../stores/runs/run-history.ts';
import { type ShownState, shownRunState } from '../stores/runs/shown-run.ts';
import { useStores } from '../stores/stores-context.tsx';
import { flowNameOf } from '../stores/text/paths.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { costText, durationText, fullDateTimeText, shortTimeText } from '../ui/quantity-text.ts';
import { rovingItem } from '../ui/roving-focus.ts';
import { Segmented } from '../ui/segmented.tsx';
import { Select } from '../ui/select.tsx';
import { StateIcon, visualStateLabels } from '../ui/state-icon.tsx';
import { withParts } from '../ui/with-parts.tsx';
import { partText, pinnedText, redoText, starterText } from './run-header.tsx';
import { type Compare, RunListMenu, RunMenu } from './run-menu.tsx';
import { text } from './text.ts';
import './run-history-list.css';

type RunHistoryScope = RunHistory['scope'];

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

/** Lists interrupted runs that can be resumed. Nothing resumes automatically. */
function InterruptedNote({ runs }: { runs: readonly RunSummary[] }) {
  const count = runs.filter(({ status }) => status === 'interrupted').length;
  if (count === 0) return null;
  return <p className="run-history-note">{text.history.interrupted({ count })}</p>;
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

interface RunRowProps {
  readonly run: RunSummary;
  /** Shows the flow, for lists with runs of several flows. */
  readonly hasName: boolean;
  /** Whether its flow is the active one. */
  readonly isInFront: boolean;
  readonly isTabStop: boolean;
  readonly onCompare: Compare;
}

function RunRow({ run, hasName, isInFront, isTabStop, onCompare }: RunRowProps) {
  const { liveRuns, runs } = useStores();
  const isShown = useStore(liveRuns, ({ shown }) => isInFront && shown.get(run.sourcePath)?.runId === run.runId);
  const isCancelling = useStore(liveRuns, (state) => state.runs.get(run.runId)?.isCancelling ?? false);
  const state = shownRunState(run.status, isCancelling);
  const cost = useCostText(run);
  // Only the hovered or focused row has its button. With all of them, Tab would have to pass every row to leave the
  // list.
  const [hasFocus, setHasFocus] = useState(false);
  const [isPointedAt, setIsPointedAt] = useState(false);
  return (
    <li
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
        onClick={() => void runs.openRun(run.sourcePath, run.runId, run.kind)}
        {...rovingItem(isTabStop)}
      >
        <StateIcon state={state} />
        <b className="run-row-name">
          {hasName ? text.history.runOf({ name: nameOf(run), number: run.number }) : text.history.runNumber(run)}
        </b>
        <span className="run-row-time">{shortTimeText(run.startedAt, Date.now())}</span>
        <span className="run-row-detail">{detailText(run, state, cost)}</span>
      </button>
      {run.status === 'interrupted' && run.damage === undefined ? (
        <ResumeButton
          onResume={() => runs.openRun(run.sourcePath, run.runId, run.kind).then(() => runs.resume(run.runId))}
        />
      ) : null}
      {hasFocus || isPointedAt ? <RunMenu run={run} onCompare={onCompare} /> : null}
    </li>
  );
}

interface RunRowsProps {
  readonly list: RunList;
  readonly scope: RunHistoryScope;
  readonly path: string | null;
  readonly onCompare: Compare;
}

function RunRows({ list, scope, path, onCompare }: RunRowsProps) {
  const isFiltered = useStore(useStores().runHistory, ({ startedBy }) => startedBy !== null);
  if (list.status === 'failed') return <p className="run-history-note">{list.error}</p>;
  if (list.runs.length === 0 && list.status === 'ready') {
    return (
      <EmptyState
        icon={<History aria-hidden size={20} />}
        title={isFiltered ? text.history.noneStarted : text.history.noneYet}
      >
        {isFiltered ? text.history.noneStartedHint : text.history.noneYetHint}
      </EmptyState>
    );
  }
  return (
    <>
      <InterruptedNote runs={list.runs} />
      <RunListMenu list={list.runs} onCompare={onCompare}>
        {list.runs.map((run, index) => (
          <RunRow
            key={run.runId}
            run={run}
            hasName={scope === 'all'}
            isInFront={run.sourcePath === path}
            isTabStop={index === 0}
            onCompare={onCompare}
          />
        ))}
      </RunListMenu>
      {list.runs.length === maxListedRuns ? (
        <p className="run-history-note">
          {withParts(text.history.newest({ count: maxListedRuns }), {
            command: <code>{text.history.listCommand}</code>,
          })}
        </p>
      ) : null}
    </>
  );
}

const everyone = 'all';

/** Restricts the list to runs with the same start: a kind, or one trigger, key or client of that kind. */
function StarterFilter({ runs }: { readonly runs: readonly RunSummary[] }) {
  const { runHistory } = useStores();
  const chosen = useStore(runHistory, (state) => state.startedBy);
  const named = [...runs.map(({ startedBy }) => startedBy), chosen ?? undefined].filter(
    (starter): starter is StartedBy => starter?.name !== undefined,
  );
  const keyOf = ({ kind, name }: StartedBy): string => JSON.stringify([kind, name]);
  const options = [...startKinds.map((kind): StartedBy => ({ kind })), ...named];
  const byKey = new Map(options.map((starter) => [keyOf(starter), starter]));
  return (
    <Select
      aria-label={text.history.startedBy}
      value={chosen === null ? everyone : keyOf(chosen)}
      options={[
        { value: everyone, text: text.history.anyStarter },
        ...[...byKey].map(([value, starter]) => ({
          value,
          text: starter.name === undefined ? text.history.starters[starter.kind] : starterText(starter),
        })),
      ]}
      onChange={(key) => runHistory.getState().setStartedBy(byKey.get(key) ?? null)}
    />
  );
}

interface RunHistoryListProps {
  /** The active flow, or null. */
  readonly path: string | null;
  /** Asks which run to compare this one with. */
  readonly onCompare: Compare;
}

export function RunHistoryList({ path, onCompare }: RunHistoryListProps) {
  const { runHistory, openFiles } = useStores();
  const isAgent = useStore(openFiles, ({ files }) => path !== null && files.get(path)?.kind === 'agent');
  const scope = useStore(runHistory, (state) => state.scope);
  const key = scope === 'all' ? allFlows : path;
  const list = useStore(runHistory, ({ lists }) => (key === null ? undefined : lists.get(key))) ?? emptyRunList;
  useEffect(() => (key === null ? undefined : runHistory.getState().watch(key)), [runHistory, key]);
  return (
    <div className="run-history">
      <div className="run-history-scope">
        <Segmented<RunHistoryScope>
          label={text.history.scope}
          value={scope}
          options={[
            { value: 'this', text: isAgent ? text.history.thisAgent : text.history.thisFlow },
            { value: 'all', text: text.history.all },
          ]}
          onChange={(next) => runHistory.getState().setScope(next)}
        />
        <StarterFilter runs={list.runs} />
      </div>
      {key === null ? (
        <p className="run-history-note">{text.history.noFlow}</p>
      ) : (
        <RunRows list={list} scope={scope} path={path} onCompare={onCompare} />
      )}
    </div>
  );
}
