/**
 * Important notices about the shown run: it is of another text, was interrupted, or why it failed.
 */
import { Hand } from 'lucide-react';
import { type ReactNode, useMemo, useRef } from 'react';
import {
  baseNodeId,
  type ErrorRecord,
  isCataloguePath,
  isJsonMap,
  type JsonValue,
  type RunState,
} from '../../engine/isomorphic.ts';
import { isUnfinished, type LiveRun } from '../stores/runs/live/live-runs.ts';
import { hasDetails } from '../stores/runs/requests/ask-answers.ts';
import { type WaitingNode, waitingNodes } from '../stores/runs/requests/waiting-list.ts';
import { showText, workspacePlace } from '../stores/show-text.ts';
import { showWaiting } from '../stores/show-waiting.ts';
import { useStores } from '../stores/stores-context.tsx';
import type { SettledFlow } from '../stores/use-flow.ts';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { type ApprovalDecision, DecisionForm } from '../ui/decision-form.tsx';
import { pluralText } from '../ui/quantity-text.ts';
import './run-banners.css';

/** Maximum number of rows to render. The others follow when these are answered. */
const mostRows = 20;

interface WaitingNodeRowProps {
  readonly node: WaitingNode;
  readonly onShow: () => void;
  readonly onDecide: (decision: ApprovalDecision, comment: string) => Promise<unknown>;
}

/**
 * Returns the label of the link to the form of a request. Null if all of it is shown in the row and can be answered
 * there.
 */
function formVerb({ ask }: WaitingNode): 'Answer' | 'Review' | null {
  if (ask === undefined) return null;
  if (ask.request.kind === 'input') return 'Answer';
  return hasDetails(ask.request) ? 'Review' : null;
}

function WaitingRow({ node, onShow, onDecide }: WaitingNodeRowProps) {
  const verb = formVerb(node);
  return (
    <li className="waiting-row">
      <div className="waiting-text" data-selectable>
        <button type="button" className="waiting-name" title="Show it in the run" onClick={onShow}>
          {node.name}
        </button>
        {node.message === node.name ? null : node.message}
      </div>
      {verb !== null ? (
        <Button size="small" aria-label={`${verb}: ${node.name}`} onClick={onShow}>
          {verb}
        </Button>
      ) : (
        <DecisionForm subject={node.name} isDisabled={false} onDecide={onDecide} />
      )}
    </li>
  );
}

/** Returns the address of an answer. Empty for all open requests. */
function placeOf(node: WaitingNode | undefined): { readonly nodeId?: string; readonly key?: string } {
  if (node === undefined) return {};
  return node.ask === undefined ? { nodeId: node.nodeId } : { nodeId: node.nodeId, key: node.ask.key };
}

export function WaitingPanel({ flow, run }: { flow: SettledFlow; run: LiveRun }) {
  const { runs, ...views } = useStores();
  const panel = useRef<HTMLElement>(null);
  // Most runs never make a request, and a long run can have any number of nodes.
  const mayWait = run.log.hasAsked || run.state.status === 'suspended';
  const { loops } = run.state.tallies;
  const nodes = useMemo(
    () => (mayWait ? waitingNodes(run.state, flow.doc, loops) : []),
    [mayWait, run.state, flow.doc, loops],
  );
  if (nodes.length === 0) return null;
  const what = nodes.every(({ agentRun }) => agentRun !== null) ? 'input' : 'node';
  const decide = (node?: WaitingNode) => (decision: ApprovalDecision, comment: string) => {
    // The row disappears when the event arrives, and the focus must not disappear with it.
    panel.current?.focus();
    return runs.answer(run.runId, { decision, comment, ...placeOf(node) });
  };
  return (
    <section className="waiting-panel" aria-label="Waiting for you" tabIndex={-1} ref={panel}>
      <Hand aria-hidden className="waiting-icon" size={14} />
      <div className="waiting-body">
        {nodes.length > 1 && run.caller === null && nodes.every(({ ask }) => ask === undefined) ? (
          <div className="waiting-all">
            <b>{pluralText(nodes.length, what)} wait for you</b>
            <DecisionForm subject={`all ${nodes.length} ${what}s`} scope="all" isDisabled={false} onDecide={decide()} />
          </div>
        ) : null}
        <ul className="waiting-rows" aria-label="What waits">
          {nodes.slice(0, mostRows).map((node) => (
            <WaitingRow
              key={`${node.nodeId} ${node.ask?.key ?? ''}`}
              node={node}
              onShow={() => showWaiting(views, flow.path, node)}
              onDecide={decide(node)}
            />
          ))}
        </ul>
        {nodes.length > mostRows ? <p className="waiting-more">and {nodes.length - mostRows} more</p> : null}
      </div>
    </section>
  );
}

