/**
 * The bar above the canvas while two runs are compared.
 */
import { ArrowLeftRight, ChevronLeft, ChevronRight, X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { RunSide } from '../../engine/isomorphic.ts';
import { SideBadge } from '../card/compared-rows.tsx';
import type { ShownComparison } from '../stores/runs/comparison.ts';
import { differenceAt, stepDifference } from '../stores/runs/run-picks.ts';
import { useStores } from '../stores/stores-context.tsx';
import { useSelection } from '../stores/use-flow.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { costText, countText, durationText } from '../ui/quantity-text.ts';
import { StateIcon, visualStateLabels } from '../ui/state-icon.tsx';
import { text } from './text.ts';
import './compare-header.css';

interface CompareHeaderProps {
  readonly path: string;
  readonly comparison: ShownComparison;
  /** Content at the start of the bar. */
  readonly lead: ReactNode;
}

export function CompareHeader({ path, comparison, lead }: CompareHeaderProps) {
  const stores = useStores();
  const { request, numbers, result } = comparison;
  const sourcePath = path;
  const swap = (): void =>
    void stores.runs.compare(
      { runId: request.b, number: numbers.b, sourcePath },
      { runId: request.a, number: numbers.a, sourcePath },
    );
  return (
    <section className="compare-header" aria-label={text.header.label}>
      {lead}
      <ComparedSide side="a" comparison={comparison} />
      <ChevronRight aria-label={text.header.against} size={12} className="compare-arrow" />
      <ComparedSide side="b" comparison={comparison} />
      <i className="compare-rule" />
      <Totals result={result} />
      <span className="compare-gap" />
      <Steps path={path} comparison={comparison} />
      {request.called === undefined ? (
        <Button size="small" title={text.header.swapHint} onClick={swap}>
          <ArrowLeftRight aria-hidden size={13} />
          {text.header.swap}
        </Button>
      ) : null}
      <IconButton label={text.header.close} onClick={() => stores.runPicks.getState().endComparison()}>
        <X aria-hidden size={14} />
      </IconButton>
    </section>
  );
}

function ComparedSide({ side, comparison }: { readonly side: RunSide; readonly comparison: ShownComparison }) {
  const { numbers, result } = comparison;
  const { status, error } = result.runs[side];
  const words = error?.message ?? visualStateLabels[status];
  return (
    <span className="compare-side">
      <SideBadge side={side} />
      <b>{text.header.run({ number: numbers[side] })}</b>
      <span className="compare-state" data-state={status} title={words}>
        <StateIcon state={status} size={13} isDecorative />
        <span>{words}</span>
      </span>
    </span>
  );
}

/** Returns `before → after`, or null if neither is known. */
function change(a: string | null, b: string | null): ReactNode {
  if (a === null && b === null) return null;
  return (
    <>
      {a ?? '–'} → <b>{b ?? '–'}</b>
    </>
  );
}

function Totals({ result: { runs } }: Pick<ShownComparison, 'result'>) {
  const timeOf = ({ durationMs }: typeof runs.a): string | null =>
    durationMs === undefined ? null : durationText(durationMs);
  const costOf = ({ costUsd, unpricedCalls }: typeof runs.a): string | null => costText(costUsd, unpricedCalls);
  const tokens = runs.a.tokens + runs.b.tokens;
  return (
    <>
      <span className="compare-stat">{change(timeOf(runs.a), timeOf(runs.b))}</span>
      {tokens === 0 ? null : (
        <span className="compare-stat compare-optional">
          {text.header.tokens({ a: countText(runs.a.tokens), b: countText(runs.b.tokens) })}
        </span>
      )}
      <span className="compare-stat compare-optional">{change(costOf(runs.a), costOf(runs.b))}</span>
    </>
  );
}

/** Goes from difference to difference. */
function Steps({ path, comparison }: { readonly path: string; readonly comparison: ShownComparison }) {
  const stores = useStores();
  const { nodeId } = useSelection(path);
  const total = comparison.result.differing.length;
  const at = differenceAt(comparison, nodeId);
  if (total === 0) return <span className="compare-count">{text.header.noDifference}</span>;
  return (
    <>
      <IconButton label={text.header.previous} disabled={at === 0} onClick={() => stepDifference(stores, path, -1)}>
        <ChevronLeft aria-hidden size={14} />
      </IconButton>
      <span className="compare-count" role="status">
        {at === -1 ? text.header.count({ count: total }) : text.header.position({ number: at + 1, total })}
      </span>
      <IconButton label={text.header.next} disabled={at === total - 1} onClick={() => stepDifference(stores, path, 1)}>
        <ChevronRight aria-hidden size={14} />
      </IconButton>
    </>
  );
}
