/**
 * Completions at a position of an agent file.
 */

import { scanAgent } from '../../../engine/isomorphic.ts';
import { fieldsOfStage, placeAt } from './agent-place.ts';
import { completeLua } from './complete-lua.ts';
import { completeOptions } from './complete-options.ts';
import { completePrompt } from './complete-prompt.ts';
import type { AgentCompletion, CompletionPlace, Proposal, Proposals } from './proposal.ts';
import { type Stage, skeletonOf, stages } from './stages.ts';

/**
 * Returns unfiltered proposals for a position; the editor removes those that do not match the typed text.
 * @param text with the line end `\n`
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

/** Proposes the sections that can begin at a line. */
function completeHeading({ before, code, text, offset }: CompletionPlace): Proposals {
  // Only at the end of a line that is, or may become, a heading.
  if (!/^#[\w ]*$/.test(before) || code.trimEnd().length > before.length) return { start: offset, list: [] };
  const written = new Set(scanAgent(text).sections.map(({ kind }) => kind));
  const list = stages.filter(({ kind, language }) => language === 'prompt' || !written.has(kind)).map(proposal);
  return { start: offset - before.length, list };
}

function proposal(stage: Stage): Proposal {
  const insert = skeletonOf(stage)
    .trimEnd()
    .replaceAll(/[$}\\]/g, '\\$&');
  return {
    label: `# ${stage.title}`,
    kind: 'stage',
    insert: `${insert}$0`,
    isSnippet: true,
    detail: stage.when,
    doc: stage.doc,
  };
}
