/**
 * Paths such as `flow.input.site` or `fetch.body.0.title`: how they are written, and what they give.
 */
import { isJsonList, type JsonValue } from './json-value.ts';
import { isMarker } from './markers.ts';

/**
 * Where bindings and conditions look: `flow` gives `{input}`, a node's id gives its output or marker.
 * A `Map` is one; it also keeps ids such as `constructor` apart from inherited properties.
 */
export interface BindingContext {
  get(root: string): JsonValue | undefined;
}

/** Letters and digits of any script, and the signs that keys such as `content-type`, `$ref` and `@id` use. */
const segmentPattern = /^[\p{L}\p{N}\p{M}_$@-]+$/u;
const indexPattern = /^(?:0|[1-9]\d{0,9})$/;

/** Splits a path at its dots. Gives undefined for text that is not a path. */
export function parsePath(text: string): readonly string[] | undefined {
  const segments = text.split('.');
  return segments.every((segment) => segmentPattern.test(segment)) ? segments : undefined;
}

/**
 * What a path gives, or undefined when it is missing: when nothing stands there, and also for `null` and for the name of
 * a node that left a marker. Only own properties and list indexes are followed.
 */
export function lookUp(path: readonly string[], context: BindingContext): JsonValue | undefined {
  const [root] = path;
  if (root === undefined) return undefined;
  let value = context.get(root);
  for (let depth = 1; depth < path.length; depth++) value = stepInto(value, path[depth] ?? '');
  // Deeper down, what looks like a marker is a value of somebody's own.
  const isMissing = value === null || (path.length === 1 && isMarker(value));
  return isMissing ? undefined : value;
}

function stepInto(value: JsonValue | undefined, segment: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (isJsonList(value)) return indexPattern.test(segment) ? value[Number(segment)] : undefined;
  return Object.hasOwn(value, segment) ? value[segment] : undefined;
}
