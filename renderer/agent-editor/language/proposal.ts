/**
 * What completion proposes, and the place that it is asked for.
 */
import type { AgentPlace } from './agent-place.ts';

/** One proposal. Offsets are those of the text; what stands between them is replaced. */
export interface AgentCompletion {
  readonly label: string;
  readonly kind: 'function' | 'constant' | 'module' | 'field' | 'variable' | 'keyword' | 'value' | 'stage';
  readonly insert: string;
  /** `insert` has places to go to: `$1`, and `$0` for the end. */
  readonly isSnippet?: true;
  /** Beside the label, for example a signature. */
  readonly detail?: string;
  /** Markdown. */
  readonly doc?: string;
  /** Comes before all others. */
  readonly isFirst?: true;
  readonly start: number;
  readonly end: number;
}

/** A proposal before it is known where it goes. */
export type Proposal = Omit<AgentCompletion, 'start' | 'end'>;

/** Proposals for what stands from `start` on. */
export interface Proposals {
  readonly start: number;
  readonly list: readonly Proposal[];
}

/** All that is known of a place. */
export interface CompletionPlace extends AgentPlace {
  readonly text: string;
  readonly offset: number;
  /** Fields that a stage's script is seen to return. */
  readonly fieldsOf: (stage: 'data' | 'beforeAll') => readonly string[];
}

/** A place of a snippet to go to, as Monaco writes it; it holds a text, which is marked there. */
export function slot(text: string): string {
  return `$\{1:${literal(text)}}`;
}

/** A text that stands in a snippet as it is. */
export function literal(text: string): string {
  return text.replaceAll(/[$}\\]/g, '\\$&');
}
