/**
 * What is not clear, how it is said, and when asking again is no use.
 */
import type { JsonValue } from '../flowspec/json-value.ts';
import type { Catalogue } from './catalogue.ts';
import { type Outcome, refuse } from './operation.ts';
import { type AmbiguityLevel, type AmbiguityRecord, isAboutElse, type SessionState } from './session-state.ts';
import { slotQuestion } from './slot-question.ts';
import type { SlotDef } from './slot-types.ts';

/** From what is known least to what is known best. */
export const ambiguityLevels: readonly AmbiguityLevel[] = ['general', 'partial', 'specific', 'confirmation'];

/**
 * Declares that something is not clear. It takes the place of what was not clear before.
 * @returns refused as `ambiguity.bad-level`
 */
export function declareAmbiguity(
  _state: SessionState,
  record: Omit<AmbiguityRecord, 'observation' | 'metadata'> &
    Partial<Pick<AmbiguityRecord, 'observation' | 'metadata'>>,
): Outcome {
  const { level, flowId, metadata = {}, observation = '' } = record;
  if (!ambiguityLevels.includes(level))
    return refuse('ambiguity.bad-level', `A level is one of ${ambiguityLevels.join(', ')}, not "${level}".`);
  return { events: [{ type: 'ambiguity:declared', level, flowId, metadata, observation }] };
}

/**
 * What a flow lacks as an ambiguity: undefined when it lacks nothing.
 * @param rejected what was wrong with what has just been given, by slot
 */
export function missingSlotAmbiguity(
  flowId: string,
  missing: readonly SlotDef[],
  rejected: ReadonlyMap<string, string> = new Map(),
): AmbiguityRecord | undefined {
  const [first] = missing;
  if (first === undefined) return undefined;
  const others = missing.map(({ name }) => name);
  const reason = rejected.get(first.name);
  const metadata = {
    missing_slot: first.name,
    missing_slots: others,
    type: first.typeName,
    question: slotQuestion(first),
    ...(reason === undefined ? {} : { reason }),
  };
  return { level: 'specific', flowId, metadata, observation: '' };
}

/**
 * It is clear now; what was counted stays.
 * @param by what has made it clear, for example `person`, `reroute` or `skip`
 */
export function resolveAmbiguity({ ambiguity }: SessionState, by: string): Outcome {
  return { events: ambiguity === null ? [] : [{ type: 'ambiguity:resolved', level: ambiguity.level, by }] };
}

/** Whether the same thing has been unclear for so many turns that another question would not help. */
export function isEscalationDue(state: SessionState, { thresholds }: Catalogue): boolean {
  const { ambiguity, ambiguousTurns } = state;
  return ambiguity !== null && ambiguousTurns >= thresholds.escalationTurns && !isAboutElse(state);
}

/** Whether there is a way on without the person: without any idea of what is meant there is none. */
export function hasRecourse({ level }: Pick<AmbiguityRecord, 'level'>): boolean {
  return level !== 'general';
}

/** The question that is put to the person, where nobody has worded a better one. */
export function questionOf({ level, metadata, observation }: AmbiguityRecord): string {
  if (observation !== '') return observation;
  const { missing_slot, missing_entity, candidate, reason, question } = metadata;
  switch (level) {
    case 'general':
      return `I am not sure what you would like me to do.${because(reason)} Could you say it in other words?`;
    case 'partial':
      return `Which ${wordsOf(missing_entity, 'one')} do you mean?`;
    case 'specific':
      return `${textOr(question, `Which ${wordsOf(missing_slot, 'value')}?`)}${because(reason)}`;
    case 'confirmation':
      return `Do you mean ${wordsOf(candidate, 'this')}?`;
  }
}

function textOr(value: JsonValue | undefined, otherwise: string): string {
  return typeof value === 'string' && value !== '' ? value : otherwise;
}

function wordsOf(value: JsonValue | undefined, otherwise: string): string {
  if (typeof value === 'string' && value !== '') return value.replaceAll('_', ' ');
  return value === undefined || value === null || value === '' ? otherwise : JSON.stringify(value);
}

function because(reason: JsonValue | undefined): string {
  return typeof reason === 'string' && reason !== '' ? ` (${reason})` : '';
}
