/**
 * Built-in housekeeping that needs no model: removes unneeded notes, and state of flows that no longer exist.
 */
import type { InternalResult } from './internal-flows.ts';
import type { SessionEvent } from './session-event.ts';
import type { SessionState } from './session-state.ts';

/** Number of notes to keep. This is less than the size of the scratchpad, so that new notes do not displace others. */
const keptNotes = 48;

/** Finds notes that a later note repeats, and notes beyond the limit. The `result` contains their number. */
export function memoryCleanup({ scratchpad }: SessionState): Pick<InternalResult, 'result' | 'entries' | 'replaces'> {
  const core = (text: string) =>
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
  const lastWith = new Map(scratchpad.map(({ id, text }) => [core(text), id]));
  const echoes = scratchpad.filter(({ id, text }) => lastWith.get(core(text)) !== id);
  const others = scratchpad.filter((entry) => !echoes.includes(entry));
  const surplus = others.slice(0, Math.max(0, others.length - keptNotes));
  const replaces = [...echoes, ...surplus].map(({ id }) => id);
  return { result: { removed: replaces.length }, entries: [], replaces };
}

/** Repairs the state: closes a question about a flow that no longer exists. */
export function stateRepair({ ambiguity, stack }: SessionState): readonly SessionEvent[] {
  const isOrphan = ambiguity?.flowId !== null && !stack.some(({ flowId }) => flowId === ambiguity?.flowId);
  return ambiguity !== null && isOrphan
    ? [{ type: 'ambiguity:resolved', level: ambiguity.level, by: 'state_repair' }]
    : [];
}
