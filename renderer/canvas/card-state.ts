/**
 * What a card shows beside its name: one state, the words at its icon, and what a screen reader says.
 */
import { explainWhen, type NodeState } from '../../engine/isomorphic.ts';
import type { ShownState } from '../stores/shown-state.ts';
import { durationText } from '../ui/quantity-text.ts';
import { stateWords, type VisualState } from '../ui/state-icon.tsx';
import { type CardContent, wordsOfCode } from './card-content.ts';

export interface CardState {
  readonly state: VisualState;
  /** Beside the icon; while it runs the elapsed time stands there instead. */
  readonly words: string;
  /** Why, in a whole sentence; null when the words say it all. */
  readonly cause: string | null;
}

/** Folds content and run into what is shown. `shown` is undefined when no run lies over the flow. */
export function cardState(content: CardContent, shown: ShownState | undefined, node: NodeState | undefined): CardState {
  if (node === undefined || shown === undefined) return stateUnreached(content, shown ?? 'idle');
  return { state: shown, words: wordsFor(shown, node), cause: causeOf(node) };
}

function stateUnreached({ error, isDisabled, type }: CardContent, shown: ShownState): CardState {
  if (error !== null) return { state: 'invalid', words: error.word, cause: error.message };
  if (isDisabled) return { state: 'disabled', words: stateWords.disabled, cause: null };
  return { state: shown, words: shown === 'idle' ? type : stateWords[shown], cause: null };
}

function wordsFor(state: ShownState, node: NodeState): string {
  if (state === 'completed' && node.durationMs !== undefined) return durationText(node.durationMs);
  if (state === 'failed' && node.error !== undefined) return wordsOfCode(node.error.code);
  if (state === 'retrying') return `attempt ${node.attempts}`;
  return stateWords[state];
}

function causeOf({ error, skip }: NodeState): string | null {
  if (error !== undefined) return error.message;
  if (skip === undefined) return null;
  return skip.detail === undefined ? `Skipped: ${skip.reason}` : `Skipped: ${explainWhen(skip.detail)}`;
}

/** What a screen reader says: `summarise, prompt, running`. The name comes first, as people look for it. */
export function cardLabel({ title, type }: CardContent, { state, words }: CardState): string {
  if (state === 'idle') return `${title}, ${type}`;
  return [title, type, stateWords[state], ...(words === stateWords[state] ? [] : [words])].join(', ');
}
