/**
 * Sends spans to a collector in batches, one request after the other, through OTLP over HTTP in JSON. Callers never
 * wait. Spans that cannot be sent are dropped, which is reported once. Source:
 * https://github.com/open-telemetry/opentelemetry-proto/blob/v1.7.0/docs/specification.md#otlphttp
 */

import { Breather } from '../../base/breather.ts';
import type { Clock } from '../../base/clock.ts';
import { retryAfterMs } from '../../base/retry-after.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import { isJsonMap } from '../../language/json/json-value.ts';
import type { Redactor } from '../../world/secrets/redactor.ts';
import { webFetch } from '../../world/web/web-fetch.ts';
import { requestPieces, type SpanOrigin } from './otlp-json.ts';
import type { OtlpSettings } from './otlp-settings.ts';
import { maskedSpan, type TraceSpan } from './span.ts';

/** Reports a problem to the user, once per code. */
export type ReportExportNotice = (notice: { readonly code: string; readonly message: string }) => void;

export interface OtlpSenderOptions extends OtlpSettings {
  readonly origin: SpanOrigin;
  readonly redactor: Redactor;
  readonly clock: Clock;
  readonly note: ReportExportNotice;
  /** Returns a number from 0 up to 1, so that programs that failed at the same time do not retry at the same time. */
  readonly random: () => number;
}

/** Maximum number of waiting spans. When it is exceeded, the oldest are dropped. */
export const mostWaiting = 4096;
const mostInRequest = 256;
/** Milliseconds for which spans are collected before they are sent. */
const gatherMs = 1000;
const firstPauseMs = 1000;
const longestPauseMs = 30_000;
const mostAttempts = 6;
/** Maximum time in milliseconds to send the remaining spans when closing. */
const closingMs = 2000;
const longestAnswer = 64 * 1024;

/** HTTP statuses after which the specification allows a retry. */
const passing: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** The result of one request. `waitMs` is the delay that the collector requests before the next attempt. */
type OtlpSendOutcome =
  | { readonly isDone: true }
  | { readonly failure: string; readonly isPassing: boolean; readonly waitMs?: number };

export class OtlpSender {
  readonly #options: OtlpSenderOptions;
  #waiting: TraceSpan[] = [];
  #endTimer: (() => void) | undefined;
  #sending: Promise<void> | undefined;
  readonly #abort = new AbortController();
  #isClosing = false;
  /** Ends the pause before the next attempt. */
  #endPause: (() => void) | undefined;

  constructor(options: OtlpSenderOptions) {
    this.#options = options;
  }

