/**
 * What a run will probably take and cost, next to the button that starts it, with its parts in a dialog.
 */
import { useEffect, useState } from 'react';
import { hasErrors } from '../../../engine/isomorphic.ts';
import { isUnfinished } from '../../stores/runs/live/live-runs.ts';
import type { RerunTarget, ShownEstimate } from '../../stores/runs/plan-actions.ts';
import { useStores } from '../../stores/stores-context.tsx';
import { useNodeNames, useOpenFilePart, useRunNowPart } from '../../stores/use-flow.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { costText, countText, durationText } from '../../ui/quantity-text.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import { text } from './text.ts';
import './run-estimate.css';

const words = text.estimate;

/** Milliseconds without edits after which the estimate is updated. */
const askDelayMs = 700;

type ShownRange = ShownEstimate['ms'];

/** Formats a range: `50–58 s`, `$0.02–$0.03`, or one value. A unit that both ends share is written once. */
function rangeText({ low, high }: ShownRange, textOf: (value: number) => string): string {
  const [from, to] = [textOf(low), textOf(high)];
  if (from === to) return to;
  const [, number, unit] = /^(\S+)( \S+)$/.exec(from) ?? [];
  return unit !== undefined && to.endsWith(unit) && !to.slice(0, -unit.length).includes(' ')
    ? `${number}–${to}`
    : `${from}–${to}`;
}

function dollarsText(value: number): string {
  return costText(value, 0);
}

/** The time and the cost, or the tokens if nothing has a price. */
function shortText({ ms, tokens, usd, noHistory }: ShownEstimate): string {
  const amount = usd.high > 0 ? rangeText(usd, dollarsText) : tokens.high > 0 ? tokensText(tokens) : undefined;
  const both = [rangeText(ms, durationText), ...(amount === undefined ? [] : [amount])].join(', ');
  return noHistory.length > 0 ? words.atLeast({ amount: both }) : both;
}

function tokensText(tokens: ShownRange): string {
  return words.tokens({ count: rangeText(tokens, countText) });
}

/** Whether nothing is known, so that numbers would only mislead. Nodes that take no time are not in the list. */
function isUnknown({ nodes }: ShownEstimate): boolean {
  return nodes.length > 0 && nodes.every(({ basis }) => basis === 'none');
}

/** The estimate of the text on screen, updated after edits and runs. Null until it is known, or while the text has errors. */
function useEstimate(path: string): ShownEstimate | null {
  const { runs } = useStores();
  const doc = useOpenFilePart(path, (file) =>
    file.kind === 'flow' && file.status === 'ready' && !file.isCheckStale && !hasErrors(file.diagnostics)
      ? file.doc
      : null,
  );
  const isRunning = useRunNowPart(path, ({ state }) => isUnfinished(state)) ?? false;
  const [found, setFound] = useState<ShownEstimate | null>(null);
  useEffect(() => {
    if (doc == null || isRunning) return;
    let isMeant = true;
    const show = (estimate: ShownEstimate | null): void => {
      if (isMeant) setFound(estimate);
    };
    const timer = setTimeout(() => {
      runs.estimate(path).then(show, () => show(null));
    }, askDelayMs);
    return () => {
      isMeant = false;
      clearTimeout(timer);
    };
  }, [runs, path, doc, isRunning]);
  return doc == null ? null : found;
}

function EstimateRows({ estimate, path }: { estimate: ShownEstimate; path: string }) {
  const names = useNodeNames(path);
  return (
    <table className="estimate-table">
      <thead>
        <tr>
          {[words.node, words.time, words.tokenCount, words.cost].map((heading) => (
            <th key={heading} scope="col">
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {estimate.nodes.map(({ nodeId, basis, items, ms, tokens, usd }) => (
          <tr key={nodeId} data-uncertain={nodeId === estimate.mostUncertain}>
            <th scope="row" title={nodeId}>
              {names.get(nodeId) ?? nodeId}
              {items === undefined ? null : <span>{words.items({ count: rangeText(items, countText) })}</span>}
              {basis === 'similar' ? <span>{words.similar}</span> : null}
            </th>
            {basis === 'none' && items === undefined ? (
              <td colSpan={3}>{words.noHistory}</td>
            ) : (
              <>
                <td>{rangeText(ms, durationText)}</td>
                <td>{tokens.high === 0 ? '–' : rangeText(tokens, countText)}</td>
                <td>{usd.high === 0 ? '–' : rangeText(usd, dollarsText)}</td>
              </>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Says what the numbers do not include. */
function EstimateNotes({ estimate, path }: { estimate: ShownEstimate; path: string }) {
  const names = useNodeNames(path);
  const listed = (ids: readonly string[]): string => ids.map((id) => names.get(id) ?? id).join(', ');
  const { mostUncertain, noHistory, unpriced, waits } = estimate;
  const notes = [
    ...(mostUncertain === undefined ? [] : [words.mostUncertain({ node: listed([mostUncertain]) })]),
    ...(noHistory.length === 0 ? [] : [words.notIncluded({ nodes: listed(noHistory) })]),
    ...(unpriced.length === 0 ? [] : [words.unpriced({ nodes: listed(unpriced) })]),
    ...(waits.nodeIds.length === 0 ? [] : [words.waits({ nodes: listed(waits.nodeIds) })]),
    ...(waits.ms.high === 0 ? [] : [words.waited({ time: rangeText(waits.ms, durationText) })]),
  ];
  return notes.length === 0 ? null : (
    <ul className="estimate-notes">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}

/** The estimate as a button, which opens its parts. */
export function RunEstimate({ path }: { path: string }) {
  const estimate = useEstimate(path);
  const [isOpen, setIsOpen] = useState(false);
  if (estimate === null || (estimate.nodes.length === 0 && estimate.runCount === 0)) return null;
  const short = isUnknown(estimate) ? words.noHistory : shortText(estimate);
  return (
    <>
      <Tooltip text={words.about({ count: estimate.runCount })}>
        <button
          type="button"
          className="run-estimate"
          aria-label={words.label({ amount: short })}
          onClick={() => setIsOpen(true)}
        >
          {isUnknown(estimate) || estimate.noHistory.length > 0 ? short : words.roughly({ amount: short })}
        </button>
      </Tooltip>
      <Dialog
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        title={words.title({ amount: short })}
        description={words.about({ count: estimate.runCount })}
      >
        <div className="estimate-body">
          {estimate.nodes.length === 0 ? null : <EstimateRows estimate={estimate} path={path} />}
          <EstimateNotes estimate={estimate} path={path} />
        </div>
      </Dialog>
    </>
  );
}

/** What a rerun will probably take and cost. Shows nothing until it is known, and for agents. */
export function RerunEstimate({ target }: { target: RerunTarget }) {
  const { runs } = useStores();
  const [found, setFound] = useState<ShownEstimate | null>(null);
  useEffect(() => {
    let isMeant = true;
    runs.estimate(target).then(
      (estimate) => isMeant && setFound(estimate),
      // The plan shows the same error.
      () => isMeant && setFound(null),
    );
    return () => {
      isMeant = false;
    };
  }, [runs, target]);
  if (found === null || found.nodes.length === 0) return null;
  return (
    <>
      <p className="rerun-estimate">{words.rerun({ amount: isUnknown(found) ? words.noHistory : shortText(found) })}</p>
      <EstimateNotes estimate={found} path={target.path} />
    </>
  );
}
