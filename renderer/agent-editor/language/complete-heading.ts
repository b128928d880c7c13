/**
 * Which section can begin at a line.
 */
import { scanAgent } from '../../../engine/isomorphic.ts';
import type { CompletionPlace, Proposal, Proposals } from './proposal.ts';
import { type Stage, skeletonOf, stages } from './stages.ts';

export function completeHeading({ before, code, text, offset }: CompletionPlace): Proposals {
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
