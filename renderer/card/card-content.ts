/**
 * What a card says at rest: from a node as the file has it, its type, and the problems found in it.
 */
import {
  conditionText,
  type Diagnostic,
  isJsonList,
  type JsonValue,
  type NodeDoc,
  type NodePolicy,
  type NodeTypeSpec,
  passLoop,
  type SummaryPart,
  whenText,
} from '../../engine/isomorphic.ts';
import { failedWay, wayOfRoute } from '../stores/flow/ways.ts';
import type { TileCategory, TileIcon } from '../ui/node-tile.tsx';
import { cardMetrics } from './card-metrics.ts';
import { countLines } from './text-fit.ts';

export interface CardRow {
  readonly label: string;
  readonly value: string;
  /** Set in mono. */
  readonly isCode: boolean;
}

interface CardProblem {
  /** Two or three words, from the code: `unknown type`. */
  readonly word: string;
  /** The whole sentence. */
  readonly message: string;
}

/** Footer facts; absent ones are not drawn. */
export interface CardFooter {
  /** Attempts in all, when more than one. */
  readonly attempts?: number;
  /** Limit of an attempt, in words. */
  readonly timeLimit?: string;
}

/** A way out of a card, with a row of its own. */
export interface CardBranch {
  /** As `ways.ts` has it. */
  readonly route: string;
  /** Of the way of a failure that ends the run: nothing ever leaves there. */
  readonly isDead?: true;
  /** Edges that leave there, as in the events of a run. */
  readonly edges: readonly string[];
  /** Titles of the cards they lead to; none = the flow ends there. */
  readonly targets: readonly string[];
}

/** An edge that leaves a node by one of its ways. */
interface BranchEdge {
  readonly id: string;
  /** Title of the card it leads to. */
  readonly target: string;
  readonly route: string | null;
}

export interface CardContent {
  readonly nodeId: string;
  readonly title: string;
  /** Type as the file writes it. */
  readonly type: string;
  readonly category: TileCategory;
  readonly icon: TileIcon;
  readonly sentence: readonly SummaryPart[];
  readonly sentenceLines: number;
  readonly rows: readonly CardRow[];
  /** Its ways out, when it has several. */
  readonly branches: readonly CardBranch[];
  /** It has ways out, and no edge leaves otherwise. */
  readonly leavesByRows: boolean;
  readonly footer: CardFooter | null;
  /** Nothing comes before it. */
  readonly isStart: boolean;
  readonly isDisabled: boolean;
  /** The first error; a card with one is drawn as invalid. */
  readonly error: CardProblem | null;
  readonly warning: CardProblem | null;
  /** Its failure does not fail the run. */
  readonly isTolerated: boolean;
  /** Of a loop: how many nodes it runs for each item; null for every other card. */
  readonly bodySize: number | null;
  /** Beside the name as long as nothing runs: the type, of a loop for what it runs. */
  readonly restWords: string;
  /** Might ask a person whether it may run again, for which its card grows. */
  readonly mayWait: boolean;
  /** Streams text while it runs, for which its card grows. */
  readonly canStream: boolean;
}

/** What a card is made from. */
export interface CardSource {
  readonly node: NodeDoc;
  /** Undefined for a type that nobody knows. */
  readonly spec: NodeTypeSpec | undefined;
  /** Those of this node. */
  readonly problems: readonly Diagnostic[];
  readonly branches: readonly CardBranch[];
  /** How many edges leave it. */
  readonly edgesOut: number;
  readonly isStart: boolean;
  readonly isTolerated: boolean;
  /** Of a loop: how many nodes it runs for each item. */
  readonly bodySize: number | null;
}

const mostSentenceLines = 2;
const mostRows = 3;
/** Settings that people look for on the card, with their labels. */
const keySettings: readonly (readonly [key: string, label: string])[] = [
  ['model', 'Model'],
  ['temperature', 'Temperature'],
];

/** Builds the content of one card. */
export function cardContent(source: CardSource): CardContent {
  const { node, spec, problems, branches, isStart } = source;
  const error = findProblem(problems, 'error');
  const sentence = sentenceOf(source, error);
  const width = cardMetrics.sentenceWidth - (isStart ? cardMetrics.startIndent : 0);
  return {
    nodeId: node.id,
    title: node.name ?? node.id,
    type: node.type,
    category: spec?.category ?? 'flow',
    icon: spec?.icon ?? 'unknown',
    sentence,
    sentenceLines: countLines(sentence, width, mostSentenceLines),
    rows: rowsOf(node),
    branches,
    leavesByRows: hasRoutes(branches) && branches.flatMap(({ edges }) => edges).length === source.edgesOut,
    footer: footerOf(node.policy),
    isStart,
    isDisabled: node.disabled ?? false,
    error,
    warning: findProblem(problems, 'warning'),
    isTolerated: source.isTolerated,
    bodySize: source.bodySize,
    restWords: source.bodySize === null ? node.type : loopText(node),
    mayWait: spec?.effects === 'external',
    canStream: spec?.category === 'model' || spec?.category === 'agent',
  };
}

