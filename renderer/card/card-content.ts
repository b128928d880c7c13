/**
 * The content of a card at rest, computed from the node in the file, its type, and its problems.
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
  type RunSide,
  type SummaryPart,
  whenText,
} from '../../engine/isomorphic.ts';
import { failureBranch, wayOfRoute } from '../stores/flow/branches.ts';
import type { TileCategory, TileIcon } from '../ui/node-tile.tsx';
import type { VisualState } from '../ui/state-icon.tsx';
import { cardMetrics } from './card-metrics.ts';
import { text } from './text.ts';
import { countLines } from './text-fit.ts';

export interface CardRow {
  readonly label: string;
  readonly value: string;
  /** Whether to use a monospace font. */
  readonly isCode: boolean;
}

interface CardProblem {
  /** Two or three words from the problem code: `unknown type`. */
  readonly word: string;
  /** The full message. */
  readonly message: string;
}

/** Facts in the footer. Undefined ones are not drawn. */
export interface CardFooter {
  /** Total number of attempts, if there is more than one. */
  readonly attempts?: number;
  /** Time limit of an attempt, as text. */
  readonly timeLimit?: string;
}

/** A branch of a card, shown as a separate row. */
export interface CardBranch {
  /** As defined in `branches.ts`. */
  readonly route: string;
  /** Set for the failure branch of a node that ends the run when it fails: the branch is never taken. */
  readonly isDead?: true;
  /** Set for the branch of a rejection without an edge: the node fails when a person rejects. */
  readonly isRefusal?: true;
  /** Edges of the branch, as in the events of a run. */
  readonly edges: readonly string[];
  /** Titles of the target cards. Empty if the flow ends there. */
  readonly targets: readonly string[];
}

/** An edge that belongs to a branch of a node. */
interface BranchEdge {
  readonly id: string;
  /** Title of the target card. */
  readonly target: string;
  readonly route: string | null;
}

/** What a card shows about two compared runs. */
export interface ComparedCard {
  /** Such as `output differs`. */
  readonly word: string;
  readonly isSame: boolean;
  /** The run to which the card belongs: the only one whose flow has it. */
  readonly onlyIn: RunSide | null;
  /** A line for each run. Empty for a card without differences. */
  readonly rows: readonly ComparedRow[];
}

/** What one run reports about a node. */
export interface ComparedRow {
  readonly side: RunSide;
  readonly state: VisualState;
  readonly words: string;
  readonly time: string;
  readonly tokens: string;
  readonly cost: string;
}

export interface CardContent {
  readonly nodeId: string;
  readonly title: string;
  /** Type as written in the file. */
  readonly type: string;
  readonly category: TileCategory;
  readonly icon: TileIcon;
  readonly sentence: readonly SummaryPart[];
  readonly sentenceLines: number;
  readonly rows: readonly CardRow[];
  /** The branches, if the node has several. */
  readonly branches: readonly CardBranch[];
  /** Whether the node has branches and all of its edges belong to them. */
  readonly leavesByRows: boolean;
  readonly footer: CardFooter | null;
  /** Set while two runs are compared. */
  readonly compared?: ComparedCard;
  /** Whether the node has no predecessor. */
  readonly isStart: boolean;
  readonly isDisabled: boolean;
  /** The first error. A card with an error is drawn as invalid. */
  readonly error: CardProblem | null;
  readonly warning: CardProblem | null;
  /** Whether the run continues if the node fails. */
  readonly isTolerated: boolean;
  /** For a loop: the number of nodes in its body. Null for every other card. */
  readonly bodySize: number | null;
  /** Text beside the name while nothing runs: the type, or what a loop iterates over. */
  readonly restWords: string;
  /** Whether the node may ask a person whether to run again, which makes its card grow. */
  readonly mayWait: boolean;
  /** Whether the node streams text while it runs, which makes its card grow. */
  readonly canStream: boolean;
}

/** The data from which a card is created. */
export interface CardSource {
  readonly node: NodeDoc;
  /** Undefined for an unknown type. */
  readonly spec: NodeTypeSpec | undefined;
  /** Problems of this node. */
  readonly problems: readonly Diagnostic[];
  readonly branches: readonly CardBranch[];
  /** Number of outgoing edges. */
  readonly edgesOut: number;
  readonly isStart: boolean;
  readonly isTolerated: boolean;
  /** For a loop: the number of nodes in its body. */
  readonly bodySize: number | null;
}

const mostSentenceLines = 2;
const mostRows = 3;
/** Settings that users look for on the card, with their labels. */
const keySettings: readonly (readonly [key: string, label: string])[] = [
  ['model', text.rows.model],
  ['temperature', text.rows.temperature],
];

/** Creates the content of one card. */
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

/** Returns text such as `each note, 4 at a time`, or `until review.passes is true`. */
function loopText({ type, input: { as, maxParallel, until, while: during } }: NodeDoc): string {
  if (type === passLoop) {
    return [endText(text.loop.until, until), endText(text.loop.while, during)].filter(Boolean).join(', ');
  }
  const name = typeof as === 'string' && as !== '' ? as : 'item';
  return typeof maxParallel === 'number' && maxParallel > 1
    ? text.loop.eachParallel({ name, count: maxParallel })
    : text.loop.each({ name });
}

/** Returns an empty string if the value is not a valid condition. */
function endText(sentence: typeof text.loop.until, value: JsonValue | undefined): string {
  const condition = conditionText(value);
  return condition === undefined ? '' : sentence({ condition });
}

/** Returns the last part of a code as words: `node.unknown-type` → `unknown type`. */
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
    rows.push({ label: text.rows.tools, value: tools.map(String).join(', '), isCode: false });
  if (when !== undefined) rows.push({ label: text.rows.when, value: whenText(when), isCode: true });
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
  if (limitMs < 1000) return text.footer.milliseconds({ count: limitMs });
  if (limitMs < 120_000) return text.footer.seconds({ count: limitMs / 1000 });
  return text.footer.minutes({ count: Math.round(limitMs / 6000) / 10 });
}

/** Returns whether a card has branches other than the failure branch. */
function hasRoutes(branches: readonly CardBranch[]): boolean {
  return branches.some(({ route }) => route !== failureBranch);
}

/**
 * Returns the branches of a node in file order. The failure branch comes last, if the flow continues after a failure or
 * an edge starts there. Empty for a node with a single branch, or with branches that are known only at run time.
 * @param keepsFailure whether the flow continues when the node fails
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
  const isRefusal = (route: string): boolean =>
    spec?.type === 'human_approval' && route === 'rejected' && edges.every((edge) => edge.route === 'approved');
  const branches = (spec?.routes?.(node.input) ?? []).map((route): CardBranch => {
    const one = branch(wayOfRoute(route, spec));
    return isRefusal(route) ? { ...one, isRefusal: true } : one;
  });
  const failed = branch(failureBranch);
  if (node.policy?.continueOnError !== true && failed.edges.length === 0) return branches;
  return [...branches, keepsFailure ? failed : { ...failed, isDead: true }];
}
