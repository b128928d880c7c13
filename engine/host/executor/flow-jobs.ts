/**
 * Converts requests to flow runs that are validated, recorded and ready to start.
 */

import type { RunId } from '../../base/ids.ts';
import type { RunRecord } from '../../history/store/run-row.ts';
import { secretNamesOf } from '../../language/bindings/secret-bindings.ts';
import { type AutonomyLevel, lowerOf } from '../../language/flow/autonomy.ts';
import { collectCalledFlows } from '../../language/flow/called-flows.ts';
import type { CompiledFlow } from '../../language/flow/compiled-flow.ts';
import { refuseMisfits } from '../../language/flow/flow-interface.ts';
import type { CalledFlow, SchemaFiles } from '../../language/flow/schema-files.ts';
import { calledDefinition, filesOf, unpackDefinition } from '../../language/flow/stored-definition.ts';
import { isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import type { NodeTypeCatalog } from '../../language/types/node-type-spec.ts';
import { prepareGraph } from '../../runtime/flow/graph-plan.ts';
import type { TakenOutputs } from '../../runtime/flow/run-scope.ts';
import type { RunSecrets } from '../../runtime/kernel/hub/run-secrets.ts';
import { EarlierRuns } from '../rerun/earlier-runs.ts';
import { type PartRequest, partThatRan, takenOutputs } from '../rerun/latest-outputs.ts';
import { readNodeSettings } from '../rerun/node-settings.ts';
import { partAgain, partOf } from '../rerun/part-of-flow.ts';
import { Rerun, type RerunRequest } from '../rerun/rerun.ts';
import { refuseInvalid } from './breakpoint-lists.ts';
import { originIn, type ResumeRun, readContinuation, type StoredRun, withPartNote } from './continuation.ts';
import { FlowCalls, type FlowCallWorld, type FlowWorld } from './flow-caller.ts';
import { FlowDefinitions, type FlowDefinitionsOptions } from './flow-definitions.ts';
import { createFlowJob, type FlowTask } from './flow-run-job.ts';
import { givenOutputs } from './held-answers.ts';
import { flowChanged, runNotFound } from './refusals.ts';
import { AnswersOfRuns } from './run-answers.ts';
import { budgetOf, type PriceCheck, refuseUnpriced } from './run-budget.ts';
import { type RecordWorld, type RunJob, recordRun } from './run-job.ts';
import { admittedFlow } from './start-facts.ts';
import { type RerunFrom, rerunLineage, type StartRun } from './start-request.ts';
import { atLevel, levelOfUnseen } from './unseen-texts.ts';

export interface FlowJobsOptions extends FlowCallWorld, RecordWorld, FlowDefinitionsOptions {
  readonly registry: FlowWorld['registry'] & NodeTypeCatalog;
  /** Returns the current text of a definition. @throws EngineError `files.not-found` and others */
  readonly readDefinition: (path: string) => Promise<string>;
  readonly isPriced?: PriceCheck;
}

/** How an accepted run relates to an earlier one, and who started it. */
type Lineage = NonNullable<StoredRun['start']> & Pick<RunRecord, 'startedBy'>;

/** A run that could start, before it is recorded. */
export interface FlowRunDraft {
  readonly request: StartRun;
  readonly flow: CompiledFlow;
  /** The definition as stored in the history: its text, with the schemas of the files it names. */
  readonly definition: string;
  readonly nodeSettings: Readonly<Record<string, string>>;
  /** Outputs that are used instead of running the nodes. */
  readonly taken?: TakenOutputs;
  /** Set for a run that is about to start, if its flow names secrets. */
  readonly secrets?: RunSecrets;
}

/** A flow that names secrets. */
type FlowSecretUser = Omit<Parameters<FlowJobsOptions['openSecrets']>[1], 'isUnseen'> & { readonly text: string };

export class FlowJobs {
  /** Runs the child flows of nodes. */
  readonly calls: FlowCalls;
  readonly definitions: FlowDefinitions;
  readonly #options: FlowJobsOptions;
  readonly answers: AnswersOfRuns;
  /** The runs with reusable results. */
  readonly history: EarlierRuns;

  constructor(options: FlowJobsOptions) {
    this.#options = options;
    this.answers = new AnswersOfRuns(options);
    this.definitions = new FlowDefinitions(options);
    this.history = new EarlierRuns(options, this.definitions);
    this.calls = new FlowCalls({ ...options, definitions: this.definitions });
  }

  /** @throws EngineError `run.not-found` */
  recordOf(runId: RunId): RunRecord {
    const record = this.#options.store.getRun(runId);
    if (record === undefined) throw runNotFound(runId);
    return record;
  }

  /**
   * @throws EngineError `flow.*` | `node.*` | `run.missing-outputs` | `secret.*`; the error of a store that cannot
   * record the run
   */
  async start(request: StartRun): Promise<RunJob> {
    const draft = await this.readStart(request);
    if (request.unlessChanged !== undefined && request.unlessChanged !== this.#hashOf(draft))
      throw flowChanged(request);
    return this.#newJob(this.#recorded(await this.#ready(draft), {}));
  }

  async redo(runId: RunId, text: string | undefined): Promise<RunJob> {
    return this.#newJob(this.#recorded(await this.#ready(await this.readRedo(runId, text)), { redoOf: runId }));
  }

  /** Returns the same run as before without recording it. @throws EngineError as `redo` does */
  async readRedo(runId: RunId, text: string | undefined): Promise<FlowRunDraft> {
    const again = await this.#requestAgain(this.recordOf(runId), text);
    return await this.readStart({ ...again, ...partThatRan(runId, this.#options.store) });
  }

  async rerun(request: RerunFrom): Promise<RunJob> {
    const { draft, rerun } = await this.readRerun(request);
    return this.#newJob({ ...this.#recorded(await this.#ready(draft), rerunLineage(request)), reuse: rerun });
  }

  /** Returns both runs for comparison without recording the new one. @throws EngineError as `Engine.rerunFrom` does */
  async readRerun(request: RerunFrom): Promise<{ draft: FlowRunDraft; rerun: Rerun }> {
    const { runId, nodeId, text, until, given, by: _, ...part } = request;
    const record = this.recordOf(runId);
    const again = { ...(await this.#requestAgain(record, text)), ...part };
    const draft = await this.readStart(given === undefined ? again : await this.#withGiven(again, request));
    const present = { ...draft, inputs: draft.request.inputs, fromNode: nodeId, until };
    return { draft, rerun: this.#rerunOf(record, present) };
  }

  /** Adds the outputs that a person gives nodes of a rerun, which act like pins. */
  async #withGiven(again: StartRun, request: RerunFrom): Promise<StartRun & Pick<PartRequest, 'given'>> {
    const start = { ...again, pins: { ...again.pins, ...request.given } };
    const { flow } = await this.definitions.compiled(start);
    const earlier = this.history.read(this.recordOf(request.runId));
    return { ...start, given: givenOutputs(request, { flow, registry: this.#options.registry, earlier }) };
  }

  /**
   * Resumes a run that this engine has claimed where it stopped.
   * @param answer decision of a person; undefined if nothing was asked
   */
  async proceed(record: RunRecord, answer: ResumeRun | undefined): Promise<RunJob> {
    const { store } = this.#options;
    const { runId, number, sourcePath, definitionHash } = record;
    const { continuation, start } = readContinuation(store, runId, answer);
    const definition = this.history.definitionOf(record);
    const whole = this.definitions.compiledAsKept(sourcePath, definition);
    const lineage = start ?? { ...originIn(record), ...budgetOf(whole) };
    const part = partAgain(whole, lineage, continuation?.point.settled.keys());
    const flow = atLevel(part, continuation?.point.start?.autonomy);
    const inputs = mapOf(record.inputs);
    const { text } = unpackDefinition(definition);
    const secrets = await this.#secretsOf(flow, { path: sourcePath, text, hash: () => definitionHash });
    // For a run without events, the node to rerun from is unknown, so the whole flow runs.
    const reuse =
      start === undefined ? undefined : await this.#reuseOf({ ...start, flow, inputs, definition, before: number });
    for (const nodeId of continuation?.point.settled.keys() ?? []) reuse?.noteRun(nodeId);
    return this.#jobOf({
      ...{ runId, number, flow, definition, inputs, origin: { sourcePath, definitionHash, ...lineage } },
      ...(continuation === undefined ? {} : { continuation }),
      ...(reuse === undefined ? {} : { reuse }),
      ...(secrets === undefined ? {} : { secrets }),
    });
  }

  /** Adds the data that a run needs to a draft. @throws EngineError `flow.bad-inputs` | `secret.*` */
  async #ready(draft: FlowRunDraft): Promise<FlowRunDraft> {
    const { flow, definition, request } = draft;
    refuseMisfits(flow, request.inputs);
    const { sha256 } = this.#options.capabilities.hash;
    const secrets = await this.#secretsOf(flow, { ...request, hash: () => sha256(definition) });
    // Child flows open their secrets when they are called. This reports missing ones before anything has started.
    const below = collectCalledFlows(filesOf(definition));
    for (const called of below)
      await this.#secretsOf(this.#compiled(called), { ...called, hash: () => sha256(calledDefinition(called)) });
    await refuseUnpriced([flow, ...below.map((called) => this.#compiled(called))], this.#options);
    return secrets === undefined ? draft : { ...draft, secrets };
  }

  async #secretsOf(flow: CompiledFlow, user: FlowSecretUser): Promise<RunSecrets | undefined> {
    const names = secretNamesOf(flow);
    return names.length === 0 ? undefined : await this.#open(names, user);
  }

  #open(names: readonly string[], { path, text, hash }: FlowSecretUser): Promise<RunSecrets> {
    return this.#options.openSecrets(names, { path, hash, isUnseen: this.#options.unseen?.(path, text) !== undefined });
  }

  /** Opens secrets that a flow names outside of its nodes. @throws EngineError `flow.invalid` | `secret.*` */
  async openSecrets(flow: Pick<StartRun, 'path' | 'text'>, names: readonly string[]): Promise<RunSecrets> {
    const { definition } = await this.definitions.compiled(flow);
    return await this.#open(names, { ...flow, hash: () => this.#options.capabilities.hash.sha256(definition) });
  }

  /** Creates the job of a new run. */
  #newJob(task: FlowTask): RunJob {
    const { flow, definition, inputs } = task;
    const judged = { flow, inputs, files: filesOf(definition) };
    return admittedFlow(this.#jobOf(task), judged, { ...this.#options, definitions: this.definitions });
  }

  #jobOf(task: FlowTask): RunJob {
    return createFlowJob(task, { ...this.#options, answers: this.answers }, this.calls);
  }

  async #reuseOf({
    rerunOf,
    rerunFromNode,
    rerunUntil: until,
    ...run
  }: Lineage & Pick<FlowTask, 'flow' | 'inputs' | 'definition'> & { readonly before: number }): Promise<
    Rerun | undefined
  > {
    if (rerunOf === undefined) return undefined;
    const nodeSettings = await this.#nodeSettings(run.flow, filesOf(run.definition));
    return this.#rerunOf(this.recordOf(rerunOf), { ...run, nodeSettings, fromNode: rerunFromNode, until });
  }

  #rerunOf(
    record: RunRecord,
    present: Omit<RerunRequest, 'earlier' | 'others' | 'readRun'> & Parameters<EarlierRuns['forRerun']>[1],
  ): Rerun {
    return new Rerun({ ...this.history.forRerun(record, present), ...present });
  }

  /** Returns a run that is not recorded yet. @throws EngineError `flow.*` | `node.*` | `run.missing-outputs` */
  async readStart(request: StartRun & Pick<PartRequest, 'given'>): Promise<FlowRunDraft> {
    const { maxParallel, autonomy } = request;
    refuseInvalid(request.breakpoints);
    const { flow: whole, definition } = await this.definitions.compiled(request);
    const taken = takenOutputs(whole, request, this.#options.store);
    const asWritten = partOf(whole, { part: request.part, given: new Set(taken?.keys()) });
    const inParallel = maxParallel === undefined ? {} : { maxParallel };
    const ofUnseen = levelOfUnseen(asWritten.policy.autonomy, this.#options.unseen?.(request.path, request.text));
    const level = lowerOf(autonomy, ofUnseen);
    const flow = atLevel({ ...asWritten, policy: { ...asWritten.policy, ...inParallel } }, level);
    prepareGraph(flow);
    const nodeSettings = await this.#nodeSettings(flow, filesOf(definition));
    return { request, flow, definition, nodeSettings, ...(taken === undefined ? {} : { taken }) };
  }

  /** Returns the hash of all that determines what a run of a flow does. @throws EngineError `flow.invalid` */
  async hashFlow(request: Pick<StartRun, 'path' | 'text'>): Promise<string> {
    return this.#hashOf(await this.readStart({ ...request, inputs: {} }));
  }

  #hashOf({ definition, nodeSettings }: FlowRunDraft): string {
    return this.#options.capabilities.hash.sha256(`${definition}\n${JSON.stringify(nodeSettings)}`);
  }

  #nodeSettings(flow: CompiledFlow, files: SchemaFiles): Promise<Readonly<Record<string, string>>> {
    return readNodeSettings(flow, { ...this.#options, files, compiled: (called) => this.#compiled(called) });
  }

  #compiled(called: CalledFlow): CompiledFlow {
    return this.definitions.compiledAsKept(called.path, calledDefinition(called));
  }

  async #requestAgain(record: RunRecord, text: string | undefined): Promise<StartRun> {
    const { sourcePath: path, inputs } = record;
    const lowered = this.#loweredIn(record);
    return {
      ...{ path, text: text ?? (await this.#options.readDefinition(path)), inputs: mapOf(inputs) },
      ...(lowered === undefined ? {} : { autonomy: lowered }),
    };
  }

  /** Returns the level requested by the start, in addition to the one declared by the flow. */
  #loweredIn(record: RunRecord): AutonomyLevel | undefined {
    const [first] = this.#options.store.readEvents(record.runId, -1, 1);
    if (first?.event.type !== 'run:start' || first.event.autonomy === undefined) return undefined;
    const declared = this.definitions.former(this.history.definitionOf(record)).policy.autonomy;
    return declared === first.event.autonomy ? undefined : first.event.autonomy;
  }

  #recorded(
    { request, flow, definition, nodeSettings, taken, secrets }: FlowRunDraft,
    { rerunFromNode, rerunUntil, ...lineage }: Lineage,
  ): FlowTask {
    const { path: sourcePath, inputs: given, part, pins = {}, conversation, firing, breakpoints } = request;
    const { startedBy = this.#options.startedBy } = request;
    const starter = startedBy === undefined ? {} : { startedBy };
    const inputs = secrets?.mask(given) ?? given;
    const noted = withPartNote(nodeSettings, request);
    const described = { kind: 'flow', name: flow.name, sourcePath, definition, inputs, nodeSettings: noted } as const;
    const once = { ...(firing === undefined ? {} : { firing }), ...(breakpoints === undefined ? {} : { breakpoints }) };
    const { runId, number, definitionHash } = recordRun(
      { ...described, ...lineage, ...starter, ...once },
      this.#options,
      conversation,
    );
    const pinned = Object.keys(pins).filter((id) => flow.nodes.some((node) => node.id === id));
    const from = {
      ...{ ...lineage, ...starter, ...budgetOf(flow) },
      ...(rerunFromNode === undefined ? {} : { rerunFromNode }),
      ...(rerunUntil === undefined ? {} : { rerunUntil }),
      ...(part === undefined ? {} : { scope: part }),
      ...(pinned.length === 0 ? {} : { pinned }),
      ...(conversation === undefined ? {} : { sessionId: conversation.sessionId, flowId: conversation.flowId }),
    };
    return {
      ...{ runId, number, flow, definition, inputs, origin: { sourcePath, definitionHash, ...from } },
      ...(taken === undefined ? {} : { taken }),
      ...(secrets === undefined ? {} : { secrets }),
    };
  }
}

function mapOf(inputs: JsonValue): JsonMap {
  return isJsonMap(inputs) ? inputs : {};
}
