/**
 * The difference between the inputs, rendered prompts or outputs of the selected node in two compared runs.
 */
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { memo, type ReactNode, useMemo } from 'react';
import { useStore } from 'zustand';
import { isJsonMap, type JsonValue, type NodeValues, type RunSide } from '../../engine/isomorphic.ts';
import { SideBadge } from '../card/compared-rows.tsx';
import { itemText } from '../stores/flow/node-places.ts';
import type { ShownComparison } from '../stores/runs/comparison.ts';
import type { DiffView } from '../stores/runs/run-picks.ts';
import { useStores } from '../stores/stores-context.tsx';
import { useSelection, useShownRunPart } from '../stores/use-flow.ts';
import { IconButton } from '../ui/button.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { lineDiff, type MergedPart, mergedDiff, wordDiff } from '../ui/word-diff.ts';
import { text } from './text.ts';
import { useComparedNode, usePlace } from './use-compared-node.ts';
import { differingParts, type PairedPart } from './value-rows.ts';
import './compare-values.css';

export type ValueName = 'input' | 'prompt' | 'output';

const views: readonly { readonly value: DiffView; readonly text: string }[] = [
  { value: 'words', text: text.values.words },
  { value: 'lines', text: text.values.lines },
  { value: 'sides', text: text.values.sides },
];

interface CompareValuesProps {
  readonly path: string;
  readonly value: ValueName;
}

export function CompareValues({ path, value }: CompareValuesProps) {
  const comparison = useShownRunPart(path, (run) => run.comparison) ?? null;
  const { nodeId } = useSelection(path);
  if (comparison === null) return null;
  return (
    <div className="compare-values">
      <Tools path={path} comparison={comparison} nodeId={nodeId} />
      {nodeId === null ? (
        <p className="compare-note">{text.values.choose}</p>
      ) : (
        <NodeDifference path={path} value={value} comparison={comparison} nodeId={nodeId} />
      )}
    </div>
  );
}

interface NodeProps {
  readonly path: string;
  readonly comparison: ShownComparison;
  readonly nodeId: string;
}

/** The item that is compared, and how differences are shown. */
function Tools({ path, comparison, nodeId }: Omit<NodeProps, 'nodeId'> & { readonly nodeId: string | null }) {
  const { runPicks } = useStores();
  const view = useStore(runPicks, ({ diffView }) => diffView);
  return (
    <div className="compare-tools">
      {nodeId === null ? null : <ItemSteps path={path} comparison={comparison} nodeId={nodeId} />}
      <span className="compare-gap" />
      <Segmented<DiffView>
        label={text.values.view}
        value={view}
        options={views}
        onChange={(next) => runPicks.getState().setDiffView(next)}
      />
    </div>
  );
}

function ItemSteps({ path, comparison, nodeId }: NodeProps) {
  const { selection } = useStores();
  const place = usePlace(path, comparison, nodeId);
  const loops = useShownRunPart(path, ({ state }) => state.tallies.loops);
  const node = comparison.nodes.get(nodeId);
  if (node === undefined || !node.isInLoop) return <b className="compare-subject">{nodeId}</b>;
  const at = node.places.findIndex((one) => one.place === place);
  const go = (to: number): void => {
    const next = node.places[to];
    if (next !== undefined) selection.getState().selectPlace(path, next.place);
  };
  const word = itemText(place, loops);
  return (
    <>
      <b className="compare-subject">{nodeId}</b>
      <span className="compare-item">{word}</span>
      <IconButton label={text.values.previousItem} disabled={at <= 0} onClick={() => go(at - 1)}>
        <ChevronLeft aria-hidden size={14} />
      </IconButton>
      <IconButton label={text.values.nextItem} disabled={at >= node.places.length - 1} onClick={() => go(at + 1)}>
        <ChevronRight aria-hidden size={14} />
      </IconButton>
    </>
  );
}

function NodeDifference({ path, value, comparison, nodeId }: NodeProps & Pick<CompareValuesProps, 'value'>) {
  const { runPicks } = useStores();
  const place = usePlace(path, comparison, nodeId);
  const read = useComparedNode(comparison, place);
  const view = useStore(runPicks, ({ diffView }) => diffView);
  if (read.status === 'loading') return <p className="compare-note">{text.values.loading}</p>;
  if (read.status === 'failed') return <p className="compare-note">{read.message}</p>;
  const [a, b] = [chosenValue(read.node.a, value), chosenValue(read.node.b, value)];
  return <Difference a={a} b={b} view={view} value={value} comparison={comparison} />;
}

