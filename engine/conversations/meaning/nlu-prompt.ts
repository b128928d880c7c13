/**
 * Predicts the flow that a person refers to: builds the prompt, parses the response, and determines what is too
 * uncertain to act on.
 */

import { didYouMean } from '../../language/findings/nearest.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import { type Catalogue, type FlowType, internalIntent } from '../catalog/catalogue.ts';
import type { AmbiguityRecord, FlowInstance, Prediction, SessionState, UiAction } from '../session/session-state.ts';
import { type DialogueAct, dialogueActs, isDialogueAct } from './dialogue-act.ts';
import { type ModelQuestion, notes, transcript } from './slot-prompt.ts';

export interface NluRequest {
  readonly mode: 'think' | 'contemplate';
  readonly text: string;
  /** Types that were tried and turned out to be wrong. */
  readonly exclude?: readonly string[];
}

/** A response's value, or a sentence that explains why it is unusable. */
export type ReadAnswerOf<Value> = { readonly value: Value } | { readonly problem: string };

const keptCandidates = 3;

/** Returns the flows that may be predicted. Only the agent starts Internal flows. */
export function predictableFlows({ flows }: Catalogue, exclude: readonly string[] = []): readonly FlowType[] {
  return [...flows.values()].filter(({ name, intent }) => intent !== internalIntent && !exclude.includes(name));
}

/** Builds the prompt that asks for the flow and its slot labels. */
export function nluQuestion(state: SessionState, catalogue: Catalogue, request: NluRequest): ModelQuestion {
  const { mode, text, exclude = [] } = request;
  const types = predictableFlows(catalogue, exclude);
  const again =
    mode === 'contemplate'
      ? [
          `These flows were tried and are not what the user means: ${exclude.join(', ') || '(none)'}. Think again and choose another one.`,
        ]
      : [];
  const system = [
    'Determine which of these flows the last message of the user refers to, and extract values for its slots.',
    ...again,
    'Return null as flow if none matches, with the intent if that is clear. confidence and score range from 0 to 1.',
    'candidates are the three best flows. act is what the message does:',
    ...actLines,
    'Answer with one JSON object and nothing else.',
    '',
    'Flows:',
    ...types.map(described),
  ].join('\n');
  const waiting = state.stack.map(underWay).join('\n') || '(none)';
  const user = [
    ...(state.summary === '' ? [] : [`Earlier: ${state.summary}`, '']),
    transcript(state.messages),
    '',
    `In progress, top of the stack first:\n${waiting}`,
    ...(state.ambiguity === null ? [] : ['', `Question to the user: ${JSON.stringify(state.ambiguity.metadata)}`]),
    ...(mode === 'contemplate' ? ['', notes(state.scratchpad)] : []),
    '',
    `Last message: ${text}`,
  ].join('\n');
  return {
    messages: [
      { role: 'system', content: system, cache: true },
      { role: 'user', content: user },
    ],
    schema: predictionSchema(types),
  };
}

/** The meaning of each act, for prompts. */
const actLines: readonly string[] = [
  '- request: requests a flow, including another one of a kind that is in progress;',
  '- fill: answers with a requested value;',
  '- correct: changes an earlier value; slots contains only the new value. Also for "yes, but ...";',
  '- agree, decline: answers a question with yes or no without changing a value;',
  '- cancel: cancels a flow that is in progress; flow is its name if the message mentions it. cancel_all: cancels all flows;',
  '- aside: asks something else in between; the flow in progress continues afterwards;',
  '- none: none of these.',
];

function underWay({ flowName, status, slots, waitsFor }: FlowInstance): string {
  const values = Object.keys(slots).length === 0 ? '' : ` ${JSON.stringify(slots)}`;
  const wait = waitsFor === 'pause' ? ', paused' : `, waits for ${waitsFor?.replace('_', ' ')}`;
  return `- ${flowName} (${status})${values}${waitsFor === null ? '' : wait}`;
}

function described({ name, intent, description, examples, slots }: FlowType): string {
  const labels = [...slots.values()].map((slot) => `${slot.name} (${slot.typeName}, ${slot.priority})`);
  const said = examples.length === 0 ? '' : ` For example: ${examples.map((one) => JSON.stringify(one)).join(', ')}.`;
  return `- ${name} [${intent}]: ${description}${said}${labels.length === 0 ? '' : ` Slots: ${labels.join(', ')}.`}`;
}

function predictionSchema(types: readonly FlowType[]): JsonMap {
  const flows = types.map(({ name }) => name);
  const intents = [...new Set(types.map(({ intent }) => intent))];
  const score = { type: 'number', minimum: 0, maximum: 1 };
  return {
    type: 'object',
    properties: {
      intent: { enum: [...intents, null] },
      flow: { enum: [...flows, null] },
      confidence: score,
      candidates: {
        type: 'array',
        maxItems: keptCandidates,
        items: { type: 'object', properties: { flow: { enum: flows }, score }, required: ['flow', 'score'] },
      },
      slots: { type: 'object' },
      act: { enum: [...dialogueActs] },
    },
    required: ['intent', 'flow', 'confidence'],
  };
}

