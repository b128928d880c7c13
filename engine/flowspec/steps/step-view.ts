/**
 * What the steps of a run have given so far, as templates and agents see it: derived from the outputs of the steps, at any time
 * and from any log, and kept nowhere else.
 */
import type { Suggestion } from '../autonomy.ts';
import type { CompiledNode } from '../compiled-flow.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../json-value.ts';
import { isMarker, isSkipMarker } from '../markers.ts';
import type { StepValues } from './step-templates.ts';

/** A step, as far as what it gave has a name by it. */
type Step = Pick<CompiledNode, 'id' | 'type' | 'input' | 'config'>;

/** Where the outputs are. */
export interface StepOutputs {
  /** What the run was started with. */
  readonly payload: JsonMap;
  outputOf(stepId: string): JsonValue | undefined;
  /** About the call of the agent or tool; undefined for steps without one. */
  metaOf(stepId: string): JsonMap | undefined;
}

/** The view of one run. It only ever grows: a step that has ended stays as it is. */
export class StepView {
  readonly #steps: readonly Step[];
  readonly #source: StepOutputs;
  readonly #artifacts = new Map<string, JsonValue>();
  #payload: JsonMap;
  #lastData: JsonValue | undefined;
  #taken = 0;

  /** @param steps in their order */
  constructor(steps: readonly Step[], source: StepOutputs) {
    this.#steps = steps;
    this.#source = source;
    this.#payload = source.payload;
  }

  /** What the next step sees. The same objects grow with the run: whoever keeps them makes a copy. */
  values(): StepValues {
    this.#takeUp();
    return { payload: this.#payload, artifacts: this.#artifacts };
  }

  /** What the run gives: the last data that is not empty; undefined when no step has given any. */
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

  #take(step: Step, output: JsonValue): void {
    if (isSkipMarker(output) && output.suggested === true) this.#take(step, suggestedBy(output));
    if (isMarker(output)) return;
    for (const [key, value] of artifactsOf(step, output, this.#source.metaOf(step.id))) this.#artifacts.set(key, value);
    if (step.type === 'human_approval') this.#payload = { ...this.#payload, ...approvedPayload(output) };
    const data = dataOf(step, output);
    if (data !== undefined && !isEmpty(data)) this.#lastData = data;
  }
}

/** A step that its run has only suggested gives what it would have done. */
function suggestedBy({ tool, params = {} }: Partial<Suggestion>): JsonValue {
  return { suggested: true, ...(tool === undefined ? {} : { tool }), params };
}

/** What a step that has ended gave, by key. */
function artifactsOf(step: Step, output: JsonValue, meta: JsonMap | undefined): readonly [string, JsonValue][] {
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

function answered({ input }: Step, output: JsonValue): readonly [string, JsonValue][] {
  const { values = {}, comment = '' } = isJsonMap(output) ? output : {};
  const key = `user_input.${String(input['form_id'])}`;
  return [
    [`${key}.values`, values],
    [`${key}.comment`, comment],
  ];
}

/** What somebody who approved gave along, for later steps. */
function approvedPayload(output: JsonValue): JsonMap {
  const { payload } = isJsonMap(output) ? output : {};
  return isJsonMap(payload) ? payload : {};
}

/** The data of a step; an approval gives none. */
function dataOf({ type }: Step, output: JsonValue): JsonValue | undefined {
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
