/**
 * Whether what somebody answers fits what was asked. Windows and commands check before they send; the engine checks again.
 */
import type { JsonMap, JsonValue } from '../flowspec/json-value.ts';
import type { AskRequest } from './ask.ts';

/** What does not fit. */
export interface AnswerMisfit {
  /** `missing_required:<field>`, `type_mismatch:<field>`, `enum_mismatch:<field>`, `unknown_key:<field>`, or `bad_payload`. */
  readonly code: string;
  /** Of a form; absent = the answer as a whole. */
  readonly field?: string;
  /** One sentence. */
  readonly message: string;
}

export type CheckedAnswer =
  | { readonly ok: true; readonly payload: JsonMap }
  | { readonly ok: false; readonly misfits: readonly AnswerMisfit[] };

/** Of JSON text, in UTF-16 units. */
const mostText = 1024 * 1024;

/**
 * Checks an answer.
 * @param given to an approval `{ approved, comment?, params? }`, to an input `{ values, comment? }`; also as step flows have them:
 *   `{ decision, approval_payload, comment }` and `{ user_input_response }`
 */
export function checkAnswer(request: AskRequest, given: JsonValue): CheckedAnswer {
  if (!isMap(given)) return refused('An answer is a map.');
  if (JSON.stringify(given).length > mostText) return refused('The answer is larger than 1 MiB.');
  return request.kind === 'approval'
    ? checkApproval(request.params, unwrapped(given))
    : checkInput(request, unwrapped(given));
}

function unwrapped(given: JsonMap): JsonMap {
  const { user_input_response: response, approval_payload: payload } = given;
  if (isMap(response)) return without(response, ['schema_version', 'form_id', 'metadata']);
  if (!isMap(payload)) return given;
  const { comment } = given;
  return { ...payload, ...(comment === undefined ? {} : { comment }) };
}

function without(map: JsonMap, keys: readonly string[]): JsonMap {
  return Object.fromEntries(Object.entries(map).filter(([key]) => !keys.includes(key)));
}

function checkApproval(editable: JsonMap | undefined, given: JsonMap): CheckedAnswer {
  const { approved, comment, params } = given;
  const misfits = [
    ...unknownKeys(given, ['approved', 'comment', 'params']),
    ...(typeof approved === 'boolean' ? [] : [misfit('bad_payload', 'approved is true or false.')]),
    ...commentMisfits(comment),
  ];
  if (params !== undefined) {
    if (editable === undefined)
      misfits.push(misfit('unknown_key:params', 'This request has nothing to edit.', 'params'));
    else if (!isMap(params)) misfits.push(misfit('type_mismatch:params', 'params is a map.', 'params'));
    else misfits.push(...unknownKeys(params, Object.keys(editable)));
  }
  if (misfits.length > 0) return { ok: false, misfits };
  return { ok: true, payload: isMap(params) ? { ...given, params: { ...editable, ...params } } : given };
}

type FormRequest = Extract<AskRequest, { kind: 'input' }>;

function checkInput({ schema }: FormRequest, given: JsonMap): CheckedAnswer {
  const { values, comment } = given;
  if (!isMap(values)) return refused('values is a map with an entry for each field.');
  const properties = isMap(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
  const misfits = [
    ...unknownKeys(given, ['values', 'comment']),
    ...commentMisfits(comment),
    ...(schema['additionalProperties'] === true ? [] : unknownKeys(values, Object.keys(properties))),
    ...required.filter((name) => isEmpty(own(values, name))).map(missing),
    ...Object.entries(properties).flatMap(([name, property]) => fieldMisfits(name, property, own(values, name))),
  ];
  return misfits.length > 0 ? { ok: false, misfits } : { ok: true, payload: given };
}

function isEmpty(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

function missing(name: string): AnswerMisfit {
  return misfit(`missing_required:${name}`, `${name} is missing or empty.`, name);
}

function fieldMisfits(name: string, property: JsonValue, value: JsonValue | undefined): readonly AnswerMisfit[] {
  if (!isMap(property) || value === undefined || value === null) return [];
  const { type, enum: choices } = property;
  const types = (Array.isArray(type) ? type : [type]).filter((one) => typeof one === 'string');
  if (types.length > 0 && !types.some((one) => isOfType(one, value))) {
    return [misfit(`type_mismatch:${name}`, `${name} has to be of type ${types.join(' or ')}.`, name)];
  }
  if (Array.isArray(choices) && !choices.some((one) => JSON.stringify(one) === JSON.stringify(value))) {
    return [misfit(`enum_mismatch:${name}`, `${name} is none of the choices.`, name)];
  }
  return limitMisfits(name, property, value);
}

function limitMisfits(name: string, property: JsonMap, value: JsonValue): readonly AnswerMisfit[] {
  const size = typeof value === 'number' ? value : typeof value === 'string' || Array.isArray(value) ? value.length : 0;
  const [least, most] =
    typeof value === 'number'
      ? [property['minimum'], property['maximum']]
      : typeof value === 'string'
        ? [property['minLength'], property['maxLength']]
        : [property['minItems'], property['maxItems']];
  const isTooSmall = typeof least === 'number' && size < least;
  const isTooLarge = typeof most === 'number' && size > most;
  if (!isTooSmall && !isTooLarge) return [];
  const message = isTooSmall ? `${name} has to be at least ${least}.` : `${name} may be at most ${most}.`;
  return [misfit(`type_mismatch:${name}`, message, name)];
}

function isOfType(type: string, value: JsonValue): boolean {
  switch (type) {
    case 'integer':
      return typeof value === 'number' && Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isMap(value);
    case 'null':
      return value === null;
    default:
      return typeof value === type;
  }
}

function commentMisfits(comment: JsonValue | undefined): readonly AnswerMisfit[] {
  return comment === undefined || typeof comment === 'string' ? [] : [misfit('bad_payload', 'comment is text.')];
}

function unknownKeys(map: JsonMap, known: readonly string[]): AnswerMisfit[] {
  return Object.keys(map)
    .filter((key) => !known.includes(key))
    .map((key) => misfit(`unknown_key:${key}`, `Nothing asks for ${key}.`, key));
}

function misfit(code: string, message: string, field?: string): AnswerMisfit {
  return field === undefined ? { code, message } : { code, message, field };
}

function refused(message: string): CheckedAnswer {
  return { ok: false, misfits: [misfit('bad_payload', message)] };
}

function own(map: JsonMap, key: string): JsonValue | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

function isMap(value: JsonValue | undefined): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
