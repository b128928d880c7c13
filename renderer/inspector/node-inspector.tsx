/**
 * One node: its definition, input, output and attempts.
 */
import { type ReactNode, useEffect } from 'react';
import { useStore } from 'zustand';
import { type ErrorRecord, type RunId, taskIdOf } from '../../engine/isomorphic.ts';
import { canBePinned, outputProblems } from '../stores/runs/pins.ts';
import type { RerunTarget } from '../stores/runs/plan-actions.ts';
import { useStores } from '../stores/stores-context.tsx';
import { type SettledFlow, useIsPast, useOpenFile, useSettledFlow, useShownRunPart } from '../stores/use-flow.ts';
import { useEarlierRun, useRunNumber } from '../stores/use-run.ts';
import type { NodeTab } from '../stores/window/panes.ts';
import { Button } from '../ui/button.tsx';
import { DecisionForm } from '../ui/decision-form.tsx';
import { clockText } from '../ui/quantity-text.ts';
import { TabSet } from '../ui/tab-set.tsx';
import { withParts } from '../ui/with-parts.tsx';
import { CallsTab } from './calls/calls-tab.tsx';
import { dataTabs, shownDataTab, WidthButton } from './node-data.tsx';
import { NodeHeader } from './node-header.tsx';
import { ReviewTab, useNodeReview } from './review-tab.tsx';
import { AskForm } from './run/ask-form.tsx';
import { CalledRuns } from './run/called-runs.tsx';
import { HeldBack } from './run/held-back.tsx';
import { ItemPicker } from './run/item-picker.tsx';
import type { NodeFacts } from './run/node-facts.ts';
import { ProposedPlan } from './run/proposed-plan.tsx';
import { AttemptsTab } from './run/run-tabs.tsx';
import { text } from './text.ts';

/** A node that was added after the run has no results to show. */
function firstTab({ runStatus, nodeState, held, stale }: NodeFacts): NodeTab {
  if (held !== undefined) return 'input';
  const hasRun = runStatus !== undefined && (nodeState !== undefined || stale === null);
  return hasRun ? 'output' : 'configure';
}

interface OfferedTabs {
  readonly facts: NodeFacts;
  readonly hasTools: boolean;
  readonly hasChanges: boolean;
  readonly isCompared: boolean;
}

/** Returns the tab that the user selected, or else the most suitable one. */
function shownTab(chosen: NodeTab | null, { facts, hasTools, hasChanges, isCompared }: OfferedTabs): NodeTab {
  const offered = { tools: hasTools, changes: hasChanges, compare: isCompared, attempts: hasAttempts(facts) };
  const isMissing = chosen !== null && chosen in offered && !offered[chosen as keyof typeof offered];
  if (chosen !== null && !isMissing) return chosen;
  if (isCompared) return 'compare';
  return hasChanges ? 'changes' : firstTab(facts);
}

/** A single attempt of a model is in the tab of its calls, and all tabs fit in one row. */
function hasAttempts({ endedCalls, openCalls, failedAttempts, nodeState }: NodeFacts): boolean {
  const isPlain = failedAttempts.length === 0 && nodeState?.error === undefined && (nodeState?.attempts ?? 0) < 2;
  return endedCalls.length + openCalls.length === 0 || !isPlain;
}

/** Returns the tab of the attempts, unless it would add nothing. */
function attemptsTabs(facts: NodeFacts) {
  if (!hasAttempts(facts)) return [];
  const { nodeState, failedAttempts } = facts;
  const isBad = nodeState?.error !== undefined || failedAttempts.length > 0;
  return [
    {
      value: 'attempts' as const,
      text: text.node.attempts,
      count: nodeState === undefined || nodeState.attempts < 2 ? undefined : nodeState.attempts,
      tone: isBad ? ('error' as const) : undefined,
      content: <AttemptsTab facts={facts} />,
    },
  ];
}

/** Returns the tab for the changes of the node under review, if there are any. */
function reviewTabs(reviewed: ReturnType<typeof useNodeReview>) {
  if (reviewed === null) return [];
  const count = reviewed.differences.length;
  return [{ value: 'changes' as const, text: text.node.changes, count, content: <ReviewTab {...reviewed} /> }];
}

