/**
 * How a model is asked for the values that a conversation holds already.
 */
import type { JsonMap } from '../flowspec/json-value.ts';
import type { SpokenMessage } from '../kernel/model-capability.ts';
import type { ScratchpadEntry, SpokenText } from './session-state.ts';
import { type SlotDef, slotSchema } from './slot-types.ts';

/** What goes to a model, and what its answer is to fit. */
export interface ModelQuestion {
  readonly messages: readonly SpokenMessage[];
  /** JSON Schema. */
  readonly schema: JsonMap;
}

export type SlotFilling = ModelQuestion;

/** The question for slots that are empty, and for no others. */
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
    `Read values for the task "${asked.flowName}" out of the conversation and the notes.`,
    'Give a value only where it was said or follows plainly from what was said, and null everywhere else. Make nothing up.',
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

/** What was said, a line for each, as prompts show it. */
export function transcript(messages: readonly SpokenText[]): string {
  const lines = messages.map(({ from, text }) => `${from === 'user' ? 'Person' : 'Assistant'}: ${text}`);
  return `Conversation:\n${lines.join('\n') || '(nothing yet)'}`;
}

/** The scratchpad as prompts show it. */
export function notes(entries: readonly ScratchpadEntry[]): string {
  const lines = entries.map(({ flowName, text }) => `- ${flowName}: ${text}`);
  return `Notes:\n${lines.join('\n') || '(none)'}`;
}
