/**
 * What the flows of a session have found out, in sentences: short, and read by all that decides how to go on.
 */
import { cutText } from '../base/cut-text.ts';
import { type Draft, type Outcome, refuse } from './operation.ts';
import type { FlowInstance, SessionState } from './session-state.ts';

/** Notes of one flow; what is beyond them is left out. */
const mostNotesOfFlow = 5;

/** Characters of a note. */
const longestNote = 400;

type Writer = Pick<FlowInstance, 'flowId' | 'flowName'>;

/** Writes what a flow has found out: sentences, each once, as many as it may have. */
export function writeNotes(draft: Draft, { flowId, flowName }: Writer, texts: readonly string[]): void {
  const held = draft.state.scratchpad.filter((entry) => entry.flowId === flowId);
  const sentences = [...new Set(texts.map(noteText))].filter(
    (text) => text !== '' && !held.some((entry) => entry.text === text),
  );
  const entries = numbered(draft.state, sentences.slice(0, Math.max(0, mostNotesOfFlow - held.length)));
  if (entries.length > 0) draft.emit({ type: 'scratchpad:write', flowId, flowName, entries, replaces: [] });
}

/**
 * Puts new notes in the place of old ones.
 * @returns refused as `scratchpad.stale` when one of the old ones is gone: whoever asks has read something that is not so any more
 */
export function mergeNotes(
  state: SessionState,
  {
    flow,
    replaces,
    texts,
  }: { readonly flow: Writer; readonly replaces: readonly string[]; readonly texts: readonly string[] },
): Outcome {
  const known = new Set(state.scratchpad.map(({ id }) => id));
  if (!replaces.every((id) => known.has(id)))
    return refuse('scratchpad.stale', 'Notes that are to be put together are not there any more. Read them again.');
  const { flowId, flowName } = flow;
  const entries = numbered(
    state,
    [...new Set(texts.map(noteText))].filter((text) => text !== ''),
  );
  if (entries.length === 0 && replaces.length === 0) return { events: [] };
  return { events: [{ type: 'scratchpad:write', flowId, flowName, entries, replaces }] };
}

/** Says that notes were read for something, so that they stay longer than others. */
export function useNotes(state: SessionState, ids: readonly string[]): Outcome {
  const known = ids.filter((id) => state.scratchpad.some((entry) => entry.id === id));
  return { events: known.length === 0 ? [] : [{ type: 'scratchpad:use', ids: known }] };
}

function noteText(text: string): string {
  return cutText(text.trim().replaceAll(/\s+/g, ' '), longestNote);
}

function numbered({ noteCount }: SessionState, texts: readonly string[]): readonly { id: string; text: string }[] {
  return texts.map((text, index) => ({ id: `n${noteCount + index + 1}`, text }));
}
