/**
 * Accepts requests and holds the runs that go on. It alone starts, redoes, resumes and cancels runs.
 */
import { EngineError } from '../base/engine-error.ts';
import type { RunId } from '../base/ids.ts';
import { cancellation } from '../kernel/cancel-scope.ts';
import type { RunListener } from '../kernel/hub.ts';
import type { RunRecord } from '../store/run-store.ts';
import type { AcceptedRun, AcceptedWork } from './action.ts';
import { type ActionQueue, createActionQueue } from './action-queue.ts';
import { ActiveRuns, type ActiveRunsOptions, type EndedRun } from './active-runs.ts';
import { Activity, type ExecEvent } from './activity.ts';
import type { StartAgent } from './agent-api.ts';
import { AgentJobs, type AgentJobsOptions } from './agent-jobs.ts';
import type { AgentRuns } from './agent-runs.ts';
import { invalidState, refuseUnfitting } from './continuation.ts';
import type { RerunFrom, RerunStep, ResumeRun } from './engine-api.ts';
import { FlowJobs, type FlowJobsOptions } from './flow-jobs.ts';
import { PendingInstalls, type PendingInstallsOptions } from './pending-installs.ts';
import { type RedoContext, RedoScheduler } from './redo-scheduler.ts';

export interface ExecutorOptions
  extends FlowJobsOptions,
    ActiveRunsOptions,
    AgentJobsOptions,
    Pick<PendingInstallsOptions, 'installPack'> {
  readonly agentRuns: AgentRuns;
  readonly registry: FlowJobsOptions['registry'];
  /** Gets why a redo that was due could not start. */
  readonly onRefusedRedo: (error: EngineError) => void;
}

export interface Executor {
  readonly send: ActionQueue['send'];
  /** What a rerun would do; nothing runs. */
  planRerun(request: RerunFrom): Promise<readonly RerunStep[]>;
  /** The run's end while it is queued or running; undefined for any other. */
  whenActiveEnded(runId: RunId): Promise<EndedRun> | undefined;
  /** The next run of a chain of redos; undefined when there is none. */
  whenRedone(runId: RunId): Promise<RunId | undefined>;
  /** Stored events of all runs, in order. Returns the subscription's end. */
  subscribe(listener: RunListener): () => void;
  /** Tells when the executor begins to have something to do, and when it has done all. Returns the subscription's end. */
  watchActivity(listener: (event: ExecEvent) => void): () => void;
  /** Takes no more actions, cancels what runs and waits for it. */
  close(): Promise<void>;
}

/** Makes the executor of one store. */
export function createExecutor(world: ExecutorOptions): Executor {
  const core = new ExecutorCore(world);
  const { intake, roster, redos } = core;
  const queue = createActionQueue({
    cmdRun: ({ request }) => core.act(async () => roster.enter(await intake.start(request))),
    cmdRunAgent: ({ request }) => core.act(() => core.startAgent(request)),
    redo: ({ runId, text }) => core.act(() => core.redo(runId, text)),
    rerunFrom: ({ request }) => core.act(async () => roster.enter(await intake.rerun(request))),
    resumeRun: ({ request }) => core.act(() => core.resume(request)),
    cancelRun: ({ runId }) => core.act(() => core.cancel(runId)),
    workConfirm: ({ workId }) => core.act(async () => core.startAgent(await core.works.do(workId))),
    workCancel: ({ workId }) =>
      core.act(async () => {
        core.works.cancel(workId);
        return undefined;
      }),
  });
  return {
    send: queue.send,
    planRerun: async (request) => (await intake.readRerun(request)).rerun.plan(),
    whenActiveEnded: (runId) => roster.whenEnded(runId),
    whenRedone: (runId) => redos.whenRedone(runId),
    subscribe: (listener) => roster.subscribe(listener),
    watchActivity: (listener) => core.activity.subscribe(listener),
    async close() {
      core.works.close();
      redos.close();
      await queue.close();
      await roster.end();
    },
  };
}

class ExecutorCore {
  readonly intake: FlowJobs;
  readonly agents: AgentJobs;
  readonly roster: ActiveRuns;
  readonly redos: RedoScheduler;
  readonly works: PendingInstalls;
  readonly activity = new Activity();
  readonly #world: ExecutorOptions;

