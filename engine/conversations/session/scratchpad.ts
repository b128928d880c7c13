/**
 * Manages the findings of a session's flows, as short sentences. Every decision about how to continue considers them.
 */
import { cutText } from '../../base/cut-text.ts';
import { type OperationDraft, type OperationOutcome, refuse } from './operation.ts';
import type { FlowInstance, SessionState } from './session-state.ts';

/** Maximum number of notes per flow; additional ones are omitted. */
const mostNotesOfFlow = 5;

/** Maximum number of characters of a note. */
const longestNote = 400;

type Writer = Pick<FlowInstance, 'flowId' | 'flowName'>;

/** Records the findings of a flow: sentences without duplicates, up to the limit. */
export function writeNotes(draft: OperationDraft, { flowId, flowName }: Writer, texts: readonly string[]): void {
  const held = draft.state.scratchpad.filter((entry) => entry.flowId === flowId);
  const sentences = [...new Set(texts.map(noteText))].filter(
    (text) => text !== '' && !held.some((entry) => entry.text === text),
  );
  const entries = numbered(draft.state, sentences.slice(0, Math.max(0, mostNotesOfFlow - held.length)));
  if (entries.length > 0) draft.emit({ type: 'scratchpad:write', flowId, flowName, entries, replaces: [] });
}

/**
 * Replaces old notes with new ones.
 * @returns refused as `scratchpad.stale` if one of the old notes no longer exists, because the caller has read outdated
 * notes
 */
export function mergeNotes(
  state: SessionState,
  {
    flow,
    replaces,
    texts,
  }: { readonly flow: Writer; readonly replaces: readonly string[]; readonly texts: readonly string[] },
): OperationOutcome {
  const known = new Set(state.scratchpad.map(({ id }) => id));
  if (!replaces.every((id) => known.has(id)))
    return refuse('scratchpad.stale', 'Some of the notes to combine no longer exist. Read them again.');
  const { flowId, flowName } = flow;
  const entries = numbered(
    state,
    [...new Set(texts.map(noteText))].filter((text) => text !== ''),
  );
  if (entries.length === 0 && replaces.length === 0) return { events: [] };
  return { events: [{ type: 'scratchpad:write', flowId, flowName, entries, replaces }] };
}

/** Marks notes as used, so that they are kept longer than others. */
export function useNotes(state: SessionState, ids: readonly string[]): OperationOutcome {
  const known = ids.filter((id) => state.scratchpad.some((entry) => entry.id === id));
  return { events: known.length === 0 ? [] : [{ type: 'scratchpad:use', ids: known }] };
}

function noteText(text: string): string {
  return cutText(text.trim().replaceAll(/\s+/g, ' '), longestNote);
}

function numbered({ noteCount }: SessionState, texts: readonly string[]): readonly { id: string; text: string }[] {
  return texts.map((text, index) => ({ id: `n${noteCount + index + 1}`, text }));
}
