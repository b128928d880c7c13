/**
 * Housekeeping that comes with the program and needs no model: which notes are not needed any more, and what belongs to flows
 * that are gone.
 */
import type { InternalResult } from './internal-flows.ts';
import type { SessionEvent } from './session-event.ts';
import type { SessionState } from './session-state.ts';

/** Notes that are kept: with less than the scratchpad holds, the next flows push nothing out. */
const keptNotes = 48;

/** Which notes say what a later one says too, and which are too many: the `result` counts them. */
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

/** What makes a state right again: a question about a flow that is gone is open no more. */
export function stateRepair({ ambiguity, stack }: SessionState): readonly SessionEvent[] {
  const isOrphan = ambiguity?.flowId !== null && !stack.some(({ flowId }) => flowId === ambiguity?.flowId);
  return ambiguity !== null && isOrphan
    ? [{ type: 'ambiguity:resolved', level: ambiguity.level, by: 'state_repair' }]
    : [];
}
