/**
 * Decomposes a task: requests one proposal and, unless it is clearly right, searches among two or three candidates that
 * are scored against the objective. Does not change the session.
 */
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import type { Catalogue } from '../catalog/catalogue.ts';
import type { LatsSettings } from '../catalog/catalogue-doc.ts';
import { predictableFlows, type ReadAnswerOf } from '../meaning/nlu-prompt.ts';
import { type ModelQuestion, notes, transcript } from '../meaning/slot-prompt.ts';
import type { PlanCandidate } from '../session/session-event.ts';
import type { FlowInstance, SessionState } from '../session/session-state.ts';
import type { PlanFlowEntry } from './plan.ts';

/** A task, its plan flow, and the flows it may consist of. */
export interface PlanTask {
  readonly state: SessionState;
  readonly catalogue: Catalogue;
  readonly flow: FlowInstance;
  /** The objective, in the person's words. */
  readonly objective: string;
}

/** A decomposition, with information on whether alternatives are worth considering. */
export interface PlanProposal {
  readonly subFlows: readonly PlanFlowEntry[];
  readonly isOrderObvious: boolean;
  /** Number of sensible strategies, each of which is better in some respect; 1 if there is no alternative. */
  readonly strategies: number;
  /** Whether the objective can be understood in several ways. */
  readonly isAmbiguous: boolean;
}

/** Why a search is worth its cost; null if it is not. */
export type SearchReason = 'always' | 'order' | 'trade-offs' | 'ambiguous' | null;

/** Minimum number of parts for which the order needs consideration. */
const manyParts = 4;

/** Returns whether to score candidates before decomposing the task. */
export function searchReason(
  { subFlows, isOrderObvious, strategies, isAmbiguous }: PlanProposal,
  { when }: Pick<LatsSettings, 'when'>,
): SearchReason {
  if (when !== 'auto') return when === 'always' ? 'always' : null;
  if (isAmbiguous) return 'ambiguous';
  if (strategies > 1) return 'trade-offs';
  return subFlows.length >= manyParts && !isOrderObvious ? 'order' : null;
}

/** A plan that is ready to start. */
export interface FoundPlan {
  readonly subFlows: readonly PlanFlowEntry[];
  readonly method: 'direct' | 'lats';
  /** The scored candidates, in the order in which they were proposed. */
  readonly candidates?: readonly PlanCandidate[];
}

/** Calls a model for a value that matches the question's schema. `key` identifies the question within the task. */
export type AskModel = (key: string, question: ModelQuestion) => Promise<JsonValue>;

/**
 * Determines how to decompose a task. If a response during the search is unusable, the first proposal is used.
 * @returns the plan, or a sentence that explains why there is none
 */
export async function planTask(task: PlanTask, lats: LatsSettings, ask: AskModel): Promise<ReadAnswerOf<FoundPlan>> {
  const proposal = readProposal(await ask('plan', planQuestion(task)), task);
  if ('problem' in proposal) return proposal;
  const { subFlows } = proposal.value;
  const direct: FoundPlan = { subFlows, method: 'direct' };
  if (searchReason(proposal.value, lats) === null) return { value: direct };
  const ways = readCandidates(
    await ask('candidates', candidatesQuestion(task, lats.candidates)),
    task,
    lats.candidates,
  );
  if ('problem' in ways) return { value: direct };
  const scores = readScores(await ask('scores', scoresQuestion(task, ways.value)), ways.value.length);
  if ('problem' in scores) return { value: direct };
  const candidates = ways.value.map((way, index): PlanCandidate => {
    const { score = 0, reason } = scores.value[index] ?? {};
    return { order: way.map(({ flowName }) => flowName), score, ...(reason === undefined ? {} : { reason }) };
  });
  return { value: { subFlows: ways.value[bestOf(candidates)] ?? subFlows, method: 'lats', candidates } };
}

/** Returns the first candidate with the highest score. */
function bestOf(candidates: readonly PlanCandidate[]): number {
  const best = Math.max(...candidates.map(({ score }) => score));
  return candidates.findIndex(({ score }) => score === best);
}

/** Builds the prompt for one decomposition. */
function planQuestion(task: PlanTask): ModelQuestion {
  return {
    messages: [
      { role: 'system', content: `${plannerWords(task)}\n${proposalWords}` },
      { role: 'user', content: taskWords(task) },
    ],
    schema: {
      type: 'object',
      properties: {
        sub_flows: subFlowsSchema(task),
        is_order_obvious: { type: 'boolean' },
        strategies: { type: 'integer', minimum: 1 },
        is_ambiguous: { type: 'boolean' },
      },
      required: ['sub_flows', 'is_order_obvious', 'strategies', 'is_ambiguous'],
    },
  };
}

const proposalWords = [
  'is_order_obvious: whether only this order makes sense. strategies: the number of substantially different approaches that make sense, each with its own advantages.',
  'is_ambiguous: whether the task can be understood in several ways. Answer with one JSON object and nothing else.',
].join('\n');

function plannerWords({ catalogue, flow }: PlanTask): string {
  const flows = predictableFlows(catalogue, [flow.flowName]).map(
    ({ name, description }) => `- ${name}: ${description}`,
  );
  return ['Break the task down into flows that run one after the other, in order.', 'Flows:', ...flows].join('\n');
}

