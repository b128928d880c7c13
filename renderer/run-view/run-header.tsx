/**
 * The line over the canvas that tells how the shown run is.
 */
import type { ReactNode } from 'react';
import type { NodeState } from '../../engine/isomorphic.ts';
import { isUnfinished, type LiveRun } from '../stores/live-runs.ts';
import type { OpenFlow } from '../stores/open-flows.ts';
import { shownRunState } from '../stores/shown-state.ts';
import { countText, elapsedText, fullMomentText } from '../ui/quantity-text.ts';
import { StateIcon, stateWords } from '../ui/state-icon.tsx';
import { useNow } from '../ui/use-now.ts';
import { elapsedOf } from './timeline-model.ts';
import './run-header.css';

/** Milliseconds between two drawings of the time that runs. */
const tickEveryMs = 100;

/** Not those that were cut off: the header says how far the run came. */
function isDone({ status }: NodeState): boolean {
  return status === 'completed' || status === 'failed' || status === 'skipped';
}

/** On its own, so that the clock redraws nothing else. */
function Elapsed({ run }: { run: LiveRun }) {
  const now = useNow(isUnfinished(run.state) && run.state.startedAt !== null, tickEveryMs);
  return (
    <span className="run-stat">
      <b>{elapsedText(elapsedOf(run, now))}</b>
    </span>
  );
}

function startedText({ startedAt }: LiveRun['state']): string {
  if (startedAt === null) return 'Run, waiting for a free place';
  return `Run ${new Date(startedAt).toLocaleTimeString(undefined, { timeStyle: 'medium' })}`;
}

function redoText({ redoOf, redoCount }: LiveRun['state']): string | null {
  if (redoOf === null) return null;
  return redoCount > 1 ? `redo ${redoCount}` : 'redo';
}

export interface RunHeaderProps {
  readonly flow: OpenFlow;
  readonly run: LiveRun;
  /** The buttons at the right end. */
  readonly children: ReactNode;
}

export function RunHeader({ flow, run, children }: RunHeaderProps) {
  const shown = shownRunState(run.state.status, run.isCancelling);
  const done = [...run.state.nodes.values()].filter(isDone).length;
  const tokens = run.state.usage.promptTokens + run.state.usage.completionTokens;
  const redo = redoText(run.state);
  return (
    <section className="run-header" aria-label="Run">
      <span className="run-pill" data-state={shown}>
        <StateIcon state={shown} size={13} isDecorative />
        <span className="run-pill-word">{stateWords[shown]}</span>
      </span>
      <b
        className="run-header-name"
        title={run.state.startedAt === null ? undefined : fullMomentText(run.state.startedAt)}
      >
        {startedText(run.state)}
      </b>
      {redo === null ? null : <span className="run-stat run-header-optional">{redo}</span>}
      <span className="run-header-rule run-header-optional" />
      <Elapsed run={run} />
      <span className="run-stat run-header-optional">
        <b>{done}</b>of {flow.doc?.nodes.length ?? 0} nodes
      </span>
      {tokens === 0 ? null : (
        <span className="run-stat run-header-optional">
          <b>{countText(tokens)}</b>tokens
        </span>
      )}
      <span className="run-header-gap" />
      {children}
    </section>
  );
}
