/**
 * Calls Restate's ingress and admin API over HTTP.
 */
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import { parseUrl } from '../../base/parse-url.ts';
import { type RestatePlace, serviceOf } from './restate-url.ts';

/** How long Restate may fail to reach a new worker, in milliseconds. */
const patienceMs = 60_000;

/** Pause between two attempts, in milliseconds. */
const pauseMs = 500;

/** Time limit for a call in milliseconds. */
const callMs = 10_000;

/** Why Restate cannot continue a run at the moment. */
export interface AttemptFailure {
  /** Where Restate has looked for a worker. */
  readonly address: string;
  /** Whether nothing answers there. */
  readonly isUnreachable: boolean;
  /** Restate's words. */
  readonly reason: string;
}

/** Restate's code of the error that a worker cannot be reached. */
const unreachableCode = 'RT0010';

interface FailureRow {
  readonly endpoint?: string;
  readonly last_failure?: string;
  readonly last_failure_error_code?: string;
}

/** Maximum size of an answer, in bytes. */
const largestAnswer = 16 * 1024 * 1024;

export class RestateClient {
  readonly #place: RestatePlace;
  readonly #service: string;

  constructor(place: RestatePlace, workspace: string) {
    this.#place = place;
    this.#service = serviceOf(workspace);
  }

  /** Returns whether a worker has registered the workspace. @throws EngineError `restate.*` */
  async hasService(): Promise<boolean> {
    const { status } = await this.#call(
      `${this.#place.admin}/services/${encodeURIComponent(this.#service)}`,
      undefined,
    );
    return status === 200;
  }

  /**
   * Starts the workflow of a run. Has no effect if it was already started. Returns Restate's ID of the run.
   * @throws EngineError `restate.*`
   */
  async start(runId: RunId, input: object): Promise<string> {
    const { invocationId } = (await this.#toRun(runId, 'run/send', input)) as { readonly invocationId: string };
    return invocationId;
  }

  /**
   * Delivers a message to a run under a number. Returns false if another message has this number.
   * @throws EngineError `restate.*`
   */
  async deliver(runId: RunId, message: { readonly index: number; readonly text: string }): Promise<boolean> {
    return (await this.#toRun(runId, 'deliver', message)) === true;
  }

  /** Makes a worker known. @param uri address at which Restate reaches the worker @throws EngineError `restate.*` */
  async register(uri: string): Promise<void> {
    const { status, text } = await this.#call(`${this.#place.admin}/deployments`, { uri });
    if (status >= 300) throw refused(`register the worker at ${uri}`, status, text);
  }

  /** Returns the address of the worker that receives new runs; undefined if it is unknown. @throws EngineError `restate.*` */
  async newestAddress(): Promise<string | undefined> {
    const { deployment_id: id } = await this.#read(`services/${encodeURIComponent(this.#service)}`);
    if (typeof id !== 'string') return undefined;
    const { uri } = await this.#read(`deployments/${encodeURIComponent(id)}`);
    return typeof uri === 'string' ? uri : undefined;
  }

  /**
   * Returns why the last attempt of a run has failed; undefined if one is in progress, or none is needed.
   * @param reference Restate's ID of the run
   * @throws EngineError `restate.*`
   */
  async attemptFailure(reference: string): Promise<AttemptFailure | undefined> {
    const query = `SELECT endpoint, last_failure, last_failure_error_code FROM sys_invocation i
      LEFT JOIN sys_deployment d ON d.id = i.last_attempt_deployment_id
      WHERE i.id = '${reference.replaceAll("'", "''")}' AND i.status = 'backing-off'`;
    const url = `${this.#place.admin}/query`;
    const { status, text } = await this.#call(url, { query });
    if (status !== 200) throw refused('describe a run', status, text);
    const answer = parsed(url, text) as { readonly rows?: readonly FailureRow[] } | null;
    const row = Array.isArray(answer?.rows) ? (answer.rows[0] as FailureRow | undefined) : undefined;
    if (typeof row?.last_failure !== 'string') return undefined;
    const { endpoint: address = 'an unknown address', last_failure: reason, last_failure_error_code: code } = row;
    return { address, reason, isUnreachable: code === unreachableCode };
  }

  async #read(path: string): Promise<Readonly<Record<string, unknown>>> {
    const url = `${this.#place.admin}/${path}`;
    const { status, text } = await this.#call(url, undefined);
    if (status !== 200) return {};
    const answer = parsed(url, text);
    return typeof answer === 'object' && answer !== null ? (answer as Readonly<Record<string, unknown>>) : {};
  }

  async #toRun(runId: RunId, handler: string, body: object): Promise<unknown> {
    const url = `${this.#place.ingress}/${encodeURIComponent(this.#service)}/${encodeURIComponent(runId)}/${handler}`;
    const { status, text } = await this.#call(url, body);
    if (status === 404) throw noWorker(this.#service, text);
    if (status >= 300) throw refused(`call run ${runId}`, status, text);
    return parsed(url, text);
  }

  /** @throws EngineError `restate.unreachable` */
  async #call(url: string, body: object | undefined): Promise<{ readonly status: number; readonly text: string }> {
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    const post = { method: 'POST', headers, body: JSON.stringify(body) };
    try {
      const signal = AbortSignal.timeout(callMs);
      // Restate never redirects. Another server must not receive the inputs of a run.
      const response = await fetch(url, { ...(body === undefined ? {} : post), signal, redirect: 'error' });
      return { status: response.status, text: await limitedText(response) };
    } catch (cause) {
      throw unreachable(new URL(url).origin, cause);
    }
  }
}