function taskWords({ state, flow, objective }: PlanTask): string {
  const given = `Given: ${JSON.stringify(flow.slots)}`;
  return [
    `Task (${flow.flowName}): ${objective}`,
    given,
    '',
    transcript(state.messages),
    '',
    notes(state.scratchpad),
  ].join('\n');
}

function subFlowsSchema({ catalogue, flow }: PlanTask): JsonMap {
  const names = predictableFlows(catalogue, [flow.flowName]).map(({ name }) => name);
  return {
    type: 'array',
    minItems: 1,
    items: { type: 'object', properties: { flow: { enum: names }, slots: { type: 'object' } }, required: ['flow'] },
  };
}

/** Parses the response to `planQuestion`. */
function readProposal(answer: JsonValue, task: PlanTask): ReadAnswerOf<PlanProposal> {
  const given = isJsonMap(answer) ? answer : {};
  const subFlows = readSubFlows(given['sub_flows'], task);
  if ('problem' in subFlows) return subFlows;
  const { strategies } = given;
  return {
    value: {
      subFlows: subFlows.value,
      isOrderObvious: given['is_order_obvious'] === true,
      strategies: typeof strategies === 'number' ? strategies : 1,
      isAmbiguous: given['is_ambiguous'] === true,
    },
  };
}

/** Parses the parts of a plan, which must be catalog flows that a plan may contain. */
export function readSubFlows(
  value: JsonValue | undefined,
  { catalogue, flow }: Pick<PlanTask, 'catalogue' | 'flow'>,
): ReadAnswerOf<readonly PlanFlowEntry[]> {
  const names = new Set(predictableFlows(catalogue, [flow.flowName]).map(({ name }) => name));
  if (!isJsonList(value) || value.length === 0) return { problem: 'A plan needs at least one flow.' };
  const parts: PlanFlowEntry[] = [];
  for (const one of value) {
    const { flow: name, slots } = isJsonMap(one) ? one : { flow: one };
    if (typeof name !== 'string' || !names.has(name))
      return { problem: `A plan cannot contain the flow ${JSON.stringify(name ?? null)}.` };
    parts.push({ flowName: name, ...(isJsonMap(slots) ? { slots } : {}) });
  }
  return { value: parts };
}

/** Builds the prompt for several decompositions with different flows or order. */
function candidatesQuestion(task: PlanTask, count: number): ModelQuestion {
  const words = `Propose ${count} plans that differ in their flows or in the order. Answer with one JSON object and nothing else.`;
  const way = { type: 'object', properties: { sub_flows: subFlowsSchema(task) }, required: ['sub_flows'] };
  return {
    messages: [
      { role: 'system', content: `${plannerWords(task)}\n${words}` },
      { role: 'user', content: `${taskWords(task)}\n\nPropose ${count} plans.` },
    ],
    schema: {
      type: 'object',
      properties: { candidates: { type: 'array', minItems: 2, maxItems: count, items: way } },
      required: ['candidates'],
    },
  };
}

/** Parses the response to `candidatesQuestion`: at least two distinct candidates, and at most as many as requested. */
function readCandidates(
  answer: JsonValue,
  task: PlanTask,
  count: number,
): ReadAnswerOf<readonly (readonly PlanFlowEntry[])[]> {
  const given = isJsonMap(answer) ? answer['candidates'] : undefined;
  const ways = (isJsonList(given) ? given : []).flatMap((one) => {
    const read = readSubFlows(isJsonMap(one) ? one['sub_flows'] : undefined, task);
    return 'value' in read ? [read.value] : [];
  });
  const orders = ways.map((way) => JSON.stringify(way));
  const once = ways.filter((_, index) => orders.indexOf(orders[index] ?? '') === index).slice(0, count);
  return once.length < 2 ? { problem: 'The response contains fewer than two different plans.' } : { value: once };
}

/** Builds the prompt to score each candidate against the objective. */
function scoresQuestion(task: PlanTask, ways: readonly (readonly PlanFlowEntry[])[]): ModelQuestion {
  const words = [
    'Score each plan for the task from 0 to 1 only by how reliably and cheaply it achieves what the user wants.',
    'Return the scores in the order of the plans. Answer with one JSON object and nothing else.',
  ].join('\n');
  const listed = ways.map((way, index) => `${index + 1}. ${way.map(({ flowName }) => flowName).join(' → ')}`);
  const score = {
    type: 'object',
    properties: { score: { type: 'number', minimum: 0, maximum: 1 }, reason: { type: 'string' } },
    required: ['score'],
  };
  return {
    messages: [
      { role: 'system', content: words },
      { role: 'user', content: `${taskWords(task)}\n\nPlans:\n${listed.join('\n')}` },
    ],
    schema: {
      type: 'object',
      properties: { scores: { type: 'array', minItems: ways.length, maxItems: ways.length, items: score } },
      required: ['scores'],
    },
  };
}

/** Parses the response to `scoresQuestion`: one score per candidate. */
function readScores(
  answer: JsonValue,
  count: number,
): ReadAnswerOf<readonly { readonly score: number; readonly reason?: string }[]> {
  const given = isJsonMap(answer) ? answer['scores'] : undefined;
  const scores = (isJsonList(given) ? given : []).flatMap((one) => {
    const { score, reason } = isJsonMap(one) ? one : { score: one };
    if (typeof score !== 'number') return [];
    return [{ score: Math.min(1, Math.max(0, score)), ...(typeof reason === 'string' ? { reason } : {}) }];
  });
  return scores.length === count ? { value: scores } : { problem: `${count} plans need ${count} scores.` };
}
