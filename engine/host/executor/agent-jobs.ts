/**
 * Converts requests to agent runs that are validated, recorded and ready to start.
 */

import { EngineError } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import type { RunRecord } from '../../history/store/run-row.ts';
import { noSchemaFiles } from '../../language/flow/schema-files.ts';
import { isJsonList, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import type { InputReuse } from '../../runtime/agent/agent-request.ts';
import type { PolicySource } from '../../runtime/governance/layered-policy.ts';
import type { ResumePoint } from '../../runtime/kernel/resume/resume-point.ts';
import { refuseOtherThanInput } from '../rerun/agent-reruns.ts';
import { AgentReuse, type AgentReuseOptions, requestOf, settingsName } from '../rerun/agent-reuse.ts';
import type { EarlierRuns } from '../rerun/earlier-runs.ts';
import type { RerunStep } from '../rerun/rerun-step.ts';
import { type AgentRuns, type AgentSource, type LoadedAgent, loadAgent } from './agent-runs.ts';
import { type Continuation, invalidState, type ResumeRun, readContinuation } from './continuation.ts';
import type { FlowCalls } from './flow-caller.ts';
import type { RedoContext } from './redo-scheduler.ts';
import { runNotFound } from './refusals.ts';
import { AnswersOfRuns } from './run-answers.ts';
import { type RecordWorld, type RunJob, recordRun } from './run-job.ts';
import { admittedAgent } from './start-facts.ts';
import { type RerunFrom, type RerunLineage, rerunLineage, type StartAgent } from './start-request.ts';

export interface AgentJobsOptions extends AgentSource, RecordWorld {
  readonly workspace: string;
  /** Policies that may refuse runs; absent if there are none. */
  readonly policies?: PolicySource;
  /** Returns the matching files as inputs of an agent. @throws EngineError `files.*` */
  readonly listInputFiles: (globs: readonly string[], folder: string) => Promise<readonly JsonValue[]>;
}

interface CallsOfAgents extends Omit<AgentReuseOptions, 'flows' | 'store' | 'workspace' | keyof AgentSource> {
  /** Runs flows for models' tools, and reads runs in the history. */
  readonly flows: Pick<FlowCalls, 'capabilityOf'> & { readonly history: EarlierRuns };
}

/** A run recorded in the history. */
interface RecordedAgentRun {
  readonly runId: RunId;
  readonly number: number;
  readonly definitionHash: string;
  readonly request: StartAgent;
  readonly inputs: readonly JsonValue[] | null;
  readonly redoOf: RunId | undefined;
  readonly redoCount: number;
  readonly rerunOf?: RunId;
  readonly rerunFromNode?: string;
  readonly rerunUntil?: number;
  readonly reuse?: InputReuse;
  /** The point at which an earlier process stopped; absent for a run without events. */
  readonly resume?: Continuation;
}

export class AgentJobs {
  readonly answers: AnswersOfRuns;
  readonly #runs: AgentRuns;
  readonly #options: AgentJobsOptions & CallsOfAgents;
  readonly #reuse: AgentReuse;

  constructor(runs: AgentRuns, options: AgentJobsOptions & CallsOfAgents) {
    this.#runs = runs;
    this.#options = options;
    this.answers = new AnswersOfRuns(options);
    this.#reuse = new AgentReuse(options);
  }

  /** @throws EngineError as `RunActions.startAgent` does, `pack.not-found` for a pack that could be installed */
  async start(request: StartAgent): Promise<RunJob> {
    return await this.#job(request, undefined);
  }

  /**
   * Runs the agent of an earlier run again with its original request: file, globs and settings are read again.
   * @throws EngineError as `start` does
   */
  async redo(record: RunRecord, context: RedoContext, text: string | undefined): Promise<RunJob> {
    const request = requestOf(record);
    return await this.#job(text === undefined ? request : { ...request, text }, context);
  }

  /**
   * Reruns an earlier run. Inputs reuse their outputs if possible; Before All and After All always run.
   * @throws EngineError as `start` does; `node.not-found` for an input that the run did not have; `run.invalid-state` for
   * outputs from a person
   */
  async rerun(again: RerunFrom): Promise<RunJob> {
    const { runId, nodeId, text } = again;
    const record = this.#recordOf(runId);
    if (again.given !== undefined) throw takesNoOutputs(record);
    const request = requestOf(record);
    if (nodeId !== undefined) refuseOtherThanInput(nodeId, this.#options.flows.history.read(record));
    return await this.#job(text === undefined ? request : { ...request, text }, undefined, rerunLineage(again));
  }

  /**
   * Returns what `rerun` would do with each input of the run. If Before All has a script, the inputs are known only
   * during the run.
   */
  async planRerun({ runId, nodeId, text, until, given }: RerunFrom): Promise<readonly RerunStep[]> {
    const record = this.#recordOf(runId);
    if (given !== undefined) throw takesNoOutputs(record);
    const { history } = this.#options.flows;
    const [whole, run] = [history.read(record), history.read(record, until)];
    if (nodeId !== undefined) refuseOtherThanInput(nodeId, whole);
    const request = requestOf(record);
    const agent = await this.load(text === undefined ? request : { ...request, text });
    return await this.#reuse.steps(agent, { record, run, nodeId, tasks: whole.nodes.keys() });
  }

  /** Reads the agent that a request would run. @throws EngineError as `start` does */
  async load({ agent, folder = this.#options.workspace, text }: StartAgent): Promise<LoadedAgent> {
    return await loadAgent({ agent, folder, text }, this.#options);
  }

  #recordOf(runId: RunId): RunRecord {
    const record = this.#options.store.getRun(runId);
    if (record === undefined) throw runNotFound(runId);
    return record;
  }

  /**
   * Resumes a run that this engine has claimed where it stopped, with its original text.
   * @param answer decision of a person; undefined if nothing was asked
   * @throws EngineError as `start` does; `run.invalid-state` if the answer is for something that does not wait, or if
   * an earlier version recorded the run without the result of Before All
   */
  async proceed(record: RunRecord, answer: ResumeRun | undefined): Promise<RunJob> {
    const { store } = this.#options;
    const { runId, number, definitionHash, redoOf, redoCount = 0 } = record;
    const request = requestOf(record);
    const { continuation } = readContinuation(store, runId, answer);
    const folder = request.folder ?? this.#options.workspace;
    const kept = store.readDefinition(definitionHash);
    const agent = await loadAgent({ agent: request.agent, folder, kept }, this.#options);
    const { rerunOf } = record;
    const { rerunFromNode, rerunUntil } = continuation?.point.start ?? {};
    const rerun = rerunOf && {
      rerunOf,
      ...(rerunFromNode === undefined ? {} : { rerunFromNode }),
      ...(rerunUntil === undefined ? {} : { rerunUntil }),
    };
    const reuse = rerun && { ...rerun, reuse: this.#reuse.of(agent, rerun, number) };
    const accepted = { runId, number, definitionHash, redoOf, redoCount, ...reuse };
    if (continuation === undefined)
      return this.#jobOf(agent, { ...accepted, request, inputs: await this.#inputsOf(request, folder) });
    const { point } = continuation;
    if (isUnknownBeforeAll(point))
      throw invalidState(
        record,
        `It was recorded by an earlier version, which did not store the result of Before All. To start again: millrace redo ${runId}.`,
      );
    const given = point.start?.inputs;
    const inputs = isJsonList(given) ? given : null;
    return this.#jobOf(agent, { ...accepted, request, inputs, resume: continuation });
  }

  async #job(request: StartAgent, former: RedoContext | undefined, rerun?: RerunLineage): Promise<RunJob> {
    const folder = request.folder ?? this.#options.workspace;
    const agent = await this.load(request);
    const inputs = await this.#inputsOf(request, folder);
    const reuse = rerun === undefined ? {} : { ...rerun, reuse: this.#reuse.of(agent, rerun) };
    const recorded = this.#recorded(request, agent, { former, rerunOf: rerun?.rerunOf });
    const { runId: redoOf, count: redoCount = 0 } = former ?? {};
    const job = this.#jobOf(agent, { ...recorded, ...reuse, redoOf, redoCount, request, inputs });
    const { policies } = this.#options;
    const judges = { capabilities: { model: this.#runs.model }, ...(policies === undefined ? {} : { policies }) };
    return admittedAgent(job, { agent, callOptions: request.options, inputs }, judges);
  }

  #jobOf(agent: LoadedAgent, { request, definitionHash, ...accepted }: RecordedAgentRun): RunJob {
    const { number, ...identity } = accepted;
    const { runId, redoOf, redoCount, rerunOf, rerunFromNode, rerunUntil, resume } = identity;
    const { options: callOptions, dry, isVerbose, startedBy = this.#options.startedBy } = request;
    const task = { ...identity, startedBy, callOptions, depth: 0, dry, isVerbose };
    const { answers } = this;
    const runs = this.#runs;
    const flows = this.#options.flows.capabilityOf({ path: agent.place.file, files: noSchemaFiles, above: [] });
    return {
      runId,
      number,
      kind: 'agent',
      name: agent.place.name,
      origin: {
        sourcePath: agent.place.shownPath,
        definitionHash,
        ...(redoOf === undefined ? {} : { redoOf }),
        ...(redoCount === 0 ? {} : { redoCount }),
        ...(rerunOf === undefined ? {} : { rerunOf }),
        ...(rerunFromNode === undefined ? {} : { rerunFromNode }),
        ...(rerunUntil === undefined ? {} : { rerunUntil }),
      },
      firstSeq: resume === undefined ? 0 : resume.point.lastSeq + 1,
      async execute({ hub, scope }) {
        try {
          return (await runs.run(agent, { ...task, flows, answers: answers.open(runId) }, hub, scope)).event;
        } finally {
          answers.forget(runId);
        }
      },
    };
  }

  #recorded(
    request: StartAgent,
    { place, definition, baseOptions }: LoadedAgent,
    { former, rerunOf }: { readonly former: RedoContext | undefined; readonly rerunOf: RunId | undefined },
  ): ReturnType<typeof recordRun> {
    const { name, shownPath: sourcePath } = place;
    const redo = former === undefined ? {} : { redoOf: former.runId, redoCount: former.count };
    const nodeSettings = { [settingsName]: this.#options.contentHash(JSON.stringify(baseOptions)) };
    const lineage = { ...redo, ...(rerunOf === undefined ? {} : { rerunOf }), nodeSettings };
    const inputs = asAskedFor(request);
    const { startedBy = this.#options.startedBy } = request;
    const starter = startedBy === undefined ? {} : { startedBy };
    return recordRun({ kind: 'agent', name, sourcePath, definition, inputs, ...lineage, ...starter }, this.#options);
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

/** Returns the request as stored in the history: globs and names as typed. */
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

/** Stages after Before All depend on its result. */
function isUnknownBeforeAll({ phases, stages }: ResumePoint): boolean {
  const begun = stages.get('BeforeAll');
  return phases.get('Before All') === 'complete' && begun !== undefined && begun.result === undefined;
}

function takesNoOutputs(run: RunRecord): EngineError {
  return invalidState(
    run,
    'The output of an agent input cannot be given. Only nodes of a flow can get another output.',
  );
}
