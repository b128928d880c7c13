/**
 * Implements `estimate`.
 */
import type { RunReads } from '../../index.ts';
import { hasErrors } from '../../isomorphic.ts';
import { type CliContext, type GlobalOptions, resolveWorkspace } from '../cli-context.ts';
import { exitCode, usageError } from '../exit-code.ts';
import { readFlowSource, showProblems, sourcePathOf } from '../flow-source.ts';
import { durationText, oneLine } from '../progress/phrases.ts';
import { findRunTarget } from '../run-target.ts';
import { checkFlowSource } from './file-problems.ts';
import { type CliRunOptions, gatherInputs, partOptions } from './run-options.ts';
import { withEngine } from './with-engine.ts';

/** Options of `estimate`, which are those of `run` that affect what runs. */
export type EstimateOptions = GlobalOptions &
  Pick<CliRunOptions, 'input' | 'inputFile' | 'only' | 'to' | 'pin' | 'parallel'>;

type Estimate = NonNullable<Awaited<ReturnType<RunReads['estimate']>>>;
type EstimateSpan = Estimate['ms'];

/**
 * Prints what a run of a flow will probably take and cost.
 * @returns the exit code
 * @throws EngineError `cli.usage` for an agent; errors of the engine before a run starts
 */
export async function estimate(context: CliContext, target: string, options: EstimateOptions): Promise<number> {
  const found = await findRunTarget(context, options, target);
  if (found.kind === 'agent') throw usageError(`${target} is an agent. Only flows have estimates.`);
  const source = await readFlowSource(context, found.shown);
  const workspace = resolveWorkspace(context, options, source.file);
  const checked = await checkFlowSource(source, { context, workspace });
  showProblems(context, source.shown, checked.diagnostics);
  if (hasErrors(checked.diagnostics)) return exitCode.refused;
  const inputs = gatherInputs(options, { folder: context.folder, inputDocs: checked.flow?.inputDocs });
  const { store, trust, parallel: maxParallel } = options;
  const how = { ...partOptions(context, options), ...(maxParallel === undefined ? {} : { maxParallel }) };
  await withEngine(context, { workspace, store, trust }, async (engine) => {
    const path = sourcePathOf(engine.workspace, source.file);
    const result = await engine.estimate({ path, text: source.text, checked, inputs, ...how });
    if (result === undefined) throw usageError(`${target} has no estimate.`);
    const { terminal } = context;
    if (options.json === true) terminal.json(`${JSON.stringify(result)}\n`);
    else terminal.out(`${linesOf(result, source.shown).map(oneLineIndented).join('\n')}\n`);
  });
  return exitCode.ok;
}

function oneLineIndented(line: string): string {
  return line.startsWith('  ') ? `  ${oneLine(line)}` : oneLine(line);
}

function linesOf(result: Estimate, shown: string): readonly string[] {
  const { runCount, nodes, mostUncertain, noHistory, unpriced, waits } = result;
  const runs = runCount === 1 ? '1 earlier run' : `${runCount} earlier runs`;
  const people = waits.ms.high === 0 ? '' : `, ${rangeText(waits.ms, durationText)} in earlier runs`;
  return [
    `${shown}: ${amountsText(result, { isAtLeast: noHistory.length > 0 })} (from ${runs})`,
    ...nodes.map((node) => `  ${nodeText(node)}`),
    ...(mostUncertain === undefined ? [] : [`most uncertain: ${mostUncertain}`]),
    ...(noHistory.length === 0 ? [] : [`no history: ${noHistory.join(', ')} (not included)`]),
    ...(unpriced.length === 0 ? [] : [`no price: ${unpriced.join(', ')} (its cost is not included)`]),
    ...(waits.nodeIds.length === 0 ? [] : [`waits for people: ${waits.nodeIds.join(', ')} (not included${people})`]),
  ];
}

function nodeText({ nodeId, basis, items, ...use }: Estimate['nodes'][number]): string {
  if (basis === 'none' && items === undefined) return `${nodeId}: no history`;
  const count = items === undefined ? '' : ` (${rangeText(items, String)} ${items.high === 1 ? 'item' : 'items'})`;
  const source = basis === 'similar' ? ', from similar nodes' : '';
  return `${nodeId}${count}: ${amountsText(use, { isAtLeast: false })}${source}`;
}

function amountsText(
  { ms, tokens, usd }: Pick<Estimate, 'ms' | 'tokens' | 'usd'>,
  { isAtLeast }: { readonly isAtLeast: boolean },
): string {
  const parts = [
    rangeText(ms, durationText),
    ...(tokens.high === 0 ? [] : [`${rangeText(tokens, (count) => count.toLocaleString('en-US'))} tokens`]),
    ...(usd.high === 0 ? [] : [rangeText(usd, dollarText)]),
  ];
  return `${isAtLeast ? 'at least ' : ''}${parts.join(', ')}`;
}

function rangeText({ low, high }: EstimateSpan, textOf: (value: number) => string): string {
  const [from, to] = [textOf(low), textOf(high)];
  return from === to ? to : `${from} – ${to}`;
}

/** Formats a cost in US dollars. */
export function dollarText(usd: number): string {
  return `$${usd >= 0.1 ? usd.toFixed(2) : usd.toPrecision(2)}`;
}
