/**
 * How a task is taken apart: one proposal, and where that is not plainly the right one a search among two or three, each scored
 * against what the person wants. Nothing of a session is changed by it.
 */
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../flowspec/json-value.ts';
import type { Catalogue } from './catalogue.ts';
import type { LatsSettings } from './catalogue-doc.ts';
import { predictableFlows, type ReadAnswerOf } from './nlu-prompt.ts';
import type { PlannedFlow } from './plan.ts';
import type { PlanCandidate } from './session-event.ts';
import type { FlowInstance, SessionState } from './session-state.ts';
import { type ModelQuestion, notes, transcript } from './slot-prompt.ts';

/** A task, the plan flow that has it, and what it may be made of. */
export interface PlanTask {
  readonly state: SessionState;
  readonly catalogue: Catalogue;
  readonly flow: FlowInstance;
  /** What the person wants, in their words. */
  readonly objective: string;
}

/** A way to take a task apart, with what says whether others are worth a look. */
export interface PlanProposal {
  readonly subFlows: readonly PlannedFlow[];
  readonly isOrderObvious: boolean;
  /** Ways that make sense, each better in another respect; 1 = there is only this one. */
  readonly strategies: number;
  /** What is wanted can be understood in several ways. */
  readonly isAmbiguous: boolean;
}

/** Why a search is worth its time; null = it is not. */
export type SearchReason = 'always' | 'order' | 'trade-offs' | 'ambiguous' | null;

/** Parts from which on their order is a question of its own. */
const manyParts = 4;

/** Whether candidates are to be weighed before the task is taken apart. */
export function searchReason(
  { subFlows, isOrderObvious, strategies, isAmbiguous }: PlanProposal,
  { when }: Pick<LatsSettings, 'when'>,
): SearchReason {
  if (when !== 'auto') return when === 'always' ? 'always' : null;
  if (isAmbiguous) return 'ambiguous';
  if (strategies > 1) return 'trade-offs';
  return subFlows.length >= manyParts && !isOrderObvious ? 'order' : null;
}

/** A plan as it is to be begun. */
export interface FoundPlan {
  readonly subFlows: readonly PlannedFlow[];
  readonly method: 'direct' | 'lats';
  /** Those that were weighed, in the order in which they were named. */
  readonly candidates?: readonly PlanCandidate[];
}

/** Asks a model for a value of the question's schema; `key` names the question within the task. */
export type AskModel = (key: string, question: ModelQuestion) => Promise<JsonValue>;

/**
 * Finds out how a task is to be taken apart. An answer of the search that cannot be used costs nothing but the search: the first
 * proposal holds then.
 * @returns the plan, or why there is none, as a sentence
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

/** Of equal scores the first. */
function bestOf(candidates: readonly PlanCandidate[]): number {
  const best = Math.max(...candidates.map(({ score }) => score));
  return candidates.findIndex(({ score }) => score === best);
}

/** Asks for one way to take the task apart. */
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
  'is_order_obvious: whether only this order makes sense. strategies: how many quite different ways make sense, each better in another respect.',
  'is_ambiguous: whether the task can be understood in several ways. Answer with one JSON object and nothing else.',
].join('\n');

function plannerWords({ catalogue, flow }: PlanTask): string {
  const flows = predictableFlows(catalogue, [flow.flowName]).map(
    ({ name, description }) => `- ${name}: ${description}`,
  );
  return ['Take a task apart into flows that are done one after the other, the first first.', 'Flows:', ...flows].join(
    '\n',
  );
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

/** Reads the answer to `planQuestion`. */
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

/** Reads parts of a plan: flows of the catalogue that a plan may have. */
export function readSubFlows(
  value: JsonValue | undefined,
  { catalogue, flow }: Pick<PlanTask, 'catalogue' | 'flow'>,
): ReadAnswerOf<readonly PlannedFlow[]> {
  const names = new Set(predictableFlows(catalogue, [flow.flowName]).map(({ name }) => name));
  if (!isJsonList(value) || value.length === 0) return { problem: 'A plan has at least one flow.' };
  const parts: PlannedFlow[] = [];
  for (const one of value) {
    const { flow: name, slots } = isJsonMap(one) ? one : { flow: one };
    if (typeof name !== 'string' || !names.has(name))
      return { problem: `There is no flow ${JSON.stringify(name ?? null)} that a plan could have.` };
    parts.push({ flowName: name, ...(isJsonMap(slots) ? { slots } : {}) });
  }
  return { value: parts };
}

/** Asks for several ways that differ: in the flows that they choose, or in their order. */
function candidatesQuestion(task: PlanTask, count: number): ModelQuestion {
  const words = `Name ${count} ways that differ in the flows they choose or in their order. Answer with one JSON object and nothing else.`;
  const way = { type: 'object', properties: { sub_flows: subFlowsSchema(task) }, required: ['sub_flows'] };
  return {
    messages: [
      { role: 'system', content: `${plannerWords(task)}\n${words}` },
      { role: 'user', content: `${taskWords(task)}\n\nWays: name ${count}.` },
    ],
    schema: {
      type: 'object',
      properties: { candidates: { type: 'array', minItems: 2, maxItems: count, items: way } },
      required: ['candidates'],
    },
  };
}

/** Reads the answer to `candidatesQuestion`: two at least, each once, no more than were asked for. */
function readCandidates(
  answer: JsonValue,
  task: PlanTask,
  count: number,
): ReadAnswerOf<readonly (readonly PlannedFlow[])[]> {
  const given = isJsonMap(answer) ? answer['candidates'] : undefined;
  const ways = (isJsonList(given) ? given : []).flatMap((one) => {
    const read = readSubFlows(isJsonMap(one) ? one['sub_flows'] : undefined, task);
    return 'value' in read ? [read.value] : [];
  });
  const orders = ways.map((way) => JSON.stringify(way));
  const once = ways.filter((_, index) => orders.indexOf(orders[index] ?? '') === index).slice(0, count);
  return once.length < 2 ? { problem: 'There are no two ways to choose from.' } : { value: once };
}

/** Asks how well each way serves what the person wants. */
function scoresQuestion(task: PlanTask, ways: readonly (readonly PlannedFlow[])[]): ModelQuestion {
  const words = [
    'Score each way to do a task from 0 to 1: how surely and how cheaply it reaches what the person wants, and nothing else.',
    'Give the scores in the order of the ways. Answer with one JSON object and nothing else.',
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
      { role: 'user', content: `${taskWords(task)}\n\nWays:\n${listed.join('\n')}` },
    ],
    schema: {
      type: 'object',
      properties: { scores: { type: 'array', minItems: ways.length, maxItems: ways.length, items: score } },
      required: ['scores'],
    },
  };
}

/** Reads the answer to `scoresQuestion`: one for each way. */
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
  return scores.length === count ? { value: scores } : { problem: `${count} ways need ${count} scores.` };
}
