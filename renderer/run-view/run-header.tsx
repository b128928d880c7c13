/**
 * The bar over the canvas with the state of the shown run.
 */
import { Pin } from 'lucide-react';
import type { ReactNode } from 'react';
import {
  type BudgetPart,
  isLoop,
  type NodeState,
  type RunId,
  type RunPart,
  type StartedBy,
} from '../../engine/isomorphic.ts';
import { countEnded, countInputs, modelOf } from '../stores/agents/agent-runs.ts';
import { countDone, countedFlow, countNodes } from '../stores/runs/live/count-nodes.ts';
import { isPaused, isUnfinished, type LiveRun } from '../stores/runs/live/live-runs.ts';
import { spannedMs, workedMs } from '../stores/runs/live/run-time.ts';
import { nextNodeName } from '../stores/runs/requests/request-names.ts';
import { shownStateOfRun } from '../stores/runs/shown-run.ts';
import { text as runText } from '../stores/runs/text.ts';
import { useStores } from '../stores/stores-context.tsx';
import { type SettledFlow, useNodeNames } from '../stores/use-flow.ts';
import { useEarlierRun, useRunNumber } from '../stores/use-run.ts';
import { numberText } from '../ui/language.ts';
import {
  clockText,
  costText,
  countText,
  durationText,
  elapsedText,
  fullDateTimeText,
  waitText,
} from '../ui/quantity-text.ts';
import { StateIcon, visualStateLabels } from '../ui/state-icon.tsx';
import { useNow } from '../ui/use-now.ts';
import { withParts } from '../ui/with-parts.tsx';
import { budgetAmount, reachedText } from './budget-text.ts';
import { text } from './text.ts';
import './run-header.css';

/** Shows which run this one reused results from, with a link. */
function EarlierRun({ path, runId }: { path: string; runId: RunId }) {
  const { startedAt, open } = useEarlierRun(path, runId);
  const number = useRunNumber(runId);
  return (
    <button type="button" className="run-header-link" title={text.header.showEarlier} onClick={open}>
      {rerunText(number, startedAt)}
    </button>
  );
}

function rerunText(number: number | null, startedAt: number | null): string {
  if (number !== null) return text.header.rerunOf({ number });
  return startedAt === null ? text.header.rerunOfEarlier : text.header.rerunOfTime({ time: clockText(startedAt) });
}

/** Milliseconds between updates of the elapsed time. */
const tickEveryMs = 100;

/** A shorter wait is not mentioned. */
const leastWaitMs = 1000;

/** A loop only waits for the nodes of its body. */
function isAtWork({ status, nodeType }: NodeState): boolean {
  return (status === 'running' || status === 'retrying') && !isLoop(nodeType);
}

interface UsedOfProps {
  readonly part: BudgetPart;
  readonly run: LiveRun;
  /** The used amount. */
  readonly children: string;
}

/** Shows an amount, and the limit of the run's budget, if it has one. */
function UsedOf({ part, run, children }: UsedOfProps) {
  const limit = run.state.budget?.[part];
  const used = <b>{children}</b>;
  return limit === undefined ? used : withParts(runText.budget.of({ limit: budgetAmount(part, limit) }), { used });
}

/** A separate component, so that the clock rerenders nothing else. */
function Elapsed({ run }: { run: LiveRun }) {
  const isLive = isUnfinished(run.state);
  const now = useNow(isLive && run.state.startedAt !== null, tickEveryMs);
  const worked = workedMs(run, now);
  const waited = spannedMs(run, now) - worked;
  return (
    <span
      className="run-stat"
      title={waited < leastWaitMs ? undefined : text.header.withoutWaiting({ duration: waitText(waited) })}
    >
      <UsedOf part="seconds" run={run}>
        {isLive ? elapsedText(worked) : durationText(worked)}
      </UsedOf>
    </span>
  );
}

/** Returns the name of a run, such as `Run 42`. */
export function startedText({ startedAt, status }: LiveRun['state'], number: number | null): string {
  const { run, runNumber, runAt, queued, queuedNumber } = text.header;
  const isQueued = startedAt === null && status === 'queued';
  if (number !== null) return isQueued ? queuedNumber({ number }) : runNumber({ number });
  if (isQueued) return queued;
  return startedAt === null ? run : runAt({ time: clockText(startedAt) });
}

/** Returns text such as `redo 2`, or null if a run is not one. */
export function redoText({
  redoOf,
  redoCount = 1,
}: {
  readonly redoOf?: RunId | null | undefined;
  readonly redoCount?: number | undefined;
}): string | null {
  if (redoOf == null) return null;
  return redoCount > 1 ? text.header.redoNumber({ number: redoCount }) : text.header.redo;
}

/** Describes which part of its flow a run covers: `only Mend`. Null for the whole flow. */
export function partText(scope: RunPart | null | undefined, nameOf: (nodeId: string) => string): string | null {
  if (scope == null) return null;
  return 'only' in scope
    ? text.header.only({ name: nameOf(scope.only) })
    : text.header.upTo({ name: nameOf(scope.to) });
}

/** Returns text such as `2 pinned`, or null if there are none. */
export function pinnedText(pinned: readonly string[] | undefined): string | null {
  return pinned === undefined || pinned.length === 0 ? null : text.header.pinned({ count: pinned.length });
}

/** Shows which part of its flow the run covers, and which nodes did not run because their outputs were pinned. */
function RunPartOf({ flow: { path }, run: { state } }: { flow: SettledFlow; run: LiveRun }) {
  const names = useNodeNames(path);
  const nameOf = (nodeId: string): string => names.get(nodeId) ?? nodeId;
  const part = partText(state.scope, nameOf);
  // Outputs that a person gave this run are shown on their cards.
  const ids = state.pinned.filter((id) => state.nodes.get(id)?.given === undefined);
  const pinned = pinnedText(ids);
  return (
    <>
      {part === null ? null : <span className="run-header-part">{part}</span>}
      {pinned === null ? null : (
        <span className="run-header-pinned" title={text.header.pinnedNodes({ names: ids.map(nameOf).join(', ') })}>
          <Pin aria-hidden size={12} />
          {pinned}
        </span>
      )}
    </>
  );
}

