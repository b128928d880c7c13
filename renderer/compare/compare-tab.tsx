/**
 * The tab of the inspector for a node of two compared runs: its figures, why it differs, and its items.
 */
import { CircleHelp, Cpu, LogIn, Pencil, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import {
  type ComparedNode,
  type DifferenceCause,
  isValueHandle,
  type JsonValue,
  type NodeDoc,
  type NodeFigures,
  type NodeInRuns,
} from '../../engine/isomorphic.ts';
import { SideBadge } from '../card/compared-rows.tsx';
import type { ShownComparison } from '../stores/runs/comparison.ts';
import { useStores } from '../stores/stores-context.tsx';
import { takeOver } from '../stores/take-over.ts';
import { useSelection, useShownRunPart } from '../stores/use-flow.ts';
import { Button } from '../ui/button.tsx';
import { numberText } from '../ui/language.ts';
import { costText, durationText } from '../ui/quantity-text.ts';
import { ItemStrip } from './item-strip.tsx';
import { text } from './text.ts';
import { useComparedNode, usePlace } from './use-compared-node.ts';
import './compare-tab.css';

export function CompareTab({ path }: { readonly path: string }) {
  const comparison = useShownRunPart(path, (run) => run.comparison) ?? null;
  const { nodeId } = useSelection(path);
  const node = nodeId === null ? undefined : comparison?.nodes.get(nodeId);
  if (comparison === null || node === undefined) return null;
  return (
    <div className="compare-tab">
      <Figures node={node} />
      <Why path={path} comparison={comparison} node={node} />
      {node.isInLoop ? <ItemStrip path={path} comparison={comparison} node={node} /> : null}
    </div>
  );
}

/** A figure that both runs may have. */
interface Figure {
  readonly label: string;
  readonly of: (figures: NodeFigures) => number | undefined;
  readonly words: (value: number) => string;
}

const figures: readonly Figure[] = [
  { label: text.tab.time, of: ({ ms }) => ms, words: durationText },
  { label: text.tab.first, of: ({ firstTextMs }) => firstTextMs, words: durationText },
  { label: text.tab.prompt, of: ({ promptTokens }) => promptTokens || undefined, words: numberText },
  { label: text.tab.response, of: ({ completionTokens }) => completionTokens || undefined, words: numberText },
  { label: text.tab.cost, of: ({ costUsd }) => costUsd, words: (value) => costText(value, 0) },
];

/** Returns `+43 %`, or an empty text if there is nothing to compare. */
function changeText(a: number | undefined, b: number | undefined): string {
  if (a === undefined || b === undefined || a === 0) return '';
  const percent = Math.round((100 * (b - a)) / a);
  return `${percent > 0 ? '+' : percent < 0 ? '−' : ''}${numberText(Math.abs(percent))} %`;
}

function Figures({ node: { isInLoop, a, b } }: { readonly node: ComparedNode }) {
  const rows = figures.flatMap(({ label, of, words }) => {
    const values = [a === null ? undefined : of(a), b === null ? undefined : of(b)] as const;
    return values.every((value) => value === undefined) ? [] : [{ label, values, words }];
  });
  return (
    <table className="compare-figures">
      <thead>
        <tr>
          <th scope="col">{isInLoop ? text.tab.allItems : text.tab.thisNode}</th>
          <th scope="col">
            <SideBadge side="a" />
          </th>
          <th scope="col">
            <SideBadge side="b" />
          </th>
          <th scope="col">{text.tab.change}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ label, values: [first, second], words }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td>{first === undefined ? '–' : words(first)}</td>
            <td>{second === undefined ? '–' : words(second)}</td>
            <td>{changeText(first, second)}</td>
          </tr>
        ))}
        {a?.model === undefined && b?.model === undefined ? null : (
          <tr>
            <th scope="row">{text.tab.model}</th>
            <td>{a?.model ?? '–'}</td>
            <td>{b?.model ?? '–'}</td>
            <td />
          </tr>
        )}
      </tbody>
    </table>
  );
}

interface WhyProps {
  readonly path: string;
  readonly comparison: ShownComparison;
  readonly node: ComparedNode;
}

