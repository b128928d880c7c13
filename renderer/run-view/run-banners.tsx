/**
 * Important notices about the shown run: it used another version of the text, it was interrupted, or it failed and why.
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
import { text } from './text.ts';
import './run-banners.css';

/** Maximum number of rows to render. The others follow when these are answered. */
const mostRows = 20;

interface WaitingNodeRowProps {
  readonly node: WaitingNode;
  readonly onShow: () => void;
  readonly onDecide: (decision: ApprovalDecision, comment: string) => Promise<unknown>;
}

interface LinkText {
  readonly text: string;
  /** For screen readers, because there is one link per row. */
  readonly label: string;
}

/**
 * Returns the text of the link to the form of a request. Null if all of it is shown in the row and can be answered
 * there.
 */
function formLink({ ask, name }: WaitingNode): LinkText | null {
  if (ask === undefined) return null;
  const { answer, answerOf, review, reviewOf } = text.requests;
  if (ask.request.kind === 'input') return { text: answer, label: answerOf({ name }) };
  return hasDetails(ask.request) ? { text: review, label: reviewOf({ name }) } : null;
}

function WaitingRow({ node, onShow, onDecide }: WaitingNodeRowProps) {
  const link = formLink(node);
  return (
    <li className="waiting-row">
      <div className="waiting-text" data-selectable>
        <button type="button" className="waiting-name" title={text.requests.showInRun} onClick={onShow}>
          {node.name}
        </button>
        {node.message === node.name ? null : node.message}
      </div>
      {link !== null ? (
        <Button size="small" aria-label={link.label} onClick={onShow}>
          {link.text}
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
  const areInputs = nodes.every(({ agentRun }) => agentRun !== null);
  const words = text.requests;
  const counted = { count: nodes.length };
  const decide = (node?: WaitingNode) => (decision: ApprovalDecision, comment: string) => {
    // The row disappears when the event arrives, and the focus must not disappear with it.
    panel.current?.focus();
    return runs.answer(run.runId, { decision, comment, ...placeOf(node) });
  };
  return (
    <section className="waiting-panel" aria-label={words.label} tabIndex={-1} ref={panel}>
      <Hand aria-hidden className="waiting-icon" size={14} />
      <div className="waiting-body">
        {nodes.length > 1 && run.caller === null && nodes.every(({ ask }) => ask === undefined) ? (
          <div className="waiting-all">
            <b>{areInputs ? words.inputs(counted) : words.nodes(counted)}</b>
            <DecisionForm
              subject={areInputs ? words.allInputs(counted) : words.allNodes(counted)}
              scope={words.all}
              isDisabled={false}
              onDecide={decide()}
            />
          </div>
        ) : null}
        <ul className="waiting-rows" aria-label={words.list}>
          {nodes.slice(0, mostRows).map((node) => (
            <WaitingRow
              key={`${node.nodeId} ${node.ask?.key ?? ''}`}
              node={node}
              onShow={() => showWaiting(views, flow.path, node)}
              onDecide={decide(node)}
            />
          ))}
        </ul>
        {nodes.length > mostRows ? (
          <p className="waiting-more">{words.more({ count: nodes.length - mostRows })}</p>
        ) : null}
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
            {text.banners.showRule}
          </Button>
        )
      }
    >
      <b>{text.banners.refused}</b> {refused.message}
    </Banner>
  );
}

interface RunBannersProps {
  readonly flow: SettledFlow;
  readonly run: LiveRun;
  /** Renders help for an error, if there is some. */
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
  const { ofConversation, changedSinceStart, olderVersion } = text.banners;
  if (isCataloguePath(path)) return ofConversation;
  return isUnfinished(state) ? changedSinceStart : olderVersion;
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
              {text.banners.showFile}
            </Button>
          }
        >
          {versionWords(flow, run)}
        </Banner>
      ) : null}
      {status === 'interrupted' ? <Banner tone="warning">{text.banners.interrupted}</Banner> : null}
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
                  {text.banners.showNode}
                </Button>
              )}
            </>
          }
        >
          {failedName === undefined
            ? error.message
            : text.banners.failedNode({ name: failedName, message: error.message })}
        </Banner>
      ) : null}
    </>
  );
}
