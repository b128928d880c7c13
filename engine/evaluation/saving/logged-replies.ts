/**
 * Answers the calls of a run that is repeated with what the log of the original contains.
 */
import { EngineError, fromErrorRecord } from '../../base/engine-error.ts';
import type { CassetteCall } from '../../history/cassette/cassette-player.ts';
import { recordedWebRequest } from '../../history/cassette/cassette-web.ts';
import { equalButSecrets, requestKey } from '../../history/cassette/compare-requests.ts';
import { isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import { webRequestOf } from '../../runtime/nodes/http-request/http-request-node.ts';
import type { AnswerCall } from '../case-player.ts';
import { httpReplyOf, type RecordedOutcome } from './http-reply.ts';
import type { LoggedAttempt, LoggedModelCall, LoggedNodes, ToolAttempt } from './logged-nodes.ts';

/** A call in the log. Each is used once. */
interface LoggedCall {
  readonly kind: string;
  /** Returns whether the call has this request. */
  readonly matches: (call: CassetteCall<unknown>) => boolean;
  /** Undefined if the log does not contain the response. */
  readonly outcome: RecordedOutcome | undefined;
}

/** What finds the parts of a log. */
export interface LogSource {
  /** Returns a value with everything that is stored separately. */
  readonly whole: (value: JsonValue) => Promise<JsonValue>;
  /** Returns the configuration of a node. @param name as in `LoggedAttempt` */
  readonly configOf: (attempt: Pick<LoggedAttempt, 'name' | 'definitionHash'>) => JsonMap | undefined;
}

/** The calls in a log. */
export class LoggedReplies {
  readonly #calls: LoggedCall[];
  /** Calls that the log does not answer, as sentences. */
  readonly missing = new Set<string>();

  private constructor(calls: readonly LoggedCall[]) {
    this.#calls = [...calls];
  }

  static async read(nodes: LoggedNodes, source: LogSource): Promise<LoggedReplies> {
    const calls: LoggedCall[] = [];
    for (const call of nodes.modelCalls) calls.push(await modelCall(call, source));
    for (const attempt of nodes.attempts) {
      if (attempt.type === 'http.request') calls.push(await httpCall(attempt, source));
      if (attempt.type === 'command.run') calls.push(await commandCall(attempt, source));
    }
    for (const attempt of nodes.toolAttempts) calls.push(await toolCall(attempt, source));
    return new LoggedReplies(calls);
  }

  /** See `BenchOptions.answering`. The descriptions of tools are not in the log, so servers are asked for them. */
  readonly answering: AnswerCall = (call) => {
    if (call.kind === 'tools') return this.#described(call);
    const logged = this.#take(call);
    const outcome = logged?.outcome;
    if (outcome === undefined) return { ...call, live: () => Promise.reject(this.#miss(call)) };
    if ('error' in outcome) {
      // A recording contains only errors from outside.
      if (!call.recordedErrors.has(outcome.error.code)) this.missing.add(unrecordable(call, outcome.error.code));
      return { ...call, live: () => Promise.reject(fromErrorRecord(outcome.error)) };
    }
    return { ...call, live: async () => call.read(outcome.response), write: () => outcome.response };
  };

  #described<Reply>(call: CassetteCall<Reply>): CassetteCall<Reply> {
    return {
      ...call,
      live: async () => {
        const found = await call.live();
        const recorded = call.write(found);
        if (Array.isArray(recorded) && recorded.length === 0) this.missing.add(sentenceOf(call));
        return found;
      },
    };
  }

  #take(call: CassetteCall<unknown>): LoggedCall | undefined {
    const index = this.#calls.findIndex((one) => one.kind === call.kind && one.matches(call));
    return index === -1 ? undefined : this.#calls.splice(index, 1)[0];
  }

  #miss(call: CassetteCall<unknown>): EngineError {
    const message = sentenceOf(call);
    this.missing.add(message);
    return new EngineError({ code: 'cassette.miss', message });
  }
}

function sentenceOf({ kind, title }: Pick<CassetteCall<unknown>, 'kind' | 'title'>): string {
  if (kind === 'model') return `The history has no response of ${title} to one of its prompts.`;
  if (kind === 'http') return `The history has no response to ${title}.`;
  if (kind === 'mcp') return `The history has no result of the tool ${title}.`;
  if (kind === 'tools') return `No server describes ${title.replace(/^tools /, 'the tools ')}.`;
  if (kind === 'command') return `The history has no output of the program ${title}.`;
  if (kind === 'script-command') return `The history does not contain the commands of scripts: ${title}.`;
  return `The history has no result of ${title}.`;
}

function unrecordable({ title }: CassetteCall<unknown>, code: string): string {
  return `${title} failed with ${code}, which a recording cannot contain.`;
}

