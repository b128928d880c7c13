/**
 * Calls Restate's ingress and admin API over HTTP.
 */
import { EngineError } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import { type RestatePlace, serviceOf } from './restate-url.ts';

/** Time limit for a call in milliseconds. */
const callMs = 10_000;

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

  /** Starts the workflow of a run. Has no effect if it was already started. @throws EngineError `restate.*` */
  async start(runId: RunId, input: object): Promise<void> {
    await this.#toRun(runId, 'run/send', input);
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

  async #toRun(runId: RunId, handler: string, body: object): Promise<unknown> {
    const url = `${this.#place.ingress}/${encodeURIComponent(this.#service)}/${encodeURIComponent(runId)}/${handler}`;
    const { status, text } = await this.#call(url, body);
    if (status === 404) throw noWorker(this.#service, text);
    if (status >= 300) throw refused(`call run ${runId}`, status, text);
    return JSON.parse(text);
  }

  /** @throws EngineError `restate.unreachable` */
  async #call(url: string, body: object | undefined): Promise<{ readonly status: number; readonly text: string }> {
    const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    try {
      const response = await fetch(url, { ...(body === undefined ? {} : post), signal: AbortSignal.timeout(callMs) });
      return { status: response.status, text: await response.text() };
    } catch (cause) {
      throw unreachable(new URL(url).origin, cause);
    }
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