/** Returns text such as `trigger weekdays`. */
export function starterText({ kind, name }: StartedBy): string {
  return name === undefined ? text.header.starters[kind] : text.header.namedStarters[kind]({ name });
}

function countAtWork({ state }: LiveRun): number {
  let count = 0;
  for (const node of state.nodes.values()) if (isAtWork(node)) count += 1;
  return count;
}

function DoneCount({ flow, run }: { flow: SettledFlow; run: LiveRun }) {
  const isAgent = flow.kind === 'agent';
  const counted = countedFlow(run, flow);
  const done = isAgent ? countEnded(run.state) : countDone(run, counted);
  const total = isAgent ? countInputs(run.state) : countNodes(counted);
  // The number of nodes in a part of the flow is known only at the end.
  const isPart = run.state.scope !== null || run.state.pinned.length > 0;
  const { nodes, nodesOf, inputsOf } = text.header;
  const words = isPart ? nodes({ count: done }) : isAgent ? inputsOf({ total }) : nodesOf({ total });
  return (
    <span className="run-stat run-header-optional run-header-count">
      {withParts(words, { count: <b>{numberText(done)}</b> })}
    </span>
  );
}

/** Shows the state of the run. For a paused run, leads to the next node. */
function StatePill({ flow: { path, kind }, run }: { readonly flow: SettledFlow; readonly run: LiveRun }) {
  const { selection } = useStores();
  const names = useNodeNames(path);
  const shown = shownStateOfRun(run);
  const next = shown === 'paused' ? run.state.pause?.nextNode : undefined;
  const isAtBudget = shown === 'paused' && run.state.pause?.reason === 'budget';
  const words = isAtBudget
    ? runText.budget.reached({ limits: reachedText(run, run.log.events.at(-1)?.at ?? 0) })
    : next === undefined
      ? visualStateLabels[shown]
      : text.header.pausedBefore({ name: nextNodeName(next, names, run.state.tallies.loops) });
  const content = (
    <>
      <StateIcon state={shown} size={13} isDecorative />
      <span className="run-pill-word">{words}</span>
    </>
  );
  const pill = { className: 'run-pill', 'data-state': shown, 'data-next': next !== undefined };
  const place = kind === 'agent' ? undefined : next?.split('/')[0];
  if (place === undefined) return <span {...pill}>{content}</span>;
  return (
    <button type="button" {...pill} title={words} onClick={() => selection.getState().selectPlace(path, place)}>
      {content}
    </button>
  );
}

interface RunHeaderProps {
  readonly flow: SettledFlow;
  readonly run: LiveRun;
  /** Content at the start of the bar. */
  readonly lead?: ReactNode;
  /** The buttons at the right end. */
  readonly children: ReactNode;
}

export function RunHeader({ flow, run, lead, children }: RunHeaderProps) {
  const atWork = isUnfinished(run.state) ? countAtWork(run) : 0;
  const tokens = run.state.usage.promptTokens + run.state.usage.completionTokens;
  const redo = redoText(run.state);
  const number = useRunNumber(run.runId);
  const { costUsd, unpricedCalls, label, startedBy: starter, budget } = run.state;
  const cost = costText(costUsd, unpricedCalls);
  const model = flow.kind === 'agent' ? modelOf(run.log, run.runId) : undefined;
  return (
    <section className="run-header" aria-label={text.header.label} data-paused={isPaused(run.state)}>
      {lead}
      <StatePill flow={flow} run={run} />
      <b
        className="run-header-name"
        title={run.state.startedAt === null ? undefined : fullDateTimeText(run.state.startedAt)}
      >
        {startedText(run.state, number)}
      </b>
      {run.state.endReason === undefined ? null : (
        <span className="run-stat">{text.header.endReasons[run.state.endReason]}</span>
      )}
      {starter === null || starter.kind === 'person' ? null : (
        <span className="run-stat run-header-optional run-header-label" title={starterText(starter)}>
          {starterText(starter)}
        </span>
      )}
      <RunPartOf flow={flow} run={run} />
      {redo === null ? null : <span className="run-stat run-header-optional">{redo}</span>}
      {run.state.rerunOf === null ? null : <EarlierRun path={flow.path} runId={run.state.rerunOf} />}
      <span className="run-header-rule run-header-optional" />
      <Elapsed run={run} />
      <DoneCount flow={flow} run={run} />
      {atWork < 2 ? null : (
        <span className="run-stat run-header-optional">
          {withParts(text.header.running, { count: <b>{numberText(atWork)}</b> })}
        </span>
      )}
      {tokens === 0 ? null : (
        <span className="run-stat run-header-optional">
          {budget?.tokens === undefined ? (
            withParts(text.header.tokens, { count: <b>{countText(tokens)}</b> })
          ) : (
            <UsedOf part="tokens" run={run}>
              {countText(tokens)}
            </UsedOf>
          )}
        </span>
      )}
      {cost === null ? null : (
        <span className="run-stat run-header-optional">
          <UsedOf part="usd" run={run}>
            {cost}
          </UsedOf>
        </span>
      )}
      {model === undefined ? null : <span className="run-stat run-header-optional">{model}</span>}
      {label === undefined ? null : (
        <span className="run-stat run-header-optional run-header-label" title={label}>
          {label}
        </span>
      )}
      <span className="run-header-gap" />
      {children}
    </section>
  );
}
