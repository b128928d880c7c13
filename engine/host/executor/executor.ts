/**
 * Accepts requests and tracks the active runs. Only the executor starts, redoes, resumes and cancels runs.
 */

import type { Clock } from '../../base/clock.ts';
import type { EngineError } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import type { RunRecord } from '../../history/store/run-row.ts';
import type { RunStore } from '../../history/store/run-store.ts';
import { productsAt } from '../../language/flow/product-path.ts';
import type { PolicySource } from '../../runtime/governance/layered-policy.ts';
import { cancellation, correction } from '../../runtime/kernel/hub/cancel-scope.ts';
import { missingPackOf, PendingInstalls, type PendingInstallsOptions } from '../plans/pending-installs.ts';
import { type AllowWaiting, claimAllowed } from '../plans/permission-answers.ts';
import type { PermissionPlanWorld } from '../plans/permission-plan.ts';
import { createRunPlans, type RunPlans } from '../plans/run-plans.ts';
import { Actions, type ExecEvent } from './actions.ts';
import {
  type AcceptedRun,
  type AcceptedWork,
  ActiveRuns,
  type ActiveRunsOptions,
  type EndedRun,
  type EnteredRun,
  leftAsItIs,
} from './active-runs.ts';
import { AgentJobs, type AgentJobsOptions } from './agent-jobs.ts';
import type { AgentRuns } from './agent-runs.ts';
import { Answering, type AnsweringParts } from './answering.ts';
import { invalidState, type ResumeRun, refuseUnfitting } from './continuation.ts';
import { FlowJobs, type FlowJobsOptions } from './flow-jobs.ts';
import type { ChangeOutput } from './held-answers.ts';
import { formerOf, type RedoContext, RedoScheduler } from './redo-scheduler.ts';
import { claimAnswer } from './run-answers.ts';
import type { RunJob } from './run-job.ts';
import { RunRequests } from './run-requests.ts';
import type { RerunFrom, StartAgent, StartRun } from './start-request.ts';

export interface ExecutorOptions
  extends FlowJobsOptions,
    ActiveRunsOptions,
    AgentJobsOptions,
    Pick<PendingInstallsOptions, 'installPack'>,
    Pick<AnsweringParts, 'resumesAnswered' | 'onReminded'>,
    Pick<PermissionPlanWorld, 'admitSecret'> {
  readonly agentRuns: AgentRuns;
  readonly registry: FlowJobsOptions['registry'];
  /**
   * Checks a run before it starts or resumes; absent if all runs are allowed.
   * @throws EngineError `files.unseen`
   */
  readonly admitStart?: (start: { readonly path: string; readonly since?: number }) => Promise<void>;
  /** Receives the reason a pending redo could not start. */
  readonly onRefusedRedo: (error: EngineError) => void;
  /** Receives the reason why a run that was answered or canceled while no process owned it could not be resumed. */
  readonly onRefusedResume: (error: EngineError) => void;
}

