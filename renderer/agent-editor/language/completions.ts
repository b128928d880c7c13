/**
 * What can be written at a place of an agent file.
 */
import { type AgentPlace, fieldsOfStage, placeAt } from './agent-place.ts';
import { completeHeading } from './complete-heading.ts';
import { completeLua } from './complete-lua.ts';
import { completeOptions } from './complete-options.ts';
import { completePrompt } from './complete-prompt.ts';

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

/** All that can be told of a place. */
export interface CompletionPlace extends AgentPlace {
  readonly text: string;
  readonly offset: number;
  /** Fields that a stage's script is seen to return. */
  readonly fieldsOf: (stage: 'data' | 'beforeAll') => readonly string[];
}

/**
 * Proposals for a place, unfiltered: the editor leaves out what does not fit what is written already.
 * @param text lines end in `\n`
 */
export function completeAgent(text: string, offset: number): readonly AgentCompletion[] {
  const place = {
    ...placeAt(text, offset),
    text,
    offset,
    fieldsOf: (stage: 'data' | 'beforeAll') => fieldsOfStage(text, stage),
  };
  const { start, list } = proposalsAt(place);
  return list.map((proposal) => ({ ...proposal, start, end: offset }));
}

function proposalsAt(place: CompletionPlace): Proposals {
  if (place.kind === 'lua') return completeLua(place);
  if (place.kind === 'toml') return completeOptions(place);
  if (place.kind === 'prompt') return completePrompt(place);
  return completeHeading(place);
}
