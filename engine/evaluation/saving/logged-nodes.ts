/**
 * The work of nodes and tools in a log: what each attempt received, and how it ended.
 */
import type { RecordedError } from '../../history/cassette/compare-requests.ts';
import { isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import type { EventEnvelope, RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { endedTask, nameOfTask, startedTask, type TaskEnd } from '../../runtime/kernel/events/task-events.ts';

/** How an attempt ended: with an output, or an error. */
export type LoggedEnd = { readonly output: JsonValue } | { readonly error: RecordedError };

/** One attempt of a node. */
export interface LoggedAttempt {
  /** Name in its run, such as `each[0].fetch`. */
  readonly name: string;
  readonly type: string;
  /** Hash of the definition with the node. */
  readonly definitionHash: string;
  readonly input: JsonMap;
  /** Absent if it never ended. */
  readonly end?: LoggedEnd;
}

/** A request to a model. */
export interface LoggedModelCall {
  readonly messagesHash: string;
  /** `provider::model`. */
  readonly model: string;
  readonly end?: { readonly response: Extract<RunEvent, { readonly type: 'model:response' }> } | LoggedEnd;
}

/** One attempt of a tool call. */
export interface ToolAttempt {
  readonly tool: string;
  readonly params: JsonValue;
  /** The recorded form of the result; absent if it never ended. */
  readonly end?: JsonMap;
}

type Open<Part> = { -readonly [Key in keyof Part]: Part[Key] };

/** Collects the work of a run and its child runs, in the order in which it started. Values may be handles. */
export class LoggedNodes {
  readonly attempts: LoggedAttempt[] = [];
  readonly modelCalls: LoggedModelCall[] = [];
  readonly toolAttempts: ToolAttempt[] = [];
  readonly #open = new Map<string, Open<LoggedAttempt>>();
  readonly #asked = new Map<string, Open<LoggedModelCall>[]>();
  readonly #tools = new Map<string, Open<ToolAttempt>>();
  readonly #hashes = new Map<string, string>();
  readonly #inputs = new Map<string, JsonMap>();

  constructor(events: readonly EventEnvelope[]) {
    for (const envelope of events) this.#take(envelope);
  }

  #take({ event, runId, context }: EventEnvelope): void {
    if (event.type === 'run:start') this.#hashes.set(runId, event.definitionHash);
    const task = `${runId} ${context.task?.id.replace(/^node:/, '') ?? ''}`;
    const started = startedTask(event);
    const ended = endedTask(event);
    if (started !== undefined) this.#begin(runId, nameOfTask(started), started.nodeType);
    else if (ended !== undefined) this.#end(`${runId} ${nameOfTask(ended)}`, endOf(ended));
    else if (event.type === 'node:input') this.#setInput(`${runId} ${event.nodeId}`, event.input);
    else if (event.type === 'node:retry') this.#retry(`${runId} ${event.nodeId}`, event.error);
    else if (event.type === 'model:request' || event.type === 'model:response') this.#takeModel(task, event);
    else if (event.type === 'tool:attempt' || event.type === 'tool:retry' || event.type === 'tool:result')
      this.#takeTool(`${task} ${event.callKey}`, event);
  }

  /** An interrupted attempt starts a second time. */
  #begin(runId: string, name: string, type = ''): void {
    const key = `${runId} ${name}`;
    if (this.#open.has(key)) return;
    const input = this.#inputs.get(key) ?? {};
    const attempt = { name, type, definitionHash: this.#hashes.get(runId) ?? '', input };
    this.#open.set(key, attempt);
    this.attempts.push(attempt);
  }

  #setInput(key: string, given: JsonValue): void {
    const input = isJsonMap(given) ? given : {};
    this.#inputs.set(key, input);
    const attempt = this.#open.get(key);
    if (attempt !== undefined) attempt.input = input;
  }

  #retry(key: string, error: RecordedError): void {
    const attempt = this.#open.get(key);
    this.#end(key, { error });
    if (attempt === undefined) return;
    const { end: _, ...next } = attempt;
    this.#open.set(key, next);
    this.attempts.push(next);
  }

  #end(key: string, end: LoggedEnd | undefined): void {
    const attempt = this.#open.get(key);
    if (attempt !== undefined && end !== undefined) attempt.end = end;
    this.#open.delete(key);
    if (end === undefined || !('error' in end)) return;
    // The attempt fails with the error of the call that was not answered.
    const [unanswered] = (this.#asked.get(key) ?? []).splice(0);
    if (unanswered !== undefined) unanswered.end = { error: end.error };
  }

  #takeModel(task: string, event: Extract<RunEvent, { readonly type: 'model:request' | 'model:response' }>): void {
    const asked = this.#asked.get(task) ?? [];
    this.#asked.set(task, asked);
    if (event.type === 'model:response') {
      const answered = asked.find((call) => keyOf(call) === event.callKey) ?? asked[0];
      if (answered === undefined) return;
      asked.splice(asked.indexOf(answered), 1);
      answered.end = { response: event };
      return;
    }
    const { provider, model, messagesHash, callKey } = event;
    const call: Open<LoggedModelCall> & { readonly callKey?: string } = {
      ...{ messagesHash, model: `${provider}::${model}` },
      ...(callKey === undefined ? {} : { callKey }),
    };
    asked.push(call);
    this.modelCalls.push(call);
  }

  #takeTool(
    key: string,
    event: Extract<RunEvent, { readonly type: 'tool:attempt' | 'tool:retry' | 'tool:result' }>,
  ): void {
    if (event.type === 'tool:attempt') {
      const attempt = { tool: event.tool, params: event.params };
      this.#tools.set(key, attempt);
      this.toolAttempts.push(attempt);
      return;
    }
    const attempt = this.#tools.get(key);
    if (attempt === undefined) return;
    if (event.type === 'tool:retry') {
      const { code: category, message } = event.error;
      attempt.end = { failure: { category, message, retryable: true } };
    } else attempt.end = { logged: event.result };
    this.#tools.delete(key);
  }
}

/** Returns undefined for a task that was canceled or skipped. */
function endOf(ended: TaskEnd): LoggedEnd | undefined {
  if ('result' in ended) return { output: ended.result };
  return 'error' in ended ? { error: ended.error } : undefined;
}

function keyOf(call: object): string | undefined {
  return (call as { readonly callKey?: string }).callKey;
}
