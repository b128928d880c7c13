/**
 * Defines the product API for programs. It selects flows by name, and every operation returns an envelope.
 */

import { systemClock } from '../../base/clock.ts';
import { EngineError, toErrorRecord } from '../../base/engine-error.ts';
import { asRunId, type RunId } from '../../base/ids.ts';
import type { Engine } from '../../engine.ts';
import { isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import { flowToRun, type Product } from '../../packs/product/product.ts';
import { type PublicRunRecord, type PublicStatus, publicStatus, shownRun } from '../../packs/product/run-records.ts';
import type { InputRequest } from '../../runtime/kernel/requests/ask.ts';
import type { WaitingAsk } from './run-answers.ts';
import type { StartRun } from './start-request.ts';

/** Why an operation was rejected. */
export type GatewayErrorCode =
  | 'not_found'
  | 'invalid_state'
  | 'missing_approval_field'
  | 'invalid_input'
  | 'policy_blocked'
  | 'payload_limit_exceeded'
  | 'max_steps_exceeded'
  | 'autonomy_denied'
  | 'run_failed';

export interface GatewayError {
  readonly code: GatewayErrorCode;
  readonly message: string;
  readonly details: JsonMap;
}

/**
 * The result of an operation, or why it was rejected. A failed run is a successful operation; its status reports the
 * failure.
 */
export type Envelope<Data> =
  | { readonly ok: true; readonly data: Data; readonly error: null }
  | { readonly ok: false; readonly data: null; readonly error: GatewayError };

/** State of a run after an operation. */
export interface RunReply {
  readonly run_id: string;
  readonly status: PublicStatus;
}

export interface RunFlowOptions extends Pick<StartRun, 'autonomy' | 'maxParallel' | 'startedBy'> {
  /** Whether to return as soon as the run is accepted, instead of when it ends or waits for a person. */
  readonly isDetached?: true;
}

/** An answer to a waiting run: `approval_payload` for an approval, `user_input_response` for a form. */
export interface ResumeRequest {
  /** Must contain `approved`; other keys are added to the run's payload. */
  readonly approval_payload?: JsonMap;
  /** `form_id`, `values`, and optionally `comment`. */
  readonly user_input_response?: JsonMap;
  /** Decision on an approval; any value except `APPROVED` (the default) rejects it. */
  readonly decision?: string;
  readonly resolved_by?: string;
  readonly comment?: string;
  /** The step to answer if several are waiting. */
  readonly step_id?: string;
}

/** A form that a run is waiting for. */
export interface PendingInput {
  readonly run_id: string;
  readonly step_id: string;
  readonly form_id: string;
  readonly title: string;
  readonly prompt: string | null;
  readonly mode: string;
  /** JSON Schema of an object. */
  readonly schema: JsonMap;
  readonly defaults: JsonMap;
  readonly required: readonly string[];
}

export interface ProductGateway {
  /** Lists usable products, and unusable ones with their problems. */
  listProducts(): Promise<Envelope<readonly Product[]>>;
  /**
   * Runs a flow until it ends or waits for a person.
   * @param flow the flow's name in the product, or its file name
   */
  runFlow(product: string, flow: string, payload: JsonMap, options?: RunFlowOptions): Promise<Envelope<RunReply>>;
  /** Returns a run with its steps and requests. */
  getRun(runId: string): Promise<Envelope<PublicRunRecord>>;
  /** Returns the oldest form that the run is waiting for; null if there is none. */
  getPendingUserInput(runId: string): Promise<Envelope<PendingInput | null>>;
  /** Answers a run's request and resumes the run until it ends or waits again. An invalid answer changes nothing. */
  resumeRun(runId: string, request: ResumeRequest): Promise<Envelope<RunReply>>;
  /** Cancels a run that is running or waiting. */
  cancelRun(runId: string): Promise<Envelope<RunReply>>;
}

/** Opens the products of an engine's workspace. They do not need to be closed. */
export function openProducts(engine: Engine): ProductGateway {
  const replied = async (runId: RunId): Promise<RunReply> => {
    await engine.whenEnded(runId);
    return { run_id: runId, status: publicStatus(await engine.getRun(runId)) };
  };
  return {
    listProducts: () => enveloped(() => engine.listProducts()),
    runFlow: (product, flow, payload, options = {}) =>
      enveloped(async () => {
        if (!isJsonMap(payload)) throw refusal('invalid_input', 'The payload of a run must be a map.');
        const { isDetached, ...limits } = options;
        const path = await flowFile(engine, product, flow);
        const { text } = await engine.readFlow(path);
        const { runId } = await engine.startRun({ path, text, inputs: payload, ...limits });
        if (isDetached === true) return { run_id: runId, status: 'RUNNING' };
        const reply = await replied(runId);
        await refuseRefused(engine, runId);
        return reply;
      }),
    getRun: (runId) => enveloped(() => shownRun(engine, asRunId(runId))),
    getPendingUserInput: (runId) =>
      enveloped(async () => {
        const [form] = (await engine.waiting(asRunId(runId))).flatMap((ask) => formOf(ask) ?? []);
        return form ?? null;
      }),
    resumeRun: (runId, request) =>
      enveloped(async () => {
        const id = asRunId(runId);
        await engine.resumeRun({ runId: id, ...answerTo(await waitingFor(engine, id, request), request) });
        return await replied(id);
      }),
    cancelRun: (runId) =>
      enveloped(async () => {
        const { status } = await engine.getRun(asRunId(runId));
        if (isOver(status)) throw refusal('invalid_state', `Run ${runId} has already ended (${status}).`);
        engine.cancelRun(asRunId(runId));
        return await whenCancelled(engine, asRunId(runId));
      }),
  };
}

function isOver(status: string): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled' || status === 'skipped';
}

