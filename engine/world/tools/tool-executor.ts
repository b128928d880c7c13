/**
 * The single place where tools are called. It finds the tool, validates the call, checks the policy, asks a person if
 * required, then runs the tool with a timeout and emits events. No other code runs a tool.
 */
import { elapsedSince, passTime, timeWithWaits } from '../../base/clock.ts';
import { waitFor } from '../../base/wait-for.ts';
import { MAX_OUTPUT_BYTES } from '../../language/flow/flow-limits.ts';
import { frozenCopy } from '../../language/json/checked-json.ts';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import type { AnswersCapability } from '../../runtime/kernel/capabilities/capabilities.ts';
import type { EffectVerdict, GovernanceCapability, RunGate } from '../../runtime/kernel/capabilities/effect.ts';
import type {
  ToolCall,
  ToolResult,
  ToolScope,
  ToolsCapability,
} from '../../runtime/kernel/capabilities/tool-capability.ts';
import { Suspension } from '../../runtime/kernel/hub/harness.ts';
import { misfitText, schemaCheckOf } from './schema-check.ts';
import { approved, emitToolDenied, gateOf, passGate } from './tool-approval.ts';
import { failedResult, failureOf, refusedDry, type ToolFailureReason, trouble } from './tool-failures.ts';
import { CallRates, ResultCache } from './tool-limits.ts';
import { describeTools, type RunnableTool, type ToolSource, unknownTool } from './tool-source.ts';
import { candidateToolNames, findFirst, isolationOf } from './tools-of-products.ts';
import { limitedScope, withinTime } from './within-time.ts';

export interface ToolExecutorOptions {
  readonly source: ToolSource;
  /** Validates values against schemas that may take long. */
  readonly answers: AnswersCapability;
  /** The gate for all calls; absent without a policy. */
  readonly governance?: GovernanceCapability | undefined;
}

/** Creates an engine's executor. */
export function createToolExecutor(options: ToolExecutorOptions): ToolsCapability {
  const shared = { ...options, rates: new CallRates(), cache: new ResultCache() };
  return {
    describe: (names) => describeTools(options.source, names),
    call: async (call, scope) => await new CallOfTool(call, scope, shared).make(),
  };
}

interface SharedToolState extends ToolExecutorOptions {
  readonly rates: CallRates;
  readonly cache: ResultCache;
}

/** Ends a call before its tool has returned anything. */
class ToolCallRefusal extends Error {
  readonly failure: ToolFailureReason;

  constructor(refused: ToolFailureReason) {
    super(refused.message);
    this.failure = refused;
  }
}

const firstDelayMs = 500;
const longestDelayMs = 10_000;

class CallOfTool {
  #scope: ToolScope;
  readonly #shared: SharedToolState;
  /** For a step, the full name once it is found. */
  #tool: string;
  readonly #names: readonly string[];
  readonly #callKey: string;
  readonly #mayAsk: boolean;
  /** Parameters, including a person's edits. */
  #params: JsonMap;
  #found: RunnableTool | undefined;
  #gate: RunGate | undefined;
  #startedAt: number | undefined;
  #attempt = 0;
  #metadata: JsonMap = {};

  constructor(call: ToolCall, scope: ToolScope, shared: SharedToolState) {
    const { tool, params, callKey = `tool:${tool}`, mayAsk = true } = call;
    this.#tool = tool;
    this.#names = candidateToolNames(call, scope.hub.products);
    this.#params = params;
    this.#callKey = callKey;
    this.#mayAsk = mayAsk;
    this.#scope = scope;
    this.#shared = shared;
  }

  /** Whether the call resumes a run that it started earlier. */
  get #goesOn(): boolean {
    return (this.#scope.former ?? []).length > 0;
  }

  async make(): Promise<ToolResult> {
    this.#scope.signal.throwIfAborted();
    return await this.#end(await this.#result());
  }

