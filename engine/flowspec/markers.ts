/**
 * What stands in the outputs of a node that did not complete: a skip marker or an error marker. Later conditions and
 * bindings can read their fields; a path that ends at a marker itself counts as missing.
 */
import type { ErrorRecord } from '../base/engine-error.ts';
import { isJsonMap, type JsonValue } from './json-value.ts';

const skipReasons = ['when', 'edge', 'directive', 'autonomy', 'disabled'] as const;

/** Why a node did not run. */
export type SkipReason = (typeof skipReasons)[number];

/** Stands for the output of a node that was skipped. */
type SkipMarker = { readonly skipped: true; readonly reason: SkipReason };

/** Stands for the output of a node whose failure was tolerated. */
type ErrorMarker = {
  readonly failed: true;
  readonly error: { readonly code: string; readonly message: string; readonly stack?: string };
  /** Attempts that were made; 0 when the node failed before its first. */
  readonly attempts: number;
};

/** The marker of a node that was skipped. */
export function skipMarker(reason: SkipReason): SkipMarker {
  return { skipped: true, reason };
}

/** The marker of a node whose failure was tolerated. Keeps code, message and stack of `error`, nothing else. */
export function errorMarker(error: ErrorRecord, attempts: number): ErrorMarker {
  const { code, message, stack } = error;
  return { failed: true, error: { code, message, ...(stack === undefined ? {} : { stack }) }, attempts };
}

/** True for what `skipMarker` makes. */
export function isSkipMarker(value: JsonValue | undefined): value is SkipMarker {
  return isJsonMap(value) && value['skipped'] === true && skipReasons.some((reason) => reason === value['reason']);
}

/** True for what `errorMarker` makes. */
export function isErrorMarker(value: JsonValue | undefined): value is ErrorMarker {
  if (!isJsonMap(value) || value['failed'] !== true || typeof value['attempts'] !== 'number') return false;
  const error = value['error'];
  return isJsonMap(error) && typeof error['code'] === 'string' && typeof error['message'] === 'string';
}

/** True for the stand-in of a node that did not complete. */
export function isMarker(value: JsonValue | undefined): boolean {
  return isSkipMarker(value) || isErrorMarker(value);
}