const lookMs = 20;

/**
 * Resolves when a canceled run has ended. A waiting run is resumed first, so it may end more than once, and a run of
 * another process ends there.
 */
async function whenCancelled(engine: Engine, runId: RunId): Promise<RunReply> {
  for (;;) {
    await engine.whenEnded(runId);
    const run = await engine.getRun(runId);
    if (isOver(run.status)) return { run_id: runId, status: publicStatus(run) };
    await new Promise<void>((resolve) => systemClock.setTimer(resolve, lookMs));
  }
}

/** @throws Refused `not_found` */
async function flowFile(engine: Engine, name: string, flow: string): Promise<string> {
  const products = await engine.listProducts();
  const product = products.find((one) => one.name === name);
  if (product === undefined) {
    const there = products.map((one) => one.name).join(', ');
    throw refusal(
      'not_found',
      `Product ${JSON.stringify(name)} does not exist.${there === '' ? '' : ` Available products: ${there}.`}`,
    );
  }
  const found = flowToRun(product, flow);
  if ('problem' in found) throw refusal('not_found', found.problem);
  return found.path;
}

/** Returns the request to answer. @throws Refused `invalid_state` | `invalid_input` */
async function waitingFor(
  engine: Engine,
  runId: RunId,
  { step_id: stepId, user_input_response: response }: ResumeRequest,
): Promise<WaitingAsk> {
  const { status } = await engine.getRun(runId);
  const waiting = (await engine.waiting(runId)).filter(({ name }) => stepId === undefined || name === stepId);
  const fits = waiting.filter(({ request }) => (request?.kind === 'input') === (response !== undefined));
  const [first, second] = fits.length > 0 ? fits : waiting;
  if (first === undefined)
    throw refusal(
      'invalid_state',
      `Run ${runId} has no open request${stepId === undefined ? '' : ` at step ${stepId}`} (${status}).`,
    );
  if (second !== undefined && stepId === undefined) {
    const names = waiting.map(({ name }) => name).join(', ');
    throw refusal('invalid_input', `Several steps of run ${runId} are waiting: ${names}. Specify step_id.`);
  }
  return first;
}

type GatewayResumeAnswer = Omit<Parameters<Engine['resumeRun']>[0], 'runId'>;

