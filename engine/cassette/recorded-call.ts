/**
 * One entry of a cassette.
 */
import type { ErrorRecord } from '../base/engine-error.ts';
import type { JsonValue } from '../flowspec/json-value.ts';

/** What of an error is kept. */
export type RecordedError = Pick<ErrorRecord, 'code' | 'message' | 'recoverable' | 'details'>;

/** A call and how it ended, without secrets. */
export interface RecordedCall {
  /** `model`, `http`, or what else was asked. */
  readonly kind: string;
  readonly request: JsonValue;
  readonly outcome: { readonly response: JsonValue } | { readonly error: RecordedError };
}
