/**
 * Resolves bindings in values: strings anywhere in lists and maps are templates. Keys and shape are unchanged.
 */
import { EngineError } from '../../base/engine-error.ts';
import { MAX_OUTPUT_BYTES } from '../flow/flow-limits.ts';
import { deepFreeze } from '../json/checked-json.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue, textForm } from '../json/json-value.ts';
import { inputTooLarge } from '../json/too-large.ts';
import {
  absentNodeOn,
  type BindingContext,
  pathText,
  resolveBindingPath,
  suggestionOn,
  whyMissing,
} from './binding-path.ts';
import { type Binding, parseTemplate, type Template } from './binding-template.ts';

/** A parsed string in a value. */
interface FoundTemplate {
  /** The string's path in the value. */
  readonly path: readonly (string | number)[];
  readonly template: Template;
}

/** Resolves one value's bindings. */
export type Resolver = (context: BindingContext) => JsonValue;

/** Parsed templates of maps that are resolved repeatedly: the inputs of a flow's nodes. */
const resolvers = new WeakMap<JsonMap, Resolver>();

/**
 * Replaces every binding in `value`. Text that is a single binding becomes the bound value with its type. In other
 * text, a value is converted to text. Lists and maps are always copied and frozen.
 * @throws EngineError `binding.missing` with the path if a required value is missing; `binding.bad-path` |
 * `binding.bad-default` for an invalid template
 */
export function resolveBindings(value: JsonMap, context: BindingContext): JsonMap;
export function resolveBindings(value: JsonValue, context: BindingContext): JsonValue;
export function resolveBindings(value: JsonValue, context: BindingContext): JsonValue {
  return isJsonMap(value) ? prepareBindings(value)(context) : resolverOf(value)(context);
}

/** Parses a map's bindings in advance, so that resolving them is fast. */
export function prepareBindings(map: JsonMap): Resolver {
  let resolver = resolvers.get(map);
  if (resolver === undefined) {
    resolver = resolverOf(map);
    resolvers.set(map, resolver);
  }
  return resolver;
}

function resolverOf(value: JsonValue): Resolver {
  if (typeof value === 'string' && value.includes('{{')) return templateResolver(parseTemplate(value));
  if (isJsonList(value)) {
    const items = value.map(resolverOf);
    return (context) => Object.freeze(items.map((resolve) => resolve(context)));
  }
  return isJsonMap(value) ? mapResolver(value) : () => value;
}

function mapResolver(map: JsonMap): Resolver {
  const entries = Object.entries(map).map(([key, item]) => ({ key, resolve: resolverOf(item) }));
  // Assigning to this key would set the prototype instead.
  const isSpecial = Object.hasOwn(map, '__proto__');
  return (context) => {
    if (isSpecial) return Object.freeze(Object.fromEntries(entries.map(({ key, resolve }) => [key, resolve(context)])));
    const resolved: Record<string, JsonValue> = {};
    for (const { key, resolve } of entries) resolved[key] = resolve(context);
    return Object.freeze(resolved);
  };
}

/** @throws EngineError as `resolveBindings` does; for an invalid template, only when it is used */
function templateResolver({ parts, problems: [problem] }: Template): Resolver {
  if (problem !== undefined) {
    return () => {
      throw new EngineError({ code: problem.code, message: problem.message });
    };
  }
  const [first] = parts;
  for (const part of parts) if (typeof part === 'object') deepFreeze(part.default);
  if (parts.length === 1 && typeof first === 'object') return (context) => resolveBinding(first, context);
  return (context) =>
    joined(parts.map((part) => (typeof part === 'string' ? part : textForm(resolveBinding(part, context)))));
}

/** Exceeding the maximum string length would throw an obscure error. */
function joined(texts: readonly string[]): string {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (length > MAX_OUTPUT_BYTES) throw inputTooLarge('A string with its bindings filled in', MAX_OUTPUT_BYTES);
  return texts.join('');
}

/** Returns every string in `value` that contains bindings, including invalid ones. */
export function findBindings(value: JsonValue): readonly FoundTemplate[] {
  const found: FoundTemplate[] = [];
  collectTemplates(value, [], found);
  return found;
}

/** Whether any string in `value` is replaced at run time. */
export function holdsBinding(value: JsonValue): boolean {
  return findBindings(value).length > 0;
}

function resolveBinding(binding: Binding, context: BindingContext): JsonValue {
  const value = resolveBindingPath(binding.path, context);
  if (value !== undefined) return value;
  if (binding.default !== undefined) return binding.default;
  if (binding.isOptional) return '';
  const suggestion = suggestionOn(binding.path, context);
  if (suggestion !== undefined) return suggestion;
  throw missingAt(binding.path, context);
}

function missingAt(segments: readonly string[], context: BindingContext): EngineError {
  const path = pathText(segments);
  const absent = absentNodeOn(segments, context);
  const mending = absent === undefined ? 'Correct the path, or write' : 'Write';
  return new EngineError({
    code: 'binding.missing',
    message: `The path "${path}" has no value because ${whyMissing(segments, context)}. ${mending} {{?${path}}} or a default if it may be missing.`,
    details: { path, ...(absent === undefined ? {} : { absent }) },
  });
}

function collectTemplates(value: JsonValue, path: readonly (string | number)[], found: FoundTemplate[]): void {
  if (typeof value === 'string') {
    const template = value.includes('{{') ? parseTemplate(value) : undefined;
    if (template !== undefined && hasTokens(template)) found.push({ path, template });
  } else if (isJsonList(value)) {
    for (const [index, item] of value.entries()) collectTemplates(item, [...path, index], found);
  } else if (isJsonMap(value)) {
    for (const [key, item] of Object.entries(value)) collectTemplates(item, [...path, key], found);
  }
}

function hasTokens({ parts, problems }: Template): boolean {
  return problems.length > 0 || parts.some((part) => typeof part !== 'string');
}
