/**
 * HTTP requests that nodes can send.
 */
import type { RunSecrets } from '../hub/run-secrets.ts';

/** A form field: text, or a file that is read while it is sent. */
export type FormPart =
  | { readonly name: string; readonly text: string }
  | {
      readonly name: string;
      readonly fileName: string;
      /** Media type, for example `image/png`. */
      readonly mediaType: string;
      readonly sizeBytes: number;
      /** Returns the bytes from the start. Called again if a redirect requires sending the body again. */
      open(): AsyncIterable<Uint8Array>;
    };

/** Receives a response body as it arrives. */
export interface BodySink {
  /** Whether the sink takes this response's body; otherwise, the body is read as text. */
  takes(response: Pick<WebResponse, 'status' | 'headers'>): boolean;
  /** Resolves when the piece has been stored, so that the sender does not outpace the sink. */
  write(piece: Uint8Array): Promise<void>;
}

export interface WebRequest {
  /** Absolute URL with `http:` or `https:`. */
  readonly url: string;
  /** HTTP method in upper case. */
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined for a request without a body. */
  readonly body: string | undefined;
  /** Sent as `multipart/form-data` in place of a body. */
  readonly form?: readonly FormPart[];
  /** Receives the response body; `text` is then empty. */
  readonly sink?: BodySink;
  /** Maximum body size; a larger body fails the request. */
  readonly maxBytes: number;
  /** Maximum number of redirects, 5 by default. Another redirect fails the request. */
  readonly maxRedirects?: number;
  /** Called with the target before a redirect is followed; throws if the target is not allowed. */
  readonly admitRedirect?: (url: string) => Promise<void>;
  /** Allows only public addresses, regardless of the workspace's settings. */
  readonly isPublicOnly?: boolean | undefined;
  /** Secrets whose placeholders may occur in the URL, headers and body. */
  readonly secrets?: RunSecrets;
}

export interface WebResponse {
  readonly status: number;
  /** The response's final URL, after redirects. */
  readonly url?: string;
  /** Header names are lowercase. */
  readonly headers: Readonly<Record<string, string>>;
  /** Body as text, decoded with its charset, or as UTF-8 if none is specified. */
  readonly text: string;
}

/** Sends HTTP requests. Follows redirects only to `http:` and `https:` URLs. */
export interface WebCapability {
  /**
   * Sends a request. Any status counts as a response.
   * @throws EngineError `web.bad-url` | `web.bad-address` | `web.bad-request` | `web.blocked-port` | `web.unreachable`
   * | `web.too-large` | `web.broken`, or the signal's reason if it aborts (the connection is closed)
   */
  send(request: WebRequest, signal: AbortSignal): Promise<WebResponse>;
}