/** Returns the file and line in the details of a denial, if any. */
function placeOfRule(details: JsonValue): string | null {
  const place = isJsonMap(details) ? details['place'] : undefined;
  return typeof place === 'string' ? place : null;
}

/** Shown if a policy prevented the run from starting. Links to the policy. */
function RefusedBanner({ refused }: { readonly refused: NonNullable<LiveRun['log']['refused']> }) {
  const stores = useStores();
  const place = placeOfRule(refused.details);
  const found = place === null ? null : workspacePlace(place);
  return (
    <Banner
      tone="error"
      actions={
        found === null ? null : (
          <Button
            size="small"
            title={place ?? undefined}
            onClick={() => void showText(stores, found.path, { line: found.line, column: 1 })}
          >
            Show the rule
          </Button>
        )
      }
    >
      <b>Refused before it began:</b> {refused.message}
    </Banner>
  );
}

interface RunBannersProps {
  readonly flow: SettledFlow;
  readonly run: LiveRun;
  /** Renders help for an error, if there is any. */
  readonly errorHelp: (error: ErrorRecord) => ReactNode;
}

/** Returns the path at which a run failed: in a loop, the node and the item that failed first. */
export function failedPlace({ nodes }: Pick<RunState, 'nodes'>, nodeId: string): string {
  const failed = [...nodes.values()].filter((node) => node.status === 'failed' && node.nodeId.startsWith(`${nodeId}[`));
  // A nested loop has failed because of a node inside it.
  const causes = failed.filter((node) => failed.every((other) => !other.nodeId.startsWith(`${node.nodeId}[`)));
  const [first] = causes.sort((one, other) => (one.endedAt ?? 0) - (other.endedAt ?? 0));
  return first?.nodeId ?? nodeId;
}

function versionWords({ path }: SettledFlow, { state }: LiveRun): string {
  if (isCataloguePath(path))
    return 'You see what ran for the conversation: the program has made this flow of its policy.';
  return isUnfinished(state)
    ? 'The file has changed since this run began. You see the version that runs.'
    : 'This run used an older version of the file. You see that version.';
}

export function RunBanners({ flow, run, errorHelp }: RunBannersProps) {
  const { liveRuns, selection, panes } = useStores();
  const { status, error } = run.state;
  const failedNode = error?.nodeId === undefined ? undefined : failedPlace(run.state, error.nodeId);
  const failedId = failedNode === undefined ? undefined : baseNodeId(failedNode);
  const failedName = flow.doc?.nodes.find(({ id }) => id === failedId)?.name ?? failedId;
  return (
    <>
      {flow.isOldVersion ? (
        <Banner
          tone="warning"
          actions={
            <Button size="small" onClick={() => liveRuns.getState().hide(flow.path)}>
              Show the file
            </Button>
          }
        >
          {versionWords(flow, run)}
        </Banner>
      ) : null}
      {status === 'interrupted' ? (
        <Banner tone="warning">
          The engine stopped in the middle of this run. Resume goes on where it stood: what was done is kept and not
          done again.
        </Banner>
      ) : null}
      <WaitingPanel flow={flow} run={run} />
      {run.log.refused === null ? null : <RefusedBanner refused={run.log.refused} />}
      {status === 'failed' && error !== undefined && run.log.refused === null ? (
        <Banner
          tone="error"
          actions={
            <>
              {errorHelp(error)}
              {failedNode === undefined || flow.kind === 'agent' ? null : (
                <Button
                  size="small"
                  onClick={() => {
                    selection.getState().selectPlace(flow.path, failedNode);
                    // The output shows what failed and how to fix it.
                    panes.getState().setOpen('inspector', true);
                    panes.getState().chooseNodeTab('output');
                  }}
                >
                  Show the node
                </Button>
              )}
            </>
          }
        >
          {failedName === undefined ? '' : `${failedName}: `}
          {error.message}
        </Banner>
      ) : null}
    </>
  );
}
