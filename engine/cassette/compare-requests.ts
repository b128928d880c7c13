/**
 * Why a request was not found: the recorded one that is most like it, field by field.
 */
import type { JsonValue } from '../flowspec/json-value.ts';
import { isTree } from './json-text.ts';
import type { RecordedCall } from './recorded-call.ts';

/** A field that two requests do not have in common, with short texts of its values; absent = it is not there. */
export interface FieldDifference {
  /** As in `messages[0].content`. */
  readonly path: string;
  readonly recorded?: string;
  readonly asked?: string;
}

/** Longest text of a value, in UTF-16 units. */
const shownLength = 60;
/** What of a long text is shown before the place where it differs. */
const lengthBefore = 15;

/**
 * How the request differs from the nearest of the calls; of equally near ones, from the first. Undefined = no calls.
 */
export function nearestDifferences(
  request: JsonValue,
  calls: readonly RecordedCall[],
): readonly FieldDifference[] | undefined {
  const asked = fieldsOf(request);
  let nearest: { readonly fields: Fields; readonly paths: readonly string[] } | undefined;
  for (const call of calls) {
    const fields = fieldsOf(call.request);
    const paths = [...new Set([...fields.keys(), ...asked.keys()])].filter(
      (path) => fields.get(path) !== asked.get(path),
    );
    if (nearest === undefined || paths.length < nearest.paths.length) nearest = { fields, paths };
  }
  return nearest?.paths.map((path) => {
    const recorded = nearest.fields.get(path);
    const now = asked.get(path);
    return {
      path,
      ...(recorded === undefined ? {} : { recorded: excerpt(recorded, now) }),
      ...(now === undefined ? {} : { asked: excerpt(now, recorded) }),
    };
  });
}

type Fields = ReadonlyMap<string, JsonValue>;

function fieldsOf(request: JsonValue): Fields {
  const fields = new Map<string, JsonValue>();
  collect(request, '', fields);
  return fields;
}

function collect(value: JsonValue, path: string, fields: Map<string, JsonValue>): void {
  const parts = isTree(value) ? Object.entries(value) : [];
  if (!isTree(value) || parts.length === 0) {
    // An empty list or map is compared by its text.
    fields.set(path, isTree(value) ? JSON.stringify(value) : value);
    return;
  }
  const isList = Array.isArray(value);
  for (const [name, part] of parts) {
    const below = isList ? `${path}[${name}]` : `${path}${path === '' ? '' : '.'}${name}`;
    collect(part, below, fields);
  }
}

/** The value's text; of a long one, what stands around the first place where it is not as the other. */
function excerpt(value: JsonValue, other: JsonValue | undefined): string {
  if (typeof value !== 'string' || value.length <= shownLength) return JSON.stringify(value);
  const from = Math.max(0, typeof other === 'string' ? firstDifference(value, other) - lengthBefore : 0);
  const part = value.slice(from, from + shownLength);
  const end = from + shownLength < value.length ? '…' : '';
  return JSON.stringify(`${from > 0 ? '…' : ''}${part}${end}`);
}

function firstDifference(left: string, right: string): number {
  let at = 0;
  while (at < left.length && left[at] === right[at]) at += 1;
  return at;
}
