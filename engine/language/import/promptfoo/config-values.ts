/**
 * Reads the values of a configuration, which have several forms, and the files that it names.
 */
import { readForeignJson } from '../../json/foreign-json.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../json/json-value.ts';
import { readYaml } from '../../yaml/yaml-source.ts';
import { yamlToJson } from '../../yaml/yaml-to-json.ts';

/** Reads the files that a configuration names. Paths are relative to the configuration. */
export interface ConfigFiles {
  /** Returns a file's text; undefined if it cannot be read. */
  readonly read: (path: string) => Promise<string | undefined>;
  /** Returns the paths that match a glob. */
  readonly find: (glob: string) => Promise<readonly string[]>;
  /** Returns the rows of a CSV text; undefined if it is not valid. */
  readonly rows: (text: string) => readonly JsonMap[] | undefined;
}

export function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  if (value === undefined || value === null) return [];
  return isJsonList(value) ? value : [value];
}

export function mapOf(value: JsonValue | undefined): JsonMap {
  return isJsonMap(value ?? null) ? (value as JsonMap) : {};
}

/** Returns the path of a value such as `file://mail.txt`. */
export function filePath(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? /^file:\/\/(.+)$/s.exec(value)?.[1]?.trim() : undefined;
}

/** Whether a path names a program, with or without a function in it. */
export function isProgram(path: string): boolean {
  return /\.(?:js|cjs|mjs|ts|py|rb)(?::\w+)?$/.test(path);
}

export function isGlob(path: string): boolean {
  return /[*?[{]/.test(path);
}

/** Returns the value of a JSON or YAML text; undefined if it is not valid. */
export function parsedValue(text: string): JsonValue | undefined {
  const json = readForeignJson(text);
  if (json.kind === 'value') return json.value;
  const { root } = readYaml(text.replace(/^\uFEFF/, ''));
  const read = root === null ? undefined : yamlToJson(root);
  return read?.problems.length === 0 ? read.value : undefined;
}

/** Replaces references such as `{ $ref: '#/assertionTemplates/polite' }`. */
export function withoutReferences(value: JsonValue, root: JsonMap, depth = 0): JsonValue {
  if (isJsonList(value)) return value.map((one) => withoutReferences(one, root, depth));
  if (!isJsonMap(value)) return value;
  const target = depth < deepestReference ? referenced(value['$ref'], root) : undefined;
  if (target !== undefined) return withoutReferences(target, root, depth + 1);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withoutReferences(one, root, depth)]));
}

const deepestReference = 10;

function referenced(ref: JsonValue | undefined, root: JsonMap): JsonValue | undefined {
  const names = typeof ref === 'string' ? /^#\/(assertionTemplates\/.+)$/.exec(ref)?.[1]?.split('/') : undefined;
  let found: JsonValue | undefined = names === undefined ? undefined : root;
  for (const name of names ?? []) found = mapOf(found)[name];
  return found;
}
