/**
 * The options of `run`, and the inputs they set: `--input k=v` overrides `--input-file F.json`.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { explainSystemError } from '../../base/system-trouble.ts';
import type { EngineOptions } from '../../index.ts';
import {
  type AutonomyLevel,
  type Breakpoint,
  type InputDocs,
  isJsonMap,
  type JsonMap,
  type JsonValue,
  type RunPart,
  readExactJson,
  repeatedKeyProblem,
  toErrorRecord,
  tooDeepError,
  unsafeNumberError,
} from '../../isomorphic.ts';
import type { CliContext, GlobalOptions, SharedOptions } from '../cli-context.ts';
import { usageError } from '../exit-code.ts';

type Cassette = NonNullable<EngineOptions['cassette']>;

/** Options of `run`, for flows, agents, or both. */
export interface CliRunOptions extends GlobalOptions, SharedOptions, InputOptions {
  readonly parallel?: number;
  readonly autonomy?: AutonomyLevel;
  readonly only?: string;
  readonly to?: string;
  /** Values of the form `NODE=FILE`. */
  readonly pin: readonly string[];
  /** Values of the form `NODE[:ITEM][ if CONDITION]`. */
  readonly break: readonly string[];
  readonly cassette?: string;
  readonly mode?: Cassette['mode'];
  /** Values of `-i TEXT`. */
  readonly onInputs: readonly string[];
  /** Values of `-f GLOB`. */
  readonly onFiles: readonly string[];
  readonly dry?: 'req' | 'res';
  readonly watch?: true;
  readonly verbose?: true;
  readonly yes?: true;
}

/** @throws EngineError `cli.usage` for a mode without a cassette, or one that a dry run does not support */
export function cassetteOf({ folder }: CliContext, { cassette, mode, dry }: CliRunOptions): { cassette?: Cassette } {
  if (dry === 'req' && cassette !== undefined && mode !== undefined && mode !== 'replay') {
    throw usageError(`--dry req sends nothing, so its cassette can only replay. Remove --mode ${mode}.`);
  }
  const usual = dry === 'req' ? 'replay' : 'auto';
  if (cassette !== undefined) return { cassette: { file: path.resolve(folder, cassette), mode: mode ?? usual } };
  if (mode === undefined) return {};
  throw usageError(`--mode ${mode} requires a cassette: add --cassette FILE.`);
}

/**
 * Returns the part of a flow to run, with the pinned outputs.
 * @throws EngineError `cli.usage` | `json.unsafe-number`
 */
export function partOptions(
  { folder }: CliContext,
  { only, to, pin }: Pick<CliRunOptions, 'only' | 'to' | 'pin'>,
): { part?: RunPart; pins?: Record<string, JsonValue> } {
  const part = only !== undefined ? { only } : to !== undefined ? { to } : undefined;
  const pins = pin.map((text): [string, JsonValue] => {
    const [node, file] = nodeAndFile('--pin', text);
    return [node, readJsonFile('--pin', file, folder)];
  });
  return {
    ...(part === undefined ? {} : { part }),
    ...(pins.length === 0 ? {} : { pins: Object.fromEntries(pins) }),
  };
}

function nodeAndFile(flag: string, text: string): readonly [node: string, file: string] {
  const at = text.indexOf('=');
  if (at < 1) throw usageError(`${flag} ${text} does not have the form NODE=FILE.`);
  return [text.slice(0, at), text.slice(at + 1)];
}

/**
 * Returns the outputs that `--output` gives nodes, by name; undefined if there are none. @param texts values of the form
 * `NODE=FILE`
 * @throws EngineError `cli.usage` | `json.unsafe-number`
 */
export async function outputsIn(
  context: CliContext,
  texts: readonly string[],
): Promise<Record<string, JsonValue> | undefined> {
  if (texts.length === 0) return undefined;
  const outputs = new Map<string, JsonValue>();
  for (const text of texts) {
    const [node, file] = nodeAndFile('--output', text);
    outputs.set(node, await jsonIn(context, '--output', file));
  }
  return Object.fromEntries(outputs);
}

/**
 * Returns the breakpoints in a flow, by its path. @param ids the IDs of its nodes
 * @throws EngineError `cli.usage` for text of another form, or a node that the flow does not have
 */
