/**
 * Validates an answer's values against the request's schema, and reports mismatches.
 */
import type { JsonMap, JsonValue } from '../../../language/json/json-value.ts';

/** A mismatch between an answer and its request. */
export interface AnswerMisfit {
  /**
   * `missing_required:<field>`, `type_mismatch:<field>`, `enum_mismatch:<field>`, `unknown_key:<field>`, or
   * `bad_payload`; for an answer to a step, also `missing_or_empty:text`, `form_id_mismatch`, `invalid_mode`, and
   * `missing_approval_field`.
   */
  readonly code: string;
  /** The form field; absent for the entire answer. */
  readonly field?: string;
  /** One sentence. */
  readonly message: string;
}

/** Returns all mismatches between values and a form's schema. */
export function valueMisfits(values: JsonMap, schema: JsonMap): readonly AnswerMisfit[] {
  const properties = isMap(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
  return [
    ...(schema['additionalProperties'] === true ? [] : unknownKeys(values, Object.keys(properties))),
    ...required.filter((name) => isEmpty(own(values, name))).map(missing),
    ...Object.entries(properties).flatMap(([name, property]) => fieldMisfits(name, property, own(values, name))),
  ];
}

/** Whether the schema of a field describes a secret: it is `writeOnly` or has the format `password`. */
export function isSecretSchema(schema: JsonMap): boolean {
  return schema['format'] === 'password' || schema['writeOnly'] === true;
}

/** Whether a field was left empty. */
export function isEmpty(value: JsonValue | undefined): boolean {
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
    return [misfit(`type_mismatch:${name}`, `${name} must be of type ${types.join(' or ')}.`, name)];
  }
  if (Array.isArray(choices) && !choices.some((one) => JSON.stringify(one) === JSON.stringify(value))) {
    return [misfit(`enum_mismatch:${name}`, `${name} is not one of the choices.`, name)];
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
  const message = isTooSmall ? `${name} must be at least ${least}.` : `${name} must be at most ${most}.`;
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

/** Returns a mismatch for each key that was not requested. */
export function unknownKeys(map: JsonMap, known: readonly string[]): AnswerMisfit[] {
  return Object.keys(map)
    .filter((key) => !known.includes(key))
    .map((key) => misfit(`unknown_key:${key}`, `${key} was not requested.`, key));
}

/** @param field the affected field */
export function misfit(code: string, message: string, field?: string): AnswerMisfit {
  return field === undefined ? { code, message } : { code, message, field };
}

function own(map: JsonMap, key: string): JsonValue | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

/** Whether the value is a JSON object. */
export function isMap(value: JsonValue | undefined): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
