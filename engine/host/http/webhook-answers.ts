/**
 * Answers the callers of webhooks: at once, with the result of the run, or with the response of a node.
 */
import type { RunId } from '../../base/ids.ts';
import type { Engine } from '../../engine.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import { isValueHandle } from '../../language/json/value-handle.ts';
import type { WebhookTriggerDoc } from '../../language/triggers/trigger-doc.ts';
import { respondType } from '../../language/triggers/trigger-findings.ts';
import type { CallerResponse } from '../../runtime/kernel/capabilities/callers-capability.ts';
import { endedTask, startedTask } from '../../runtime/kernel/events/task-events.ts';
import type { WaitingCaller } from '../triggers/caller-desk.ts';
import type { TriggerEntry } from '../triggers/trigger-list.ts';
import { errorBody } from './http-service.ts';
import { resultOf } from './run-views.ts';
import type { HttpContext, HttpWorld, ServedWorkspace } from './served.ts';

/** A trigger that is on, at an address. */
export interface Webhook extends ServedWorkspace {
  readonly entry: TriggerEntry;
  readonly doc: WebhookTriggerDoc;
}

/** A caller that waits for a result is answered at the latest after this time. */
const longestWaitMs = 60_000;

/** How often to look for the end of a run that another process executes. */
const lookAgainMs = 500;

/** JSON of the service, or what a `respond` node sends. */
type CallerAnswer =
  | { readonly status: 200 | 202 | 409 | 500 | 504; readonly body: JsonMap }
  | { readonly response: CallerResponse };

/** A firing that has been recorded. */
interface AnsweredFiring {
  readonly id: number;
  readonly world: HttpWorld;
  /** Waits for a `respond` node. */
  readonly caller: WaitingCaller | undefined;
}

/** Answers the caller of a webhook. @param firing is on disk */
export async function answerCaller(context: HttpContext, hook: Webhook, firing: AnsweredFiring): Promise<Response> {
  const { id, world } = firing;
  const { answer = 'accepted' } = hook.doc;
  if (answer === 'accepted') return context.json({ firing: id }, 202);
  const waiting = new AbortController();
  const message = 'The run takes longer than this webhook waits. It continues.';
  const late: CallerAnswer = { status: 504, body: { ...errorBody('http.timeout', message), firing: id } };
  let endTimer: (() => void) | undefined;
  const timeout = new Promise<CallerAnswer>((resolve) => {
    endTimer = world.clock.setTimer(() => resolve(late), world.limits?.answerMs ?? longestWaitMs);
  });
  try {
    const answer = await Promise.race([answerOf(hook, firing, waiting.signal), timeout]);
    return 'response' in answer ? responseOf(answer.response) : context.json(answer.body, answer.status);
  } finally {
    endTimer?.();
    waiting.abort();
  }
}

async function answerOf(
  hook: Webhook,
  { id, world, caller }: AnsweredFiring,
  signal: AbortSignal,
): Promise<CallerAnswer> {
  const { engine, triggers } = hook;
  const firing = await triggers.whenDecided(id);
  const runId = firing?.runId;
  if (firing === undefined || firing.state === 'waiting')
    return { status: 202, body: { firing: id, state: 'waiting' } };
  const { state, reason = null } = firing;
  if (runId === undefined) return { status: 409, body: { firing: id, state, reason } };
  const over = whenOver(runId, { engine, world, signal });
  const none = over.then(() => undefined);
  const response = await Promise.race(caller === undefined ? [none] : [caller.responseOf(runId), none]);
  if (response !== undefined) return { response };
  const run = await over;
  const { status } = run;
  const body = { firing: id, runId, status };
  const recorded = caller && (await recordedResponse(runId, engine));
  if (recorded !== undefined) return { response: recorded };
  if (status === 'suspended') return { status: 202, body };
  if (status === 'completed' && caller === undefined)
    return { status: 200, body: { ...body, ...(await resultOf(run, engine)) } };
  const problem =
    caller === undefined
      ? errorBody('run.not-completed', 'The run was not completed. Its error is in the history of the workspace.')
      : errorBody('run.no-response', 'The run ended without a response.');
  return { status: 500, body: { ...body, ...problem } };
}

/** Events of a run that are searched for its response. */
const mostEvents = 10_000;

/** Returns the response of a run that has ended: the request was repeated, or another process executed the run. */
async function recordedResponse(runId: RunId, engine: Engine): Promise<CallerResponse | undefined> {
  const tasks = new Set<string>();
  for (const { event, runId: of } of await engine.readEvents(runId, -1, mostEvents)) {
    const start = startedTask(event);
    if (start?.nodeType === respondType && of === runId) tasks.add(start.taskId);
    const end = endedTask(event);
    if (end === undefined || !('result' in end) || !tasks.has(end.taskId)) continue;
    const result = isValueHandle(end.result) ? await engine.readValue(end.result.$value) : end.result;
    return result as unknown as CallerResponse;
  }
  return undefined;
}

/** Browsers treat the body as a document of another origin, without scripts, forms and requests. */
const bodyPolicy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'";

const emptyStatuses: ReadonlySet<number> = new Set([204, 205, 304]);

function responseOf({ status, headers, body }: CallerResponse): Response {
  const isEmpty = body === null || emptyStatuses.has(status);
  const type = typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json';
  const usual = isEmpty ? {} : { 'content-type': type };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return new Response(isEmpty ? null : text, {
    status,
    headers: { ...usual, ...headers, 'content-security-policy': bodyPolicy },
  });
}

/** Resolves when a run has ended or waits for a person, also if another process executes it. */
async function whenOver(
  runId: RunId,
  { engine, world, signal }: { readonly engine: Engine; readonly world: HttpWorld; readonly signal: AbortSignal },
): ReturnType<Engine['whenEnded']> {
  for (;;) {
    const run = await engine.whenEnded(runId);
    if ((run.status !== 'running' && run.status !== 'queued') || signal.aborted) return run;
    await new Promise<void>((resolve) => world.clock.setTimer(resolve, lookAgainMs));
  }
}