/** Returns the tab for the model and tool calls of the node, if there are any. */
function callsTabs({ endedCalls, openCalls, toolCalls, decisions, failedAttempts, nodeState }: NodeFacts) {
  const modelCount = endedCalls.length + openCalls.length;
  const count = modelCount + toolCalls.length;
  if (count === 0 && decisions.length === 0) return [];
  const isBad = decisions.some(({ isAllowed }) => !isAllowed) || toolCalls.some(({ isError }) => isError);
  const calls = { endedCalls, openCalls, toolCalls, decisions, failedAttempts, nodeState };
  return [
    {
      value: 'tools' as const,
      text: modelCount === 0 ? text.node.tools : text.node.messages,
      count: count === 0 ? undefined : count,
      tone: isBad ? ('error' as const) : undefined,
      content: <CallsTab {...calls} />,
    },
  ];
}

interface NodeInspectorProps {
  readonly flow: SettledFlow;
  /** Path of the node in the run. */
  readonly place: string;
  readonly facts: NodeFacts;
  readonly actions: ReactNode;
  readonly errorHelp?: ((error: ErrorRecord) => ReactNode) | undefined;
  readonly aroundMoment: ReactNode;
  /** The comparison of the node in two runs, or null. */
  readonly compared: ReactNode;
  readonly onRerun: ((target: RerunTarget) => void) | undefined;
}

export function NodeInspector(props: NodeInspectorProps) {
  const { flow, place, facts, actions, errorHelp, aroundMoment, compared, onRerun } = props;
  const { path } = flow;
  const { panes } = useStores();
  const chosen = useStore(panes, ({ nodeTab }) => nodeTab);
  const isWide = useStore(panes, ({ isInspectorWide }) => isInspectorWide);
  // Deselecting a node resets the selected tab.
  useEffect(() => () => panes.getState().chooseNodeTab(null), [panes]);
  const calls = callsTabs(facts);
  const reviewed = useNodeReview(path, facts.node.id);
  const changes = reviewTabs(reviewed);
  const isCompared = compared !== null;
  const tab = shownTab(chosen, { facts, hasTools: calls.length > 0, hasChanges: changes.length > 0, isCompared });
  return (
    <>
      <NodeHeader flow={flow} facts={facts} actions={isCompared ? null : actions} />
      {/* A comparison has its own items, and no actions on one of its runs. */}
      {isCompared ? null : <NodeInRun path={path} place={place} facts={facts} />}
      <TabSet<NodeTab>
        label={text.node.tabs}
        className="inspector-tabs"
        value={shownDataTab(tab, isWide)}
        actions={<WidthButton isWide={isWide} />}
        onChange={panes.getState().chooseNodeTab}
        tabs={[
          ...(isCompared ? [{ value: 'compare' as const, text: text.node.compare, content: compared }] : []),
          ...changes,
          ...dataTabs({ flow, facts, errorHelp, aroundMoment, place, onRerun }, isWide),
          ...calls,
          ...attemptsTabs(facts),
          {
            value: 'yaml',
            text: languageOf(path),
            content: <YamlTab path={flow.path} nodeId={facts.node.id} />,
          },
        ]}
      />
      <StaleNote facts={facts} />
    </>
  );
}

/** What the run shows and asks about the node. */
function NodeInRun({ path, place, facts }: Pick<NodeInspectorProps, 'place' | 'facts'> & { readonly path: string }) {
  return (
    <>
      <ItemPicker path={path} place={place} />
      <NodeWaiting path={path} facts={facts} />
      <HeldBack facts={facts} />
      <ProposedPlan path={path} facts={facts} />
      <PinnedNote path={path} nodeId={facts.node.id} />
      <ReusedFrom path={path} facts={facts} />
      <CalledRuns path={path} taskId={taskIdOf(place)} />
    </>
  );
}

function languageOf(path: string): string {
  return path.endsWith('.json') ? 'JSON' : 'YAML';
}