async function modelCall(
  { messagesHash, model, end }: LoggedModelCall,
  { whole }: Pick<LogSource, 'whole'>,
): Promise<LoggedCall> {
  const matches = (call: CassetteCall<unknown>): boolean =>
    call.title === model && call.loggedHash?.() === messagesHash;
  if (end === undefined || 'output' in end) return { kind: 'model', matches, outcome: undefined };
  if ('error' in end) return { kind: 'model', matches, outcome: end };
  const { text, finishReason, usage, reasoning, upstreamModel, toolCalls, providerState } = end.response;
  const parts = { usage: usage && { ...usage }, reasoning, upstreamModel, toolCalls, providerState };
  const known = Object.entries(parts).filter((part): part is [string, JsonValue] => part[1] !== undefined);
  const response = await whole({ text: text ?? '', finishReason, ...Object.fromEntries(known) });
  return { kind: 'model', matches, outcome: { response } };
}

async function httpCall(attempt: LoggedAttempt, { whole, configOf }: LogSource): Promise<LoggedCall> {
  const input = await whole(attempt.input);
  const outcome = httpReplyOf(await wholeEnd(attempt, whole), configOf(attempt));
  const { url, method = 'GET', headers = {}, body, form } = isJsonMap(input) ? input : {};
  const request = {
    ...{ url: String(url), method: String(method) as 'GET' },
    ...{ headers: headers as Readonly<Record<string, string>>, body: body ?? null },
  };
  const { maxBytes: _, ...wanted } = recordedWebRequest(webRequestOf(request, 0));
  const fits = withRequest('http', wanted);
  const matches = (call: CassetteCall<unknown>): boolean => {
    const { maxBytes: _m, parts, ...asked } = call.request as JsonMap;
    return (parts === undefined) === (form === undefined) && fits(asked);
  };
  return { kind: 'http', matches, outcome };
}

async function commandCall(attempt: LoggedAttempt, { whole, configOf }: LogSource): Promise<LoggedCall> {
  const input = await whole(attempt.input);
  const { args = [], env = {}, stdin } = isJsonMap(input) ? input : {};
  const { program, cwd } = configOf(attempt) ?? {};
  const fits = withRequest('command', {
    ...{ args, program: program ?? '' },
    ...(cwd === undefined ? {} : { cwd }),
    ...(isJsonMap(env) && Object.keys(env).length > 0 ? { env } : {}),
    ...(stdin === undefined ? {} : { stdin }),
  });
  return {
    kind: 'command',
    matches: ({ request }) => fits(request as JsonMap),
    outcome: commandOutcome(await wholeEnd(attempt, whole)),
  };
}

/** The log has the end of long outputs of a failed program, which is what its error contains. */
function commandOutcome(end: Awaited<ReturnType<typeof wholeEnd>>): RecordedOutcome | undefined {
  if ('error' in end) {
    const { code, details } = end.error;
    if (code === 'command.failed' && isJsonMap(details as JsonValue)) return { response: details as JsonMap };
    return code === 'command.bad-json' ? undefined : { error: end.error };
  }
  if (!isJsonMap(end.output)) return undefined;
  const { exitCode, stdout, stderr, stdoutBase64 } = end.output;
  if (exitCode === undefined || stdout === undefined || stderr === undefined) return undefined;
  return { response: { exitCode, stdout, stderr, ...(stdoutBase64 === undefined ? {} : { stdoutBase64 }) } };
}

async function toolCall({ tool, params, end }: ToolAttempt, { whole }: LogSource): Promise<LoggedCall> {
  const fits = withRequest('mcp', { tool, arguments: await whole(params) });
  const result = end === undefined ? undefined : await whole(end);
  const response = isJsonMap(result ?? null) ? recordedResult(result as JsonMap) : undefined;
  return {
    kind: 'mcp',
    matches: ({ request }) => fits(request as JsonMap),
    outcome: response === undefined ? undefined : { response },
  };
}

function recordedResult(end: JsonMap): JsonMap | undefined {
  const { logged } = end;
  if (logged === undefined) return end;
  if (!isJsonMap(logged)) return undefined;
  const { status, result, error_category: category, message, retryable } = logged;
  const metadata = isJsonMap(logged['metadata'] ?? null) ? (logged['metadata'] as JsonMap) : {};
  // The executor adds these itself.
  const { params: _p, comment: _c, tool_id: _t, attempt: _a, code: _code, ...noted } = metadata;
  const notes = Object.keys(noted).length === 0 ? {} : { metadata: noted };
  if (status === 'success' && result !== undefined) return { result, ...notes };
  if (category === undefined || message === undefined) return undefined;
  return { failure: { category, message, retryable: retryable === true }, ...notes };
}

/** Compares requests as a cassette does. */
function withRequest(kind: string, wanted: JsonMap): (asked: JsonMap) => boolean {
  const key = requestKey(kind, wanted);
  return (asked) => requestKey(kind, asked) === key || equalButSecrets(wanted, asked);
}

async function wholeEnd({ end }: LoggedAttempt, whole: LogSource['whole']): Promise<NonNullable<LoggedAttempt['end']>> {
  if (end === undefined) return { output: null };
  return 'error' in end ? end : { output: await whole(end.output) };
}