/** Parses the response to `nluQuestion`. */
export function readPrediction(answer: JsonValue, catalogue: Catalogue, request: NluRequest): ReadAnswerOf<Prediction> {
  if (!isJsonMap(answer)) return { problem: 'A prediction must be a map with intent, flow and confidence.' };
  const known = predictableFlows(catalogue, request.exclude);
  const names = known.map(({ name }) => name);
  const { flow = null, intent = null, slots, act } = answer;
  if (flow !== null && !names.some((name) => name === flow)) {
    const hint = typeof flow === 'string' ? didYouMean(flow, names) : '';
    return { problem: `Flow ${JSON.stringify(flow)} does not exist.${hint}` };
  }
  const type = known.find(({ name }) => name === flow);
  const intents = new Set(known.map((one) => one.intent));
  const scored = candidatesOf(answer['candidates'], names);
  const sure = type === undefined && !standsAlone(act) ? 0 : confidenceOf(answer, scored);
  const others = scored.filter((candidate) => candidate.flow !== type?.name);
  return {
    value: {
      mode: request.mode,
      text: request.text,
      intent: type?.intent ?? (typeof intent === 'string' && intents.has(intent) ? intent : null),
      flow: type?.name ?? null,
      confidence: sure,
      candidates: ranked(type === undefined ? others : [{ flow: type.name, score: sure }, ...others]),
      slots: isJsonMap(slots) ? slots : {},
      ...(isDialogueAct(act) ? { act } : {}),
    },
  };
}

/** Acts that are meaningful without a flow. */
const needsNoFlow: ReadonlySet<DialogueAct> = new Set(['fill', 'correct', 'agree', 'decline', 'cancel', 'cancel_all']);

function confidenceOf({ confidence }: JsonMap, [best]: Prediction['candidates']): number {
  return typeof confidence === 'number' ? unit(confidence) : (best?.score ?? 0);
}

function standsAlone(act: JsonValue | undefined): boolean {
  return isDialogueAct(act) && needsNoFlow.has(act);
}

function candidatesOf(value: JsonValue | undefined, names: readonly string[]): Prediction['candidates'] {
  return (isJsonList(value) ? value : []).flatMap((one) => {
    const { flow, score } = isJsonMap(one) ? one : {};
    return typeof flow === 'string' && names.includes(flow) && typeof score === 'number'
      ? [{ flow, score: unit(score) }]
      : [];
  });
}

/** Returns the three best flows, best first, without duplicates. */
export function ranked(candidates: Prediction['candidates']): Prediction['candidates'] {
  const once = candidates.filter(({ flow }, index) => candidates.findIndex((other) => other.flow === flow) === index);
  return once.toSorted((left, right) => right.score - left.score).slice(0, keptCandidates);
}

function unit(number: number): number {
  return Math.min(1, Math.max(0, number));
}

/** Returns the prediction for a form or button, which needs no model. Undefined if it names an unknown flow. */
export function react(
  { stack }: Pick<SessionState, 'stack'>,
  catalogue: Catalogue,
  { text, action }: { readonly text: string; readonly action: UiAction },
): Prediction | undefined {
  const name = action.flow ?? stack.find(({ flowId }) => flowId === action.flowId)?.flowName;
  const type = predictableFlows(catalogue).find((one) => one.name === name);
  if (type === undefined) return undefined;
  return {
    ...{ mode: 'react', text, intent: type.intent, flow: type.name, confidence: 1 },
    candidates: [{ flow: type.name, score: 1 }],
    slots: action.slots ?? {},
  };
}

/** Returns what is unclear about a prediction; undefined if it is certain enough to act on. */
export function doubtAbout(prediction: Prediction, { thresholds }: Catalogue): AmbiguityRecord | undefined {
  const { flow, intent, confidence, candidates, slots } = prediction;
  const metadata = { candidates: candidates.map((candidate) => ({ ...candidate })) };
  const record = { flowId: null, observation: '' };
  if (flow === null)
    return intent === null
      ? { ...record, level: 'general', metadata }
      : { ...record, level: 'partial', metadata: { ...metadata, intent, missing_entity: 'task' } };
  if (confidence >= thresholds.confidence) return undefined;
  // With very low confidence, naming one guess would be misleading.
  if (confidence < thresholds.confidence / 2) return { ...record, level: 'general', metadata };
  return { ...record, level: 'confirmation', metadata: { ...metadata, candidate: flow, slots } };
}