  add(spans: readonly TraceSpan[]): void {
    if (this.#abort.signal.aborted) return;
    this.#waiting.push(...spans);
    const tooMany = this.#waiting.length - mostWaiting;
    if (tooMany > 0) {
      this.#waiting.splice(0, tooMany);
      this.#say('traces.dropped', `receives spans more slowly than runs create them; the oldest are dropped`);
    }
    if (this.#waiting.length >= mostInRequest) this.#start();
    else if (this.#waiting.length > 0 && this.#sending === undefined) {
      this.#endTimer ??= this.#options.clock.setTimer(() => this.#start(), gatherMs);
    }
  }

  /** Sends the remaining spans within two seconds. */
  async close(): Promise<void> {
    this.#isClosing = true;
    const endTimer = this.#options.clock.setTimer(() => this.#abort.abort(), closingMs);
    this.#endPause?.();
    this.#start();
    await this.#sending;
    endTimer();
    this.#endTimer?.();
    this.#abort.abort();
  }

  #start(): void {
    this.#endTimer?.();
    this.#endTimer = undefined;
    if (this.#sending !== undefined || this.#waiting.length === 0) return;
    this.#sending = this.#sendAll().then(() => {
      this.#sending = undefined;
      // Some may have arrived with the last response.
      if (this.#waiting.length > 0 && !this.#abort.signal.aborted) this.add([]);
    });
  }

  /** Sends all waiting spans: full requests, then the remaining spans. */
  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0 && !this.#abort.signal.aborted) {
      const batch = this.#waiting.splice(0, mostInRequest);
      const failure = await this.#sendUntilDone(await this.#bodyOf(batch));
      if (failure !== undefined) this.#say('traces.not-sent', `${failure}. Spans were dropped`);
    }
  }

  /** Builds a request body. Yields to the event loop, so that runs continue in the meantime. */
  async #bodyOf(spans: readonly TraceSpan[]): Promise<string> {
    const { redactor, clock, origin } = this.#options;
    const breather = new Breather(clock);
    const masked: TraceSpan[] = [];
    for (const span of spans) {
      if (breather.isDue()) await breather.rest();
      masked.push(maskedSpan(span, redactor.redact));
    }
    return [...requestPieces(masked, origin)].join('');
  }

  /** @returns the reason for giving up; undefined if the collector accepted the request */
  async #sendUntilDone(body: string): Promise<string | undefined> {
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#sendOnce(body);
      if ('isDone' in outcome) return undefined;
      const { failure, isPassing, waitMs = this.#pauseBefore(attempt) } = outcome;
      if (!isPassing || attempt >= mostAttempts || this.#isClosing) return failure;
      await this.#pause(Math.min(waitMs, longestPauseMs));
    }
  }

  #pauseBefore(attempt: number): number {
    const longest = Math.min(longestPauseMs, firstPauseMs * 2 ** (attempt - 1));
    return longest / 2 + (longest / 2) * this.#options.random();
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const endTimer = this.#options.clock.setTimer(() => this.#endPause?.(), ms);
      this.#endPause = () => {
        endTimer();
        this.#endPause = undefined;
        resolve();
      };
    });
  }

  async #sendOnce(body: string): Promise<OtlpSendOutcome> {
    const { endpoint, headers, timeoutMs, clock } = this.#options;
    const late = new AbortController();
    const endTimer = clock.setTimer(() => late.abort(), timeoutMs);
    const stop = AbortSignal.any([late.signal, this.#abort.signal]);
    try {
      const answer = await webFetch(endpoint, {
        method: 'POST',
        body,
        signal: stop,
        headers: { ...headers, 'content-type': 'application/json' },
        // Headers may contain keys, which must not be sent to another server.
        redirect: 'manual',
      });
      return await this.#read(answer);
    } catch (thrown) {
      if (this.#abort.signal.aborted) return { failure: 'did not respond before the program ended', isPassing: false };
      const why = late.signal.aborted ? `did not respond within ${timeoutMs / 1000} s` : causeOf(thrown);
      return { failure: why, isPassing: true };
    } finally {
      endTimer();
      // Closes the connection of a response that was not read to its end.
      late.abort();
    }
  }

  async #read(answer: Response): Promise<OtlpSendOutcome> {
    if (answer.ok) {
      this.#tellRejected(await textOf(answer));
      return { isDone: true };
    }
    const waitMs = retryAfterMs(answer.headers.get('retry-after'), this.#options.clock.now());
    const failure = `responded with status ${answer.status}`;
    return { failure, isPassing: passing.has(answer.status), ...(waitMs === undefined ? {} : { waitMs }) };
  }

  /** Reports spans that the collector rejected. They are not sent again. */
  #tellRejected(text: string): void {
    const { partialSuccess } = mapOf(text);
    if (!isJsonMap(partialSuccess)) return;
    const { rejectedSpans, errorMessage } = partialSuccess;
    const count = Number(rejectedSpans ?? 0);
    const said = typeof errorMessage === 'string' && errorMessage !== '' ? `: ${oneLine(errorMessage)}` : '';
    if (count > 0 || said !== '') this.#say('traces.rejected', `has rejected ${count} spans${said}`);
  }

  #say(code: string, what: string): void {
    const { endpoint, note } = this.#options;
    note({ code, message: `The span collector at ${endpoint.host} ${what}. Runs are not affected.` });
  }
}

function causeOf(thrown: unknown): string {
  const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : undefined;
  const code = cause !== undefined && 'code' in cause ? ` (${String(cause.code)})` : '';
  return `cannot be reached${code}`;
}

async function textOf({ body }: Response): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const piece of body ?? []) {
    text += decoder.decode(piece as Uint8Array, { stream: true });
    if (text.length > longestAnswer) return '';
  }
  return text;
}

function mapOf(text: string): { readonly [key: string]: JsonValue } {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isJsonMap(value) ? value : {};
  } catch {
    return {};
  }
}

/** Converts external text to one line for a message. */
function oneLine(text: string): string {
  return text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 300);
}
