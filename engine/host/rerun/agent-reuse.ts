/**
 * Finds outputs in the history that a rerun of an agent can reuse.
 */

import type { RunId } from '../../base/ids.ts';
import type { RunRecord } from '../../history/store/run-row.ts';
import type { RunStore } from '../../history/store/run-store.ts';
import { isJsonMap } from '../../language/json/json-value.ts';
import type { InputReuse } from '../../runtime/agent/agent-request.ts';
import type { SharedCapabilities } from '../../runtime/kernel/capabilities/capabilities.ts';
import { readResumePoint } from '../../runtime/kernel/resume/read-resume-point.ts';
import { type AgentSource, type LoadedAgent, loadAgent } from '../executor/agent-runs.ts';
import { areUnchanged, type CalledRun, type CallSources } from '../executor/called-runs.ts';
import { runNotFound } from '../executor/refusals.ts';
import type { RerunLineage, StartAgent } from '../executor/start-request.ts';
import { readLog, unlessDamaged } from '../reads/read-log.ts';
import { createInputReuse, type FormerAgentRun, isReusable } from './agent-reruns.ts';
import type { EarlierRun } from './earlier-run.ts';
import type { EarlierRuns } from './earlier-runs.ts';
import { type RerunStep, stepFor } from './rerun-step.ts';

export interface AgentReuseOptions extends AgentSource {
  readonly workspace: string;
  readonly store: RunStore;
  readonly flows: { readonly history: EarlierRuns };
  /** Returns the SHA-256 in hexadecimal. */
  readonly contentHash: (text: string) => string;
  readonly readCalledFlow: CallSources['readCalledFlow'];
  readonly capabilities: Pick<SharedCapabilities, 'tools'>;
}

/** Key in a run's settings of the hash of the agent's options from config files. */
export const settingsName = 'agent';

interface AskedRerun {
  readonly record: RunRecord;
  readonly run: EarlierRun;
  /** The input to run again; undefined if none is named. */
  readonly nodeId: string | undefined;
  /** Names of all inputs that the run had, also those that `run` does not have yet. */
  readonly tasks: Iterable<string>;
}

export class AgentReuse {
  readonly #options: AgentReuseOptions;

  constructor(options: AgentReuseOptions) {
    this.#options = options;
  }

  /**
   * Returns what a rerun would do with each input of a run. If Before All has a script, the inputs are known only
   * during the run.
   */
  async steps(agent: LoadedAgent, { record, run, nodeId, tasks }: AskedRerun): Promise<readonly RerunStep[]> {
    const isSame = this.#isSameAgent(agent, record);
    const isUnchanged = this.#unchangedFor(agent);
    const stepOf = async (task: string): Promise<RerunStep> => {
      if (task === nodeId) return stepFor(task, 'runs', ['it is the input to run again']);
      if (!isSame) return stepFor(task, 'runs', ['its agent or its settings have changed']);
      if (!(await isReusable(run, task, isUnchanged))) return stepFor(task, 'runs', ['it cannot be reused']);
      if (agent.doc.scripts.beforeAll === undefined) return stepFor(task, 'reused', []);
      return stepFor(task, 'maybe', ['Before All determines its inputs']);
    };
    const steps: RerunStep[] = [];
    for (const task of tasks) if (task.startsWith('input:')) steps.push(await stepOf(task));
    return steps;
  }

  of(
    agent: LoadedAgent,
    { rerunOf, rerunFromNode: task, rerunUntil: until }: RerunLineage,
    before?: number,
  ): InputReuse {
    const { store, flows } = this.#options;
    const record = this.#recordOf(rerunOf);
    const asked = JSON.stringify(requestOf(record).options ?? {});
    const others = until === undefined ? flows.history.othersThan(record, before, 'agent') : [];
    const runs = [flows.history.read(record, until), ...others];
    const former = runs.flatMap((run): readonly FormerAgentRun[] => {
      const own = this.#recordOf(run.runId);
      if (!this.#isSameAgent(agent, own) || JSON.stringify(requestOf(own).options ?? {}) !== asked) return [];
      const readPoint = () =>
        readResumePoint(readLog(store, run.runId, until), {
          whole: run.whole,
          readDefinition: (hash) => store.readDefinition(hash),
        });
      const point = run.runId === rerunOf ? readPoint() : unlessDamaged(readPoint, undefined);
      return point === undefined ? [] : [{ run, point }];
    });
    return createInputReuse({ task, former, isUnchanged: this.#unchangedFor(agent) }, agent.doc);
  }

  #unchangedFor(agent: LoadedAgent): (calls: readonly CalledRun[]) => Promise<boolean> {
    const { workspace, contentHash, readCalledFlow, capabilities } = this.#options;
    const sources = {
      ...{ workspace, contentHash, readCalledFlow, tools: capabilities.tools },
      loadAgent: (name: string, folder: string) => loadAgent({ agent: name, folder }, this.#options),
    };
    return (calls) => areUnchanged(calls, agent, sources);
  }

  #isSameAgent({ definition, baseOptions }: LoadedAgent, former: RunRecord): boolean {
    const { contentHash } = this.#options;
    return (
      contentHash(definition) === former.definitionHash &&
      former.nodeSettings[settingsName] === contentHash(JSON.stringify(baseOptions))
    );
  }

  #recordOf(runId: RunId): RunRecord {
    const record = this.#options.store.getRun(runId);
    if (record === undefined) throw runNotFound(runId);
    return record;
  }
}

/** Returns the request that started an agent run. */
export function requestOf({ inputs, name }: RunRecord): StartAgent {
  return isJsonMap(inputs) ? (inputs as unknown as StartAgent) : { agent: name };
}
