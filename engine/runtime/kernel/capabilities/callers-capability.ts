/**
 * Responses to programs that wait for a run, such as the caller of a webhook.
 */
import type { RunId } from '../../../base/ids.ts';
import type { JsonValue } from '../../../language/json/json-value.ts';

export interface CallerResponse {
  /** HTTP status. */
  readonly status: number;
  /** By lowercase name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Text is sent unchanged, other values as JSON. Null for no body. */
  readonly body: JsonValue;
}

export interface CallersCapability {
  /**
   * Responds to the program that waits for a run, if there is one.
   * @returns false if the run has responded before: a caller gets a single response
   * @throws EngineError `effect.denied`
   */
  respond(runId: RunId, response: CallerResponse, signal: AbortSignal): Promise<boolean>;
}
