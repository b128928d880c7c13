/**
 * The model and tool calls of a node in their order, and the policy decisions. Names, arguments and results come from
 * models and servers, so all of them are shown as text.
 */
import { ChevronDown, ChevronRight, ShieldCheck, ShieldX } from 'lucide-react';
import { memo, useEffect, useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import type { JsonValue, NodeState } from '../../../engine/isomorphic.ts';
import type { ModelCall } from '../../stores/runs/live/model-calls.ts';
import type { FailedAttempt } from '../../stores/runs/live/run-log.ts';
import {
  callState,
  type RecordedDecision,
  type ToolCallRecord,
  toolAnswer,
} from '../../stores/runs/live/tool-calls.ts';
import { showText, workspacePlace } from '../../stores/show-text.ts';
import { useReadValue, useStores } from '../../stores/stores-context.tsx';
import { numberText } from '../../ui/language.ts';
import { durationText } from '../../ui/quantity-text.ts';
import { StateIcon, visualStateLabels } from '../../ui/state-icon.tsx';
import { Rows } from '../fields/setting-rows.tsx';
import { Answers } from '../run/answers.tsx';
import { ValueView } from '../values/value-view.tsx';
import { ModelCallItem } from './model-call.tsx';
import { text } from './text.ts';
import './calls-tab.css';

/** The position of a rule, as a link if its file is in the workspace. */
function RulePlace({ place }: { readonly place: string | undefined }) {
  const stores = useStores();
  if (place === undefined) return <span className="inspector-quiet">{text.builtInRule}</span>;
  const found = workspacePlace(place);
  if (found === null) return <code>{place}</code>;
  const { path, line } = found;
  return (
    <button
      type="button"
      className="inspector-line-link"
      title={text.showRule}
      onClick={() => void showText(stores, path, { line, column: 1 })}
    >
      {place}
    </button>
  );
}

function DecisionBox({ decision }: { readonly decision: RecordedDecision }) {
  const { isAllowed, rule, effect, target, place, reason } = decision;
  const Shield = isAllowed ? ShieldCheck : ShieldX;
  return (
    <li className="decision" data-allowed={isAllowed} data-selectable>
      <Shield aria-hidden size={14} />
      <div>
        <p>
          <b>{isAllowed ? text.allowed : text.denied}</b> {effect} <code>{target}</code>
        </p>
        {reason === undefined ? null : <p>{reason}</p>}
        <p className="decision-rule">
          <code>{rule}</code> · <RulePlace place={place} />
        </p>
      </div>
    </li>
  );
}

function Value({ label, value }: { readonly label: string; readonly value: JsonValue }) {
  const readLarge = useReadValue();
  return (
    <section aria-label={label}>
      <h4 className="tool-call-label">{label}</h4>
      <ValueView label={label} value={value} readLarge={readLarge} />
    </section>
  );
}

function isSame(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/** Returns whether a request was made for the call: whether it may be made, or repeated after a crash. */
function isAbout(key: string, { callKey }: ToolCallRecord): boolean {
  return key === callKey || key.startsWith(`${callKey}:cut:`);
}

function CallDetail({ call, asks }: Pick<CallRowProps, 'call' | 'asks'>) {
  const { asked, params, attempts, failedTries, result, isError, backend, isReplayed } = call;
  const wasEdited = asked !== undefined && params !== undefined && !isSame(asked, params);
  const sent = params ?? asked;
  const facts: (readonly [string, string])[] = [
    ...(attempts > 1 ? [[text.attempts, numberText(attempts)] as const] : []),
    ...(backend === undefined ? [] : [[text.kind, isReplayed ? text.replayed({ kind: backend }) : backend] as const]),
  ];
  return (
    <div className="tool-call-detail">
      {wasEdited ? <Value label={text.requested} value={asked} /> : null}
      {sent === undefined ? null : <Value label={wasEdited ? text.calledWith : text.input} value={sent} />}
      {failedTries.map(({ attempt, delayMs, message }) => (
        <p key={attempt} className="tool-call-try" data-selectable>
          {delayMs === 0
            ? text.failedAttempt({ attempt, message })
            : text.retriedAttempt({ attempt, message, pause: durationText(delayMs) })}
        </p>
      ))}
      {result === undefined ? null : <Value label={isError ? text.error : text.result} value={toolAnswer(result)} />}
      {facts.length === 0 ? null : <Rows rows={facts} />}
      <Answers asks={asks?.filter(({ key }) => isAbout(key, call))} />
    </div>
  );
}

interface CallRowProps {
  readonly call: ToolCallRecord;
  /** State and requests of the node that made the call. */
  readonly status: NodeState['status'] | undefined;
  readonly asks: NodeState['asks'];
  readonly isOpen: boolean;
}

/** Not rendered again while a model streams. */
const CallRow = memo(function CallRow({ call, status, asks, isOpen }: CallRowProps) {
  const { panes } = useStores();
  const state = callState(call, status);
  const row = useRef<HTMLLIElement>(null);
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  useEffect(() => {
    if (isOpen) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);
  return (
    <li ref={row} className="tool-call" data-state={state}>
      <button
        type="button"
        className="tool-call-head"
        aria-expanded={isOpen}
        onClick={() => panes.getState().showCall(isOpen ? null : call.seq)}
      >
        <Chevron aria-hidden size={12} />
        <StateIcon state={state} isDecorative />
        <span className="tool-call-name" title={call.tool}>
          {call.tool}
        </span>
        <span className="tool-call-state">
          {state === 'completed' ? '' : visualStateLabels[state]}
          {call.durationMs === undefined ? '' : ` ${durationText(call.durationMs)}`}
        </span>
      </button>
      {isOpen ? <CallDetail call={call} asks={asks} /> : null}
    </li>
  );
});

/** Maximum number of calls to render. Earlier ones are in the log. */
const mostCalls = 200;

interface CallsTabProps {
  /** Model calls of the node, oldest first. Those without an end are separate, because only they change. */
  readonly endedCalls: readonly ModelCall[];
  readonly openCalls: readonly ModelCall[];
  readonly toolCalls: readonly ToolCallRecord[];
  readonly decisions: readonly RecordedDecision[];
  readonly failedAttempts: readonly FailedAttempt[];
  /** The node that made the calls. */
  readonly nodeState: NodeState | undefined;
}

/** A call with its place among the model calls, from 1. Tool calls have no number. */
type ListedCall =
  | { readonly call: ModelCall; readonly number: number }
  | { readonly call: ToolCallRecord; readonly number?: never };

/** Returns the calls in the order in which they began. */
function listCalls({ endedCalls, openCalls, toolCalls }: Omit<CallsTabProps, 'nodeState'>): readonly ListedCall[] {
  const models = [...endedCalls, ...openCalls].sort((left, right) => left.seq - right.seq);
  const listed: ListedCall[] = models.map((call, index) => ({ call, number: index + 1 }));
  for (const call of toolCalls) listed.push({ call });
  return listed.sort((left, right) => left.call.seq - right.call.seq);
}

/** Renders nothing if there are neither calls nor decisions. */
export function CallsTab(props: CallsTabProps) {
  const { endedCalls, openCalls, toolCalls, decisions, failedAttempts, nodeState } = props;
  const open = useStore(useStores().panes, ({ openCall }) => openCall);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the other properties are not read
  const calls = useMemo(() => listCalls(props), [endedCalls, openCalls, toolCalls]);
  const at = calls.findIndex(({ call }) => call.seq === open);
  // The selected call is always rendered.
  const first = Math.max(0, Math.min(at === -1 ? calls.length : at, calls.length - mostCalls));
  const { status, asks } = nodeState ?? {};
  const isActive = status === 'running' || status === 'retrying';
  return (
    <div className="inspector-body">
      {decisions.length === 0 ? null : (
        <ul className="decisions" aria-label={text.decisions}>
          {decisions.slice(-mostCalls).map((decision) => (
            <DecisionBox key={decision.seq} decision={decision} />
          ))}
        </ul>
      )}
      {first === 0 ? null : <p className="inspector-note">{text.inLog({ count: first })}</p>}
      <ul className="tool-calls" aria-label={text.calls}>
        {calls
          .slice(first, first + mostCalls)
          .map(({ call, number }) =>
            number === undefined ? (
              <CallRow
                key={call.seq}
                call={call}
                status={status}
                asks={asks}
                isOpen={call.seq === open || calls.length === 1}
              />
            ) : (
              <ModelCallItem
                key={call.seq}
                call={call}
                number={number}
                attempt={1 + failedAttempts.filter((failed) => failed.at <= call.startedAt).length}
                isActive={isActive}
              />
            ),
          )}
      </ul>
    </div>
  );
}
