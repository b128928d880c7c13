/**
 * The results so far of a run's steps, for templates and agents. They can be derived from the steps' outputs at any
 * time and from any log, and are not stored elsewhere.
 */

import { isMarker, isSkipMarker } from '../bindings/markers.ts';
import type { SuggestedAction } from '../flow/autonomy.ts';
import type { CompiledNode } from '../flow/compiled-flow.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../json/json-value.ts';
import type { StepValues } from './step-templates.ts';

/** The parts of a step that determine the names of its results. */
type StepNode = Pick<CompiledNode, 'id' | 'type' | 'input' | 'config'>;

/** The source of outputs. */
export interface StepOutputs {
  /** The run's initial payload. */
  readonly payload: JsonMap;
  outputOf(stepId: string): JsonValue | undefined;
  /** Returns metadata of the agent or tool call; undefined for steps without one. */
  metaOf(stepId: string): JsonMap | undefined;
}

/** One run's view. It only grows: a step that has ended does not change. */
export class StepView {
  readonly #steps: readonly StepNode[];
  readonly #source: StepOutputs;
  readonly #artifacts = new Map<string, JsonValue>();
  #payload: JsonMap;
  #lastData: JsonValue | undefined;
  #taken = 0;

  /** @param steps in order */
  constructor(steps: readonly StepNode[], source: StepOutputs) {
    this.#steps = steps;
    this.#source = source;
    this.#payload = source.payload;
  }

  /** Returns the values for the next step. These objects grow during the run; make a copy to keep them. */
  values(): StepValues {
    this.#takeUp();
    return { payload: this.#payload, artifacts: this.#artifacts };
  }

  /** Returns the run's output: the last data that is not empty; undefined if no step has any. */
  lastData(): JsonValue | undefined {
    this.#takeUp();
    return this.#lastData;
  }

  #takeUp(): void {
    for (let step = this.#steps[this.#taken]; step !== undefined; step = this.#steps[++this.#taken]) {
      const output = this.#source.outputOf(step.id);
      if (output === undefined) return;
      this.#take(step, output);
    }
  }

  #take(step: StepNode, output: JsonValue): void {
    if (isSkipMarker(output) && output.suggested === true) this.#take(step, suggestedBy(output));
    if (isMarker(output)) return;
    for (const [key, value] of artifactsOf(step, output, this.#source.metaOf(step.id))) this.#artifacts.set(key, value);
    if (step.type === 'human_approval') this.#payload = { ...this.#payload, ...approvedPayload(output) };
    const data = dataOf(step, output);
    if (data !== undefined && !isEmpty(data)) this.#lastData = data;
  }
}

/** Returns the result of a step that was only suggested: the action it would have taken. */
function suggestedBy({ tool, params = {} }: Partial<SuggestedAction>): JsonValue {
  return { suggested: true, ...(tool === undefined ? {} : { tool }), params };
}

/** Returns the artifacts of a step that has ended, by key. */
function artifactsOf(step: StepNode, output: JsonValue, meta: JsonMap | undefined): readonly [string, JsonValue][] {
  const own: [string, JsonValue] = [`step.${step.id}.output`, dataOf(step, output) ?? output];
  const { agent, tool } = step.config;
  switch (step.type) {
    case 'agent':
      return [own, ...called(`agent.${String(agent)}`, output, meta)];
    case 'tool':
      return [own, ...called(`tool.${String(tool)}`, output, meta)];
    case 'plan_proposal':
      return [own, ['plan.proposal', dataOf(step, output) ?? null]];
    case 'user_input':
      return [own, ...answered(step, output)];
    default:
      return [own];
  }
}

function called(key: string, output: JsonValue, meta: JsonMap | undefined): readonly [string, JsonValue][] {
  return [[`${key}.output`, output], ...(meta === undefined ? [] : [[`${key}.meta`, meta] as [string, JsonValue]])];
}

function answered({ input }: StepNode, output: JsonValue): readonly [string, JsonValue][] {
  const { values = {}, comment = '' } = isJsonMap(output) ? output : {};
  const key = `user_input.${String(input['form_id'])}`;
  return [
    [`${key}.values`, values],
    [`${key}.comment`, comment],
  ];
}

/** Returns the payload that an approver added for later steps. */
function approvedPayload(output: JsonValue): JsonMap {
  const { payload } = isJsonMap(output) ? output : {};
  return isJsonMap(payload) ? payload : {};
}

/** Returns a step's data; an approval has none. */
function dataOf({ type }: StepNode, output: JsonValue): JsonValue | undefined {
  if (type === 'human_approval') return undefined;
  if (!isJsonMap(output)) return output;
  if (type === 'plan_proposal') return output['proposal'] ?? null;
  if (type !== 'user_input') return output;
  return { values: output['values'] ?? {}, comment: output['comment'] ?? '' };
}

function isEmpty(data: JsonValue): boolean {
  if (isJsonList(data)) return data.length === 0;
  return isJsonMap(data) ? Object.keys(data).length === 0 : data === null || data === '';
}
