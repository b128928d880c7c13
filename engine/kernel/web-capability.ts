/**
 * What nodes may ask of web servers.
 */
import type { RunSecrets } from './run-secrets.ts';

export interface WebRequest {
  /** Absolute, `http:` or `https:`. */
  readonly url: string;
  /** In capitals. */
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined = none. */
  readonly body: string | undefined;
  /** A longer body fails. */
  readonly maxBytes: number;
  /** How many redirects are followed; 5 when absent. One more fails. */
  readonly maxRedirects?: number;
  /** Whose placeholders may stand in address, headers and body. */
  readonly secrets?: RunSecrets;
}

export interface WebResponse {
  readonly status: number;
  /** Where the answer came from, after redirects. */
  readonly url?: string;
  /** Names in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text: by its charset, UTF-8 when none is named. */
  readonly text: string;
}

/** Sends HTTP requests. Redirects are followed within `http:` and `https:`. */
export interface WebCapability {
  /**
   * Any status is a response.
   * @throws EngineError `web.bad-url` | `web.bad-request` | `web.unreachable` | `web.too-large` | `web.broken`, or the
   *   signal's reason when it aborts (the connection is closed)
   */
  send(request: WebRequest, signal: AbortSignal): Promise<WebResponse>;
}