  async #result(): Promise<ToolResult> {
    try {
      return await this.#outcome(await this.#admitted());
    } catch (thrown) {
      this.#scope.signal.throwIfAborted();
      if (!(thrown instanceof ToolCallRefusal)) throw thrown;
      return this.#failed(thrown.failure);
    }
  }

  /** Returns the tool if it may be called with these parameters. */
  async #admitted(): Promise<RunnableTool> {
    const { source } = this.#shared;
    const tool = await this.#find();
    if (tool === undefined) {
      const known = (await source.list()).map(({ description }) => description.name);
      throw new ToolCallRefusal({ ...failureOf(unknownTool(this.#tool, known)), category: 'not_found' });
    }
    this.#found = tool;
    this.#tool = tool.description.name;
    const isolated = isolationOf(tool.description, this.#scope.hub.products);
    if (isolated !== undefined) throw new ToolCallRefusal(isolated);
    await this.#checkParams(tool);
    // The rules of the tool's own product apply even if another product calls it.
    this.#scope = { ...this.#scope, hub: this.#scope.hub.with({ product: tool.description.product }) };
    this.#gate = gateOf(tool, this.#scope, this.#shared.governance);
    const { signal, isDry, ask } = this.#scope;
    const passed = await passGate(tool, {
      gate: this.#gate,
      signal,
      mayAsk: this.#mayAsk && ask !== undefined,
      params: this.#params,
      scope: this.#scope,
    });
    if (passed.refused !== undefined) throw new ToolCallRefusal(passed.refused);
    if (isDry && tool.onlyReads !== true) throw new ToolCallRefusal(refusedDry(this.#tool));
    await this.#askPerson(tool, passed.asks);
    return tool;
  }

  /** Its source, such as a server that is started for it, may fail or take long. */
  async #find(): Promise<RunnableTool | undefined> {
    const { signal, hub } = this.#scope;
    try {
      return await waitFor(findFirst(this.#shared.source, this.#names), signal);
    } catch (thrown) {
      signal.throwIfAborted();
      emitToolDenied(thrown, hub);
      throw new ToolCallRefusal(failureOf(thrown));
    }
  }

  async #checkParams({ description, standsFor = description }: RunnableTool): Promise<void> {
    for (const { inputSchema } of new Set([description, standsFor])) {
      const check = schemaCheckOf(inputSchema, this.#shared.answers);
      const problems = await this.#checked(() => check(this.#params, this.#scope.signal));
      if (problems.length === 0) continue;
      const message = `The parameters of ${this.#tool} do not match its schema: ${misfitText(problems)}.`;
      throw new ToolCallRefusal(trouble('validation_error', message));
    }
  }

  async #checked<T>(check: () => Promise<T>): Promise<T> {
    try {
      return await check();
    } catch (thrown) {
      this.#scope.signal.throwIfAborted();
      throw new ToolCallRefusal({ ...failureOf(thrown), category: 'validation_error' });
    }
  }

  async #askPerson(tool: RunnableTool, rule: EffectVerdict | undefined): Promise<void> {
    const outcome = await approved(
      { tool, params: this.#params, callKey: this.#callKey, policyAsks: rule?.reason },
      this.#mayAsk ? this.#scope : { ...this.#scope, ask: undefined },
    );
    if (rule !== undefined) this.#tellAsked(rule, !('refused' in outcome));
    const { comment } = outcome;
    if (comment !== undefined) this.#metadata = { ...this.#metadata, comment };
    if ('refused' in outcome) throw new ToolCallRefusal(outcome.refused);
    const { edited } = outcome;
    if (edited === undefined) return;
    this.#params = edited;
    this.#metadata = { ...this.#metadata, params: edited };
    await this.#checkParams(tool);
  }

  /** The code that applies a rule emits the outcome. */
  #tellAsked({ rule, place, reason, level }: EffectVerdict, allowed: boolean): void {
    const where = { ...(place === undefined ? {} : { place }), ...(level === undefined ? {} : { level }) };
    const target = this.#tool;
    this.#scope.hub.emit({ type: 'governance:decision', allowed, rule, effect: 'tool', target, ...where, reason });
  }

  async #outcome(tool: RunnableTool): Promise<ToolResult> {
    const { cacheMs, callsPerMinute } = tool.limits ?? {};
    const { rates, cache } = this.#shared;
    const { clock } = this.#scope;
    // A result may contain a placeholder, which is valid only in one run.
    const isCached = cacheMs !== undefined && this.#scope.secrets === undefined && !this.#goesOn;
    const kept = isCached ? cache.find(this.#tool, this.#params, timeWithWaits(clock)) : undefined;
    if (kept !== undefined) return this.#succeeded(kept.value);
    const waitMs =
      callsPerMinute === undefined || this.#goesOn ? 0 : rates.take(this.#tool, callsPerMinute, timeWithWaits(clock));
    if (waitMs > 0) {
      const message = `${this.#tool} can be called at most ${callsPerMinute} times per minute. Try again in ${Math.ceil(waitMs / 1000)} s.`;
      return this.#failed(trouble('rate_limit', message));
    }
    const result = await this.#tried(tool);
    if (isCached && result.status === 'success') {
      cache.keep(this.#tool, this.#params, { value: result.result, until: timeWithWaits(clock) + cacheMs });
    }
    return result;
  }

  async #tried(tool: RunnableTool): Promise<ToolResult> {
    const { hub, signal, clock } = this.#scope;
    const mostAttempts = tool.description.effects === 'idempotent' ? 1 + (tool.limits?.maxRetries ?? 0) : 1;
    for (;;) {
      const attempt = await this.#tryOnce(tool);
      if ('value' in attempt) return this.#succeeded(attempt.value);
      const { failed } = attempt;
      if (!failed.isRetryable || this.#attempt >= mostAttempts) return this.#failed(failed);
      const delayMs = Math.min(longestDelayMs, firstDelayMs * 2 ** (this.#attempt - 1));
      const error = { code: failed.category, message: failed.message };
      const retry = { callKey: this.#callKey, tool: this.#tool, attempt: this.#attempt + 1, delayMs, error };
      hub.emit({ type: 'tool:retry', ...retry });
      await passTime(clock, delayMs, signal);
    }
  }

  async #tryOnce(tool: RunnableTool): Promise<{ readonly value: JsonValue } | { readonly failed: ToolFailureReason }> {
    const { hub, signal, clock } = this.#scope;
    const attempt = ++this.#attempt;
    const { effects } = tool.description;
    const isTakenUp = attempt === 1 && this.#goesOn;
    const fields = { callKey: this.#callKey, tool: this.#tool, params: this.#params };
    // A resumed attempt is already in the log.
    if (!isTakenUp) hub.emit({ type: 'tool:attempt', ...fields, attempt, effects });
    if (effects === 'external') await hub.whenStored?.();
    // Recording it may have stopped the run. Nothing may act before it is on disk.
    signal.throwIfAborted();
    this.#startedAt ??= clock.now();
    const scope = isTakenUp ? this.#scope : { ...this.#scope, former: [] };
    const note = (metadata: JsonMap): void => {
      this.#metadata = { ...this.#metadata, ...metadata };
    };
    const own = { callKey: this.#callKey, attempt, note, ...(this.#gate === undefined ? {} : { gate: this.#gate }) };
    try {
      const value = await withinTime(
        (inner, limit) => tool.run(this.#params, limitedScope(this.#tool, { ...scope, ...own, signal: inner }, limit)),
        { tool: this.#tool, timeoutMs: tool.limits?.timeoutMs, signal, clock },
      );
      return await this.#checkedOutput(tool, value);
    } catch (thrown) {
      signal.throwIfAborted();
      if (thrown instanceof Suspension) throw thrown;
      return { failed: failureOf(thrown) };
    }
  }

  async #checkedOutput(
    { description }: RunnableTool,
    value: unknown,
  ): Promise<{ readonly value: JsonValue } | { readonly failed: ToolFailureReason }> {
    const copy = frozenCopy(value, MAX_OUTPUT_BYTES);
    if (!copy.ok) {
      const { isTooLong = false, path, message } = copy.problem;
      const what = isTooLong ? 'is too large' : `is invalid: ${[...path, message].join(' ')}`;
      return { failed: { ...trouble('server_error', `The output of ${this.#tool} ${what}.`), isRetryable: false } };
    }
    const { outputSchema } = description;
    if (outputSchema === undefined) return copy;
    const problems = await schemaCheckOf(outputSchema, this.#shared.answers)(copy.value, this.#scope.signal);
    if (problems.length === 0) return copy;
    const message = `The output of ${this.#tool} does not match its output schema: ${misfitText(problems)}.`;
    return { failed: { ...trouble('server_error', message), isRetryable: false } };
  }

  #succeeded(result: JsonValue): ToolResult {
    const isEmpty = Object.keys(this.#metadata).length === 0;
    return { status: 'success', result, ...(isEmpty ? {} : { metadata: this.#metadata }) };
  }

  #failed(failed: ToolFailureReason): ToolResult {
    return failedResult(this.#tool, failed, this.#attempt, this.#metadata);
  }

  async #end(result: ToolResult): Promise<ToolResult> {
    const { hub, clock } = this.#scope;
    hub.emit({
      type: 'tool:result',
      callKey: this.#callKey,
      tool: this.#tool,
      attempts: this.#attempt,
      result: result as unknown as JsonValue,
      isError: result.status === 'error',
      durationMs: this.#startedAt === undefined ? 0 : elapsedSince(this.#startedAt, clock),
      backend: this.#found?.description.kind ?? 'none',
    });
    await hub.whenStored?.();
    return result;
  }
}