/** Reads the body. @throws Error if it is larger than any answer of Restate */
async function limitedText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > largestAnswer) throw new Error(`the answer has more than ${largestAnswer} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** @throws EngineError `restate.refused` if a server answers that is not Restate */
function parsed(url: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const message = `${new URL(url).origin} answered with something other than JSON: ${text.slice(0, 100)}. Check that --on names a Restate server.`;
    throw new EngineError({ code: 'restate.refused', message, cause });
  }
}

function unreachable(origin: string, cause: unknown): EngineError {
  const { cause: inner = cause } = cause instanceof Error ? cause : {};
  const why = inner instanceof Error ? inner.message : String(inner);
  const message = `Restate cannot be reached at ${origin}: ${why}. Check that it is running and that --on names its address.`;
  return new EngineError({ code: 'restate.unreachable', message, recoverable: true, cause });
}

function refused(action: string, status: number, text: string): EngineError {
  const message = `Restate refused to ${action} (HTTP ${status}): ${text.slice(0, 500)}`;
  return new EngineError({ code: 'restate.refused', message, recoverable: status >= 500 || status === 429 });
}

/** Restate does not know the service, or has no worker for it yet. */
export function noWorker(service: string, text = ''): EngineError {
  const detail = text === '' ? '' : ` Restate's answer: ${text.slice(0, 300)}`;
  const message = `No worker has registered the service ${service} with Restate. Start one: millrace worker --on URL --history URL --workspace DIR.${detail}`;
  return new EngineError({ code: 'restate.no-worker', message, recoverable: true });
}

/**
 * Registers a worker. Tries again for a minute if Restate cannot reach it, because a balancer passes requests on only
 * after it has noticed the worker.
 * @param uri address at which Restate reaches the worker
 * @param onNote receives the reason of the first failure, and that new runs go to another worker
 * @throws EngineError `restate.refused` | `restate.unreachable`
 */
export async function registerWorker(
  client: Pick<RestateClient, 'register' | 'newestAddress'>,
  uri: string,
  { clock, onNote }: { readonly clock: Clock; readonly onNote: (note: EngineError) => void },
): Promise<void> {
  const until = clock.now() + patienceMs;
  for (let isFirst = true; ; isFirst = false) {
    try {
      await client.register(uri);
      break;
    } catch (error) {
      const mayRepeat = EngineError.is(error) && error.code === 'restate.refused' && error.recoverable;
      if (!mayRepeat || clock.now() >= until) throw error;
      if (isFirst) onNote(error);
    }
    await new Promise<void>((resolve) => clock.setTimer(resolve, pauseMs));
  }
  const newest = await client.newestAddress();
  if (newest !== undefined && parseUrl(newest)?.href !== parseUrl(uri)?.href) onNote(newerWorker(uri, newest));
}

/** Restate sends new runs to the address whose first registration is the latest. */
function newerWorker(uri: string, newest: string): EngineError {
  const message = `Restate sends new runs to ${newest}, which was registered after ${uri}. This worker only continues earlier runs. To receive new runs, start it at another address.`;
  return new EngineError({ code: 'restate.newer-worker', message });
}
