/**
 * Shows one input of an agent run: its value and output, the events that its scripts emitted, and the runs that they called.
 */
import { RotateCw } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import {
  type ErrorRecord,
  type NodeState,
  type RunId,
  type RunState,
  waitingRequests,
} from '../../engine/isomorphic.ts';
import { CallsTab } from '../inspector/calls/calls-tab.tsx';
import { AskForm } from '../inspector/run/ask-form.tsx';
import { CalledRuns } from '../inspector/run/called-runs.tsx';
import type { RanFacts } from '../inspector/run/node-facts.ts';
import { InputTab, OutputTab } from '../inspector/run/run-tabs.tsx';
import { eventLine } from '../run-view/event-line.ts';
import { logOf, nameOfInput } from '../stores/agents/agent-runs.ts';
import { isOver, type LiveRun } from '../stores/runs/live/live-runs.ts';
import { callsOfChild } from '../stores/runs/live/model-calls.ts';
import { shownNodeState } from '../stores/runs/shown-run.ts';
import { useStores } from '../stores/stores-context.tsx';
import { Button } from '../ui/button.tsx';
import { DecisionForm } from '../ui/decision-form.tsx';
import { TabSet } from '../ui/tab-set.tsx';
import { text } from './text.ts';
import './input-detail.css';

type DetailTab = 'input' | 'output' | 'messages' | 'log';

/** Maximum number of lines that are drawn; the dock has the whole log. */
const mostLines = 500;

/** The events of a task of a run, or those outside any task, newest last. */
export function TaskLog({ run, state, taskId }: { run: LiveRun; state: RunState; taskId: string | null }) {
  const events = logOf(run.log, state.runId, taskId);
  if (events.length === 0) return <p className="inspector-body inspector-note">{text.input.noEvents}</p>;
  return (
    <ul className="task-log" aria-label={text.input.log}>
      {events.slice(-mostLines).map((envelope) => {
        const { seq, tone, text: line } = eventLine(envelope, state.startedAt ?? envelope.at);
        return (
          <li key={seq} className="task-log-line" data-tone={tone} data-selectable>
            {line}
          </li>
        );
      })}
    </ul>
  );
}

/** Without an output, as when prompts are only previewed, there are only events. */
function firstTab({ status, output }: NodeState): DetailTab {
  return status === 'completed' && output === null ? 'log' : 'output';
}

/** The open requests of the input with the answers; empty if there are none. */
function InputWaiting({ run, state, input }: Pick<InputDetailProps, 'run' | 'state' | 'input'>) {
  const { runs } = useStores();
  if (input.status !== 'suspended' || run.moment !== null) return null;
  const asking = waitingRequests(run.state).filter(
    ({ run: own, name }) => own.runId === state.runId && (name === input.nodeId || name.endsWith(`/${input.nodeId}`)),
  );
  return asking.map(({ name, ask, request }) =>
    ask === undefined ? (
      <section key={name} className="inspector-waiting" aria-label={text.input.request}>
        <p data-selectable>{request?.message ?? text.input.waiting}</p>
        <DecisionForm
          subject={nameOfInput(input)}
          isDisabled={run.state.status !== 'suspended'}
          onDecide={(decision, comment) => runs.answer(run.runId, { decision, comment, nodeId: name })}
        />
      </section>
    ) : (
      <div key={ask.key} className="inspector-waiting">
        <AskForm runId={run.runId} nodeId={name} ask={ask} />
      </div>
    ),
  );
}

/** Starts a new run in which the other inputs keep their results. */
function RunInputAgain({ path, runId, input }: { path: string; runId: RunId; input: NodeState }) {
  const { runs } = useStores();
  return (
    <div className="input-again">
      <Button size="small" onClick={() => void runs.rerun({ path, runId, nodeId: input.nodeId })}>
        <RotateCw aria-hidden size={13} />
        {text.input.runAgain}
      </Button>
    </div>
  );
}

interface InputDetailProps {
  readonly path: string;
  /** The root run; `state` is that run or one of its child runs. */
  readonly run: LiveRun;
  readonly state: RunState;
  readonly input: NodeState;
  /** Returns a fix for an error, or undefined if there is none. */
  readonly errorHelp: (error: ErrorRecord) => ReactNode;
}

/** Returns the model and tool calls of the input. Those of a child run are among the calls of its root run. */
function callsOf({ run, state, input }: Pick<InputDetailProps, 'run' | 'state' | 'input'>) {
  const { runId } = state;
  const { nodeId: taskId } = input;
  const isChild = runId !== null && runId !== run.runId;
  const { ended, open } = isChild ? callsOfChild(run.calls, runId) : run.calls;
  const toolCalls = isChild
    ? [...run.log.toolCalls.values()].flat().filter((call) => call.runId === runId && call.taskId === taskId)
    : (run.log.toolCalls.get(taskId) ?? []);
  const decisions = isChild ? [] : (run.log.decisions.get(taskId) ?? []);
  return { endedCalls: ended.get(taskId) ?? [], openCalls: open.get(taskId) ?? [], toolCalls, decisions };
}

/** Returns the tab for the calls of the input, if there are any. */
function callsTabs(props: Pick<InputDetailProps, 'run' | 'state' | 'input'>) {
  const calls = callsOf(props);
  const count = calls.endedCalls.length + calls.openCalls.length + calls.toolCalls.length;
  if (count === 0) return [];
  const content = <CallsTab {...calls} failedAttempts={[]} nodeState={props.input} />;
  return [{ value: 'messages' as const, text: text.input.messages, count, content }];
}

export function InputDetail({ path, run, state, input, errorHelp }: InputDetailProps) {
  const [tab, setTab] = useState<DetailTab | null>(null);
  const facts: RanFacts = {
    state: shownNodeState({ ...run, state }, input, false),
    runStatus: state.status,
    nodeState: input,
  };
  const calls = callsTabs({ run, state, input });
  // At an earlier moment, there may be no calls.
  const shown = tab === 'messages' && calls.length === 0 ? null : tab;
  const help = input.error === undefined ? null : errorHelp(input.error);
  return (
    <section className="input-detail" aria-label={nameOfInput(input)}>
      <InputWaiting run={run} state={state} input={input} />
      {state === run.state && isOver(state) ? <RunInputAgain path={path} runId={run.runId} input={input} /> : null}
      <TabSet<DetailTab>
        label={text.input.details}
        className="inspector-tabs"
        value={shown ?? firstTab(input)}
        onChange={setTab}
        tabs={[
          { value: 'input', text: text.input.input, content: <InputTab facts={facts} of={path} /> },
          { value: 'output', text: text.input.output, content: <OutputTab facts={facts} of={path} errorHelp={help} /> },
          ...calls,
          { value: 'log', text: text.input.log, content: <TaskLog run={run} state={state} taskId={input.nodeId} /> },
        ]}
      />
      {state.runId === null ? null : <CalledRuns path={path} taskId={input.nodeId} runId={state.runId} />}
    </section>
  );
}
