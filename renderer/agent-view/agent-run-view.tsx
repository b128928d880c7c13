/**
 * A run of an agent: its pins, its inputs, and the selected input. Also used for child runs.
 */
import { ArrowLeft, Pin as PinIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import type { ErrorRecord, NodeState, Pin, RunState } from '../../engine/isomorphic.ts';
import { CalledRuns } from '../inspector/run/called-runs.tsx';
import { ErrorBox } from '../inspector/run/run-tabs.tsx';
import { countEnded, countInputs, inputsOf, nameOfInput, tokensOf } from '../stores/agents/agent-runs.ts';
import type { LiveRun } from '../stores/runs/live/live-runs.ts';
import { shownNodeState } from '../stores/runs/shown-run.ts';
import { useStores } from '../stores/stores-context.tsx';
import { flowNameOf } from '../stores/text/paths.ts';
import { useShownRun } from '../stores/use-flow.ts';
import { Button } from '../ui/button.tsx';
import { countText, durationText } from '../ui/quantity-text.ts';
import { rovingItem } from '../ui/roving-focus.ts';
import { StateIcon, visualStateLabels } from '../ui/state-icon.tsx';
import { useRowHeight } from '../ui/use-virtual-list.ts';
import { VirtualRows } from '../ui/virtual-rows.tsx';
import { InputDetail, TaskLog } from './input-detail.tsx';
import { text } from './text.ts';
import { useCalledRun } from './use-called-run.ts';
import './input-list.css';
import './agent-run-view.css';

function PinRow({ pin, state }: { pin: Pin; state: RunState }) {
  const input = pin.taskId === undefined ? undefined : state.nodes.get(pin.taskId);
  return (
    <li className="pin">
      <PinIcon aria-hidden className="pin-icon" size={13} />
      {pin.label === undefined ? null : <b className="pin-label">{pin.label}</b>}
      <div className="pin-content" data-selectable>
        {pin.content}
      </div>
      {input === undefined ? null : <span className="pin-input">{nameOfInput(input)}</span>}
    </li>
  );
}

/** The pins of a run and of its inputs, in order; empty while there are none. */
function PinList({ state }: { state: RunState }) {
  if (state.pins.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: many pins scroll, also by keyboard
    <section className="pins" aria-label={text.run.pinsOfRun} tabIndex={0}>
      <ul aria-label={text.run.pins}>
        {state.pins.map((pin) => (
          <PinRow key={`${pin.taskId ?? ''} ${pin.iden}`} pin={pin} state={state} />
        ))}
      </ul>
    </section>
  );
}

function factsOf(called: RunState): string {
  const count = called.usage.promptTokens + called.usage.completionTokens;
  const total = countInputs(called);
  const parts = [
    ...(total === 0 ? [] : [text.run.ended({ count: countEnded(called), total })]),
    ...(count === 0 ? [] : [text.run.tokens({ count, amount: countText(count) })]),
    ...(called.durationMs === null ? [] : [durationText(called.durationMs)]),
  ];
  return parts.join(' · ');
}

/** Names the selected child run and links back to its caller. */
function CalledHeader({ path, root, called }: { path: string; root: RunState; called: RunState }) {
  const { agentViews } = useStores();
  const caller = called.parentRunId === null ? undefined : root.children.get(called.parentRunId);
  const { kind, name } = caller ?? root;
  const callerName = kind === 'agent' ? flowNameOf(name) : name;
  return (
    <header className="called-header">
      <Button size="small" onClick={() => agentViews.getState().showCalled(path, caller?.runId ?? null)}>
        <ArrowLeft aria-hidden size={13} />
        <span className="called-header-back">{text.run.backTo({ name: callerName })}</span>
      </Button>
      <StateIcon state={called.status} size={13} isDecorative />
      <b className="called-header-name" title={called.name}>
        {called.label ?? flowNameOf(called.name)}
      </b>
      <span className="called-header-facts">
        {[visualStateLabels[called.status], factsOf(called)].filter((part) => part !== '').join(' · ')}
      </span>
    </header>
  );
}

interface AgentRunViewProps {
  readonly path: string;
  /** Returns a fix for an error, or undefined if there is none. */
  readonly errorHelp: (error: ErrorRecord) => ReactNode;
}

interface PanesProps extends AgentRunViewProps {
  readonly run: LiveRun;
  readonly state: RunState;
}

/** The inputs next to the selected one; without inputs, the run's events. */
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

/** The run shown over a tab, or a child run opened from it; empty without a run. */
export function AgentRunView({ path, errorHelp }: AgentRunViewProps) {
  const run = useShownRun(path);
  const called = useCalledRun(path);
  if (run === undefined) return null;
  const state = called ?? run.state;
  return (
    <section
      className="agent-run nokey"
      data-keys="letters"
      data-past={run.moment !== null || undefined}
      aria-label={called === undefined ? text.run.label : text.run.labelOfChild({ name: called.name })}
    >
      {called === undefined ? null : <CalledHeader path={path} root={run.state} called={called} />}
      {state.skipReason === undefined || state.skipReason === '' ? null : (
        <p className="agent-run-note" data-selectable>
          {text.run.skipped({ reason: state.skipReason })}
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

/** Returns the text next to an input: its stage while it runs, otherwise its tokens and duration. */
function detailOf(input: NodeState): string {
  if (input.status === 'running' && input.stage !== undefined) return input.stage;
  const count = tokensOf(input);
  const parts = [
    ...(count === 0 ? [] : [text.run.tokens({ count, amount: countText(count) })]),
    ...(input.durationMs === undefined ? [] : [durationText(input.durationMs)]),
  ];
  return parts.join(' · ');
}

interface InputListProps {
  /** The root run; `state` is that run or one of its child runs. */
  readonly run: LiveRun;
  readonly state: RunState;
  /** Task id of the selected input. */
  readonly selected: string | undefined;
}

function InputList({ run, state, selected }: InputListProps) {
  const { agentViews } = useStores();
  const rowHeight = useRowHeight('--row');
  const inputs = inputsOf(state);
  const { runId } = state;
  const inView = state === run.state ? run : { ...run, state };
  return (
    <VirtualRows
      label={text.run.inputs}
      count={inputs.length}
      rowHeight={rowHeight}
      renderRow={(index, isTabStop) => {
        const input = inputs[index];
        if (input === undefined || runId === null) return null;
        const name = nameOfInput(input);
        return (
          <button
            type="button"
            className="input-row"
            aria-current={input.nodeId === selected}
            title={name}
            onClick={() => agentViews.getState().selectInput(runId, input.nodeId)}
            {...rovingItem(isTabStop)}
          >
            <StateIcon state={shownNodeState(inView, input, false)} size={13} />
            <span className="input-row-name">{name}</span>
            <span className="input-row-detail">{detailOf(input)}</span>
          </button>
        );
      }}
    />
  );
}
