/**
 * Declares and words ambiguities, and determines when asking again does not help.
 */
import type { JsonValue } from '../../language/json/json-value.ts';
import type { Catalogue } from '../catalog/catalogue.ts';
import type { SlotDef } from '../catalog/slot-types.ts';
import { type OperationOutcome, refuse } from '../session/operation.ts';
import { type AmbiguityLevel, type AmbiguityRecord, isAboutElse, type SessionState } from '../session/session-state.ts';
import { slotQuestion } from './slot-question.ts';

/** Levels, from the least to the most specific. */
export const ambiguityLevels: readonly AmbiguityLevel[] = ['general', 'partial', 'specific', 'confirmation'];

/**
 * Declares an ambiguity, which replaces the previous one.
 * @returns refused as `ambiguity.bad-level`
 */
export function declareAmbiguity(
  _state: SessionState,
  record: Omit<AmbiguityRecord, 'observation' | 'metadata'> &
    Partial<Pick<AmbiguityRecord, 'observation' | 'metadata'>>,
): OperationOutcome {
  const { level, flowId, metadata = {}, observation = '' } = record;
  if (!ambiguityLevels.includes(level))
    return refuse('ambiguity.bad-level', `The level must be one of ${ambiguityLevels.join(', ')}, not "${level}".`);
  return { events: [{ type: 'ambiguity:declared', level, flowId, metadata, observation }] };
}

/**
 * Returns the ambiguity for a flow's missing slots; undefined if none are missing.
 * @param rejected problems of the values that were just provided, by slot
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
 * Resolves the ambiguity without resetting its counter.
 * @param by what resolved it, such as `person`, `reroute` or `skip`
 */
export function resolveAmbiguity({ ambiguity }: SessionState, by: string): OperationOutcome {
  return { events: ambiguity === null ? [] : [{ type: 'ambiguity:resolved', level: ambiguity.level, by }] };
}

/** Returns whether the same ambiguity has lasted so many turns that another question would not help. */
export function isEscalationDue(state: SessionState, { thresholds }: Catalogue): boolean {
  const { ambiguity, ambiguousTurns } = state;
  return ambiguity !== null && ambiguousTurns >= thresholds.escalationTurns && !isAboutElse(state);
}

/** Returns whether there is a way to continue without the person, which requires some idea of the meaning. */
export function hasRecourse({ level }: Pick<AmbiguityRecord, 'level'>): boolean {
  return level !== 'general';
}

/** Returns the default question for the person. */
export function questionOf({ level, metadata, observation }: AmbiguityRecord): string {
  if (observation !== '') return observation;
  const { missing_slot, missing_entity, candidate, reason, question } = metadata;
  switch (level) {
    case 'general':
      return `I'm not sure what you would like me to do.${because(reason)} Could you rephrase that?`;
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
