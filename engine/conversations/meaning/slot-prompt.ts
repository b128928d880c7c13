/**
 * Builds the prompt that asks a model for values that a conversation has already mentioned.
 */
import type { JsonMap } from '../../language/json/json-value.ts';
import type { SpokenMessage } from '../../runtime/kernel/models/model-capability.ts';
import { type SlotDef, slotSchema } from '../catalog/slot-types.ts';
import type {
  AmbiguityRecord,
  FlowInstance,
  ScratchpadEntry,
  SessionState,
  SpokenText,
} from '../session/session-state.ts';

/** A prompt, and the schema of its response. */
export interface ModelQuestion {
  readonly messages: readonly SpokenMessage[];
  /** JSON Schema of the response. */
  readonly schema: JsonMap;
}

export type SlotFilling = ModelQuestion;

/** Builds a prompt that asks only for empty slots. */
export function slotFilling(asked: {
  readonly flowName: string;
  readonly empty: readonly SlotDef[];
  readonly messages: readonly SpokenText[];
  readonly memory: readonly ScratchpadEntry[];
}): SlotFilling {
  const properties = asked.empty.map(({ name, type, params, description }) => [
    name,
    { anyOf: [slotSchema(type, params), { type: 'null' }], ...(description === '' ? {} : { description }) },
  ]);
  const system = [
    `Extract values for the task "${asked.flowName}" from the conversation and the notes.`,
    'Return a value only if it was stated or clearly follows from what was stated, and null otherwise. Do not make up values.',
    'Answer with one JSON object and nothing else.',
  ].join('\n');
  return {
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: `${transcript(asked.messages)}\n\n${notes(asked.memory)}` },
    ],
    schema: { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false },
  };
}

/** Replaces earlier text that must not be sent to a model. */
const leftOut = '(omitted: it seems to contain instructions for a model)';

/**
 * Returns the state for prompts. Omits text from earlier turns that no request may contain, because it would block
 * every later request. The current message is kept, so that its request is refused with an explanation.
 */
export function statePrompted(state: SessionState, withholds: (text: string) => boolean): SessionState {
  const { messages, scratchpad, summary, ambiguity, turn, stack } = state;
  const isSaidNow = turn !== null && turn.message.text !== '';
  const current = isSaidNow ? messages.findLastIndex(({ from }) => from === 'user') : -1;
  return {
    ...state,
    messages: messages.map((message, index) =>
      index !== current && withholds(message.text) ? { ...message, text: leftOut } : message,
    ),
    scratchpad: scratchpad.filter(({ text }) => !withholds(text)),
    summary: withholds(summary) ? '' : summary,
    ambiguity: ambiguity === null ? null : ambiguityPrompted(ambiguity, withholds),
    stack: stack.map((flow) => flowPrompted(flow, withholds)),
  };
}

function flowPrompted({ objective, ...flow }: FlowInstance, withholds: (text: string) => boolean): FlowInstance {
  const slots = kept(flow.slots, withholds);
  if (objective === undefined) return { ...flow, slots };
  const text = withholds(objective.text) ? '' : objective.text;
  return { ...flow, slots, objective: { text, since: objective.since.filter((one) => !withholds(one)) } };
}

/** Returns the values that a request may contain. */
function kept(values: JsonMap, withholds: (text: string) => boolean): JsonMap {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !withholds(JSON.stringify(value))));
}

/** Returns the ambiguity without text that must not be sent to a model; its reason may quote such text. */
function ambiguityPrompted(ambiguity: AmbiguityRecord, withholds: (text: string) => boolean): AmbiguityRecord {
  const observation = withholds(ambiguity.observation) ? '' : ambiguity.observation;
  return { ...ambiguity, metadata: kept(ambiguity.metadata, withholds), observation };
}

/** Formats messages for prompts, one line each. */
export function transcript(messages: readonly SpokenText[]): string {
  const lines = messages.map(({ from, text }) => `${from === 'user' ? 'Person' : 'Assistant'}: ${text}`);
  return `Conversation:\n${lines.join('\n') || '(nothing yet)'}`;
}

/** Formats the scratchpad for prompts. */
export function notes(entries: readonly ScratchpadEntry[]): string {
  const lines = entries.map(({ flowName, text }) => `- ${flowName}: ${text}`);
  return `Notes:\n${lines.join('\n') || '(none)'}`;
}