/** The lines of the node in the file, unchanged. */
function YamlTab({ path, nodeId }: { path: string; nodeId: string }) {
  const flow = useOpenFile(path);
  const { selection } = useStores();
  const range = flow?.nodeRanges.get(nodeId);
  if (flow === undefined || range === undefined) {
    return (
      <div className="inspector-body">
        <p className="inspector-note">{text.node.notInText}</p>
      </div>
    );
  }
  const lines = flow.text
    .split(/\r?\n/)
    .slice(range.line - 1, range.endColumn === 1 ? range.endLine - 1 : range.endLine);
  return (
    <div className="inspector-body">
      <pre className="inspector-yaml" data-selectable>
        {lines.join('\n')}
      </pre>
      <Button
        size="small"
        className="inspector-yaml-edit"
        onClick={() => selection.getState().revealText(path, { line: range.line, column: 1 })}
      >
        {text.node.editText}
      </Button>
    </div>
  );
}

/** The open requests of the node, with forms for the answers. Renders nothing if there are none. */
function NodeWaiting({ path, facts }: { path: string; facts: NodeFacts }) {
  const { runs } = useStores();
  const runId = useShownRunPart(path, (run) => run.runId);
  const { nodeState, node, runStatus } = facts;
  const isPast = useIsPast(path);
  if (runId === undefined || nodeState?.status !== 'suspended' || isPast) return null;
  const open = nodeState.asks?.filter(({ answer }) => answer === undefined) ?? [];
  if (open.length > 0) {
    return (
      <div className="inspector-waiting">
        {open.map((ask) => (
          <AskForm key={ask.key} runId={runId} nodeId={nodeState.nodeId} ask={ask} />
        ))}
      </div>
    );
  }
  return (
    <section className="inspector-waiting" aria-label={text.node.request}>
      <p data-selectable>{nodeState.request?.message ?? text.node.waiting}</p>
      <DecisionForm
        subject={node.name ?? node.id}
        isDisabled={runStatus !== 'suspended'}
        onDecide={(decision, comment) => runs.answer(runId, { decision, comment, nodeId: nodeState.nodeId })}
      />
    </section>
  );
}

/**
 * Why the result of the run no longer applies to the node. It appears while the user types, so it is below the form and
 * does not move it.
 */
function StaleNote({ facts: { stale, nodeState } }: { facts: NodeFacts }) {
  if (stale === null) return null;
  const values = { reason: stale };
  return (
    <p className="inspector-stale" role="status">
      {nodeState === undefined ? text.node.stale(values) : text.node.staleResult(values)}
    </p>
  );
}

/** Describes the node's pin, and whether later runs can use it. Renders nothing without a pin. */
function PinnedNote({ path, nodeId }: { path: string; nodeId: string }) {
  const { pins } = useStores();
  const flow = useSettledFlow(path);
  const output = useStore(pins, ({ files }) => files.get(path)?.[nodeId]);
  if (output === undefined || flow === undefined) return null;
  const [problem] = outputProblems(flow, nodeId, output);
  return (
    <p className="inspector-reused">
      {canBePinned(flow, nodeId) ? text.node.pinned : text.node.pinInLoop}
      {problem === undefined ? null : <b> {text.node.pinMismatch({ problem })}</b>}{' '}
      <button type="button" className="inspector-line-link" onClick={() => pins.getState().unpin(path, nodeId)}>
        {text.node.unpin}
      </button>
    </p>
  );
}

/** The run from which the node's output was reused. Renders nothing for a node that ran itself. */
function ReusedFrom({ path, facts }: { path: string; facts: NodeFacts }) {
  const { fromRunId, isPinned, given } = facts.nodeState ?? {};
  // The output says who gave it.
  if (given !== undefined) return null;
  if (isPinned === true) return <p className="inspector-reused">{text.node.usedPin}</p>;
  return fromRunId === undefined ? null : <EarlierRunNote path={path} runId={fromRunId} />;
}

function EarlierRunNote({ path, runId }: { path: string; runId: RunId }) {
  const { startedAt, open } = useEarlierRun(path, runId);
  const number = useRunNumber(runId);
  const byTime =
    startedAt === null ? text.node.reusedEarlierRun : text.node.reusedRunAt({ time: clockText(startedAt) });
  return (
    <p className="inspector-reused">
      {withParts(text.node.reused, {
        run: (
          <button type="button" className="inspector-line-link" onClick={open}>
            {number === null ? byTime : text.node.reusedRun({ number })}
          </button>
        ),
      })}
    </p>
  );
}
