/**
 * Types of completions, and of the position for which they are requested.
 */
import type { AgentTextContext } from './agent-place.ts';

/** A completion. Offsets refer to the text; the range between them is replaced. */
export interface AgentCompletion {
  readonly label: string;
  readonly kind: 'function' | 'constant' | 'module' | 'field' | 'variable' | 'keyword' | 'value' | 'stage';
  readonly insert: string;
  /** `insert` contains tab stops: `$1`, and `$0` for the end. */
  readonly isSnippet?: true;
  /** Text next to the label, for example a signature. */
  readonly detail?: string;
  /** Description as markdown. */
  readonly doc?: string;
  /** Sorted before all others. */
  readonly isFirst?: true;
  readonly start: number;
  readonly end: number;
}

/** A completion without its range. */
export type Proposal = Omit<AgentCompletion, 'start' | 'end'>;

/** Proposals that replace the text from `start` on. */
export interface Proposals {
  readonly start: number;
  readonly list: readonly Proposal[];
}

/** Everything that is known about a position. */
export interface CompletionPlace extends AgentTextContext {
  readonly text: string;
  readonly offset: number;
  /** Returns the fields that a stage's script returns. */
  readonly fieldsOf: (stage: 'data' | 'beforeAll') => readonly string[];
}

/** Returns a tab stop for a snippet in Monaco's format, with a selected placeholder text. */
export function slot(text: string): string {
  return `$\{1:${literal(text)}}`;
}

/** Escapes text for literal use in a snippet. */
export function literal(text: string): string {
  return text.replaceAll(/[$}\\]/g, '\\$&');
}