/** @throws Refused `missing_approval_field` | `invalid_input` */
function answerTo({ name, key, request }: WaitingAsk, given: ResumeRequest): GatewayResumeAnswer {
  const { approval_payload: approval, user_input_response: response, decision = 'APPROVED', comment } = given;
  const who = given.resolved_by === undefined ? {} : { by: given.resolved_by };
  const said = comment === undefined ? {} : { comment };
  const place = { nodeId: name, ...(key === undefined ? {} : { key }), ...who, ...said };
  if (request?.kind === 'input') {
    if (response === undefined)
      throw refusal(
        'invalid_input',
        `${name} is waiting for a form. Pass user_input_response with form_id and values.`,
      );
    return { ...place, payload: { user_input_response: { ...response, ...said } } };
  }
  const approved = approval?.['approved'];
  if (typeof approved !== 'boolean')
    throw refusal(
      'missing_approval_field',
      `${name} is waiting for an approval. Pass approval_payload with approved: true or false.`,
    );
  const isApproved = approved && decision === 'APPROVED';
  if (request === undefined) return { ...place, decision: isApproved ? 'approve' : 'reject' };
  return { ...place, payload: { ...(isApproved ? approval : {}), approved: isApproved, ...said } };
}

function formOf({ runId, name, request }: WaitingAsk): PendingInput | undefined {
  if (request?.kind !== 'input') return undefined;
  const { title, message, schema, defaults = {}, form = {} } = request as InputRequest;
  const textOf = (value: JsonValue | undefined): string | null => (typeof value === 'string' ? value : null);
  const required = form['required'] ?? schema['required'];
  return {
    run_id: runId,
    step_id: name,
    form_id: textOf(form['form_id']) ?? name,
    title: textOf(form['title']) ?? title,
    prompt: textOf(form['prompt']) ?? message ?? null,
    mode: textOf(form['mode']) ?? 'choice_input',
    schema,
    defaults,
    required: Array.isArray(required) ? required.filter((one) => typeof one === 'string') : [],
  };
}

/** An operation that was rejected. */
class GatewayRefusal extends Error {
  readonly refusal: GatewayError;

  constructor(refused: GatewayError) {
    super(refused.message);
    this.refusal = refused;
  }
}

function refusal(code: GatewayErrorCode, message: string, details: JsonMap = {}): GatewayRefusal {
  return new GatewayRefusal({ code, message, details });
}

const ofPolicies: ReadonlySet<string> = new Set(['payload_limit_exceeded', 'max_steps_exceeded', 'autonomy_denied']);

/** @throws Refused for a run that a policy denied before it started */
async function refuseRefused(engine: Engine, runId: RunId): Promise<void> {
  const [first] = await engine.readEvents(runId, -1, 1);
  if (first?.event.type !== 'run:refused') return;
  const { code, message, details } = first.event;
  const known = ofPolicies.has(code) ? (code as GatewayErrorCode) : 'policy_blocked';
  throw refusal(known, message, { run_id: runId, ...(isJsonMap(details as JsonValue) ? (details as JsonMap) : {}) });
}

const codes: Readonly<Record<string, GatewayErrorCode>> = {
  'run.not-found': 'not_found',
  'files.not-found': 'not_found',
  'run.invalid-state': 'invalid_state',
  'answer.invalid': 'invalid_input',
  'flow.invalid': 'invalid_input',
  'flow.bad-inputs': 'invalid_input',
  'secret.missing': 'policy_blocked',
  'secret.not-allowed': 'policy_blocked',
};

/** Converts expected errors to envelopes. Any other error is a bug and is rethrown. */
async function enveloped<Data>(work: () => Promise<Data>): Promise<Envelope<Data>> {
  try {
    return { ok: true, data: await work(), error: null };
  } catch (thrown) {
    if (thrown instanceof GatewayRefusal) return { ok: false, data: null, error: thrown.refusal };
    if (!EngineError.is(thrown)) throw thrown;
    const { code, message, details } = toErrorRecord(thrown);
    const told = details === undefined ? {} : { problems: details as JsonValue };
    return {
      ok: false,
      data: null,
      error: { code: codes[code] ?? 'run_failed', message, details: { cause: code, ...told } },
    };
  }
}
