/**
 * Runs an agent's stages. Each stage emits events, and its errors name the stage.
 */
import { type Clock, elapsedSince } from '../../base/clock.ts';
import { type EngineError, fromErrorRecord, type StageName, toErrorRecord } from '../../base/engine-error.ts';
import type { AgentScript } from '../../language/agent/agent-doc.ts';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import type { AgentLocation, PackPlace, ScriptScope } from '../kernel/capabilities/capabilities.ts';
import { cancellation, createCancelScope, Stopped } from '../kernel/hub/cancel-scope.ts';
import { Suspension } from '../kernel/hub/harness.ts';
import type { Hub } from '../kernel/hub/hub.ts';
import { oldestOpenRequest } from '../kernel/requests/ask-request.ts';
import type { CallKeys } from '../kernel/resume/call-keys.ts';
import type { ResumePoint, StartedStage } from '../kernel/resume/resume-point.ts';
import type { AgentRequest, AgentRun } from './agent-request.ts';
import { CallsOfScripts, cutRequest, rejectedStageRetryError, verdictOn } from './agent-resume.ts';
import { answersFor, childRunSuspension, type StartedAgentInput } from './input-asks.ts';

/** A stage's context. */
export interface StageContext {
  /** Emits in the context of the input's task or of the phase. */
  readonly hub: Hub;
  readonly signal: AbortSignal;
  /** Input index, from 0; absent in Before All and After All. */
  readonly index?: number;
  /** The child runs of the stage's scripts; absent in previews. */
  readonly calls?: CallsOfScripts;
  /** Absent in Before All and After All, and in previews. */
  readonly input?: StartedAgentInput;
  /** Keys of an input's model calls. */
  readonly modelCalls?: CallKeys;
}

/**
 * Performs a stage's work between `stage:start` and `stage:end`.
 * @param work receives a function that stores a value in the log together with the stage's end
 * @throws EngineError from the work, with the stage added; `Stopped` and `Suspension` unchanged
 */
export async function inStage<T>(
  stage: StageName,
  { hub, clock }: { readonly hub: Hub; readonly clock: Clock },
  work: (keep: (result: JsonValue) => void) => Promise<T>,
): Promise<T> {
  let kept: { readonly result?: JsonValue } = {};
  // A suspended stage without a stored value ends only after it has run again.
  let isOpen = false;
  const fields = hub.taskId === undefined ? { stage } : { stage, taskId: hub.taskId };
  hub.emit({ type: 'stage:start', ...fields });
  const startedAt = clock.now();
  try {
    return await work((result) => {
      kept = { result };
    });
  } catch (thrown) {
    isOpen = thrown instanceof Suspension && kept.result === undefined;
    throw thrown instanceof Stopped || thrown instanceof Suspension ? thrown : atStage(thrown, stage);
  } finally {
    if (!isOpen) hub.emit({ type: 'stage:end', ...fields, ms: elapsedSince(startedAt, clock), ...kept });
  }
}

function atStage(thrown: unknown, stage: StageName): EngineError {
  return fromErrorRecord({ ...toErrorRecord(thrown), stage });
}

/** A script and its arguments. */
export interface StageScript {
  readonly stage: StageName;
  readonly script: AgentScript;
  /** Variables in addition to `CTX`. */
  readonly globals: JsonMap;
}

/**
 * Runs a stage's script and returns its unchecked result.
 * @throws EngineError `lua.*`; `Stopped` when the signal aborts for any reason; `Suspension` when a child run waits
 * for a person: the script is stopped even if it catches the error
 */