export interface Executor
  extends Pick<FlowJobs, 'hashFlow' | 'openSecrets'>,
    Pick<ActiveRuns, 'breakpoints' | 'subscribe'>,
    Pick<RedoScheduler, 'whenRedone'> {
  /** Validates the definition and queues a run. @throws EngineError `flow.invalid` */
  startRun(request: StartRun): Promise<AcceptedRun>;
  /** Queues a run of an agent, or returns work that needs consent first. @throws EngineError `agent.*` | `files.*` */
  startAgent(request: StartAgent): Promise<AcceptedWork>;
  /** @throws EngineError as `Engine.redo` does */
  redo(request: { readonly runId?: RunId; readonly text?: string }): Promise<AcceptedRun>;
  /** @throws EngineError as `Engine.resumeRun` does */
  resumeRun(request: ResumeRun): Promise<AcceptedRun>;
  /** @throws EngineError as `Engine.pauseRun` does */
  pauseRun(runId: RunId): Promise<void>;
  /** @throws EngineError as `Engine.changeOutput` does */
  changeOutput(request: ChangeOutput): Promise<void>;
  /** @throws EngineError as `Engine.allowWaiting` does */
  allowWaiting(request: AllowWaiting): Promise<AcceptedRun>;
  /** Reruns an earlier run from a node, or where something has changed. @throws EngineError `node.not-found` */
  rerunFrom(request: RerunFrom): Promise<AcceptedRun>;
  readonly plans: RunPlans;
  /** As `Engine.cancelRun`. A named run that is suspended or interrupted ends as cancelled. */
  cancelRun(runId?: RunId): void;
  /** Ends a run that waits for a person. @returns false if it no longer waits */
  endWaiting(runId: RunId): Promise<boolean>;
  /** Deletes an inactive run, and cancels its pending redo. @throws EngineError as `RunStore.deleteRun` does */
  deleteRun(runId: RunId): Promise<void>;
  /**
   * Performs work that waited for a person, and then starts the run that waited for it. @throws EngineError
   * `work.not-found` | `work.done`
   */
  confirmWork(workId: string): Promise<AcceptedWork>;
  /** @throws EngineError `work.not-found` | `work.done` */
  cancelWork(workId: string): Promise<void>;
  /**
   * Returns the end of a run that is queued or active here, as `Answering.whenEnded` does; undefined for any other run.
   */
  whenActiveEnded(runId: RunId): Promise<EndedRun> | undefined;
  /**
   * Calls the listener when the executor becomes active and when it becomes idle. Returns a function that unsubscribes.
   */
  watchActivity(listener: (event: ExecEvent) => void): () => void;
  /** Rejects further actions, cancels active runs and waits for them. */
  close(): Promise<void>;
}

/** Creates the executor of a store. */
export function createExecutor(options: ExecutorOptions): Executor {
  const core = new ExecutorCore(options);
  const { actions, answering, flows, runs, redos, works, requests } = core;
  return {
    startRun: (request) =>
      core.act(async () => runs.enter(await core.admitted(request.path, () => flows.start(request)))),
    startAgent: (request) => core.act(() => core.startAgent(request)),
    redo: ({ runId, text }) => core.act(() => core.redo(runId, text)),
    resumeRun: (request) => core.act(() => core.resume(request)),
    allowWaiting: (request) => core.act(() => core.allow(request)),
    rerunFrom: (request) =>
      core.act(async () => {
        const { sourcePath, kind } = flows.recordOf(request.runId);
        const jobs = kind === 'agent' ? core.agents : flows;
        return runs.enter(await core.admitted(sourcePath, () => jobs.rerun(request)));
      }),
    hashFlow: (request) => flows.hashFlow(request),
    openSecrets: (flow, names) => flows.openSecrets(flow, names),
    plans: createRunPlans(flows, { ...options, agents: core.agents }),
    cancelRun: (runId) => core.cancel(runId),
    pauseRun: (runId) => actions.run(() => requests.pause(flows.recordOf(runId))),
    breakpoints: runs.breakpoints,
    changeOutput: (request) => actions.run(() => requests.change(flows.recordOf(request.runId), request)),
    endWaiting: (runId) => core.endWaiting(runId),
    deleteRun: (runId) =>
      actions.run(() => {
        options.store.deleteRun(runId);
        redos.cancel(runId);
      }),
    confirmWork: (workId) => core.act(async () => core.startAgent(await works.install(workId))),
    cancelWork: (workId) => actions.run(() => works.cancel(workId)),
    whenActiveEnded: (runId) => answering.whenEnded(runId),
    whenRedone: (runId) => redos.whenRedone(runId),
    subscribe: (listener) => runs.subscribe(listener),
    watchActivity: (listener) => actions.subscribe(listener),
    async close() {
      for (const part of [answering, requests, works, redos]) part.close();
      await actions.close();
      await runs.end();
    },
  };
}