function Why({ path, comparison, node }: WhyProps) {
  const place = usePlace(path, comparison, node.id);
  const read = useComparedNode(comparison, place);
  const differs = node.places.find((one) => one.place === place)?.difference ?? node.difference;
  const isSame = differs === 'same' && node.onlyIn === null;
  return (
    <section className="compare-section" aria-label={text.tab.why}>
      <h3>{text.tab.why}</h3>
      {isSame ? <p className="compare-quiet">{text.tab.same}</p> : null}
      {node.onlyIn === null ? null : <p>{text.tab.onlyInFlow({ side: node.onlyIn.toUpperCase() })}</p>}
      {node.onlyIn === null && (differs === 'only-a' || differs === 'only-b') ? (
        <p>{text.tab.notBoth({ side: differs === 'only-a' ? 'A' : 'B' })}</p>
      ) : null}
      {read.status === 'failed' ? <p className="compare-quiet">{read.message}</p> : null}
      {read.status === 'read' ? (
        <>
          {isSame ? null : read.node.causes.map((cause) => <Cause key={cause.kind} cause={cause} />)}
          <Called path={path} called={read.node.called} />
          <TakeOver path={path} nodeId={node.id} causes={read.node.causes} />
        </>
      ) : null}
    </section>
  );
}

function CauseLine({ icon, children }: { readonly icon: ReactNode; readonly children: ReactNode }) {
  return (
    <div className="compare-cause">
      {icon}
      <div>{children}</div>
    </div>
  );
}

function Cause({ cause }: { readonly cause: DifferenceCause }) {
  switch (cause.kind) {
    case 'model':
      return (
        <CauseLine icon={<Cpu aria-hidden size={14} />}>
          {text.tab.model}: {cause.a} → {cause.b}
        </CauseLine>
      );
    case 'outside':
      return (
        <CauseLine icon={<CircleHelp aria-hidden size={14} />}>
          {cause.isModel ? text.tab.outsideModel : text.tab.outside}
        </CauseLine>
      );
    case 'definition':
    case 'input': {
      const Icon = cause.kind === 'definition' ? Pencil : LogIn;
      return (
        <CauseLine icon={<Icon aria-hidden size={14} />}>
          <b>{cause.kind === 'definition' ? text.tab.definition : text.tab.input}</b>
          {cause.values.map(({ path, a, b }) => (
            <p key={path}>
              <code>{path}</code> {shortText(a)} → {shortText(b)}
            </p>
          ))}
        </CauseLine>
      );
    }
  }
}

/** Longer values are in the dock. */
const longestValue = 60;

function shortText(value: JsonValue | undefined): string {
  if (value === undefined) return '–';
  const whole = isValueHandle(value) ? value.preview : typeof value === 'string' ? value : JSON.stringify(value);
  return whole.length > longestValue ? `${whole.slice(0, longestValue - 1)}…` : whole;
}

/** Leads to the child runs of the node. */
function Called({ path, called }: { readonly path: string; readonly called: NodeInRuns['called'] }) {
  const { runs } = useStores();
  if (called === undefined) return null;
  if (called.kind === 'agent') return <p className="compare-quiet">{text.tab.agent}</p>;
  return (
    <Button size="small" onClick={() => void runs.compareCalled(path, called)}>
      {text.tab.openCalled}
    </Button>
  );
}

interface TakeOverProps {
  readonly path: string;
  readonly nodeId: string;
  readonly causes: readonly DifferenceCause[];
}

/** Returns where a node has a field with a name such as `prompt` or `config.model`, and its value. */
function fieldAt({ input, config = {} }: NodeDoc, name: string) {
  if (Object.hasOwn(input, name)) return { field: ['input', name], value: input[name] };
  const option = name.replace(/^config\./, '');
  const isOption = option !== name && Object.hasOwn(config, option);
  return isOption ? { field: ['config', option], value: config[option] } : undefined;
}

/** Sets fields that the first flow defines differently to their values there. */
function TakeOver({ path, nodeId, causes }: TakeOverProps) {
  const stores = useStores();
  const before = useShownRunPart(path, (run) => run.comparison?.before) ?? null;
  const former = before?.nodes.find(({ id }) => id === nodeId);
  const defined = causes.flatMap((cause) => (cause.kind === 'definition' ? cause.values : []));
  if (former === undefined) return null;
  const fields = defined.flatMap(({ path: name }) => {
    const field = fieldAt(former, name);
    return field === undefined ? [] : [{ name, ...field }];
  });
  if (fields.length === 0) return null;
  return (
    <div className="compare-take-over">
      {fields.map(({ name, field, value }) => (
        <Button
          key={name}
          size="small"
          onClick={() => void takeOver(stores, { path, nodeIds: [nodeId], field, value })}
        >
          <Undo2 aria-hidden size={13} />
          {text.tab.again({ field: name })}
        </Button>
      ))}
      <p className="compare-quiet">{text.tab.takeOverHint}</p>
    </div>
  );
}
