/**
 * Calls a tool until its server has all the answers it asks for. Since the revision 2026-07-28, a server returns its
 * questions as the result of a call, with a state that the next call sends back with the answers. Such a call can wait
 * for days and survives the end of both programs.
 */
import { passTime } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import type { AskCapability } from '../../runtime/kernel/requests/ask.ts';
import { roundKey } from '../../runtime/kernel/resume/tool-rounds.ts';
import { type ToolContext, ToolFailure, type ToolProgress } from '../tools/tool-source.ts';
import {
  type ElicitationResponse,
  type ElicitationSource,
  elicitMethod,
  inputRequired,
  noDecision,
  pageQuestions,
  readElicitation,
} from './elicitation.ts';
import type { McpConnection } from './mcp-connection.ts';
import { isFields, type MessageFields } from './read-message.ts';

/** Maximum number of times that one call may be continued. */
const mostRounds = 20;
/** Pause before a call is continued for a server that asks nothing, in milliseconds. */
const pauseMs = 1_000;

/** The context of a call. */
export type McpCallContext = Pick<ToolContext, 'signal' | 'callKey' | 'clock' | 'ask' | 'rounds'> &
  Partial<Pick<ToolContext, 'progress'>>;

/** A result that is not the end of a call. */
interface OpenResult {
  readonly questions: readonly (readonly [id: string, question: unknown])[];
  /** Sent back as it is. */
  readonly state: string | undefined;
  /** The answers are not sent: the server learns of them when the person opens its pages. */
  readonly isElsewhere: boolean;
}

function progressOf({ progress, total, message }: MessageFields): ToolProgress {
  return {
    ...(typeof progress === 'number' ? { done: progress } : {}),
    ...(typeof total === 'number' ? { total } : {}),
    ...(typeof message === 'string' ? { message } : {}),
  };
}

interface CalledTool extends ElicitationSource {
  /** Name of the tool on the server. */
  readonly name: string;
  readonly params: JsonMap;
}

/**
 * Calls a tool, and asks a person if the server does.
 * @returns the final result
 * @throws ToolFailure; errors of the connection; the signal's reason
 */
export async function callInRounds(
  connection: Pick<McpConnection, 'callTool'>,
  called: CalledTool,
  context: McpCallContext,
): Promise<MessageFields> {
  const { rounds, signal, clock, callKey, ask } = context;
  const source = { server: called.server, tool: called.tool };
  const { progress } = context;
  const call = {
    signal,
    ...(progress === undefined ? {} : { onProgress: (fields: MessageFields) => progress(progressOf(fields)) }),
    elicit: (params: unknown, live: AbortSignal) =>
      elicit(params, { key: callKey, source, ask, live: AbortSignal.any([signal, live]) }),
  };
  const send = (more: JsonMap): Promise<MessageFields> =>
    connection.callTool({ name: called.name, arguments: called.params, ...more }, call);
  const known = rounds?.kept ?? [];
  let round = known.length;
  let kept = known.at(-1) as MessageFields | undefined;
  let reply = kept ?? (await send({}));
  for (let count = 0; ; count++) {
    const open = openResult(reply);
    if (open === undefined) return reply;
    if (count === mostRounds) throw failureOf(source, `continued a call more than ${mostRounds} times`);
    if (open.questions.length === 0) await passTime(clock, pauseMs, signal);
    else if (kept === undefined) {
      // Stored before the person is asked, because the answer belongs to this state of the server.
      rounds?.keep(reply as JsonValue);
      round += 1;
    }
    kept = undefined;
    const answers: [string, ElicitationResponse][] = [];
    // One after the other, because a tool can wait for one answer at a time.
    for (const [id, question] of open.questions) {
      const params = paramsOf(question, source);
      answers.push([id, await elicit(params, { key: keyOf(callKey, round, id), source, ask })]);
    }
    reply = await send(nextParams(open, answers, source));
  }
}

function openResult(reply: MessageFields): OpenResult | undefined {
  if (reply['resultType'] !== inputRequired) return undefined;
  const { inputRequests, requestState, kind } = reply;
  return {
    questions: isFields(inputRequests) ? Object.entries(inputRequests) : [],
    state: typeof requestState === 'string' ? requestState : undefined,
    isElsewhere: kind === pageQuestions,
  };
}

function nextParams(
  { state, isElsewhere }: OpenResult,
  answers: readonly (readonly [string, ElicitationResponse])[],
  source: ElicitationSource,
): JsonMap {
  if (isElsewhere && answers.some(([, { action }]) => action !== 'accept'))
    throw new ToolFailure('auth_error', `${source.tool} was not called, because its page was not opened.`, {
      isRetryable: false,
    });
  return {
    ...(state === undefined ? {} : { requestState: state }),
    ...(isElsewhere || answers.length === 0
      ? {}
      : { inputResponses: Object.fromEntries(answers) as Record<string, JsonMap> }),
  };
}

/** A server chooses the id, which may be long. */
function keyOf(callKey: string, round: number, id: string): string {
  return roundKey(callKey, `${round}/${id}`).slice(0, 200);
}

function paramsOf(question: unknown, source: ElicitationSource): unknown {
  const { method, params } = isFields(question) ? question : {};
  if (method === elicitMethod) return params;
  throw failureOf(source, `asked for ${JSON.stringify(method)}, which Millrace does not offer`);
}

interface Elicitor {
  /** Unique among the requests of the node. */
  readonly key: string;
  readonly source: ElicitationSource;
  /** If absent, no person can be asked. */
  readonly ask: AskCapability | undefined;
  /** For a server that waits: aborts when it no longer does. */
  readonly live?: AbortSignal;
}

/**
 * Asks a person on behalf of a server.
 * @throws ToolFailure if the question cannot be shown; errors of `ask`
 */
async function elicit(params: unknown, { key, source, ask, live }: Elicitor): Promise<ElicitationResponse> {
  const asked = readElicitation(params, source);
  if ('problem' in asked) throw failureOf(source, asked.problem);
  if (ask === undefined) return noDecision;
  try {
    return asked.responseTo(await ask(key, asked.request, live === undefined ? {} : { live }));
  } catch (thrown) {
    if (EngineError.is(thrown) && thrown.code === 'ask.unavailable') return noDecision;
    throw thrown;
  }
}

function failureOf({ server }: ElicitationSource, problem: string): ToolFailure {
  return new ToolFailure('server_error', `The MCP server ${server} ${problem}.`, { isRetryable: false });
}
