/**
 * Tests whether a schema accepts a value unchanged. Much faster than the schema itself, which also reports errors and
 * copies the value. The library's compiled schemas cannot be used in a window, because its content security policy
 * forbids generated code.
 */
import type { z } from 'zod';
import { isJsonList, isJsonMap, type JsonValue } from '../json/json-value.ts';

/** A result of false means that the schema itself must decide. */
type Acceptor = (value: JsonValue) => boolean;

const known = new WeakMap<z.core.$ZodType, Acceptor>();

/**
 * Returns a schema's test. A value that passes is valid, contains no unknown key, and would be returned unchanged by
 * the schema. For schemas that change values or have custom checks, no value passes.
 */
export function acceptorOf(schema: z.core.$ZodType): Acceptor {
  const former = known.get(schema);
  if (former !== undefined) return former;
  let compiled: Acceptor | undefined;
  // Compiled on first use, because a schema may contain itself.
  const acceptor: Acceptor = (value) => {
    compiled ??= compile(schema as z.core.$ZodTypes);
    return compiled(value);
  };
  known.set(schema, acceptor);
  return acceptor;
}

const acceptNothing: Acceptor = () => false;

function compile(schema: z.core.$ZodTypes): Acceptor {
  const base = compileType(schema);
  const checks = (schema._zod.def.checks ?? []).map((check) => compileCheck(check as z.core.$ZodChecks));
  if (checks.length === 0) return base;
  return (value) => base(value) && checks.every((accepts) => accepts(value));
}

function compileType({ _zod: { def } }: z.core.$ZodTypes): Acceptor {
  switch (def.type) {
    case 'any':
    case 'unknown':
      return () => true;
    case 'null':
      return (value) => value === null;
    case 'boolean':
      return isPlain(def) ? (value) => typeof value === 'boolean' : acceptNothing;
    case 'string':
      return isPlain(def) && !('format' in def) ? (value) => typeof value === 'string' : acceptNothing;
    case 'number':
      return isPlain(def) ? compileNumber(def) : acceptNothing;
    case 'literal':
      return (value) => def.values.includes(value as z.core.util.Literal);
    case 'enum':
      return compileEnum(def);
    default:
      return compileOuter(def);
  }
}

function compileOuter(def: z.core.$ZodTypes['_zod']['def']): Acceptor {
  switch (def.type) {
    case 'array': {
      const accepts = acceptorOf(def.element);
      return (value) => isJsonList(value) && value.every(accepts);
    }
    case 'record':
      return compileRecord(def);
    case 'object':
      return compileObject(def);
    case 'union':
      return compileUnion(def);
    case 'optional':
      return acceptorOf(def.innerType);
    case 'nullable': {
      const accepts = acceptorOf(def.innerType);
      return (value) => value === null || accepts(value);
    }
    case 'lazy':
      return acceptorOf(def.getter());
    default:
      return acceptNothing;
  }
}

/** Whether a scalar schema accepts values unchanged. */
function isPlain(def: object): boolean {
  return !('coerce' in def);
}

function compileNumber(def: z.core.$ZodNumberDef): Acceptor {
  const format = 'format' in def ? def.format : undefined;
  if (format === undefined) return Number.isFinite;
  return format === 'safeint' ? Number.isSafeInteger : acceptNothing;
}

function compileEnum({ entries }: z.core.$ZodEnumDef): Acceptor {
  const values = Object.values(entries);
  // A numeric enum also contains the names of its values.
  return values.every((value) => typeof value === 'string')
    ? (value) => values.includes(value as string)
    : acceptNothing;
}

function compileRecord(def: z.core.$ZodRecordDef): Acceptor {
  const { def: keyDef } = (def.keyType as z.core.$ZodTypes)._zod;
  const isAnyText =
    keyDef.type === 'string' && isPlain(keyDef) && !('format' in keyDef) && (keyDef.checks ?? []).length === 0;
  if (!isAnyText || 'mode' in def || 'partial' in def) return acceptNothing;
  const accepts = acceptorOf(def.valueType);
  return (value) => isJsonMap(value) && Object.values(value).every(accepts);
}

function compileObject({ shape, catchall }: z.core.$ZodObjectDef): Acceptor {
  const keys = new Map(Object.keys(shape).map((key) => [key, acceptorOf(shape[key] as z.core.$ZodType)]));
  const needed = Object.keys(shape).filter((key) => (shape[key] as z.core.$ZodTypes)._zod.def.type !== 'optional');
  const others = catchall === undefined ? acceptNothing : acceptorOf(catchall);
  return (value) => {
    if (!isJsonMap(value)) return false;
    for (const key in value) {
      const item = value[key];
      if (item === undefined || !(keys.get(key) ?? others)(item)) return false;
    }
    for (const key of needed) if (!Object.hasOwn(value, key)) return false;
    return true;
  };
}

function compileUnion(def: z.core.$ZodUnionDef): Acceptor {
  if ('discriminator' in def || def.inclusive === false) return acceptNothing;
  const options = def.options.map(acceptorOf);
  return (value) => options.some((accepts) => accepts(value));
}

function compileCheck({ _zod: { def } }: z.core.$ZodChecks): Acceptor {
  switch (def.check) {
    case 'greater_than':
      return (value) => isBeyond(value, def.value, def.inclusive);
    case 'less_than':
      return (value) => isBeyond(def.value, value, def.inclusive);
    case 'number_format':
      return def.format === 'safeint' ? Number.isSafeInteger : acceptNothing;
    case 'min_length':
      return (value) => lengthOf(value) >= def.minimum;
    case 'max_length':
      return (value) => lengthOf(value) <= def.maximum;
    case 'string_format':
      return compileFormat(def);
    default:
      return acceptNothing;
  }
}

/** Whether a number exceeds or equals another one. Dates and big integers are left to the schema. */
function isBeyond(value: unknown, bound: unknown, isInclusive: boolean): boolean {
  if (typeof value !== 'number' || typeof bound !== 'number') return false;
  return isInclusive ? value >= bound : value > bound;
}

function compileFormat({ format, pattern }: z.core.$ZodCheckStringFormatDef): Acceptor {
  // A global or sticky pattern is stateful, so its result differs between calls.
  if (format !== 'regex' || pattern === undefined || pattern.global || pattern.sticky) return acceptNothing;
  return (value) => typeof value === 'string' && pattern.test(value);
}

function lengthOf(value: JsonValue): number {
  return typeof value === 'string' || isJsonList(value) ? value.length : Number.NaN;
}
