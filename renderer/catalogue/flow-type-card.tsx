/**
 * The card of a flow in a catalog, and the card of its policy.
 */
import { BookOpen, Bot, CircleX, Cpu, TriangleAlert, Workflow } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Diagnostic, FlowTypeDoc } from '../../engine/isomorphic.ts';
import { type PolicyKind, policyOf } from './catalogue-lanes.ts';
import { text } from './text.ts';
import './flow-type-card.css';

const policyIcons: Readonly<Record<PolicyKind, ReactNode>> = {
  skill: <BookOpen aria-hidden size={14} />,
  agent: <Bot aria-hidden size={14} />,
  flow: <Workflow aria-hidden size={14} />,
  builtin: <Cpu aria-hidden size={14} />,
};

function ProblemMark({ problem }: { readonly problem: Diagnostic | undefined }) {
  if (problem === undefined) return null;
  const isError = problem.severity === 'error';
  const Icon = isError ? CircleX : TriangleAlert;
  return (
    <span className="flow-type-problem" data-severity={problem.severity} title={problem.message}>
      <Icon role="img" aria-label={isError ? text.card.hasErrors : text.card.hasWarnings} size={14} />
    </span>
  );
}

/** Highlights the slots that are needed: required slots, then those of a group in which at least one must be filled. */
function Slots({ slots = {} }: { readonly slots: FlowTypeDoc['slots'] | undefined }) {
  const entries = Object.entries(slots);
  if (entries.length === 0) return null;
  return (
    <ul className="flow-type-slots" aria-label={text.card.slots}>
      {entries.map(([name, { priority, type }]) => (
        <li key={name} data-priority={priority} title={`${name}: ${type}, ${text.priority[priority]}`}>
          {name}
          <span className="visually-hidden">, {text.priority[priority]}</span>
        </li>
      ))}
    </ul>
  );
}

function footOf({ fallback, aside, dependsOn = [], every }: FlowTypeDoc): readonly string[] {
  return [
    ...(fallback === undefined ? [] : [text.card.fallback({ name: fallback })]),
    ...(aside === true ? [text.card.aside] : []),
    ...(dependsOn.length === 0 ? [] : [text.card.after({ names: dependsOn.join(', ') })]),
    ...(every === undefined ? [] : [text.card.every({ count: every })]),
  ];
}

interface FlowTypeCardProps {
  readonly flow: FlowTypeDoc;
  readonly problem: Diagnostic | undefined;
  readonly isSelected: boolean;
  readonly isTabStop: boolean;
  /** Replaces the name while it is edited. */
  readonly naming: ReactNode;
  readonly onSelect: () => void;
  readonly onRename: () => void;
}

export function FlowTypeCard({ flow, problem, isSelected, isTabStop, naming, onSelect, onRename }: FlowTypeCardProps) {
  const { name, description = '', examples = [], slots } = flow;
  const foot = footOf(flow);
  const says = description === '' ? examples.map((example) => text.card.quoted({ example })).join(', ') : description;
  if (naming !== null) return <div className="flow-type-card">{naming}</div>;
  return (
    <button
      type="button"
      className="flow-type-card"
      data-flow={name}
      data-roving
      tabIndex={isTabStop ? 0 : -1}
      aria-pressed={isSelected}
      aria-label={name}
      onClick={onSelect}
      onFocus={onSelect}
      onDoubleClick={onRename}
    >
      <span className="flow-type-head">
        <span className="flow-type-name" title={name}>
          {name}
        </span>
        <ProblemMark problem={problem} />
      </span>
      {says === '' ? null : <span className="flow-type-says">{says}</span>}
      <Slots slots={slots} />
      {foot.length === 0 ? null : <span className="flow-type-foot">{foot.join(' · ')}</span>}
    </button>
  );
}

/** @param onOpen undefined if the policy has no file to open */
export function PolicyCard({
  flow,
  onOpen,
}: {
  readonly flow: FlowTypeDoc;
  readonly onOpen: (() => void) | undefined;
}) {
  const { kind, name } = policyOf(flow.policy);
  const { tools = [] } = flow;
  return (
    <div className="policy-card">
      <span className="policy-card-head">
        {policyIcons[kind]}
        {onOpen === undefined ? (
          <span className="policy-card-name" title={name}>
            {name}
          </span>
        ) : (
          <button
            type="button"
            className="policy-card-name policy-card-open"
            title={text.card.open({ name })}
            onClick={onOpen}
          >
            {name}
          </button>
        )}
        <span className="policy-card-kind">{text.card[kind]}</span>
      </span>
      {tools.length === 0 ? null : (
        <span className="policy-card-tools" title={tools.join(', ')}>
          {tools.join(', ')}
        </span>
      )}
    </div>
  );
}
