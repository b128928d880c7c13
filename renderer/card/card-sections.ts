/**
 * The structure of a card: the sections below its header, their order, content and height. Used by the card in the DOM,
 * its pictures and the layout.
 */
import type { SummaryPart } from '../../engine/isomorphic.ts';
import { failureBranch, wayName } from '../stores/flow/branches.ts';
import type { CardBranch, CardContent, CardFooter, CardRow, ComparedRow } from './card-content.ts';
import { cardMetrics } from './card-metrics.ts';
import { text } from './text.ts';

export type CardSection =
  | {
      readonly kind: 'sentence';
      readonly height: number;
      readonly parts: readonly SummaryPart[];
      readonly lines: number;
    }
  | { readonly kind: 'rows'; readonly height: number; readonly rows: readonly CardRow[] }
  | { readonly kind: 'stream'; readonly height: number; readonly text: string; readonly speed: string }
  | {
      readonly kind: 'branches';
      readonly height: number;
      readonly rowHeight: number;
      readonly rows: readonly BranchRow[];
    }
  | { readonly kind: 'compared'; readonly height: number; readonly rows: readonly ComparedRow[] }
  | { readonly kind: 'footer'; readonly height: number; readonly facts: readonly FooterFact[] };

export interface BranchRow {
  readonly route: string;
  readonly name: string;
  /** Whether this is the failure branch. */
  readonly isFailure: boolean;
  /** Tooltip. */
  readonly hint: string;
  /** Text on the right. */
  readonly target: string;
  /** Whether the branch was taken in a run. Null if it is not known. */
  readonly isTaken: boolean | null;
}

export interface FooterFact {
  readonly kind: 'attempts' | 'time-limit';
  readonly text: string;
  readonly hint: string | null;
}

/** The state of a run that changes the sections. */
export interface CardInRun {
  /** The question shown instead of the summary while the node waits for an answer. */
  readonly question: string | null;
  /** Streamed text shown instead of its rows. */
  readonly streamed: string;
  /** How fast the streamed text arrives. Empty if that is not known. */
  readonly speed: string;
  /** The branch that was taken. */
  readonly taken: string | null;
}

const atRest: CardInRun = { question: null, streamed: '', speed: '', taken: null };

/**
 * Returns the sections of a card from top to bottom. Empty for a loop, because its card is the header of its container.
 */
export function cardSections(content: CardContent, run: CardInRun = atRest): readonly CardSection[] {
  if (content.bodySize !== null) return [];
  const { rowHeight, rowsPadding, streamHeight, footerHeight } = cardMetrics;
  const { sentence, sentenceLines: lines, rows, branches, footer, compared } = content;
  const sections: CardSection[] = [];
  if (lines > 0) {
    const parts = run.question === null ? sentence : [run.question];
    sections.push({ kind: 'sentence', height: sentenceHeight(lines), parts, lines });
  }
  if (compared !== undefined) sections.push(...comparedSection(compared.rows));
  else if (run.streamed !== '')
    sections.push({ kind: 'stream', height: streamHeight, text: run.streamed, speed: run.speed });
  else if (rows.length > 0) sections.push({ kind: 'rows', height: rows.length * rowHeight + rowsPadding, rows });
  if (branches.length > 0) {
    const height = branchRowHeight(branches.length);
    const ways = branches.map((branch) => branchRow(branch, run.taken));
    sections.push({ kind: 'branches', height: 1 + ways.length * height, rowHeight: height, rows: ways });
  }
  if (footer !== null && compared === undefined)
    sections.push({ kind: 'footer', height: footerHeight, facts: footerFacts(footer) });
  return sections;
}

function comparedSection(rows: readonly ComparedRow[]): readonly CardSection[] {
  const { comparedRowHeight, comparedPadding } = cardMetrics;
  return rows.length === 0
    ? []
    : [{ kind: 'compared', height: rows.length * comparedRowHeight + comparedPadding, rows }];
}

/** Returns the height in pixels of a card with these sections. */
function heightWith(sections: readonly CardSection[]): number {
  const { border, headerHeight } = cardMetrics;
  return sections.reduce((sum, { height }) => sum + height, 2 * border + headerHeight);
}

/** Returns the height in pixels of a card at rest. */
export function restHeight(content: CardContent): number {
  return content.bodySize === null ? heightWith(cardSections(content)) : cardMetrics.headerHeight;
}

/** Returns how many lines of the summary fit on a card of this height with large text. Undefined if none do. */
export function linesAfar(height: number): 1 | 2 | undefined {
  const { titleAfar, lineAfar } = cardMetrics;
  const lines = Math.floor((height - titleAfar) / lineAfar);
  if (lines < 1) return undefined;
  return lines > 1 ? 2 : 1;
}

/**
 * Returns the maximum number of pixels by which a card grows: for an answer, for streamed text, or for the output line.
 */
export function growthOf(content: CardContent): number {
  if (content.bodySize !== null) return 0;
  const { answerHeight, outputHeight } = cardMetrics;
  const forLine = content.mayWait ? Math.max(answerHeight, outputHeight) : outputHeight;
  if (!content.canStream) return forLine;
  const streaming = heightWith(cardSections(content, { ...atRest, streamed: 'text' }));
  return Math.max(forLine, streaming - restHeight(content));
}

/** Returns the pixels from the top of a card to a section, or to its bottom if it has no such section. */
export function sectionTop(sections: readonly CardSection[], wanted: CardSection['kind']): number {
  let top: number = cardMetrics.border + cardMetrics.headerHeight;
  for (const { kind, height } of sections) {
    if (kind === wanted) break;
    top += height;
  }
  return top;
}

/** Returns the height in pixels of this many lines of the summary, including the padding below them. */
function sentenceHeight(lines: number): number {
  return lines * cardMetrics.sentenceLineHeight + cardMetrics.sentencePadding;
}

/** Cards with more branches have lower rows. */
const mostHighRows = 8;

/** Returns the height in pixels of each row on a card with this many branches. */
export function branchRowHeight(count: number): number {
  return count > mostHighRows ? cardMetrics.compactBranchHeight : cardMetrics.branchHeight;
}

function branchRow(branch: CardBranch, taken: string | null): BranchRow {
  const { route } = branch;
  return {
    route,
    name: wayName(route),
    isFailure: route === failureBranch,
    hint: branchHint(branch),
    target: targetText(branch),
    isTaken: taken === null ? null : taken === route,
  };
}

function targetText({ route, targets, isDead, isRefusal }: CardBranch): string {
  if (isDead === true) return text.branches.never({ targets: targets.join(', ') });
  if (targets.length > 0) return targets.join(', ');
  if (isRefusal === true) return text.branches.fails;
  return route === failureBranch ? text.branches.continues : text.branches.ends;
}

/** Describes a branch in a sentence. */
export function branchHint({ route, isDead }: Pick<CardBranch, 'route' | 'isDead'>): string {
  if (route !== failureBranch) return wayName(route);
  return isDead === true ? text.branches.deadHint : text.branches.failureHint;
}

function footerFacts({ attempts, timeLimit }: CardFooter): readonly FooterFact[] {
  const facts: FooterFact[] = [];
  if (attempts !== undefined) {
    facts.push({ kind: 'attempts', text: text.footer.attempts({ count: attempts }), hint: null });
  }
  if (timeLimit !== undefined) {
    const hint = text.footer.timeout({ limit: timeLimit });
    facts.push({ kind: 'time-limit', text: timeLimit, hint });
  }
  return facts;
}
