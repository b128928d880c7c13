/**
 * Builds the prompts for the two reviews of an active plan: of the remaining parts after one has ended, and of whether
 * the task is done.
 */
import { isJsonList, isJsonMap, type JsonValue } from '../../language/json/json-value.ts';
import { type Catalogue, internalIntent } from '../catalog/catalogue.ts';
import type { ReadAnswerOf } from '../meaning/nlu-prompt.ts';
import { type ModelQuestion, notes } from '../meaning/slot-prompt.ts';
import type { FlowInstance, SessionState } from '../session/session-state.ts';
import { type Assessment, planProgress, type Replanning, remainingParts } from './plan.ts';
import { readSubFlows } from './plan-prompt.ts';

/** The plan under review. */
export interface PlanLook {
  readonly state: SessionState;
  readonly catalogue: Catalogue;
  readonly flow: FlowInstance;
}

/** Builds the prompt about the rest of a plan. It contains only the notes and this plan's remaining parts. */
export function replanQuestion({ state, catalogue, flow }: PlanLook): ModelQuestion {
  const left = remainingParts(state, flow.flowId);
  const system = [
    'A part of a plan has ended. Decide how to continue:',
    '- continue: the results so far fit the plan.',
    '- reorder: another order is better now. Return the ids of all remaining parts in the new order as order.',
    '- expand: something that is not in the plan is needed first. Return it as add.',
    '- prune: some remaining parts are no longer needed. Return their ids as remove.',
    'Do not change the plan without a reason in the notes. Answer with one JSON object and nothing else.',
    ...flowLines({ catalogue, flow }),
  ].join('\n');
  const lines = left.map(({ flowId, flowName, slots }) => `- ${flowId}: ${flowName} ${JSON.stringify(slots)}`);
  const ids = { type: 'array', items: { enum: left.map(({ flowId }) => flowId) } };
  return {
    messages: [
      { role: 'system', content: system },
      {
        role: 'user',
        content: `Remaining parts of plan ${flow.flowName}:\n${lines.join('\n')}\n\n${notes(state.scratchpad)}`,
      },
    ],
    schema: {
      type: 'object',
      properties: {
        decision: { enum: ['continue', 'reorder', 'expand', 'prune'] },
        order: ids,
        remove: ids,
        add: addSchema({ catalogue, flow }),
        reason: { type: 'string' },
      },
      required: ['decision', 'reason'],
    },
  };
}

type PlanPlace = Pick<PlanLook, 'catalogue' | 'flow'>;

function partNames({ catalogue, flow }: PlanPlace): readonly string[] {
  return [...catalogue.flows.values()]
    .filter(({ name, intent }) => intent !== internalIntent && name !== flow.flowName)
    .map(({ name }) => name);
}

function flowLines(place: PlanPlace): readonly string[] {
  return [
    'Flows that can be added:',
    ...partNames(place).map((name) => `- ${name}: ${place.catalogue.flows.get(name)?.description ?? ''}`),
  ];
}

function addSchema(place: PlanPlace): { readonly [key: string]: JsonValue } {
  return {
    type: 'array',
    items: {
      type: 'object',
      properties: { flow: { enum: partNames(place) }, slots: { type: 'object' } },
      required: ['flow'],
    },
  };
}

/** Parses the response to `replanQuestion`. `replan` checks the ids. */
export function readReplanning(
  answer: JsonValue,
  place: PlanPlace,
): ReadAnswerOf<{ readonly change: Replanning; readonly reason: string }> {
  const given = isJsonMap(answer) ? answer : {};
  const { decision } = given;
  const reason = reasonOf(given['reason']);
  switch (decision) {
    case 'continue':
      return { value: { change: { decision }, reason } };
    case 'reorder':
      return { value: { change: { decision, order: textsOf(given['order']) }, reason } };
    case 'prune':
      return { value: { change: { decision, remove: textsOf(given['remove']) }, reason } };
    case 'expand': {
      const add = readSubFlows(given['add'], place);
      return 'problem' in add ? add : { value: { change: { decision, add: add.value }, reason } };
    }
    default:
      return { problem: 'The decision must be one of continue, reorder, expand and prune.' };
  }
}

/** Builds the prompt that asks whether a plan has reached its objective, after all its parts have ended. */
export function assessQuestion({ state, catalogue, flow }: PlanLook, objective: string): ModelQuestion {
  const progress = planProgress(state, flow.flowId);
  const system = [
    'All parts of a plan have ended. Use the notes to decide whether the user has what they want.',
    'Return done: true with a result (a sentence or a map), or done: false with the flows that are still needed as add.',
    'Answer with one JSON object and nothing else.',
    ...flowLines({ catalogue, flow }),
  ].join('\n');
  const parts =
    progress === undefined ? 'none' : `${progress.done} of ${progress.total} done, ${progress.skipped} skipped`;
  return {
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: `Task (${flow.flowName}): ${objective}\nParts: ${parts}\n\n${notes(state.scratchpad)}` },
    ],
    schema: {
      type: 'object',
      properties: {
        done: { type: 'boolean' },
        result: {},
        add: addSchema({ catalogue, flow }),
        reason: { type: 'string' },
      },
      required: ['done', 'reason'],
    },
  };
}

/** Parses the response to `assessQuestion`. */
export function readAssessment(
  answer: JsonValue,
  place: PlanPlace,
): ReadAnswerOf<{ readonly found: Assessment; readonly reason: string }> {
  const given = isJsonMap(answer) ? answer : {};
  const reason = reasonOf(given['reason']);
  if (given['done'] === true) return { value: { found: { done: true, result: given['result'] ?? reason }, reason } };
  if (given['done'] !== false) return { problem: 'An assessment must contain done: true or done: false.' };
  const add = readSubFlows(given['add'], place);
  return 'problem' in add ? add : { value: { found: { done: false, subFlows: add.value }, reason } };
}

function reasonOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function textsOf(value: JsonValue | undefined): readonly string[] {
  return isJsonList(value) ? value.filter((one) => typeof one === 'string') : [];
}