export async function runStageScript(
  run: AgentRun,
  { stage, script, globals }: StageScript,
  place: StageContext,
): Promise<JsonValue> {
  const { capabilities, scriptTimeoutMs: timeoutMs, scriptComputeMs: computeMs } = run.request;
  const limits = { timeoutMs, ...(computeMs === undefined ? {} : { computeMs }) };
  const code = script.code;
  const { input, index, calls } = place;
  const answers = input === undefined ? {} : { ANSWERS: answersFor(run, input) };
  const CTX = { ...stageContextOf(run.runContext, stage, index), ...answers };
  const own = createCancelScope(place.signal);
  calls?.onSuspension(() => own.cancel(cancellation()));
  const scriptRequest = { code, globals: { ...globals, CTX }, ...limits };
  const end = await untilStopped(place.signal, () =>
    capabilities.scripts.run(scriptRequest, scopeOf(run.request, place), own.signal),
  ).then(
    (value) => ({ value }),
    (thrown: unknown) => ({ thrown }),
  );
  own.close();
  await calls?.whenEnded();
  if (calls?.suspension !== undefined && !place.signal.aborted) throw calls.suspension;
  if ('thrown' in end) throw end.thrown;
  return end.value;
}

const stageNames = { BeforeAll: 'Before All', AfterAll: 'After All' };

interface LoneStage<T> extends StageScript {
  readonly stage: keyof typeof stageNames;
  /** Converts the script's return value to the stage's result. Throws if it is invalid. */
  readonly read: (value: JsonValue) => T;
}

/**
 * Runs a stage that belongs to no input. The script's return value is stored, and a resumed run reads it from there.
 * An interrupted stage runs again only if a person agrees.
 * @throws EngineError from the stage, `node.cut` if a person decides not to repeat it; `Suspension` if nobody has
 * decided yet
 */
export async function runLoneStage<T>(
  run: AgentRun,
  { read, ...work }: LoneStage<T>,
  { hub, signal }: StageContext,
): Promise<T> {
  const { request } = run;
  const { stage } = work;
  const begun = request.resume?.point.stages.get(stage);
  if (begun?.result !== undefined) return read(begun.result);
  const former = request.resume?.point.calls.get('') ?? [];
  const calls = new CallsOfScripts(request, { former, answers: run.asks.below(stage), loneStage: stage });
  if (signal.aborted) {
    calls.close(hub);
    throw new Stopped(cancellation());
  }
  const verdict = begun === undefined ? 'again' : verdictOnStage(run, { stage, begun, hub, former });
  try {
    return await inStage(stage, { hub, clock: request.clock }, async (keep) => {
      const value = await closingCalls(calls, hub, () => {
        if (verdict === 'rejected') throw rejectedStageRetryError(stageNames[stage]);
        // The stage's start must be in the history before the script can have effects.
        hub.flush();
        return runStageScript(run, work, { hub, signal, calls });
      });
      const result = read(value);
      keep(value);
      return result;
    });
  } catch (thrown) {
    if (!(thrown instanceof Suspension)) throw thrown;
    const { request: question, reason, inner } = childRunSuspension(thrown);
    hub.emit({ type: 'node:suspended', nodeId: stage, request: question });
    throw new Suspension(inner === undefined ? stage : `${stage}/${inner}`, reason);
  }
}

interface StageBegun {
  readonly stage: keyof typeof stageNames;
  readonly begun: StartedStage;
  readonly hub: Hub;
  /** The child runs that the stage started earlier. */
  readonly former: readonly ResumePoint[];
}

/**
 * Decides how to handle a stage that an earlier process had started. @throws Suspension if the stage waits for a person
 */
function verdictOnStage(run: AgentRun, { stage, begun, hub, former }: StageBegun): 'again' | 'rejected' {
  const { request, asks } = run;
  if (begun.isAsking) {
    if (!asks.hasNews(stage)) {
      const { name, reason } = oldestOpenRequest(former) ?? {};
      throw new Suspension(name === undefined ? stage : `${stage}/${name}`, reason);
    }
    asks.takeUp(stage, hub);
    return 'again';
  }
  const verdict = verdictOn(request, stage);
  if (verdict !== 'asks') return verdict;
  const question = cutRequest(stageNames[stage], request);
  if (!begun.isWaiting) hub.emit({ type: 'node:suspended', nodeId: stage, request: question });
  throw new Suspension(stage);
}

/** Performs the work, then ends child runs that are no longer needed. Child runs that wait for a person are kept. */
async function closingCalls<T>(calls: CallsOfScripts, hub: Hub, work: () => Promise<T>): Promise<T> {
  try {
    const result = await work();
    calls.close(hub);
    return result;
  } catch (thrown) {
    if (!(thrown instanceof Suspension)) calls.close(hub);
    throw thrown;
  }
}

