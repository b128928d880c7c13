/**
 * Answers the callers of webhooks: at once, or with the result of the run.
 */
import { EngineError } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import type { Engine } from '../../engine.ts';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import { isValueHandle } from '../../language/json/value-handle.ts';
import type { WebhookTriggerDoc } from '../../language/triggers/trigger-doc.ts';
import type { TriggerEntry } from '../triggers/trigger-list.ts';
import { errorBody } from './http-service.ts';
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

interface CallerAnswer {
  readonly status: 200 | 202 | 409 | 500 | 504;
  readonly body: JsonMap;
}

/** A firing that has been recorded. */
interface AnsweredFiring {
  readonly id: number;
  readonly world: HttpWorld;
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
    const { status, body } = await Promise.race([resultOf(hook, firing, waiting.signal), timeout]);
    return context.json(body, status);
  } finally {
    endTimer?.();
    waiting.abort();
  }
}

async function resultOf(hook: Webhook, { id, world }: AnsweredFiring, signal: AbortSignal): Promise<CallerAnswer> {
  const { engine, triggers } = hook;
  const firing = await triggers.whenDecided(id);
  const runId = firing?.runId;
  if (firing === undefined || firing.state === 'waiting')
    return { status: 202, body: { firing: id, state: 'waiting' } };
  const { state, reason = null } = firing;
  if (runId === undefined) return { status: 409, body: { firing: id, state, reason } };
  const { status } = await whenOver(runId, { engine, world, signal });
  const body = { firing: id, runId, status };
  if (status === 'completed') return { status: 200, body: { ...body, outputs: await outputsOf(runId, engine) } };
  if (status === 'suspended') return { status: 202, body };
  const message = 'The run was not completed. Its error is in the history of the workspace.';
  return { status: 500, body: { ...body, ...errorBody('run.not-completed', message) } };
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

async function outputsOf(runId: RunId, engine: Engine): Promise<JsonValue> {
  const { lastSeq } = await engine.readHead(runId);
  const [last] = await engine.readEvents(runId, lastSeq - 1, 1);
  const output = last?.event.type === 'run:end' ? last.event.output : undefined;
  if (!isValueHandle(output)) return output ?? {};
  try {
    return await engine.readValue(output.$value);
  } catch (error) {
    // The run was deleted in the meantime.
    if (EngineError.is(error)) return {};
    throw error;
  }
}
