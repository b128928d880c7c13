/**
 * Implements `runs compare`: which nodes differ between two runs, and why.
 */
import type { RunHistoryReader } from '../../index.ts';
import {
  type ComparedNode,
  type DifferenceCause,
  isJsonMap,
  type JsonValue,
  type NodeFigures,
  type RunComparison,
  type RunDifference,
  type RunId,
  type RunSummary,
} from '../../isomorphic.ts';
import type { CliContext, GlobalOptions, SharedOptions } from '../cli-context.ts';
import { usageError } from '../exit-code.ts';
import { durationText, oneLine } from '../progress/phrases.ts';
import { resolveRunReference } from '../run-reference.ts';
import { withHistory } from './with-engine.ts';

/** A node that differs, with the causes at the first place where it does. */
interface ExplainedNode extends Pick<ComparedNode, 'id'> {
  readonly place: string;
  readonly causes: readonly DifferenceCause[];
}

/**
 * Compares two runs of the same flow.
 * @throws EngineError `run.not-found` | `run.too-long`; `cli.usage` for runs of two files or of an agent
 */
export async function compareTwoRuns(
  context: CliContext,
  [first, second]: readonly [string, string],
  options: GlobalOptions & SharedOptions,
): Promise<void> {
  await withHistory(context, options, async (reads) => {
    const ids = { a: await resolveRunReference(reads, first), b: await resolveRunReference(reads, second) };
    const runs = { a: await reads.getRun(ids.a), b: await reads.getRun(ids.b) };
    checkPair(runs);
    const comparison = await reads.compareRuns(ids);
    const explained = await explain(reads, ids, comparison);
    const { terminal } = context;
    if (options.json === true) terminal.json(`${JSON.stringify({ a: runs.a, b: runs.b, ...comparison, explained })}\n`);
    else terminal.out(`${comparisonLines(runs, comparison, explained).join('\n')}\n`);
  });
}

type Pair<Value> = Readonly<Record<'a' | 'b', Value>>;

function checkPair({ a, b }: Pair<RunSummary>): void {
  if (a.kind === 'agent' || b.kind === 'agent')
    throw usageError('Only runs of flows can be compared. Compare two runs of the flow that calls the agent.');
  if (a.sourcePath !== b.sourcePath)
    throw usageError(
      `Only runs of the same flow can be compared. Run ${a.number} is of ${oneLine(a.sourcePath)}, run ${b.number} of ${oneLine(b.sourcePath)}.`,
    );
}

async function explain(
  reads: RunHistoryReader,
  ids: Pair<RunId>,
  { nodes, differing }: RunComparison,
): Promise<readonly ExplainedNode[]> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const explained: ExplainedNode[] = [];
  for (const id of differing) {
    const place = byId.get(id)?.places.find(({ difference }) => difference !== 'same')?.place ?? id;
    const { causes } = await reads.compareNode({ ...ids, place });
    explained.push({ id, place, causes });
  }
  return explained;
}

const sides = ['a', 'b'] as const;

function comparisonLines(
  runs: Pair<RunSummary>,
  { runs: totals, nodes, edges, differing }: RunComparison,
  explained: readonly ExplainedNode[],
): readonly string[] {
  const heads = sides.map((side) => {
    const { durationMs, tokens, costUsd } = totals[side];
    return `${side.toUpperCase()}  run #${runs[side].number}  ${facts([totals[side].status, ...amounts({ ms: durationMs, tokens, costUsd })])}`;
  });
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const found = explained.flatMap(({ id, place, causes }) => {
    const node = byId.get(id);
    return node === undefined ? [] : nodeLines(node, place, causes);
  });
  const taken = sides.flatMap((side) => {
    const own = edges.filter(({ onlyIn }) => onlyIn === side).map(({ id }) => oneLine(id));
    return own.length === 0 ? [] : [`Edges taken only in ${side.toUpperCase()}: ${own.join(', ')}`];
  });
  const count = `${differing.length} of ${nodes.length} ${nodes.length === 1 ? 'node differs' : 'nodes differ'}`;
  const end = taken.length === 0 ? [] : ['', ...taken];
  return [...heads, '', differing.length === 0 ? 'No node differs' : count, ...found, ...end];
}

function facts(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' · ');
}

interface Amounts {
  readonly ms: number | undefined;
  readonly tokens: number;
  readonly costUsd: number | undefined;
}

function amounts({ ms, tokens, costUsd }: Amounts): readonly string[] {
  return [
    durationText(ms),
    tokens === 0 ? '' : `${tokens} tokens`,
    costUsd === undefined ? '' : `$${Number(costUsd.toPrecision(3))}`,
  ];
}

const differenceTexts: Readonly<Record<RunDifference, string>> = {
  'only-a': 'ran only in A',
  'only-b': 'ran only in B',
  state: 'state differs',
  error: 'error differs',
  output: 'output differs',
  items: 'other items ran',
  same: 'same',
};

function nodeLines(node: ComparedNode, place: string, causes: readonly DifferenceCause[]): readonly string[] {
  const { id, onlyIn, difference, isInLoop, places } = node;
  const differ = places.filter((one) => one.difference !== 'same').length;
  const items = isInLoop ? `in ${differ} of ${places.length} items` : '';
  const version = onlyIn === null ? '' : `only in the flow of ${onlyIn.toUpperCase()}`;
  const head = facts([differenceTexts[difference], version, items]);
  return [
    `${oneLine(id)}: ${head}`,
    ...sides.map((side) => `  ${side.toUpperCase()}  ${figuresText(node[side])}`),
    ...causes.map((cause) => `  ${causeText(cause)}${isInLoop ? ` (${oneLine(place)})` : ''}`),
  ];
}

function figuresText(figures: NodeFigures | null): string {
  if (figures === null) return 'did not run';
  const { status, ran, completed, ms, promptTokens, completionTokens, costUsd, model } = figures;
  const count = ran === 1 ? '' : `${completed} of ${ran} completed`;
  const tokens = promptTokens + completionTokens;
  return facts([status, count, ...amounts({ ms, tokens, costUsd }), model === undefined ? '' : oneLine(model)]);
}

function causeText(cause: DifferenceCause): string {
  switch (cause.kind) {
    case 'model':
      return `model: ${oneLine(cause.a)} → ${oneLine(cause.b)}`;
    case 'outside':
      return cause.isModel
        ? 'same definition and input: the model responded differently'
        : 'same definition and input: something outside the run has changed';
    default:
      return `${cause.kind}: ${cause.values.map(({ path, a, b }) => `${path} ${shortValue(a)} → ${shortValue(b)}`).join(', ')}`;
  }
}

const longestValue = 60;

function shortValue(value: JsonValue | undefined): string {
  if (value === undefined) return '(none)';
  const text = oneLine(JSON.stringify(isJsonMap(value) && 'preview' in value ? value['preview'] : value));
  return text.length > longestValue ? `${text.slice(0, longestValue - 1)}…` : text;
}