function chosenValue(values: NodeValues | null, value: ValueName): JsonValue | undefined {
  const { input, output, error } = values ?? {};
  if (value === 'input') return input;
  if (value === 'output') return error === undefined ? output : text.values.failed({ message: error.message });
  const prompt = isJsonMap(input) ? (input['prompt'] ?? input['messages']) : undefined;
  return prompt;
}

interface DifferenceProps {
  readonly a: JsonValue | undefined;
  readonly b: JsonValue | undefined;
  readonly view: DiffView;
  readonly value: ValueName;
  readonly comparison: ShownComparison;
}

function Difference({ a, b, view, value, comparison }: DifferenceProps) {
  const { parts, omitted } = useMemo(() => differingParts(a, b), [a, b]);
  if (a === undefined && b === undefined)
    return <p className="compare-note">{value === 'prompt' ? text.values.noPrompt : text.values.none}</p>;
  if (parts.length === 0) return <SameValue value={b} />;
  return (
    <div className="compare-diff" data-view={view}>
      {view === 'sides' ? <SideHeads comparison={comparison} /> : null}
      {parts.map((part) => (
        <Part key={part.path.join('.')} part={part} view={view} />
      ))}
      {omitted === 0 ? null : <p className="compare-note">{text.values.moreRows({ count: omitted })}</p>}
    </div>
  );
}

function SameValue({ value }: { readonly value: JsonValue | undefined }) {
  const shown = typeof value === 'string' ? value : JSON.stringify(value ?? null, null, 2);
  return (
    <>
      <p className="compare-note">{text.values.same}</p>
      <pre className="compare-text" data-selectable>
        {shown}
      </pre>
    </>
  );
}

function SideHeads({ comparison }: Pick<DifferenceProps, 'comparison'>) {
  const head = (side: RunSide): ReactNode => (
    <span className="compare-head">
      <SideBadge side={side} />
      {text.header.run({ number: comparison.numbers[side] })}
    </span>
  );
  return (
    <div className="compare-heads">
      {head('a')}
      {head('b')}
    </div>
  );
}

function pathText(path: PairedPart['path']): string {
  return path.map((key) => (typeof key === 'number' ? text.values.row({ number: key + 1 }) : key)).join(' · ');
}

const Part = memo(function Part({ part, view }: { readonly part: PairedPart; readonly view: DiffView }) {
  const { path, a = '', b = '' } = part;
  const onlyIn = part.a === undefined ? 'B' : part.b === undefined ? 'A' : null;
  return (
    <section className="compare-part">
      {path.length === 0 && onlyIn === null ? null : (
        <h4>
          {pathText(path)}
          {onlyIn === null ? null : <i>{text.values.onlyIn({ side: onlyIn })}</i>}
        </h4>
      )}
      {view === 'sides' ? <Sides a={a} b={b} /> : <Merged parts={mergedParts(view, a, b)} view={view} />}
    </section>
  );
});

function mergedParts(view: DiffView, a: string, b: string): readonly MergedPart[] {
  return view === 'lines' ? lineDiff(a, b) : mergedDiff(wordDiff(a, b));
}

function Sides({ a, b }: { readonly a: string; readonly b: string }) {
  const parts = mergedDiff(wordDiff(a, b));
  return (
    <div className="compare-sides">
      <Merged parts={parts.filter(({ kind }) => kind !== 'added')} view="sides" />
      <Merged parts={parts.filter(({ kind }) => kind !== 'removed')} view="sides" />
    </div>
  );
}

const marks = { removed: 'del', added: 'ins', same: 'span' } as const;

function Merged({ parts, view }: { readonly parts: readonly MergedPart[]; readonly view: DiffView }) {
  return (
    <pre className="compare-text" data-lines={view === 'lines'} data-selectable>
      {parts.map(({ text: part, kind }, index) => {
        const Mark = marks[kind];
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a comparison never move
        return <Mark key={index}>{part}</Mark>;
      })}
    </pre>
  );
}
