/**
 * Provides helpers for product tests, which run a single agent with a given step, or a flow with given answers. They
 * need no test framework: a failed expectation throws Node's `AssertionError`.
 */
import { deepStrictEqual } from 'node:assert';
import { systemClock } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import { asRunId, asSessionId } from '../../base/ids.ts';
import type { Engine } from '../../engine.ts';
import { frozenCopy } from '../../language/json/checked-json.ts';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import {
  type PublicRunRecord,
  type PublicStatus,
  type ShownStep,
  transitionsOf,
} from '../../packs/product/run-records.ts';
import { AgentRegistry } from '../../runtime/agent/pure/agent-registry.ts';
import { type AgentClass, classAgent } from '../../runtime/agent/pure/class-agent.ts';
import { createPureAgents } from '../../runtime/agent/pure/run-pure-agent.ts';
import type {
  AgentResult,
  StepConstraints,
  StepContext,
} from '../../runtime/kernel/capabilities/pure-agents-capability.ts';
import { readWholeRun } from '../../runtime/kernel/capabilities/read-run.ts';
import type { RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { createHub } from '../../runtime/kernel/hub/hub.ts';
import type { ModelCapability, ModelRequest } from '../../runtime/kernel/models/model-capability.ts';
import { type Envelope, openProducts, type ProductGateway, type ResumeRequest, type RunReply } from './gateway.ts';

/** A step's fields; absent ones are empty. */
export interface GivenStep {
  readonly params?: JsonMap;
  readonly payload?: JsonMap;
  readonly artifacts?: JsonMap;
  readonly constraints?: Partial<StepConstraints>;
}

/**
 * Returns a frozen step as an agent receives it. By default, it is the first step, in its first attempt, of a flow with
 * the level semi_auto.
 */
export function stepContext({
  params = {},
  payload = {},
  artifacts = {},
  constraints = {},
}: GivenStep = {}): StepContext {
  const filled = { autonomyLevel: 'semi_auto', attempt: 1, maxAttempts: 1, budgetsLeft: {}, ...constraints } as const;
  const copied = frozenCopy({ params, payload, artifacts, constraints: filled });
  if (copied.ok) return copied.value as unknown as StepContext;
  throw new EngineError({
    code: 'agent.bad-step',
    message: `The step cannot be passed to an agent: ${copied.problem.path.join('.')} ${copied.problem.message}`,
  });
}

/** The result of a single agent, and the events it emitted. */
export interface AgentTrial {
  readonly result: AgentResult;
  readonly events: readonly RunEvent[];
}

/**
 * Runs an agent once without an engine. Its result is validated as in a flow.
 * @param answer returns the model's response to each request; without it, model requests fail
 */
export async function tryAgent(
  agent: AgentClass,
  step: StepContext = stepContext(),
  answer?: (request: ModelRequest) => string,
): Promise<AgentTrial> {
  const registered = classAgent(agent, 'the test');
  const registry = new AgentRegistry();
  registry.register(registered);
  const runId = asRunId('test');
  const { hub, subscribe, close } = createHub({ runId, sessionId: asSessionId('test') });
  const events: RunEvent[] = [];
  subscribe((told) => events.push(...told.map(({ event }) => event)));
  try {
    const result = await createPureAgents((name, product) => registry.get(name, product)).run(
      { agent: registered.name, step },
      { hub, runId, clock: systemClock, signal: new AbortController().signal, model: saying(answer) },
    );
    hub.flush();
    return { result, events };
  } finally {
    close();
  }
}

function saying(answer: ((request: ModelRequest) => string) | undefined): ModelCapability {
  return {
    resolve: (model) => ({ provider: 'test', model: model ?? 'test', adapterKind: 'Scripted' }),
    settingsOf: async () => 'test',
    async ask(request) {
      if (answer === undefined)
        throw new EngineError({ code: 'model.missing', message: 'The test has no model responses.' });
      return { text: answer(request), finishReason: 'stop' };
    },
  };
}

/** Expectations about a run; absent fields are not checked. */
export interface ExpectedRun {
  readonly status?: PublicStatus;
  /** All statuses the run has had, in order. */
  readonly transitions?: readonly PublicStatus[];
  readonly output?: JsonValue;
  /** Step statuses by id. */
  readonly steps?: Readonly<Record<string, ShownStep['status']>>;
  /** Step outputs by id. */
  readonly outputs?: Readonly<Record<string, JsonValue>>;
  /** Code of the run's error. */
  readonly errorCode?: string;
}

/** A run of a flow with answers from a test. */
export interface TestedRun {
  readonly runId: string;
  /** Returns the current state of the run. */
  read(): Promise<PublicRunRecord>;
  /** Approves the pending approval. @param payload additional keys for later steps */
  approve(more?: TestAnswer & { readonly payload?: JsonMap }): Promise<Envelope<RunReply>>;
  reject(more?: TestAnswer): Promise<Envelope<RunReply>>;
  /** Fills in the pending form. */
  answer(values: JsonMap, more?: TestAnswer & { readonly formId?: string }): Promise<Envelope<RunReply>>;
  /** Sends exactly this request. */
  resume(request: ResumeRequest): Promise<Envelope<RunReply>>;
  cancel(): Promise<Envelope<RunReply>>;
  /** @throws AssertionError with the actual values */
  expect(expected: ExpectedRun): Promise<void>;
}

export interface TestAnswer {
  readonly comment?: string;
  readonly by?: string;
  /** The step to answer if several are waiting. */
  readonly stepId?: string;
}

/**
 * Runs a product flow until it ends or waits. The test then continues it with answers.
 * @param engine of the product's workspace; one with `storeFile: ':memory:'` leaves no files behind
 * @throws EngineError with the code of the refusal if the run does not start
 */
export async function testFlow(
  engine: Engine,
  target: { readonly product: string; readonly flow: string },
  payload: JsonMap = {},
): Promise<TestedRun> {
  const gateway = openProducts(engine);
  const begun = await gateway.runFlow(target.product, target.flow, payload, { startedBy: { kind: 'test' } });
  if (!begun.ok) throw new EngineError(begun.error);
  return testedRun(engine, gateway, begun.data.run_id);
}

function testedRun(engine: Engine, gateway: ProductGateway, runId: string): TestedRun {
  const read = async (): Promise<PublicRunRecord> => {
    const shown = await gateway.getRun(runId);
    if (!shown.ok) throw new EngineError(shown.error);
    return shown.data;
  };
  const resume = (request: ResumeRequest, more: TestAnswer) =>
    gateway.resumeRun(runId, { ...request, ...wordsOf(more) });
  return {
    runId,
    read,
    approve: ({ payload = {}, ...more } = {}) => resume({ approval_payload: { ...payload, approved: true } }, more),
    reject: (more = {}) => resume({ approval_payload: { approved: false }, decision: 'REJECTED' }, more),
    async answer(values, { formId, ...more } = {}) {
      const waits = await gateway.getPendingUserInput(runId);
      const form = formId ?? (waits.ok ? waits.data?.form_id : undefined);
      return await resume({ user_input_response: { ...(form === undefined ? {} : { form_id: form }), values } }, more);
    },
    resume: (request) => gateway.resumeRun(runId, request),
    cancel: () => gateway.cancelRun(runId),
    async expect(expected) {
      const { events } = await readWholeRun(engine, asRunId(runId));
      const transitions = transitionsOf(events, asRunId(runId));
      const actual = seenAs(expected, await read(), transitions);
      deepStrictEqual(actual, { ...expected });
    },
  };
}

function wordsOf({ comment, by, stepId }: TestAnswer): ResumeRequest {
  return {
    ...(comment === undefined ? {} : { comment }),
    ...(by === undefined ? {} : { resolved_by: by }),
    ...(stepId === undefined ? {} : { step_id: stepId }),
  };
}

/** Returns the parts of a run that the expectations mention. */
function seenAs(expected: ExpectedRun, { run, steps }: PublicRunRecord, transitions: readonly PublicStatus[]): object {
  const step = (id: string): ShownStep | undefined => steps.find(({ step_id }) => step_id === id);
  const all: Readonly<Record<keyof ExpectedRun, unknown>> = {
    status: run.status,
    transitions,
    output: run.output,
    errorCode: run.error?.code,
    steps: Object.fromEntries(Object.keys(expected.steps ?? {}).map((id) => [id, step(id)?.status])),
    outputs: Object.fromEntries(Object.keys(expected.outputs ?? {}).map((id) => [id, step(id)?.output])),
  };
  return Object.fromEntries(Object.entries(all).filter(([key]) => Object.hasOwn(expected, key)));
}
