/**
 * For tests of one's own products: an agent alone with a step made by hand, and a flow with what people would say to it. No test
 * framework is needed: what is not as expected throws an `AssertionError` of Node.
 */
import { deepStrictEqual } from 'node:assert';
import { AgentRegistry } from '../agent/pure/agent-registry.ts';
import { type AgentClass, classAgent } from '../agent/pure/class-agent.ts';
import { createPureAgents } from '../agent/pure/run-pure-agent.ts';
import { systemClock } from '../base/clock.ts';
import { EngineError } from '../base/engine-error.ts';
import { asRunId, asSessionId } from '../base/ids.ts';
import type { Engine } from '../engine.ts';
import { frozenCopy } from '../flowspec/checked-json.ts';
import type { JsonMap, JsonValue } from '../flowspec/json-value.ts';
import { createHub } from '../kernel/hub.ts';
import type { ModelCapability, ModelRequest } from '../kernel/model-capability.ts';
import type { AgentResult, StepConstraints, StepContext } from '../kernel/pure-agents-capability.ts';
import { readWholeRun } from '../kernel/read-run.ts';
import type { RunEvent } from '../kernel/run-event.ts';
import { type Envelope, openProducts, type ProductGateway, type ResumeRequest, type RunReply } from './gateway.ts';
import { type PublicStatus, type ShownRun, type ShownStep, transitionsOf } from './run-records.ts';

/** Of a step made by hand; what is absent is empty. */
export interface GivenStep {
  readonly params?: JsonMap;
  readonly payload?: JsonMap;
  readonly artifacts?: JsonMap;
  readonly constraints?: Partial<StepConstraints>;
}

/** A step as an agent gets it, frozen: the first of one attempt of a flow that is semi_auto, unless it says otherwise. */
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
    message: `The step cannot be handed to an agent: ${copied.problem.path.join('.')} ${copied.problem.message}`,
  });
}

/** What an agent gave alone, and what it told meanwhile. */
export interface AgentTrial {
  readonly result: AgentResult;
  readonly events: readonly RunEvent[];
}

/**
 * Runs an agent once, without an engine. Its result is checked as it is in a flow.
 * @param answer what the model says to each request; without it, there is no model, and to ask one fails
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
        throw new EngineError({ code: 'model.missing', message: 'The test has no answers of a model.' });
      return { text: answer(request), finishReason: 'stop' };
    },
  };
}

/** What is expected of a run; what is absent is not looked at. */
export interface ExpectedRun {
  readonly status?: PublicStatus;
  /** Every status that it has had, in their order. */
  readonly transitions?: readonly PublicStatus[];
  readonly output?: JsonValue;
  /** By id. */
  readonly steps?: Readonly<Record<string, ShownStep['status']>>;
  /** Outputs of steps, by id. */
  readonly outputs?: Readonly<Record<string, JsonValue>>;
  /** Of the run's error. */
  readonly errorCode?: string;
}

/** A run of a flow that a test answers. */
export interface TestedRun {
  readonly runId: string;
  /** The run as it is now. */
  read(): Promise<ShownRun>;
  /** Agrees to the approval that waits. @param payload further keys for the steps behind it */
  approve(more?: TestAnswer & { readonly payload?: JsonMap }): Promise<Envelope<RunReply>>;
  reject(more?: TestAnswer): Promise<Envelope<RunReply>>;
  /** Fills in the form that waits. */
  answer(values: JsonMap, more?: TestAnswer & { readonly formId?: string }): Promise<Envelope<RunReply>>;
  /** Says just what is given. */
  resume(request: ResumeRequest): Promise<Envelope<RunReply>>;
  cancel(): Promise<Envelope<RunReply>>;
  /** @throws AssertionError with what is there instead */
  expect(expected: ExpectedRun): Promise<void>;
}

export interface TestAnswer {
  readonly comment?: string;
  readonly by?: string;
  /** Where several steps wait. */
  readonly stepId?: string;
}

/**
 * Runs a flow of a product until it ends or waits; the answers of the test take it further.
 * @param engine of the product's workspace; one with `storeFile: ':memory:'` leaves nothing behind
 * @throws EngineError with the code of the refusal when the run is not begun
 */
export async function testFlow(
  engine: Engine,
  target: { readonly product: string; readonly flow: string },
  payload: JsonMap = {},
): Promise<TestedRun> {
  const gateway = openProducts(engine);
  const begun = await gateway.runFlow(target.product, target.flow, payload);
  if (!begun.ok) throw new EngineError(begun.error);
  return testedRun(engine, gateway, begun.data.run_id);
}

function testedRun(engine: Engine, gateway: ProductGateway, runId: string): TestedRun {
  const read = async (): Promise<ShownRun> => {
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

/** What a run is, as far as somebody has asked. */
function seenAs(expected: ExpectedRun, { run, steps }: ShownRun, transitions: readonly PublicStatus[]): object {
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
