/**
 * What stands in the outputs of a node that did not complete: a skip marker or an error marker. Later conditions and
 * bindings can read their fields; a path that ends at a marker itself counts as missing.
 */
import type { ErrorRecord } from '../base/engine-error.ts';
import type { Suggestion } from './autonomy.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from './json-value.ts';

/**
 * Why a node did not run. `autonomy`: its level lets nothing act. `suggested`: its condition or its input depends on what such a node
 * would have given.
 */
export type SkipReason = 'when' | 'edge' | 'directive' | 'autonomy' | 'suggested' | 'disabled';

/** Stands for the output of a node that was skipped. */
type SkipMarker = { readonly skipped: true; readonly reason: SkipReason } & Partial<Suggestion> & {
    /** It did not act, and `tool` and `params` say what it would have done. */
    readonly suggested?: true;
  };

/** Stands for the output of a node whose failure was tolerated. */
type ErrorMarker = {
  readonly failed: true;
  readonly error: { readonly code: string; readonly message: string; readonly stack?: string };
  /** Attempts that were made; 0 when the node failed before its first. */
  readonly attempts: number;
};

/** Data may look like a marker: what is one is known by itself, and not by its looks. */
const markers = new WeakSet<object>();

/** Of markers of skipped nodes: what else is known of why, in words. No field of theirs, as outputs are compared and kept. */
const causes = new WeakMap<object, () => string>();

/**
 * The marker of a node that was skipped.
 * @param cause why in particular, in words; asked only when somebody wants to know
 * @param suggestion what it would have done
 */
export function skipMarker(reason: SkipReason, cause?: () => string, suggestion?: Suggestion): SkipMarker {
  const held = suggestion === undefined ? {} : { suggested: true as const, ...suggestion };
  const marker = marked({ skipped: true, reason, ...held } as const);
  if (cause !== undefined) causes.set(marker, cause);
  return marker;
}

/** Why in particular a node was skipped, in words; undefined where no more is known than the reason. */
export function skipCause(marker: SkipMarker): string | undefined {
  return causes.get(marker)?.();
}

/** The marker of a node whose failure was tolerated. Keeps code, message and stack of `error`, nothing else. */
export function errorMarker(error: ErrorRecord, attempts: number): ErrorMarker {
  const { code, message, stack } = error;
  const kept = Object.freeze({ code, message, ...(stack === undefined ? {} : { stack }) });
  return marked({ failed: true, error: kept, attempts });
}

function marked<Marker extends object>(marker: Marker): Marker {
  markers.add(marker);
  return Object.freeze(marker);
}

/** Makes a value that was read from a log or copied the marker that it was. */
export function markAgain(value: JsonValue | undefined): void {
  if (typeof value === 'object' && value !== null) markers.add(value);
}

/** True for what `skipMarker` makes; false for equal data, such as what came of its JSON text. */
export function isSkipMarker(value: JsonValue | undefined): value is SkipMarker {
  return isMarker(value) && 'skipped' in value;
}

/**
 * True for the output of a node that was held back, also for a copy of it in the output of another node: what is missing below it is
 * not known.
 */
export function isSuggestion(value: JsonValue | undefined): value is JsonMap {
  if (!isJsonMap(value) || value['skipped'] !== true) return false;
  return value['reason'] === 'suggested' || (value['reason'] === 'autonomy' && value['suggested'] === true);
}

/** Whether a suggestion is anywhere in a value. */
export function holdsSuggestion(value: JsonValue): boolean {
  if (isSuggestion(value)) return true;
  const inner = isJsonList(value) ? value : isJsonMap(value) ? Object.values(value) : [];
  return inner.some(holdsSuggestion);
}

/** True for what `errorMarker` makes; false for equal data. */
export function isErrorMarker(value: JsonValue | undefined): value is ErrorMarker {
  return isMarker(value) && 'failed' in value;
}

/** True for the stand-in of a node that did not complete; false for equal data. */
export function isMarker(value: JsonValue | undefined): value is SkipMarker | ErrorMarker {
  return typeof value === 'object' && value !== null && markers.has(value);
}
