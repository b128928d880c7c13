/**
 * Placeholders, among the outputs, for nodes that did not complete: skip markers and error markers. Later conditions
 * and bindings can read their fields. A path that ends at a marker itself counts as missing.
 */
import type { ErrorRecord } from '../../base/engine-error.ts';
import type { SuggestedAction } from '../flow/autonomy.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../json/json-value.ts';

/**
 * Why a node did not run. `autonomy`: its level does not allow it to act. `suggested`: its condition or input depends
 * on such a node's output.
 */
export type SkipReason = 'when' | 'edge' | 'directive' | 'autonomy' | 'suggested' | 'disabled';

/** Replaces a skipped node's output. */
type SkipMarker = { readonly skipped: true; readonly reason: SkipReason } & Partial<SuggestedAction> & {
    /** The node did not act; `tool` and `params` describe the suggested action. */
    readonly suggested?: true;
  };

/** Replaces the output of a node with a tolerated failure. */
type ErrorMarker = {
  readonly failed: true;
  readonly error: { readonly code: string; readonly message: string; readonly stack?: string };
  /** Number of attempts; 0 if the node failed before its first attempt. */
  readonly attempts: number;
};

/** Data may look like a marker, so markers are identified by object, not by content. */
const markers = new WeakSet<object>();

/**
 * Descriptions of why nodes were skipped, by marker. Not stored in a field, because outputs are compared and stored.
 */
const causes = new WeakMap<object, () => string>();

/**
 * Creates a skipped node's marker.
 * @param cause describes the specific reason; called only on demand
 * @param suggestion the action it would have taken
 */
export function skipMarker(reason: SkipReason, cause?: () => string, suggestion?: SuggestedAction): SkipMarker {
  const held = suggestion === undefined ? {} : { suggested: true as const, ...suggestion };
  const marker = marked({ skipped: true, reason, ...held } as const);
  if (cause !== undefined) causes.set(marker, cause);
  return marker;
}

/** Returns a description of why a node was skipped; undefined if only the reason code is known. */
export function skipCause(marker: SkipMarker): string | undefined {
  return causes.get(marker)?.();
}

/** Creates the marker of a node with a tolerated failure. Keeps code, message and stack of `error`, nothing else. */
export function errorMarker(error: ErrorRecord, attempts: number): ErrorMarker {
  const { code, message, stack } = error;
  const kept = Object.freeze({ code, message, ...(stack === undefined ? {} : { stack }) });
  return marked({ failed: true, error: kept, attempts });
}

function marked<Marker extends object>(marker: Marker): Marker {
  markers.add(marker);
  return Object.freeze(marker);
}

/** Restores the marker from a value that was read from a log or copied. */
export function markAgain(value: JsonValue | undefined): void {
  if (typeof value === 'object' && value !== null) markers.add(value);
}

/** Whether this is a result of `skipMarker`; false for equal data, such as a parsed JSON copy. */
export function isSkipMarker(value: JsonValue | undefined): value is SkipMarker {
  return isMarker(value) && 'skipped' in value;
}

/**
 * Whether this is the output of a node that was held back, or a copy of it in another node's output. Values below it
 * are unknown.
 */
export function isSuggestion(value: JsonValue | undefined): value is JsonMap {
  if (!isJsonMap(value) || value['skipped'] !== true) return false;
  return value['reason'] === 'suggested' || (value['reason'] === 'autonomy' && value['suggested'] === true);
}

/** Whether a value contains a suggestion. */
export function holdsSuggestion(value: JsonValue): boolean {
  if (isSuggestion(value)) return true;
  const inner = isJsonList(value) ? value : isJsonMap(value) ? Object.values(value) : [];
  return inner.some(holdsSuggestion);
}

/** Whether this is a result of `errorMarker`; false for equal data. */
export function isErrorMarker(value: JsonValue | undefined): value is ErrorMarker {
  return isMarker(value) && 'failed' in value;
}

/** Whether this is the marker of a node that did not complete; false for equal data. */
export function isMarker(value: JsonValue | undefined): value is SkipMarker | ErrorMarker {
  return typeof value === 'object' && value !== null && markers.has(value);
}