/** Returns the scope in which a stage acts. */
export function scopeOf(request: AgentRequest, { hub, calls }: StageContext): ScriptScope {
  const { place, runId, depth, dry, dryRun, doc } = request;
  const task = hub.taskId === undefined ? {} : { taskId: hub.taskId };
  return {
    ...{ place, runId, hub, ...task, depth, dryRun, isDry: dry === 'req' || dryRun !== undefined },
    ...(calls === undefined ? {} : { calls }),
    ...(doc.pure === undefined ? powersOf(request) : { isPure: true }),
  };
}

function powersOf({ secrets, flows }: AgentRequest): Partial<ScriptScope> {
  return { ...(secrets === undefined ? {} : { secrets }), ...(flows === undefined ? {} : { flows }) };
}

/**
 * Performs work that ends early when the signal aborts. In a run, any abort reason means that the run is stopped.
 * @throws the error of the work, or `Stopped`
 */
export async function untilStopped<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    if (signal.aborted) throw new Stopped(cancellation());
    return await work();
  } catch (thrown) {
    throw signal.aborted ? new Stopped(cancellation()) : thrown;
  }
}

/** Builds the part of `CTX` (the run information for scripts) that is the same in all stages. */
export function runContextOf({ context, place, runId, parentRunId, redoCount, doc }: AgentRequest): JsonMap {
  // Pure agents receive neither folders nor start arguments.
  const places = { ...context, ...agentContext(place), ...(place.pack === undefined ? {} : packContext(place.pack)) };
  return {
    ...(doc.pure === undefined ? places : { AGENT_NAME: place.name }),
    RUN_UID: runId,
    ...(parentRunId === undefined ? {} : { PARENT_RUN_UID: parentRunId }),
    ...(redoCount === 0 ? {} : { RUN_FLOW_REDO_COUNT: redoCount, REDO_COUNT: redoCount }),
  };
}

/** Builds the complete `CTX` of one stage. `index` is the input's index, from 0, if the stage belongs to an input. */
export function stageContextOf(runContext: JsonMap, stage: StageName, index?: number): JsonMap {
  if (index === undefined) return { ...runContext, STAGE: stage };
  const taskNumber = index + 1;
  return { ...runContext, STAGE: stage, TASK_UID: `${runContext['RUN_UID']}-${taskNumber}`, TASK_NUM: taskNumber };
}

function agentContext({ name, file }: AgentLocation): JsonMap {
  const path = withSlashes(file);
  const end = path.lastIndexOf('/');
  const fileName = path.slice(end + 1);
  const dot = fileName.lastIndexOf('.');
  return {
    AGENT_NAME: name,
    AGENT_FILE_PATH: path,
    AGENT_FILE_DIR: path.slice(0, Math.max(end, 1)),
    AGENT_FILE_NAME: fileName,
    AGENT_FILE_STEM: dot > 0 ? fileName.slice(0, dot) : fileName,
  };
}

function packContext(pack: PackPlace): JsonMap {
  const identity = `${pack.namespace}@${pack.name}`;
  return {
    PACK_NAMESPACE: pack.namespace,
    PACK_NAME: pack.name,
    PACK_IDENTITY: identity,
    PACK_REF: pack.subPath === '' ? identity : `${identity}/${pack.subPath}`,
    PACK_DIR: withSlashes(pack.folder),
    PACK_BASE_SUPPORT_DIR: withSlashes(pack.baseSupportFolder),
    PACK_WORKSPACE_SUPPORT_DIR: withSlashes(pack.workspaceSupportFolder),
    ...(pack.subPath === '' ? {} : { PACK_SUB_PATH: pack.subPath }),
  };
}

/** Scripts use `/` in paths on every system. Backslashes are separators only on Windows. */
function withSlashes(path: string): string {
  return /^(?:[A-Za-z]:|\\\\)/.test(path) ? path.replaceAll('\\', '/') : path;
}
