/**
 * The child runs of agents and flows. An agent's run is shown in place, a flow's run over that flow.
 */
import { ChevronRight } from 'lucide-react';
import { useShallow } from 'zustand/react/shallow';
import type { RunId, RunState } from '../../../engine/isomorphic.ts';
import { calledRuns } from '../../stores/runs/called-runs.ts';
import { useStores } from '../../stores/stores-context.tsx';
import { flowNameOf } from '../../stores/text/paths.ts';
import { useShownRunPart } from '../../stores/use-flow.ts';
import { costText, countText, durationText } from '../../ui/quantity-text.ts';
import { StateIcon } from '../../ui/state-icon.tsx';
import { text } from './text.ts';
import '../called-runs.css';

function detailOf({ durationMs, redoCount, usage, costUsd, unpricedCalls, skipReason }: RunState): string {
  const cost = costText(costUsd, unpricedCalls);
  const tokens = usage.promptTokens + usage.completionTokens;
  const parts = [
    ...(redoCount === 0 ? [] : [text.childRuns.redo({ number: redoCount })]),
    ...(tokens === 0 ? [] : [text.childRuns.tokens({ count: tokens, amount: countText(tokens) })]),
    ...(cost === null ? [] : [cost]),
    ...(durationMs === null ? [] : [durationText(durationMs)]),
    ...(skipReason === undefined || skipReason === '' ? [] : [skipReason]),
  ];
  return parts.join(' · ');
}

function CalledRun({ path, run }: { path: string; run: RunState }) {
  const { agentViews, runs: actions } = useStores();
  const { runId, status, label, name, kind } = run;
  if (runId === null) return null;
  const show = (): void => {
    if (kind === 'agent') agentViews.getState().showCalled(path, runId);
    else void actions.showCalled(path, runId);
  };
  return (
    <li>
      <button type="button" className="called-run" title={text.childRuns.show({ name })} onClick={show}>
        <StateIcon state={status} size={13} />
        <span className="called-run-name">{label ?? flowNameOf(name)}</span>
        <span className="called-run-detail">{detailOf(run)}</span>
        <ChevronRight aria-hidden size={13} />
      </button>
    </li>
  );
}

interface CalledRunsProps {
  readonly path: string;
  /** The task that started them. Null for those that a run started outside any task. */
  readonly taskId: string | null;
  /** The run of the task. Undefined for the run shown over the tab. */
  readonly runId?: RunId;
}

/** Renders nothing if there are none. */
export function CalledRuns({ path, taskId, runId }: CalledRunsProps) {
  const runs = useShownRunPart(
    path,
    useShallow(({ state }) => calledRuns(state, runId ?? state.runId, taskId)),
  );
  if (runs === undefined || runs.length === 0) return null;
  return (
    <section className="called-runs" aria-label={text.childRuns.title}>
      <h3 className="inspector-heading">
        {text.childRuns.title}
        <span>{runs.length}</span>
      </h3>
      <ul>
        {runs.map((run) => (
          <CalledRun key={run.runId} path={path} run={run} />
        ))}
      </ul>
    </section>
  );
}
