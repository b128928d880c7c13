/**
 * What nodes may ask of web servers.
 */
import type { RunSecrets } from './run-secrets.ts';

/** A field of a form: a text, or a file that is read while it is sent. */
export type FormPart =
  | { readonly name: string; readonly text: string }
  | {
      readonly name: string;
      readonly fileName: string;
      /** For example `image/png`. */
      readonly mediaType: string;
      readonly sizeBytes: number;
      /** Its bytes from the beginning; called again where a redirect asks for all of it once more. */
      open(): AsyncIterable<Uint8Array>;
    };

/** Takes the body of an answer while it arrives. */
export interface BodySink {
  /** Whether the body of this answer is to be taken; else it is read as text. */
  takes(response: Pick<WebResponse, 'status' | 'headers'>): boolean;
  /** Resolves when the piece is kept, so that no more comes than can be. */
  write(piece: Uint8Array): Promise<void>;
}

export interface WebRequest {
  /** Absolute, `http:` or `https:`. */
  readonly url: string;
  /** In capitals. */
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined = none. */
  readonly body: string | undefined;
  /** Sent in place of a body, as `multipart/form-data`. */
  readonly form?: readonly FormPart[];
  /** Gets the body of the answer, whose `text` is empty then. */
  readonly sink?: BodySink;
  /** A longer body fails. */
  readonly maxBytes: number;
  /** How many redirects are followed; 5 when absent. One more fails. */
  readonly maxRedirects?: number;
  /** Asked before a redirect is followed, with where it leads; throws when nobody may go there. */
  readonly admitRedirect?: (url: string) => Promise<void>;
  /** It may reach public addresses only, whatever the workspace. */
  readonly isPublicOnly?: boolean | undefined;
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
   * @throws EngineError `web.bad-url` | `web.bad-address` | `web.bad-request` | `web.blocked-port` | `web.unreachable` | `web.too-large` | `web.broken`, or the
   *   signal's reason when it aborts (the connection is closed)
   */
  send(request: WebRequest, signal: AbortSignal): Promise<WebResponse>;
}
