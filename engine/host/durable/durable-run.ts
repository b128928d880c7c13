/**
 * One run of a flow in a worker: its session, its hub, and its events on their way to the shared history.
 */
import { EngineError, type ErrorRecord, toErrorRecord } from '../../base/engine-error.ts';
import type { RunId, SessionId } from '../../base/ids.ts';
import { contentHash, handleFor, largeSize } from '../../history/store/large-value.ts';
import type { RunRecord } from '../../history/store/run-row.ts';
import { secretNamesOf } from '../../language/bindings/secret-bindings.ts';
import type { AutonomyLevel } from '../../language/flow/autonomy.ts';
import { collectCalledFlows } from '../../language/flow/called-flows.ts';
import type { CompiledFlow } from '../../language/flow/compiled-flow.ts';
import { productsAt } from '../../language/flow/product-path.ts';
import { calledDefinition, filesOf, unpackDefinition } from '../../language/flow/stored-definition.ts';
import { isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import { type BudgetLimits, BudgetMeter, limitsOf } from '../../runtime/governance/budget.ts';
import type { RunRefusedEvent } from '../../runtime/kernel/events/run-event.ts';
import type { RunStatus } from '../../runtime/kernel/events/run-state.ts';
import { createCancelScope } from '../../runtime/kernel/hub/cancel-scope.ts';
import { createHub, type RunHub } from '../../runtime/kernel/hub/hub.ts';
import { type BreakpointSource, type BreakpointsByFile, RunPause } from '../../runtime/kernel/hub/run-pause.ts';
import type { RunSecrets } from '../../runtime/kernel/hub/run-secrets.ts';
import { breakpointsFrom, refuseInvalid } from '../executor/breakpoint-lists.ts';
import { createFlowJob } from '../executor/flow-run-job.ts';
import { executeJob, failedEnd, type RunJob, refusedJob } from '../executor/run-job.ts';
import { refusalOfFlow } from '../executor/start-facts.ts';
import { atLevel, levelOfUnseen } from '../executor/unseen-texts.ts';
import { warn } from '../executor/warn.ts';
import type { DurableWorld } from './durable-world.ts';
import type { Journal } from './journal.ts';
import { type PolicyFacts, readPolicyFacts } from './policy-facts.ts';
import type { Projection, RunProjection } from './projection.ts';
import { RunSession } from './run-session.ts';
import { RunWaits } from './run-signals.ts';
import { StepBug } from './session-errors.ts';
import { StepTexts } from './step-text.ts';
import { untilReachable } from './until-reachable.ts';

/** The input of a run's workflow. The rest is in the history, where it does not change. */
export interface DurableRunInput {
  readonly runId: RunId;
  readonly sessionId: SessionId;
  /** Lowers the flow's declared level. */
  readonly autonomy?: AutonomyLevel;
  /** Overrides the flow's `policy.maxParallel`. */
  readonly maxParallel?: number;
  readonly breakpoints?: BreakpointsByFile;
}

/** Facts of the worker that starts the run. Others use the same facts, so that they repeat the same run. */
interface StartFacts {
  readonly refusal?: Omit<RunRefusedEvent, 'type'>;
  readonly limits?: BudgetLimits;
  readonly policies?: PolicyFacts;
  readonly levelOfUnseen?: AutonomyLevel;
  /** Whether the run had already ended, because someone has started it again after Restate had deleted its journal. */
  readonly hasEnded?: true;
  /** Why the run cannot start, for example a missing secret. */
  readonly error?: ErrorRecord;
}

const endStatuses: ReadonlySet<RunStatus> = new Set(['completed', 'failed', 'skipped', 'cancelled']);
const noPolicies: PolicyFacts = { general: [], ofProducts: [] };

interface DurableRunOptions {
  readonly world: DurableWorld;
  readonly projection: Projection;
  readonly idleMs: number;
  readonly onStep: () => void;
}

/** The definition and inputs of a run, as recorded. */
interface RunTexts {
  readonly record: RunRecord;
  readonly definition: string;
}

export class DurableRun {
  readonly runId: RunId;
  readonly session: RunSession;
  readonly #input: DurableRunInput;
  readonly #texts: RunTexts;
  readonly #world: DurableWorld;
  readonly #events: RunProjection;
  readonly #scope = createCancelScope();
  readonly #pause: RunPause;
  #breakpoints: BreakpointSource = () => [];
  readonly #waits: RunWaits;
  #hub: RunHub | undefined;

  private constructor(input: DurableRunInput, texts: RunTexts, events: RunProjection, options: DurableRunOptions) {
    this.runId = input.runId;
    this.#input = input;
    this.#texts = texts;
    this.#world = options.world;
    this.#events = events;
    this.#pause = new RunPause(false, { breakpoints: (path) => this.#breakpoints(path) });
    this.#waits = new RunWaits(this.#pause, (event) => this.#hub?.hub.emit(event));
    this.session = new RunSession({
      texts: new StepTexts(input.runId, options.world.history),
      whenRoom: () => events.whenRoom(),
      onQuiet: (waitsFor) => {
        // A group of events is complete, and the reason for a wait is known.
        this.#hub?.hub.flush();
        this.#waits.update(waitsFor);
      },
      onNews: (hold) => this.#waits.resume(hold),
      pause: this.#pause,
      idleMs: options.idleMs,
      onStep: options.onStep,
    });
  }

  /**
   * Reads what the run needs. Waits while the history is away.
   * @throws EngineError `run.not-found` if the run was deleted from the history
   */
  static async open(input: DurableRunInput, options: DurableRunOptions): Promise<DurableRun> {
    const { history } = options.world;
    const { runId } = input;
    const record = await untilReachable(() => history.getRun(runId));
    const definition = record && (await untilReachable(() => history.readText(record.definitionHash)));
    if (record === undefined || definition === undefined) throw notRecorded(runId, history.place);
    const writtenSeq = await untilReachable(() => history.projectedSeq(runId));
    return new DurableRun(input, { record, definition }, options.projection.open(runId, writtenSeq), options);
  }

  /** Number of events that are not in the history yet. */
  get unwritten(): number {
    return this.#events.unwritten;
  }

  /** Runs during one attempt. Resolves when the run has ended and its events are in the history. */
  async attempt(journal: Journal): Promise<void> {
    try {
      await this.session.attach(journal, () => this.#run());
    } catch (thrown) {
      if (!(thrown instanceof StepBug)) throw thrown;
      this.#openHub(undefined).hub.emit(failedEnd(toErrorRecord(thrown)));
    }
    this.close();
    await this.#events.whenWritten();
  }

  /** Ends everything that the run holds in this process. */
  close(): void {
    this.#hub?.close();
    this.#scope.close();
  }

  async #run(): Promise<void> {
    const { definitions } = this.#world;
    const { record, definition } = this.#texts;
    const facts = await this.session.step('start', () => this.#readFacts());
    if (facts.hasEnded === true) return;
    const { limits } = facts;
    const meter = limits && new BudgetMeter({ limits: () => limits, stop: (error) => this.#scope.cancel(error) });
    const { hub } = this.#openHub(meter);
    if (facts.error !== undefined) {
      hub.emit(failedEnd(facts.error));
      return;
    }
    this.#breakpoints = breakpointsFrom(this.#input.breakpoints);
    const compiled = definitions.compiledAsKept(record.sourcePath, definition);
    const flow = this.#limited(atLevel(compiled, facts.levelOfUnseen));
    const job = refusedJob(this.#job(flow, await this.#secretsOf(flow), facts), facts.refusal);
    await executeJob(job, {
      hub: hub.with({ pause: this.#pause }),
      scope: this.#scope,
      budgetsLeft: () => meter?.left() ?? {},
    });
  }

  #limited(flow: CompiledFlow): CompiledFlow {
    const { autonomy, maxParallel } = this.#input;
    const inParallel = maxParallel === undefined ? {} : { maxParallel };
    return atLevel({ ...flow, policy: { ...flow.policy, ...inParallel } }, autonomy);
  }

  #job(flow: CompiledFlow, secrets: RunSecrets | undefined, { policies = noPolicies }: StartFacts): RunJob {
    const { session, runId } = this;
    const { record, definition } = this.#texts;
    const { sourcePath, definitionHash, number } = record;
    const ids = this.#world.idsOf(session, runId);
    const task = {
      ...{ runId, number, flow, definition, inputs: inputsOf(record), origin: { sourcePath, definitionHash } },
      ...(secrets === undefined ? {} : { secrets }),
      host: session,
    };
    const calls = this.#world.callsOf(session, ids, policies);
    return createFlowJob(task, { ...this.#world, capabilities: this.#world.judges.capabilities, ids }, calls);
  }

  async #secretsOf(flow: CompiledFlow): Promise<RunSecrets | undefined> {
    const names = secretNamesOf(flow);
    const { sourcePath: path, definitionHash } = this.#texts.record;
    if (names.length === 0) return undefined;
    return await this.session.locally(() => this.#world.openSecrets(names, { path, hash: () => definitionHash }));
  }

  /** Judges the start. Never throws, because an error is a fact as well. */
  async #readFacts(): Promise<StartFacts> {
    const { judges, definitions, unseen, openSecrets } = this.#world;
    const { record, definition } = this.#texts;
    const { sourcePath: path } = record;
    if (endStatuses.has(record.status)) return { hasEnded: true };
    try {
      refuseInvalid(this.#input.breakpoints);
      const files = filesOf(definition);
      const compiled = definitions.compiledAsKept(path, definition);
      const level = levelOfUnseen(compiled.policy.autonomy, unseen(path, unpackDefinition(definition).text));
      const flow = this.#limited(atLevel(compiled, level));
      const called = collectCalledFlows(files).map((one) => ({ path: one.path, definition: calledDefinition(one) }));
      for (const one of [{ path, definition }, ...called]) {
        const names = secretNamesOf(definitions.compiledAsKept(one.path, one.definition));
        if (names.length > 0) await openSecrets(names, { path: one.path, hash: () => contentHash(one.definition) });
      }
      const refusal = refusalOfFlow(path, { flow, files, inputs: inputsOf(record) }, judges);
      const limits = limitsOf(judges.policies(productsAt(path)));
      const products = [path, ...called.map((one) => one.path)].flatMap(productsAt);
      return {
        policies: readPolicyFacts(judges.policies, products),
        ...(refusal === undefined ? {} : { refusal }),
        ...(limits === undefined ? {} : { limits }),
        ...(level === undefined ? {} : { levelOfUnseen: level }),
      };
    } catch (thrown) {
      return { error: toErrorRecord(thrown) };
    }
  }

  #openHub(meter: BudgetMeter | undefined): RunHub {
    if (this.#hub !== undefined) return this.#hub;
    this.#hub = createHub({
      runId: this.runId,
      sessionId: this.#input.sessionId,
      // Events have the time of the last completion, and are numbered alike in each replay.
      clock: { ...this.#world.clock, now: () => this.session.now() },
      record: (events) => this.#events.add(events),
      intern: (value) => this.#interned(value),
      keepDefinition: (text) => this.#events.addText(text),
      ...(meter && { onEmit: (event, isOfCalled) => meter.take(event, isOfCalled) }),
      onListenerError: warn,
    });
    this.#hub.subscribe(this.#waits.note);
    return this.#hub;
  }

  #interned(value: JsonValue): JsonValue {
    const jsonText = JSON.stringify(value);
    const bytes = largeSize(jsonText);
    if (bytes === undefined) return value;
    this.#events.addText(jsonText);
    return handleFor(value, { hash: contentHash(jsonText), bytes, jsonText }) as unknown as JsonValue;
  }
}

function inputsOf({ inputs }: RunRecord): JsonMap {
  return isJsonMap(inputs) ? inputs : {};
}

function notRecorded(runId: RunId, place: string): EngineError {
  const message = `Run ${runId} is not in the history ${place}. It may have been deleted there.`;
  return new EngineError({ code: 'run.not-found', message });
}