export function breakpointsIn(
  texts: readonly string[],
  { path: file, ids }: { readonly path: string; readonly ids: readonly string[] },
): { breakpoints?: Record<string, readonly Breakpoint[]> } {
  const breakpoints = texts.map((text): Breakpoint => {
    const [, node, item, when] = /^\s*([^\s:]+)(?::(\d+))?(?:\s+if\s+(\S.*?))?\s*$/su.exec(text) ?? [];
    if (node === undefined)
      throw usageError(`--break ${text} does not have the form NODE, NODE:ITEM or "NODE if CONDITION".`);
    if (!ids.includes(node))
      throw usageError(`--break ${text}: the flow has no node "${node}". It has: ${ids.join(', ')}.`);
    return { node, ...(item === undefined ? {} : { item: Number(item) }), ...(when === undefined ? {} : { when }) };
  });
  return breakpoints.length === 0 ? {} : { breakpoints: { [file]: breakpoints } };
}

interface InputOptions {
  /** Values of the form `k=v`, in order; later ones override earlier ones. */
  readonly input: readonly string[];
  readonly inputFile?: string;
}

interface InputPlace {
  /** Base folder of relative paths. */
  readonly folder: string;
  /** The inputs declared by the flow. */
  readonly inputDocs?: InputDocs | undefined;
}

/**
 * Combines the inputs.
 * @throws EngineError `cli.usage` | `json.unsafe-number`
 */
export function gatherInputs({ input, inputFile }: InputOptions, { folder, inputDocs }: InputPlace): JsonMap {
  const fromFile = inputFile === undefined ? {} : readInputFile(inputFile, folder);
  return { ...fromFile, ...Object.fromEntries(input.map((text) => parseInput(text, inputDocs))) };
}

/** Parses the value as JSON if it is valid JSON. Otherwise, or if the flow expects text, returns it as text. */
function parseInput(text: string, inputDocs: InputDocs = {}): [string, JsonValue] {
  const at = text.indexOf('=');
  if (at < 1) throw usageError(`--input ${text} does not have the form KEY=VALUE.`);
  const value = text.slice(at + 1);
  const key = text.slice(0, at);
  const isText = Object.hasOwn(inputDocs, key) && inputDocs[key]?.type === 'string';
  return [key, isText ? value : inputValue(key, value)];
}

function inputValue(key: string, text: string): JsonValue {
  const read = readExactJson(text);
  if (read.kind === 'no-json') return text;
  if (read.kind === 'value') return withoutRepeatedKeys(`--input ${key}`, text, read.value);
  if (read.kind === 'too-deep') throw tooDeepError(`--input ${key}`);
  // The number is too large for any program, so it is treated as text.
  if (read.number === text.trim() && !Number.isFinite(Number(text))) return text;
  throw unsafeNumberError(`--input ${key}`, read.number);
}

/** @throws EngineError `cli.usage` for duplicate keys, because one of their values would be lost silently */
function withoutRepeatedKeys(where: string, text: string, value: JsonValue): JsonValue {
  const problem = repeatedKeyProblem(text);
  if (problem !== undefined) throw usageError(`${where}: ${problem}`);
  return value;
}

function readInputFile(shown: string, folder: string): JsonMap {
  const value = readJsonFile('--input-file', shown, folder);
  if (isJsonMap(value)) return value;
  throw usageError(`--input-file ${shown} does not contain a JSON object.`);
}

/** Reads JSON from a file, or from stdin for `-`. @throws EngineError `cli.usage` */
export async function jsonIn({ folder }: CliContext, flag: string, shown: string): Promise<JsonValue> {
  if (shown !== '-') return readJsonFile(flag, shown, folder);
  return jsonOf(await textOf(process.stdin), { flag, shown: 'on stdin' });
}

/** @throws EngineError `cli.usage` for a file that cannot be read or is not JSON */
function readJsonFile(flag: string, shown: string, folder: string): JsonValue {
  let text: string;
  try {
    // Removes the byte order mark that some editors write.
    text = new TextDecoder().decode(readFileSync(path.resolve(folder, shown)));
  } catch (error) {
    throw usageError(`${flag} ${shown} cannot be read. ${explainSystemError(error) ?? toErrorRecord(error).message}`);
  }
  return jsonOf(text, { flag, shown });
}

/** @throws EngineError `cli.usage` */
function jsonOf(text: string, { flag, shown }: { readonly flag: string; readonly shown: string }): JsonValue {
  const read = readExactJson(text);
  if (read.kind === 'unsafe-number') throw unsafeNumberError(`${flag} ${shown}`, read.number);
  if (read.kind === 'value') return withoutRepeatedKeys(`${flag} ${shown}`, text, read.value);
  if (read.kind === 'too-deep') throw tooDeepError(`${flag} ${shown}`);
  throw usageError(`${flag} ${shown} does not contain ${flag === '--input-file' ? 'a JSON object' : 'JSON'}.`);
}
