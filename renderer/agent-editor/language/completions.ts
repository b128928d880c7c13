/**
 * What can be written at a place of an agent file.
 */
import { fieldsOfStage, placeAt } from './agent-place.ts';
import { completeHeading } from './complete-heading.ts';
import { completeLua } from './complete-lua.ts';
import { completeOptions } from './complete-options.ts';
import { completePrompt } from './complete-prompt.ts';
import type { AgentCompletion, CompletionPlace, Proposals } from './proposal.ts';

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