  constructor(world: ExecutorOptions) {
    const { clock, ids, store, agentRuns } = world;
    this.intake = new FlowJobs(world);
    this.agents = new AgentJobs(agentRuns, world);
    this.roster = new ActiveRuns(world);
    this.works = new PendingInstalls({ clock, ids, works: store.works, installPack: world.installPack });
    this.redos = new RedoScheduler({
      clock,
      redo: (context) => this.act(() => this.#redoOf(context, undefined)),
      onRefused: world.onRefusedRedo,
    });
    this.#world = world;
  }

  /**
   * Every action counts as long as it goes on: one that has started a run, until the run has ended and, where that was asked
   * for, the next one of its chain has begun.
   */
  async act<Result extends AcceptedWork | undefined>(handle: () => Promise<Result>): Promise<Result> {
    const finish = this.activity.begin();
    try {
      const result = await handle();
      if (result !== undefined && 'ended' in result) void this.#whenOver(result).then(finish);
      else finish();
      return result;
    } catch (error) {
      finish();
      throw error;
    }
  }

  async startAgent(request: StartAgent): Promise<AcceptedWork> {
    try {
      return this.#enterAgent(await this.agents.start(request), undefined);
    } catch (error) {
      const packRef = missingPackOf(error);
      if (packRef === undefined) throw error;
      const work = this.works.note(packRef, request);
      if (request.installsMissing !== true) return { work };
      return this.#enterAgent(await this.agents.start(await this.works.do(work.workId)), undefined);
    }
  }

  async redo(runId: RunId | undefined, text: string | undefined): Promise<AcceptedRun> {
    return await this.#redoOf(runId === undefined ? this.redos.current() : { runId, count: 0 }, text);
  }

  async resume(request: ResumeRun): Promise<AcceptedRun> {
    const record = this.intake.recordOf(request.runId);
    if (this.roster.has(record.runId)) throw invalidState(record, 'Wait for its end, or cancel it.');
    refuseUnfitting(record, request);
    // A person has to decide first: nothing changes.
    if (record.status === 'suspended' && request.decision === undefined) {
      const { inputs: _inputs, nodeSettings: _settings, ...summary } = record;
      return { runId: record.runId, ended: Promise.resolve(summary) };
    }
    return await this.#goOn(record, request);
  }

  async cancel(runId: RunId | undefined): Promise<undefined> {
    this.redos.cancel(runId);
    this.roster.cancel(runId);
    if (runId === undefined || this.roster.has(runId)) return;
    const record = this.#world.store.getRun(runId);
    if (record?.status !== 'suspended' && record?.status !== 'interrupted') return;
    // An agent that was cut starts anew or never.
    if (record.kind === 'agent') return;
    // Nobody runs it: it goes on only to end.
    await this.#goOn(record, undefined, cancellation());
  }

  async #redoOf(context: RedoContext, text: string | undefined): Promise<AcceptedRun> {
    const record = this.intake.recordOf(context.runId);
    if (record.kind === 'flow') return this.roster.enter(await this.intake.redo(context.runId, text));
    return this.#enterAgent(await this.agents.redo(record, context, text), context);
  }

  #enterAgent(job: Parameters<ActiveRuns['enter']>[0], former: RedoContext | undefined): AcceptedRun {
    const accepted = this.roster.enter(job);
    this.redos.watch(accepted, former);
    return accepted;
  }

  async #whenOver({ runId, ended }: AcceptedRun): Promise<void> {
    await ended;
    await this.redos.whenRedone(runId);
  }

  async #goOn(record: RunRecord, answer: ResumeRun | undefined, stop?: EngineError): Promise<AcceptedRun> {
    const { store } = this.#world;
    store.claim(record.runId);
    try {
      return this.roster.enter(await this.intake.goOn(record, answer), stop);
    } catch (error) {
      store.giveUp(record.runId);
      throw error;
    }
  }
}

/** The pack that a run needs and that could be installed; undefined for any other failure. */
function missingPackOf(error: unknown): string | undefined {
  if (!EngineError.is(error) || error.code !== 'pack.not-found') return undefined;
  const { details } = error;
  const hasRef = typeof details === 'object' && details !== null && 'ref' in details;
  return hasRef && typeof details.ref === 'string' ? details.ref : undefined;
}
