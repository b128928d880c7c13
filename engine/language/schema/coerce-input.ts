/**
 * Adapts values from files and bindings to a node type's schema: converts values to text if text is required, and
 * removes unknown keys.
 */
import type { z } from 'zod';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue, textForm } from '../json/json-value.ts';
import { acceptorOf } from './schema-acceptor.ts';
import { checkAgainst, type ValuePath } from './schema-problems.ts';
import { wrappedBy } from './schema-shape.ts';

export interface InputProblem {
  readonly path: ValuePath;
  /** The problem at this path: `must be a number, not "x"`. */
  readonly message: string;
}

export type CoercedInput =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problems: readonly InputProblem[] };

/** An adapted value, and the keys that were removed from it. */
interface FittedValue {
  readonly value: JsonValue;
  readonly unknownKeys: readonly ValuePath[];
}

/**
 * The values that are converted where text is required: all except null, or only those that a file may write without
 * quotes.
 */
type TextSource = 'any-value' | 'scalars';

/** Converts resolved input or config to the argument of the node type's `run`, or returns all its problems. */
export function prepareInput(schema: z.ZodType, value: JsonValue): CoercedInput {
  if (acceptorOf(schema)(value)) return { ok: true, value };
  return checkAgainst(schema, coerceToSchema(value, schema));
}

/** Returns the value with everything converted to text if the schema requires text. Never throws. */
export function coerceToSchema(value: JsonValue, schema: z.ZodType): JsonValue {
  return fitToSchema(value, schema, 'any-value').value;
}

/** Adapts a value, and reports keys that are not in the schema. Never throws. */
export function fitToSchema(value: JsonValue, schema: z.ZodType, textSource: TextSource): FittedValue {
  const unknownKeys: ValuePath[] = [];
  return { value: fitValue(value, schema, { path: [], textSource, unknownKeys }), unknownKeys };
}

interface FitState {
  readonly path: ValuePath;
  readonly textSource: TextSource;
  readonly unknownKeys: ValuePath[];
}

function fitValue(value: JsonValue, schema: z.core.$ZodType, state: FitState): JsonValue {
  const known = schema as z.core.$ZodTypes;
  const wrapped = wrappedBy(known);
  if (wrapped !== undefined) return fitValue(value, wrapped, state);
  const { def } = known._zod;
  switch (def.type) {
    case 'string':
    case 'template_literal':
      return asText(value, state.textSource);
    case 'enum':
      return Object.values(def.entries).includes(value as string) ? value : asText(value, 'scalars');
    case 'array':
      return isJsonList(value) ? value.map((item, index) => fitValue(item, def.element, within(state, index))) : value;
    case 'record':
      return isJsonMap(value)
        ? mapValues(value, (item, key) => fitValue(item, def.valueType, within(state, key)))
        : value;
    case 'object':
      return isJsonMap(value) ? fitMap(value, def, state) : value;
    case 'union':
      return fitUnion(value, def.options, state);
    default:
      return value;
  }
}

function fitMap(value: JsonMap, def: z.core.$ZodObjectDef, state: FitState): JsonMap {
  const isClosed = def.catchall === undefined || (def.catchall as z.core.$ZodTypes)._zod.def.type === 'never';
  const entries = Object.entries(value).flatMap(([key, item]): [string, JsonValue][] => {
    const schema = Object.hasOwn(def.shape, key) ? def.shape[key] : def.catchall;
    if (schema !== undefined && !(isClosed && schema === def.catchall)) {
      return [[key, fitValue(item, schema, within(state, key))]];
    }
    state.unknownKeys.push([...state.path, key]);
    return [];
  });
  return Object.fromEntries(entries);
}

/**
 * Chooses the first alternative that accepts the value unchanged, otherwise the first that accepts it with the same
 * top-level type, otherwise any that accepts it after conversion.
 */
function fitUnion(value: JsonValue, options: readonly z.core.$ZodType[], state: FitState): JsonValue {
  const trials = options.map((option) => {
    const unknownKeys: ValuePath[] = [];
    return { option: option as z.ZodType, fitted: fitValue(value, option, { ...state, unknownKeys }), unknownKeys };
  });
  const fitting = trials.filter(({ option, fitted }) => option.safeParse(fitted).success);
  const taken =
    fitting.find(({ option }) => option.safeParse(value).success) ??
    fitting.find(({ fitted }) => typeof fitted === typeof value) ??
    fitting[0];
  if (taken === undefined) return value;
  state.unknownKeys.push(...taken.unknownKeys);
  return taken.fitted;
}

function asText(value: JsonValue, source: TextSource): JsonValue {
  const isScalar = typeof value === 'number' || typeof value === 'boolean';
  return isScalar || (source === 'any-value' && value !== null) ? textForm(value) : value;
}

function within(state: FitState, key: string | number): FitState {
  return { ...state, path: [...state.path, key] };
}

function mapValues(map: JsonMap, change: (item: JsonValue, key: string) => JsonValue): JsonMap {
  return Object.fromEntries(Object.entries(map).map(([key, item]) => [key, change(item, key)]));
}
