/**
 * Reruns an agent. Inputs reuse their output from an earlier run if nothing has changed for them.
 */

import { EngineError } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import type { AgentDoc } from '../../language/agent/agent-doc.ts';
import { isJsonList, type JsonMap, type JsonValue, jsonEquals } from '../../language/json/json-value.ts';
import type { InputReuse, PreparedInputs } from '../../runtime/agent/agent-request.ts';
import type { ResumePoint } from '../../runtime/kernel/resume/resume-point.ts';
import type { CalledRun } from '../executor/called-runs.ts';
import type { EarlierRun } from './earlier-run.ts';

const taskPrefix = 'input:';

/** An earlier run of the same agent, and the end of its log. */
export interface FormerAgentRun {
  readonly run: EarlierRun;
  readonly point: ResumePoint;
}

/** The inputs from an earlier run to run again. */
interface AgentRerun {
  /**
   * The input to run again in any case, as `input:<index>`; undefined to run only inputs that did not complete or have
   * changed.
   */
  readonly task: string | undefined;
  /** Earlier runs of the same text with the same settings, in order of preference. */
  readonly former: readonly FormerAgentRun[];
  /** Returns whether the definitions used by an earlier input's child runs are unchanged. */
  readonly isUnchanged: (calls: readonly CalledRun[]) => Promise<boolean>;
}

/** @throws EngineError `node.not-found` unless the task is an input of the run */
export function refuseOtherThanInput(task: string, { nodes }: Pick<EarlierRun, 'nodes'>): void {
  if (task.startsWith(taskPrefix) && nodes.has(task)) return;
  const known = [...nodes.keys()].filter((name) => name.startsWith(taskPrefix)).length;
  const message = `The run has no input "${task}". It had ${known}, counted from ${taskPrefix}0.`;
  throw new EngineError({ code: 'node.not-found', message, nodeId: task });
}

/** Creates the lookup for outputs that the run's inputs can reuse. */
export function createInputReuse({ task, former, isUnchanged }: AgentRerun, doc: AgentDoc): InputReuse {
  return {
    async find(prepared) {
      const { preparedAgain } = await import('../../runtime/agent/before-all.ts');
      const found = new Map<number, { readonly output: JsonValue; readonly fromRunId: RunId; readonly from: string }>();
      for (const { run, point } of former) {
        const given = point.start?.inputs;
        const before = preparedAgain(
          { doc, inputs: isJsonList(given) ? given : null, options: prepared.startingOptions },
          point.stages.get('BeforeAll')?.result,
        );
        if (before === undefined || !jsonEquals(before.beforeAll, prepared.beforeAll)) continue;
        if (!jsonEquals(before.options as JsonMap, prepared.options as JsonMap)) continue;
        const items = new FormerInputs(before.inputs, run, await usableTasks(run, isUnchanged));
        for (const places of ['same', 'any'] as const) takeFrom(items, places, { found, prepared, task });
      }
      return found;
    },
  };
}

interface ReusableAgentOutputs {
  readonly found: Map<number, { readonly output: JsonValue; readonly fromRunId: RunId; readonly from: string }>;
  readonly prepared: PreparedInputs;
  readonly task: string | undefined;
}

function takeFrom(items: FormerInputs, places: 'same' | 'any', { found, prepared, task }: ReusableAgentOutputs): void {
  for (const [index, input] of prepared.inputs.entries()) {
    if (found.has(index) || task === `${taskPrefix}${index}`) continue;
    const taken = items.take(input, places === 'same' ? [index] : items.places);
    if (taken !== undefined) found.set(index, taken);
  }
}

async function usableTasks(run: EarlierRun, isUnchanged: AgentRerun['isUnchanged']): Promise<ReadonlySet<string>> {
  const usable = new Set<string>();
  for (const task of run.nodes.keys()) if (await isReusable(run, task, isUnchanged)) usable.add(task);
  return usable;
}

/** Earlier inputs, each of which is used once. */
class FormerInputs {
  readonly #inputs: readonly JsonValue[];
  readonly #run: EarlierRun;
  readonly #usable: ReadonlySet<string>;
  readonly #used = new Set<number>();

  constructor(inputs: readonly JsonValue[], run: EarlierRun, usable: ReadonlySet<string>) {
    this.#inputs = inputs;
    this.#run = run;
    this.#usable = usable;
  }

  get places(): readonly number[] {
    return [...this.#inputs.keys()];
  }

  take(input: JsonValue, places: readonly number[]) {
    for (const at of places) {
      const from = `${taskPrefix}${at}`;
      if (this.#used.has(at) || !this.#usable.has(from) || !jsonEquals(this.#inputs[at] ?? null, input)) continue;
      this.#used.add(at);
      const output = this.#run.whole(this.#run.nodes.get(from)?.output ?? null);
      return { output, fromRunId: this.#run.runId, from };
    }
    return undefined;
  }
}

/**
 * Returns whether an input completed and can be reused. An input that asked a person cannot be reused. An input with
 * child runs can be reused only while their definitions are unchanged.
 */
export async function isReusable(
  run: EarlierRun,
  task: string,
  isUnchanged: AgentRerun['isUnchanged'],
): Promise<boolean> {
  const { status, output } = run.nodes.get(task) ?? {};
  const isDone = status === 'completed' || status === 'reused';
  if (!isDone || output === undefined || run.asked.has(task) || run.isLost(output)) return false;
  const calls = run.callsOf(task);
  return calls !== undefined && (calls.length === 0 || (await isUnchanged(calls)));
}
