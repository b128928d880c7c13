/**
 * Answers one request of a person about a flow.
 */
import { cutText } from '../../base/cut-text.ts';
import { EngineError, toErrorRecord } from '../../base/engine-error.ts';
import { MAX_FLOW_TEXT_LENGTH } from '../../language/flow/flow-limits.ts';
import { productOfPath } from '../../language/flow/product-path.ts';
import type { BudgetDoc } from '../../language/triggers/budget-doc.ts';
import { type BudgetLimits, BudgetMeter } from '../../runtime/governance/budget.ts';
import { GatedModel } from '../../runtime/kernel/capabilities/gated-capabilities.ts';
import type { RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { type CancelScope, createCancelScope, overBudgetCode } from '../../runtime/kernel/hub/cancel-scope.ts';
import { createHub } from '../../runtime/kernel/hub/hub.ts';
import { Spending } from '../../runtime/kernel/hub/spending.ts';
import type { SpokenMessage } from '../../runtime/kernel/models/model-capability.ts';
import { ToolLoop } from '../../runtime/kernel/models/tool-loop.ts';
import { isFlowPath } from '../../world/files/flow-files.ts';
import { refuseProtected, resolveInWorkspace } from '../../world/files/workspace-path.ts';
import { limitsNow } from '../executor/run-budget.ts';
import { isPricedModel } from '../wiring/model-service.ts';
import type {
  AssistantAnswer,
  AssistantContext,
  AssistantProgress,
  AssistantRequest,
  AssistantSubject,
} from './assistant.ts';
import { assistantData } from './assistant-context.ts';
import { readAssistantTexts } from './assistant-texts.ts';
import { AssistantTools } from './assistant-tools.ts';
import type { AssistantWorld } from './assistant-world.ts';

/** Name under which proposals are stored. */
const assistantName = 'Ask Millrace';
/** Responses to one request. */
const mostSteps = 24;
const mostMessage = 20_000;
/** Parts of the earlier conversation that are sent, and the characters of each. */
const mostTurns = 20;
const mostTurn = 8_000;
const mostAnswer = 50_000;

/** Returns what a request sends; see `AssistantEngine.previewAssistance`. */
export async function previewAssistance(subject: AssistantSubject, world: AssistantWorld): Promise<AssistantContext> {
  const [{ prompt }, checked] = await Promise.all([
    readAssistantTexts(world.options.assistantFolder),
    checkedSubject(subject, world),
  ]);
  const [problem, data] = await Promise.all([modelProblem(subject.model, world), assistantData(checked, world)]);
  if (problem !== undefined) return { model: null, problem, isPriced: false, instructions: prompt, data };
  const { provider, model } = world.capabilities.model.resolve(subject.model);
  const isPriced = await isPricedModel(subject.model, world.models);
  return { model: `${provider}::${model}`, isPriced, instructions: prompt, data };
}

/** Answers a request; see `AssistantEngine.assist`. @param tell receives the progress */
export async function assist(
  request: AssistantRequest,
  world: AssistantWorld,
  { signal, tell }: { readonly signal: AbortSignal; readonly tell: (progress: AssistantProgress) => void },
): Promise<AssistantAnswer> {
  const texts = await readAssistantTexts(world.options.assistantFolder);
  const subject = await checkedSubject(request, world);
  if (request.message.trim() === '' || request.message.length > mostMessage)
    throw badRequest(`The message must have 1 to ${mostMessage.toLocaleString('en')} characters.`);
  const problem = await modelProblem(request.model, world);
  if (problem !== undefined) return { text: '', problem, tokens: 0 };
  if (request.budget.usd !== undefined && !(await isPricedModel(request.model, world.models))) throw noPrice();
  const data = await assistantData(subject, world);
  if (request.seen !== undefined && request.seen !== data) return { text: '', problem: changedData, tokens: 0 };
  signal.throwIfAborted();
  const tools = new AssistantTools(subject, world, texts.tools);
  const call = new AssistantCall(request, world, { signal, tell });
  const answered = await call.run([{ role: 'system', content: texts.prompt }, ...messagesOf(request, data)], tools);
  signal.throwIfAborted();
  return await withProposal(answered, tools, { subject, world });
}

/** A valid change is stored even if the request ended early, because it was paid for. */
async function withProposal(
  answer: AssistantAnswer,
  { change }: AssistantTools,
  { subject, world }: { readonly subject: AssistantSubject; readonly world: AssistantWorld },
): Promise<AssistantAnswer> {
  if (change === undefined) return answer;
  const { file, text: base } = subject;
  try {
    return { ...answer, proposal: await world.engine.addProposal({ file, base, by: assistantName, ...change }) };
  } catch (thrown) {
    return { problem: problemOf(thrown), ...answer };
  }
}

/** One request with its budget and its events, which are not stored. */
class AssistantCall {
  readonly #request: AssistantRequest;
  readonly #world: AssistantWorld;
  readonly #tell: (progress: AssistantProgress) => void;
  readonly #scope: CancelScope;
  readonly #outside: AbortSignal;
  readonly #meter: BudgetMeter;
  readonly #spending = new Spending();

  constructor(
    request: AssistantRequest,
    world: AssistantWorld,
    { signal, tell }: { readonly signal: AbortSignal; readonly tell: (progress: AssistantProgress) => void },
  ) {
    this.#request = request;
    this.#world = world;
    this.#tell = tell;
    this.#outside = signal;
    this.#scope = createCancelScope(signal);
    const ofPolicies = limitsNow(request.file, world.policies, world.clock);
    this.#meter = new BudgetMeter({
      who: 'The request',
      limits: () => lowerLimits(ofPolicies() ?? {}, request.budget),
      stop: (error) => this.#scope.cancel(error),
    });
  }

  async run(messages: readonly SpokenMessage[], tools: AssistantTools): Promise<AssistantAnswer> {
    const clear = this.#limitTime(this.#request.budget.seconds);
    try {
      const text = await this.#ask(messages, tools);
      return { text: cutText(text, mostAnswer), ...this.#spent() };
    } catch (thrown) {
      this.#outside.throwIfAborted();
      return { text: '', problem: problemOf(thrown), ...this.#spent() };
    } finally {
      clear();
      this.#scope.close();
    }
  }

  #limitTime(seconds: number | undefined): () => void {
    if (seconds === undefined) return () => undefined;
    return this.#world.clock.setTimer(() => this.#scope.cancel(tooLong(seconds)), seconds * 1_000);
  }

  async #ask(messages: readonly SpokenMessage[], tools: AssistantTools): Promise<string> {
    const { capabilities, clock, ids, sessionId } = this.#world;
    const { model, hash, governance } = capabilities;
    const { signal } = this.#scope;
    const runId = ids.runId();
    const { hub: plain, close } = createHub({ runId, sessionId, clock, onEmit: (event) => this.#take(event) });
    const hub = plain.with({ product: productOfPath(this.#request.file) });
    const gate = governance?.open({ hub });
    const can = { hash, tools, model: gate === undefined ? model : new GatedModel(model, gate) };
    const scope = { hub, signal, clock, runId, depth: 0, isDry: false };
    try {
      const loop = await ToolLoop.open({ names: [], maxSteps: mostSteps, scope }, { can, hub, signal, clock });
      return (await loop.ask({ model: this.#request.model, messages })).reply.text;
    } finally {
      close();
    }
  }

  #take(event: RunEvent): void {
    const { id } = this.#request;
    this.#meter.take(event, false);
    if (event.type === 'agent:text') this.#tell({ id, type: 'text', text: event.content });
    if (event.type === 'agent:tool:start') this.#tell({ id, type: 'tool', tool: cutText(event.toolName, 100) });
    if (event.type !== 'model:response') return;
    this.#spending.add(event);
    this.#tell({ id, type: 'spent', ...this.#spent() });
  }

  #spent(): Pick<AssistantAnswer, 'tokens' | 'costUsd'> {
    const { usage, costUsd } = this.#spending.total();
    const tokens = (usage?.promptTokens ?? 0) + (usage?.completionTokens ?? 0);
    return { tokens, ...(costUsd === undefined ? {} : { costUsd }) };
  }
}

/** Returns the limits of the policies, or those of the request where they are lower. */
function lowerLimits(limits: BudgetLimits, { tokens, usd }: BudgetDoc): BudgetLimits {
  const place = 'the budget of this request';
  const isLower = (limit: number, other: number | undefined): boolean => limit < (other ?? Number.POSITIVE_INFINITY);
  return {
    ...limits,
    ...(tokens !== undefined && isLower(tokens, limits.tokens?.limit) ? { tokens: { limit: tokens, place } } : {}),
    ...(usd !== undefined && isLower(usd, limits.costUsd?.limit) ? { costUsd: { limit: usd, place } } : {}),
  };
}

function tooLong(seconds: number): EngineError {
  const message = `The request took longer than ${seconds} seconds (the budget of this request).`;
  return new EngineError({ code: overBudgetCode, message, details: { budget: 'seconds', limit: seconds } });
}

/** The data precedes the request, so that the request is what the model reads last. */
function messagesOf({ message, earlier = [] }: AssistantRequest, data: string): readonly SpokenMessage[] {
  const turns = earlier.slice(-mostTurns).map(({ by, text }): SpokenMessage => {
    return { role: by === 'person' ? 'user' : 'assistant', content: cutText(text, mostTurn) };
  });
  const said = turns.filter(({ content }) => content.trim() !== '');
  return [...said, { role: 'user', content: `${data}\n\nThe person's request:\n${message}` }];
}

/** Returns the subject with the file's real path in the workspace. */
async function checkedSubject<Subject extends AssistantSubject>(
  subject: Subject,
  world: AssistantWorld,
): Promise<Subject> {
  const place = await resolveInWorkspace(world.models.workspace, subject.file);
  refuseProtected(place);
  if (!isFlowPath(place.shown)) throw badRequest(`${place.shown} is not a flow (*.flow.yaml).`);
  if (subject.text.length > MAX_FLOW_TEXT_LENGTH) throw badRequest('The text is too large for a flow.');
  return { ...subject, file: place.shown };
}

/** Returns why a model cannot be used; undefined if it can. */
async function modelProblem(
  model: string | undefined,
  { engine }: AssistantWorld,
): Promise<AssistantAnswer['problem']> {
  const [problem] = await engine.checkModels([model ?? null]);
  return problem === undefined ? undefined : { code: problem.code, message: problem.message };
}

function problemOf(thrown: unknown): { readonly code: string; readonly message: string } {
  const { code, message } = toErrorRecord(thrown);
  return { code, message };
}

function badRequest(message: string): EngineError {
  return new EngineError({ code: 'assistant.bad-request', message });
}

const changedData = {
  code: 'assistant.changed',
  message: 'What would be sent has changed since it was shown. Nothing was sent. Check it again.',
};

function noPrice(): EngineError {
  const message =
    'The price of this model is not known, so a budget in dollars cannot be enforced. Set a budget in tokens only.';
  return new EngineError({ code: 'assistant.no-price', message });
}
