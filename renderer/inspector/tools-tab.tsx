/**
 * The tool calls of a node, with the arguments and the result of each call and the policy decisions. Names, arguments
 * and results come from models and servers, so all of them are shown as text.
 */
import { ChevronDown, ChevronRight, ShieldCheck, ShieldX } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import type { JsonValue, NodeState } from '../../engine/isomorphic.ts';
import { callState, type RecordedDecision, type ToolCallRecord, toolAnswer } from '../stores/runs/live/tool-calls.ts';
import { showText, workspacePlace } from '../stores/show-text.ts';
import { useReadValue, useStores } from '../stores/stores-context.tsx';
import { numberText } from '../ui/language.ts';
import { durationText } from '../ui/quantity-text.ts';
import { StateIcon, visualStateLabels } from '../ui/state-icon.tsx';
import { Rows } from './fields/setting-rows.tsx';
import { Answers } from './run/answers.tsx';
import { text } from './text.ts';
import { ValueView } from './values/value-view.tsx';
import './tools-tab.css';

/** The position of a rule, as a link if its file is in the workspace. */
function RulePlace({ place }: { readonly place: string | undefined }) {
  const stores = useStores();
  if (place === undefined) return <span className="inspector-quiet">{text.tools.builtInRule}</span>;
  const found = workspacePlace(place);
  if (found === null) return <code>{place}</code>;
  const { path, line } = found;
  return (
    <button
      type="button"
      className="inspector-line-link"
      title={text.tools.showRule}
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
          <b>{isAllowed ? text.tools.allowed : text.tools.denied}</b> {effect} <code>{target}</code>
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

function CallDetail({ call, nodeState }: { readonly call: ToolCallRecord; readonly nodeState: NodeState | undefined }) {
  const { asked, params, attempts, failedTries, result, isError, backend, isReplayed } = call;
  const wasEdited = asked !== undefined && params !== undefined && !isSame(asked, params);
  const sent = params ?? asked;
  const facts: (readonly [string, string])[] = [
    ...(attempts > 1 ? [[text.tools.attempts, numberText(attempts)] as const] : []),
    ...(backend === undefined
      ? []
      : [[text.tools.kind, isReplayed ? text.tools.replayed({ kind: backend }) : backend] as const]),
  ];
  return (
    <div className="tool-call-detail">
      {wasEdited ? <Value label={text.tools.requested} value={asked} /> : null}
      {sent === undefined ? null : <Value label={wasEdited ? text.tools.calledWith : text.tools.input} value={sent} />}
      {failedTries.map(({ attempt, delayMs, message }) => (
        <p key={attempt} className="tool-call-try" data-selectable>
          {delayMs === 0
            ? text.tools.failedAttempt({ attempt, message })
            : text.tools.retriedAttempt({ attempt, message, pause: durationText(delayMs) })}
        </p>
      ))}
      {result === undefined ? null : (
        <Value label={isError ? text.tools.error : text.tools.result} value={toolAnswer(result)} />
      )}
      {facts.length === 0 ? null : <Rows rows={facts} />}
      <Answers asks={nodeState?.asks?.filter(({ key }) => isAbout(key, call))} />
    </div>
  );
}

interface CallRowProps {
  readonly call: ToolCallRecord;
  readonly nodeState: NodeState | undefined;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function CallRow({ call, nodeState, isOpen, onToggle }: CallRowProps) {
  const state = callState(call, nodeState?.status);
  const row = useRef<HTMLLIElement>(null);
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  useEffect(() => {
    if (isOpen) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);
  return (
    <li ref={row} className="tool-call" data-state={state}>
      <button type="button" className="tool-call-head" aria-expanded={isOpen} onClick={onToggle}>
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
      {isOpen ? <CallDetail call={call} nodeState={nodeState} /> : null}
    </li>
  );
}

/** Maximum number of calls to render. Earlier ones are in the log. */
const mostCalls = 200;

interface ToolsTabProps {
  readonly calls: readonly ToolCallRecord[];
  readonly decisions: readonly RecordedDecision[];
  /** The node that made the calls. */
  readonly nodeState: NodeState | undefined;
}

/** Renders nothing if there are neither calls nor decisions. */
export function ToolsTab({ calls, decisions, nodeState }: ToolsTabProps) {
  const { panes } = useStores();
  const open = useStore(panes, ({ openCall }) => openCall);
  const at = calls.findIndex(({ seq }) => seq === open);
  // The selected call is always rendered.
  const first = Math.max(0, Math.min(at === -1 ? calls.length : at, calls.length - mostCalls));
  const drawn = calls.slice(first, first + mostCalls);
  return (
    <div className="inspector-body">
      {decisions.length === 0 ? null : (
        <ul className="decisions" aria-label={text.tools.decisions}>
          {decisions.slice(-mostCalls).map((decision) => (
            <DecisionBox key={decision.seq} decision={decision} />
          ))}
        </ul>
      )}
      {first === 0 ? null : <p className="inspector-note">{text.tools.inLog({ count: first })}</p>}
      <ul className="tool-calls" aria-label={text.tools.calls}>
        {drawn.map((call) => (
          <CallRow
            key={call.seq}
            call={call}
            nodeState={nodeState}
            isOpen={call.seq === open || calls.length === 1}
            onToggle={() => panes.getState().showCall(call.seq === open ? null : call.seq)}
          />
        ))}
      </ul>
    </div>
  );
}
