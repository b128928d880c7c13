/**
 * How a model is asked for the values that a conversation holds already.
 */
import type { JsonMap } from '../flowspec/json-value.ts';
import type { SpokenMessage } from '../kernel/model-capability.ts';
import type { AmbiguityRecord, FlowInstance, ScratchpadEntry, SessionState, SpokenText } from './session-state.ts';
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

/** Stands in prompts for what was said before and no model may be given. */
const leftOut = '(left out: it seems to give instructions to a model)';

/**
 * A state as prompts are made of it: without what earlier turns have left behind and no request may hold, which would keep every later
 * one from being sent. What the person says in the turn that is open stays: who asks about it is refused, and can say why.
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

/** The values that a request may hold. */
function kept(values: JsonMap, withholds: (text: string) => boolean): JsonMap {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !withholds(JSON.stringify(value))));
}

/** The reason may quote what was refused. */
function ambiguityPrompted(ambiguity: AmbiguityRecord, withholds: (text: string) => boolean): AmbiguityRecord {
  const observation = withholds(ambiguity.observation) ? '' : ambiguity.observation;
  return { ...ambiguity, metadata: kept(ambiguity.metadata, withholds), observation };
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