class ExecutorCore {
  readonly actions = new Actions();
  readonly flows: FlowJobs;
  readonly agents: AgentJobs;
  readonly runs: ActiveRuns;
  readonly redos: RedoScheduler;
  readonly works: PendingInstalls;
  readonly answering: Answering;
  readonly requests: RunRequests;
  readonly #store: RunStore;
  readonly #clock: Clock;
  readonly #agentRuns: AgentRuns;
  readonly #policies: PolicySource | undefined;
  readonly #admitStart: ExecutorOptions['admitStart'];

  constructor(options: ExecutorOptions) {
    const { clock, ids, store, agentRuns, installPack, policies } = options;
    [this.#policies, this.#admitStart] = [policies, options.admitStart];
    [this.#store, this.#clock, this.#agentRuns] = [store, clock, agentRuns];
    this.flows = new FlowJobs(options);
    this.agents = new AgentJobs(agentRuns, {
      ...options,
      flows: { capabilityOf: (caller) => this.flows.calls.capabilityOf(caller), history: this.flows.history },
      contentHash: options.capabilities.hash.sha256,
    });
    this.runs = new ActiveRuns(options);
    this.works = new PendingInstalls({ clock, ids, works: store.works, installPack });
    this.redos = new RedoScheduler({
      clock,
      redo: (context) => this.act(() => this.#redoOf(context, undefined)),
      onRefused: options.onRefusedRedo,
    });
    this.answering = new Answering({
      ...{ store, clock, runs: this.runs, resumesAnswered: options.resumesAnswered },
      recordOf: (runId) => this.flows.recordOf(runId),
      lookForAnswers: (runId) => {
        for (const { answers } of [this.flows, this.agents]) answers.look(runId);
      },
      proceed: (record, isOwn) => this.#proceed(record, undefined, { isOwn }),
      act: (handle) => this.act(handle),
      onReminded: options.onReminded,
      onRefused: options.onRefusedResume,
    });
    this.requests = new RunRequests({
      ...{ store, clock, policies, runs: this.runs, actions: this.actions, onRefused: options.onRefusedResume },
      cancelActive: (runId) => this.cancel(runId),
      proceed: (record, request) => this.act(() => this.#proceed(record, request)),
      world: { ...options, ...this.flows },
      end: (runId) => this.act(() => this.#proceed(this.flows.recordOf(runId), undefined, { stop: cancellation() })),
    });
  }

  /**
   * Performs an action that may start a run. The action is active until the run has ended and, if a redo was requested,
   * the next run in the chain has started.
   */
  act<Answer extends AcceptedWork>(handle: () => Promise<Answer>): Promise<Answer> {
    return this.actions.run(handle, (answer) => ('ended' in answer ? this.#whenOver(answer) : undefined));
  }

  /** Calls `start` if the run is allowed to start. */
  async admitted<T>(path: string, start: () => Promise<T>): Promise<T> {
    await this.#admitStart?.({ path });
    return await start();
  }

  async startAgent(request: StartAgent): Promise<AcceptedWork> {
    await this.#admitStart?.({ path: request.agent });
    try {
      return this.#enterAgent(await this.agents.start(request), undefined);
    } catch (error) {
      const packRef = missingPackOf(error);
      if (packRef === undefined) throw error;
      const work = this.works.add(packRef, request);
      if (request.installsMissing !== true) return { work };
      return this.#enterAgent(await this.agents.start(await this.works.install(work.workId)), undefined);
    }
  }

  async redo(runId: RunId | undefined, text: string | undefined): Promise<AcceptedRun> {
    return await this.#redoOf(runId === undefined ? this.redos.current() : { runId, count: 0 }, text);
  }

  async resume(request: ResumeRun): Promise<AcceptedRun> {
    const record = this.flows.recordOf(request.runId);
    const { runId } = record;
    if (request.action !== undefined) return await this.requests.letGo(record, { ...request, action: request.action });
    this.answering.applyDue((id) => id === runId, false);
    const takesOver = !this.answering.isGoingOn(runId);
    const policies = this.#policies?.(productsAt(record.sourcePath));
    const isOwn = claimAnswer(this.#store, request, { now: this.#clock.now(), takesOver, policies });
    if (isOwn !== undefined) return await this.answering.answered(runId, isOwn);
    if (this.runs.has(runId)) throw invalidState(record, 'Wait until it ends, or cancel it.');
    refuseUnfitting(record, request);
    const action = this.requests.letGoBy(record);
    if (action !== undefined) return await this.#proceed(record, { ...request, action });
    // A person must decide first, so nothing changes.
    if (record.status === 'suspended' && request.decision === undefined)
      return this.#store.waiting.hasNews(runId) ? await this.answering.answered(runId, false) : leftAsItIs(record);
    return await this.#proceed(record, request);
  }

  /** Continues nodes that have been granted the permissions they waited for. */
  async allow(request: AllowWaiting): Promise<AcceptedRun> {
    const { runId } = this.flows.recordOf(request.runId);
    const [now, takesOver] = [this.#clock.now(), !this.answering.isGoingOn(runId)];
    return await this.answering.answered(runId, claimAllowed(this.#store, request, { now, takesOver }));
  }

  cancel(runId: RunId | undefined): void {
    if (runId !== undefined && [this.#agentRuns, this.flows.calls].some((runs) => runs.cancelCalled(runId))) return;
    // Only a closing engine rejects this, and it cancels all runs itself.
    void this.actions
      .run(() => {
        this.redos.cancel(runId);
        this.runs.cancel(runId);
      })
      .catch(() => undefined);
    if (runId !== undefined) this.requests.cancel(runId, this.runs.whenEnded(runId));
  }

  /** Ends a run that waits for a person, because a value was corrected. @returns false if it no longer waits */
  async endWaiting(runId: RunId): Promise<boolean> {
    this.answering.applyDue((id) => id === runId, false);
    const record = this.#store.getRun(runId);
    if (record?.status !== 'suspended' || this.#store.waiting.hasNews(runId)) return false;
    const end = await this.act(() => this.#proceed(record, undefined, { stop: correction() }));
    return (await end.ended).status === 'cancelled';
  }

  async #redoOf(context: RedoContext, text: string | undefined): Promise<AcceptedRun> {
    const record = this.flows.recordOf(context.runId);
    await this.#admitStart?.({ path: record.sourcePath });
    if (record.kind === 'flow') return this.runs.enter(await this.flows.redo(context.runId, text));
    return this.#enterAgent(await this.agents.redo(record, context, text), context);
  }

  #enterAgent(job: RunJob, former: RedoContext | undefined, entry?: EnteredRun): AcceptedRun {
    const accepted = this.runs.enter(job, entry);
    this.redos.watch(accepted, former);
    return accepted;
  }

  async #whenOver({ runId, ended }: AcceptedRun): Promise<void> {
    await ended;
    await this.redos.whenRedone(runId);
  }

  /**
   * @param isOwn whether the run was already claimed
   * @param stop reason to end the run instead of continuing it. A run with an open request to cancel it always ends
   */
  async #proceed(
    record: RunRecord,
    answer: ResumeRun | undefined,
    { isOwn = false, stop }: { readonly isOwn?: boolean; readonly stop?: EngineError } = {},
  ): Promise<AcceptedRun> {
    if (!isOwn) this.#store.claim(record.runId);
    const end = this.#store.requests.has(record.runId, 'cancel') ? cancellation() : undefined;
    const entry = { stop: stop ?? end, action: answer?.action };
    try {
      if (entry.stop === undefined) await this.#admitStart?.({ path: record.sourcePath, since: record.startedAt });
      if (record.kind === 'flow') return this.runs.enter(await this.flows.proceed(record, answer), entry);
      return this.#enterAgent(await this.agents.proceed(record, answer), formerOf(record), entry);
    } catch (error) {
      this.#store.giveUp(record.runId);
      throw error;
    }
  }
}
