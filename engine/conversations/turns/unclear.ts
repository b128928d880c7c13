/**
 * Declares the questions that a turn asks the person, and determines when asking again would not help.
 */

import { helpText } from '../meaning/acknowledgement.ts';
import { declareAmbiguity, isEscalationDue, missingSlotAmbiguity, resolveAmbiguity } from '../meaning/ambiguity.ts';
import { type AmbiguityRecord, type FlowInstance, isSameQuestion } from '../session/session-state.ts';
import type { TurnContext } from './turn-context.ts';

/** The ambiguity of a message whose meaning is unknown. */
export const unclear: AmbiguityRecord = { level: 'general', flowId: null, metadata: {}, observation: '' };

/** Declares an ambiguity, unless the same question is already open. */
export function declare(turn: TurnContext, record: AmbiguityRecord): void {
  const { ambiguity } = turn.state;
  const isSame = isSameQuestion(ambiguity, record) && record.metadata['reason'] === ambiguity?.metadata['reason'];
  if (!isSame) turn.journal.take(declareAmbiguity(turn.state, record));
}

/**
 * Declares that the meaning of a message is unclear. A flow's question stays open and is asked again. A general
 * question that was asked too often is replaced by a list of available flows.
 */
export function unclearTo(turn: TurnContext, record: AmbiguityRecord): false {
  const { ambiguity } = turn.state;
  const isAsked = ambiguity !== null && ambiguity.flowId !== null && turn.active?.flowId === ambiguity.flowId;
  if (isAsked && record.level === 'general') {
    const { reason } = record.metadata;
    turn.acknowledge(`I did not understand that.${typeof reason === 'string' && reason !== '' ? ` (${reason})` : ''}`);
    return false;
  }
  declare(turn, record);
  if (!isEscalationDue(turn.state, turn.catalogue)) return false;
  turn.journal.take(resolveAmbiguity(turn.state, 'escalation'));
  turn.acknowledge(helpText(turn.catalogue));
  return false;
}

/** Returns what a flow still needs before it can run, as a question; undefined if nothing is missing. */
export function missingOf(turn: TurnContext, flow: FlowInstance): AmbiguityRecord | undefined {
  const type = turn.typeOf(flow);
  if (type === undefined) return undefined;
  const look = new type.Flow(flow);
  const missing = look.missingSlots();
  // The host program's class may require more values than the catalog. The person is asked for the first missing one.
  const wanted = missing.length > 0 || look.isFilled() ? missing : look.emptySlots().slice(0, 1);
  return missingSlotAmbiguity(flow.flowId, wanted, rejectionsOf(turn, flow));
}

/** Returns the problems, by slot, of the values that this turn provided for a flow's slots. */
export function rejectionsOf(
  { journal }: TurnContext,
  { flowId }: Pick<FlowInstance, 'flowId'>,
): ReadonlyMap<string, string> {
  return new Map(
    journal.told.flatMap((event) =>
      event.type === 'slot:rejected' && event.flowId === flowId ? [[event.slot, event.problem] as const] : [],
    ),
  );
}
