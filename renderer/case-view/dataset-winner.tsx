/**
 * The line below a dataset's table: which column is best, and a button that uses its model in the flow.
 */
import { Check } from 'lucide-react';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import { type Winner, winnerOf } from '../stores/cases/dataset-columns.ts';
import { modelKeyOf } from '../stores/flow/node-models.ts';
import { useStores } from '../stores/stores-context.tsx';
import { takeOver } from '../stores/take-over.ts';
import { useNodeNames, useOpenFile } from '../stores/use-flow.ts';
import { Button } from '../ui/button.tsx';
import { decimalText } from '../ui/language.ts';
import { text } from './text.ts';
import type { NamedColumn, ShownDataset } from './use-dataset.ts';

const words = text.dataset;

/** Compares the winner with the first column: `0.3 better, 3.6 × the cost`. */
function differenceText({ summary, first }: Winner): string {
  if (first === undefined) return '';
  const score = (summary.score ?? 0) - (first.score ?? 0);
  const passed = summary.passed - first.passed;
  const factor = (summary.costUsd ?? 0) / (first.costUsd ?? 0);
  return [
    ...(score >= 0.05 ? [words.better({ score: decimalText(score, 1) })] : []),
    ...(passed > 0 ? [words.morePassed({ count: passed })] : []),
    ...(Number.isFinite(factor) && factor > 0 ? [words.times({ factor: decimalText(factor, 1) })] : []),
  ].join(', ');
}

export function DatasetWinner({ dataset: { entry, columns } }: { readonly dataset: ShownDataset }) {
  const winner = useMemo(() => winnerOf(entry.cases, columns), [entry, columns]);
  const column = columns.find(({ id }) => id === winner?.column.id);
  if (winner === undefined || column === undefined) return <p className="dataset-winner">{words.noBest}</p>;
  if (winner.equal.length > 0) {
    const equal = new Set([column.id, ...winner.equal.map(({ id }) => id)]);
    const names = columns.flatMap(({ id, name }) => (equal.has(id) ? [name] : []));
    return (
      <p className="dataset-winner" title={words.bestHelp}>
        {words.equal({ names: names.join('; ') })}
      </p>
    );
  }
  return (
    <div className="dataset-winner">
      <span title={words.bestHelp}>
        <b>{words.best({ name: column.name })}</b> {differenceText(winner)}
      </span>
      <TakeButton target={entry.target} column={column} />
    </div>
  );
}

/** Only the model of a column can be used: Git restores earlier versions. */
function TakeButton({ target, column: { model, version } }: { readonly target: string; readonly column: NamedColumn }) {
  const stores = useStores();
  const isRunning = useStore(stores.cases, (state) => state.isRunning);
  const file = useOpenFile(target);
  const names = useNodeNames(target);
  if (model === undefined || version !== undefined || file?.kind !== 'flow' || file.doc === null) return null;
  const nodeIds = file.doc.nodes.filter(({ type }) => modelKeyOf(type) === 'model').map(({ id }) => id);
  const [first] = nodeIds;
  if (first === undefined) return null;
  const label =
    nodeIds.length === 1
      ? words.take({ model, node: names.get(first) ?? first })
      : words.takeInNodes({ model, count: nodeIds.length });
  return (
    <Button
      size="small"
      title={words.takeHint}
      disabled={isRunning}
      onClick={() => void takeOver(stores, { path: target, nodeIds, field: ['config', 'model'], value: model, label })}
    >
      <Check aria-hidden size={13} />
      {label}
    </Button>
  );
}
