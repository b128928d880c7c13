/**
 * The anatomy of a card: which sections stand below its header, in which order, what they say and how high they are. The
 * card of the page, the pictures of it and the layout all take it from here.
 */
import type { SummaryPart } from '../../engine/isomorphic.ts';
import { failedWay, wayName } from '../stores/flow/ways.ts';
import type { CardBranch, CardContent, CardFooter, CardRow } from './card-content.ts';
import { cardMetrics } from './card-metrics.ts';

export type CardSection =
  | {
      readonly kind: 'sentence';
      readonly height: number;
      readonly parts: readonly SummaryPart[];
      readonly lines: number;
    }
  | { readonly kind: 'rows'; readonly height: number; readonly rows: readonly CardRow[] }
  | { readonly kind: 'stream'; readonly height: number; readonly text: string }
  | {
      readonly kind: 'branches';
      readonly height: number;
      readonly rowHeight: number;
      readonly rows: readonly BranchRow[];
    }
  | { readonly kind: 'footer'; readonly height: number; readonly facts: readonly FooterFact[] };

export interface BranchRow {
  readonly route: string;
  readonly name: string;
  /** That of a failure. */
  readonly isFailure: boolean;
  /** For who points at it. */
  readonly hint: string;
  /** What stands at the right. */
  readonly target: string;
  /** In a run; null while nobody knows. */
  readonly isTaken: boolean | null;
}

export interface FooterFact {
  readonly kind: 'attempts' | 'time-limit';
  readonly text: string;
  readonly hint: string | null;
}

/** What a run changes about the sections. */
export interface CardInRun {
  /** What it asks while it waits for a person, in place of its sentence. */
  readonly question: string | null;
  /** Text that streams into it, in place of its rows. */
  readonly streamed: string;
  /** The way out that it took. */
  readonly taken: string | null;
}

const atRest: CardInRun = { question: null, streamed: '', taken: null };

/** The sections of a card from top to bottom; none for a loop, which is the header of its container. */
export function cardSections(content: CardContent, run: CardInRun = atRest): readonly CardSection[] {
  if (content.bodySize !== null) return [];
  const { rowHeight, rowsPadding, streamHeight, footerHeight } = cardMetrics;
  const { sentence, sentenceLines: lines, rows, branches, footer } = content;
  const sections: CardSection[] = [];
  if (lines > 0) {
    const parts = run.question === null ? sentence : [run.question];
    sections.push({ kind: 'sentence', height: sentenceHeight(lines), parts, lines });
  }
  if (run.streamed !== '') sections.push({ kind: 'stream', height: streamHeight, text: run.streamed });
  else if (rows.length > 0) sections.push({ kind: 'rows', height: rows.length * rowHeight + rowsPadding, rows });
  if (branches.length > 0) {
    const height = branchRowHeight(branches.length);
    const ways = branches.map((branch) => branchRow(branch, run.taken));
    sections.push({ kind: 'branches', height: 1 + ways.length * height, rowHeight: height, rows: ways });
  }
  if (footer !== null) sections.push({ kind: 'footer', height: footerHeight, facts: footerFacts(footer) });
  return sections;
}

/** Pixels of a card with these sections. */
function heightWith(sections: readonly CardSection[]): number {
  const { border, headerHeight } = cardMetrics;
  return sections.reduce((sum, { height }) => sum + height, 2 * border + headerHeight);
}

/** Pixels of a card at rest. */
export function restHeight(content: CardContent): number {
  return content.bodySize === null ? heightWith(cardSections(content)) : cardMetrics.headerHeight;
}

/** How many lines of its sentence a card of this height has room for where its letters are large; absent = none. */
export function linesAfar(height: number): 1 | 2 | undefined {
  const { titleAfar, lineAfar } = cardMetrics;
  const lines = Math.floor((height - titleAfar) / lineAfar);
  if (lines < 1) return undefined;
  return lines > 1 ? 2 : 1;
}

/** Pixels by which a card grows at most: for an answer, while text streams into it, or for the line of what it gave. */
export function growthOf(content: CardContent): number {
  if (content.bodySize !== null) return 0;
  const { answerHeight, outputHeight } = cardMetrics;
  const forLine = content.mayWait ? Math.max(answerHeight, outputHeight) : outputHeight;
  if (!content.canStream) return forLine;
  const streaming = heightWith(cardSections(content, { ...atRest, streamed: 'text' }));
  return Math.max(forLine, streaming - restHeight(content));
}

/** Pixels from the top of a card to a section of it; to its foot when it has no such section. */
export function sectionTop(sections: readonly CardSection[], wanted: CardSection['kind']): number {
  let top: number = cardMetrics.border + cardMetrics.headerHeight;
  for (const { kind, height } of sections) {
    if (kind === wanted) break;
    top += height;
  }
  return top;
}

/** Pixels of so many lines of the sentence, with the room below them. */
function sentenceHeight(lines: number): number {
  return lines * cardMetrics.sentenceLineHeight + cardMetrics.sentencePadding;
}

/** Cards with more ways have lower rows. */
const mostHighRows = 8;

/** Pixels of each row, of a card with so many ways out. */
export function branchRowHeight(count: number): number {
  return count > mostHighRows ? cardMetrics.compactBranchHeight : cardMetrics.branchHeight;
}

function branchRow(branch: CardBranch, taken: string | null): BranchRow {
  const { route } = branch;
  return {
    route,
    name: wayName(route),
    isFailure: route === failedWay,
    hint: branchHint(branch),
    target: targetText(branch),
    isTaken: taken === null ? null : taken === route,
  };
}

function targetText({ route, targets, isDead }: CardBranch): string {
  if (isDead === true) return `${targets.join(', ')}, never`;
  if (targets.length > 0) return targets.join(', ');
  return route === failedWay ? 'continues on error' : 'ends here';
}

/** What a way is, in a sentence. */
export function branchHint({ route, isDead }: Pick<CardBranch, 'route' | 'isDead'>): string {
  if (route !== failedWay) return wayName(route);
  return isDead === true
    ? 'Never taken, because the run ends when this node fails: let it continue on error'
    : 'The way when this node fails, after all attempts';
}

function footerFacts({ attempts, timeLimit }: CardFooter): readonly FooterFact[] {
  const facts: FooterFact[] = [];
  if (attempts !== undefined) {
    const text = `${attempts} attempts`;
    facts.push({ kind: 'attempts', text, hint: null });
  }
  if (timeLimit !== undefined) {
    const hint = `Each attempt may take ${timeLimit}`;
    facts.push({ kind: 'time-limit', text: timeLimit, hint });
  }
  return facts;
}