/** `each note, 4 at a time`, or `until review.passes is true`. */
function loopText({ type, input: { as, maxParallel, until, while: during } }: NodeDoc): string {
  if (type === passLoop) return [endText('until', until), endText('while', during)].filter(Boolean).join(', ');
  const item = typeof as === 'string' && as !== '' ? as : 'item';
  return typeof maxParallel === 'number' && maxParallel > 1 ? `each ${item}, ${maxParallel} at a time` : `each ${item}`;
}

/** Empty for what is no condition, or not yet. */
function endText(word: string, condition: JsonValue | undefined): string {
  const words = conditionText(condition);
  return words === undefined ? '' : `${word} ${words}`;
}

/** The last part of a code as words: `node.unknown-type` → `unknown type`. */
export function wordsOfCode(code: string): string {
  return code.slice(code.lastIndexOf('.') + 1).replaceAll('-', ' ');
}

function findProblem(problems: readonly Diagnostic[], severity: Diagnostic['severity']): CardProblem | null {
  const first = problems.find((problem) => problem.severity === severity);
  return first === undefined ? null : { word: wordsOfCode(first.code), message: first.message };
}

function sentenceOf({ node, spec }: CardSource, error: CardProblem | null): readonly SummaryPart[] {
  if (error !== null) return [error.message];
  const summary = spec?.summary?.(node.config ?? {}, node.input);
  return summary ?? [node.description ?? spec?.description ?? ''];
}

function rowsOf({ config = {}, when }: NodeDoc): readonly CardRow[] {
  const rows = keySettings.flatMap(([key, label]): CardRow[] => {
    const value = config[key];
    return typeof value === 'string' || typeof value === 'number'
      ? [{ label, value: String(value), isCode: false }]
      : [];
  });
  const { tools } = config;
  if (isJsonList(tools) && tools.length > 0)
    rows.push({ label: 'Tools', value: tools.map(String).join(', '), isCode: false });
  if (when !== undefined) rows.push({ label: 'When', value: whenText(when), isCode: true });
  return rows.slice(0, mostRows);
}

function footerOf({ retry, timeoutMs = 0 }: NodePolicy = {}): CardFooter | null {
  const footer: CardFooter = {
    ...(retry !== undefined && retry.maxAttempts > 1 ? { attempts: retry.maxAttempts } : {}),
    ...(timeoutMs > 0 ? { timeLimit: limitText(timeoutMs) } : {}),
  };
  return Object.keys(footer).length === 0 ? null : footer;
}

function limitText(limitMs: number): string {
  if (limitMs < 1000) return `${limitMs} ms`;
  if (limitMs < 120_000) return `${limitMs / 1000} s`;
  return `${Math.round(limitMs / 6000) / 10} min`;
}

/** Whether a card has ways out beside that of its failure. */
function hasRoutes(branches: readonly CardBranch[]): boolean {
  return branches.some(({ route }) => route !== failedWay);
}

/**
 * The ways of a node, in the order of its file, and last that of its failure, if the file says that it goes on or an edge
 * leaves there; none for a node with one way, or with such that only a run will know.
 * @param keepsFailure the flow goes on when the node fails
 */
export function branchesOf(
  node: Pick<NodeDoc, 'input' | 'policy'>,
  spec: NodeTypeSpec | undefined,
  edges: readonly BranchEdge[],
  keepsFailure = true,
): readonly CardBranch[] {
  const branch = (route: string): CardBranch => {
    const own = edges.filter((edge) => edge.route === route);
    return { route, edges: own.map(({ id }) => id), targets: own.map(({ target }) => target) };
  };
  const branches = (spec?.routes?.(node.input) ?? []).map((route) => branch(wayOfRoute(route, spec)));
  const failed = branch(failedWay);
  if (node.policy?.continueOnError !== true && failed.edges.length === 0) return branches;
  return [...branches, keepsFailure ? failed : { ...failed, isDead: true }];
}
