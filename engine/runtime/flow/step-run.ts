/**
 * A run of a list of steps: the values that its steps see of one another, and its output.
 */
import { EngineError } from '../../base/engine-error.ts';
import type { AutonomyLevel } from '../../language/flow/autonomy.ts';
import type { CompiledFlow, CompiledNode, StepDialect } from '../../language/flow/compiled-flow.ts';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import type { StepValues } from '../../language/steps/step-templates.ts';
import { StepView } from '../../language/steps/step-view.ts';
import type { Hub } from '../kernel/hub/hub.ts';
import type { ResumePoint } from '../kernel/resume/resume-point.ts';
import type { OutputsById } from './graph-plan.ts';
import type { NodeTypeLookup, StepSurroundings } from './node-type.ts';

interface StepRunParts {
  readonly flow: CompiledFlow;
  readonly payload: JsonMap;
  /** Step outputs by ID; grows during the run. */
  readonly outputs: OutputsById;
  readonly resume: ResumePoint | undefined;
  /** The run's autonomy level. */
  readonly autonomy: AutonomyLevel | undefined;
  readonly budgetsLeft: () => Readonly<Record<string, number>>;
}

/**
 * The state of a run that consists of steps. Steps run one after another, so there is at most one attempt at a time.
 */
export class StepRun {
  readonly #flow: CompiledFlow;
  readonly #flowId: string;
  readonly #product: string | undefined;
  readonly #view: StepView;
  readonly #metas: Map<string, JsonMap>;
  readonly #constraints: Pick<StepRunParts, 'autonomy' | 'budgetsLeft'>;
  #attempt = 1;
  #noted: JsonMap | undefined;

  constructor({ flowId, product }: StepDialect, { flow, payload, outputs, resume, ...constraints }: StepRunParts) {
    this.#constraints = constraints;
    this.#flow = flow;
    this.#flowId = flowId;
    this.#product = product;
    this.#metas = new Map(resume?.stepMetas);
    this.#view = new StepView(flow.nodes, {
      payload,
      outputOf: (id) => outputs.get(id),
      metaOf: (id) => this.#metas.get(id),
    });
  }

  /** Returns the current values for templates. */
  readonly values = (): StepValues => this.#view.values();

  /** Starts an attempt of the current step. @param attempt attempt number, starting at 1 */
  begin(attempt: number): void {
    this.#attempt = attempt;
    this.#noted = undefined;
  }

  /** Returns the values that a step receives in addition to its params. */
  seenBy({ policy }: CompiledNode): StepSurroundings {
    return {
      ...this.values(),
      ...{ flowId: this.#flowId, product: this.#product },
      ...{ attempt: this.#attempt, maxAttempts: policy.maxAttempts },
      autonomyLevel: this.#constraints.autonomy ?? 'semi_auto',
      budgetsLeft: this.#constraints.budgetsLeft(),
      note: (meta) => {
        this.#noted = meta;
      },
    };
  }

  /** Returns the attempt's notes about its call. */
  noted(): JsonMap | undefined {
    return this.#noted;
  }

  /** Stores a successful attempt's notes for later steps and in the log. */
  keep(nodeId: string, meta: JsonMap, hub: Hub): void {
    this.#metas.set(nodeId, meta);
    hub.emit({ type: 'step:meta', nodeId, meta });
  }

  /**
   * Returns the run's output; undefined for a part of a flow without outputs.
   * @throws EngineError `missing_run_output` if no step has an output
   */
  output(): JsonValue | undefined {
    const data = this.#view.lastData();
    if (data !== undefined || this.#flow.ends !== undefined) return data;
    throw new EngineError({
      code: 'missing_run_output',
      message: 'No step has returned data, so the run has no output. Add an agent or tool that returns data.',
    });
  }
}

/** Returns a registry's node types as steps. */
export function stepTypesOf(registry: NodeTypeLookup): NodeTypeLookup {
  return { get: (type) => registry.get(type)?.inSteps };
}
