/**
 * A run of an agent: what it pinned, its inputs, and the one that is looked at. Also of a run that something called.
 */
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import type { ErrorRecord, RunState } from '../../engine/isomorphic.ts';
import { CalledRuns } from '../inspector/called-runs.tsx';
import { ErrorBox } from '../inspector/run-tabs.tsx';
import { inputsOf } from '../stores/agents/agent-runs.ts';
import type { LiveRun } from '../stores/runs/live-runs.ts';
import { useStores } from '../stores/stores-context.tsx';
import { useShownRun } from '../stores/use-flow.ts';
import { CalledHeader } from './called-header.tsx';
import { InputDetail, TaskLog } from './input-detail.tsx';
import { InputList } from './input-list.tsx';
import { PinList } from './pin-list.tsx';
import { useCalledRun } from './use-called-run.ts';
import './agent-run-view.css';

export interface AgentRunViewProps {
  readonly path: string;
  /** A way to mend an error, if there is one. */
  readonly errorHelp: (error: ErrorRecord) => ReactNode;
}

interface PanesProps extends AgentRunViewProps {
  readonly run: LiveRun;
  readonly state: RunState;
}

/** The inputs beside the one that is looked at; without inputs, what the run told. */
function Panes({ path, run, state, errorHelp }: PanesProps) {
  const selected = useStore(useStores().agentViews, ({ inputs }) => inputs.get(state.runId ?? ''));
  const inputs = inputsOf(state);
  const input = inputs.find(({ nodeId }) => nodeId === selected) ?? inputs[0];
  if (input === undefined) return <TaskLog run={run} state={state} taskId={null} />;
  return (
    <div className="agent-run-panes">
      <InputList run={run} state={state} selected={input.nodeId} />
      <InputDetail key={input.nodeId} path={path} run={run} state={state} input={input} errorHelp={errorHelp} />
    </div>
  );
}

/** The run that is shown over a tab, or the called one that the person looks at; nothing without a run. */
export function AgentRunView({ path, errorHelp }: AgentRunViewProps) {
  const run = useShownRun(path);
  const called = useCalledRun(path);
  if (run === undefined) return null;
  const state = called ?? run.state;
  return (
    <section
      className="agent-run nokey"
      aria-label={called === undefined ? 'Run of the agent' : `Run of ${called.name}`}
    >
      {called === undefined ? null : <CalledHeader path={path} root={run.state} called={called} />}
      {state.skipReason === undefined || state.skipReason === '' ? null : (
        <p className="agent-run-note" data-selectable>
          It skipped itself: {state.skipReason}
        </p>
      )}
      {called?.error === undefined ? null : (
        <div className="agent-run-note">
          <ErrorBox error={called.error} />
          {errorHelp(called.error)}
        </div>
      )}
      <PinList state={state} />
      <div className="agent-run-body">
        <Panes path={path} run={run} state={state} errorHelp={errorHelp} />
      </div>
      {state.runId === null ? null : <CalledRuns path={path} taskId={null} runId={state.runId} />}
    </section>
  );
}
