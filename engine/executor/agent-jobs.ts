/**
 * Requests → runs of agents that are checked, recorded and ready to start.
 */

import type { AgentOptions } from '../agent/agent-doc.ts';
import type { DryMode } from '../agent/agent-request.ts';
import { EngineError } from '../base/engine-error.ts';
import type { RunId } from '../base/ids.ts';
import { isJsonMap, type JsonMap, type JsonValue } from '../flowspec/json-value.ts';
import type { RunRecord } from '../store/run-store.ts';
import { type AgentRuns, type AgentSource, type LoadedAgent, loadAgent } from './agent-runs.ts';
import type { RedoContext } from './redo-scheduler.ts';
import { type RecordWorld, type RunJob, recordRun } from './run-job.ts';

/** A run of an agent that is asked for. */
export interface StartAgent {
  /** A file, relative to `folder` or absolute, or a pack reference such as `demo@proof`. */
  readonly agent: string;
  /** Where relative paths and globs start, absolute; absent = the workspace. */
  readonly folder?: string;
  /** The definition as it is on screen; absent = it is read. */
  readonly text?: string;
  /** One item each. Not together with `files`. */
  readonly inputs?: readonly JsonValue[];
  /** Globs; each file that matches is an item. */
  readonly files?: readonly string[];
  /** Come before the settings of the agent file. */
  readonly options?: AgentOptions;
  readonly dry?: DryMode;
  /** Logs what the model is asked and what it answers, as `info`. */
  readonly isVerbose?: boolean;
  /** A pack that is missing may be installed without asking. */
  readonly installsMissing?: boolean;
}

export interface AgentJobsOptions extends AgentSource, RecordWorld {
  readonly workspace: string;
  /** The files that match, as inputs of an agent. @throws EngineError `files.*` */
  readonly listInputFiles: (globs: readonly string[], folder: string) => Promise<readonly JsonValue[]>;
}

export class AgentJobs {
  readonly #runs: AgentRuns;
  readonly #options: AgentJobsOptions;

  constructor(runs: AgentRuns, options: AgentJobsOptions) {
    this.#runs = runs;
    this.#options = options;
  }

  /** @throws EngineError as `AgentEngine.startAgent` does, `pack.not-found` for a pack that could be installed */
  async start(request: StartAgent): Promise<RunJob> {
    return await this.#job(request, undefined);
  }

  /**
   * The agent of an earlier run again, with what was asked for then: its file, the globs and the settings are read anew.
   * @throws EngineError as `start` does
   */
  async redo(record: RunRecord, context: RedoContext, text: string | undefined): Promise<RunJob> {
    const request = requestOf(record);
    return await this.#job(text === undefined ? request : { ...request, text }, context);
  }

  async #job(request: StartAgent, former: RedoContext | undefined): Promise<RunJob> {
    const folder = request.folder ?? this.#options.workspace;
    const agent = await loadAgent({ agent: request.agent, folder, text: request.text }, this.#options);
    const inputs = await this.#inputsOf(request, folder);
    const { runId, definitionHash } = this.#recorded(request, agent, former);
    const redoCount = former?.count ?? 0;
    const task = {
      runId,
      inputs,
      callOptions: request.options,
      redoOf: former?.runId,
      redoCount,
      depth: 0,
      dry: request.dry,
      isVerbose: request.isVerbose,
    };
    const redoOf = former === undefined ? {} : { redoOf: former.runId };
    return {
      runId,
      kind: 'agent',
      name: agent.place.name,
      origin: {
        sourcePath: agent.place.shownPath,
        definitionHash,
        ...redoOf,
        ...(redoCount === 0 ? {} : { redoCount }),
      },
      firstSeq: 0,
      execute: async (hub, scope) => (await this.#runs.run(agent, task, hub, scope)).event,
    };
  }

  #recorded(
    request: StartAgent,
    { place, text }: LoadedAgent,
    former: RedoContext | undefined,
  ): { readonly runId: RunId; readonly definitionHash: string } {
    const { name, shownPath: sourcePath } = place;
    const lineage = former === undefined ? {} : { redoOf: former.runId, redoCount: former.count };
    const inputs = asAskedFor(request);
    return recordRun({ kind: 'agent', name, sourcePath, definition: text, inputs, ...lineage }, this.#options);
  }

  async #inputsOf({ inputs, files }: StartAgent, folder: string): Promise<readonly JsonValue[] | null> {
    if (files === undefined) return inputs ?? null;
    if (inputs === undefined) return await this.#options.listInputFiles(files, folder);
    throw new EngineError({
      code: 'agent.bad-inputs',
      message: 'Cannot use both --on-inputs and --on-files: give either inputs or files.',
    });
  }
}

/** What was asked for, as the history keeps it: globs and names as they were typed. */
function asAskedFor({ agent, folder, inputs, files, options, dry, isVerbose }: StartAgent): JsonMap {
  return {
    agent,
    ...(folder === undefined ? {} : { folder }),
    ...(inputs === undefined ? {} : { inputs }),
    ...(files === undefined ? {} : { files }),
    ...(options === undefined ? {} : { options: options as JsonMap }),
    ...(dry === undefined ? {} : { dry }),
    ...(isVerbose === undefined ? {} : { isVerbose }),
  };
}

/** Written by `asAskedFor` alone. */
function requestOf({ inputs, name }: RunRecord): StartAgent {
  return isJsonMap(inputs) ? (inputs as unknown as StartAgent) : { agent: name };
}
