/**
 * A flow's interface for its callers: its inputs and outputs.
 */
import { z } from 'zod';
import { EngineError } from '../../base/engine-error.ts';
import type { Finding } from '../findings/finding.ts';
import { didYouMean } from '../findings/nearest.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue, jsonEquals } from '../json/json-value.ts';

const inputTypes = ['string', 'number', 'integer', 'boolean', 'array', 'object'] as const;

export type InputType = (typeof inputTypes)[number];

/** A declared input of a flow. */
export interface InputDoc {
  readonly type: InputType;
  readonly description?: string;
  /** The allowed values. */
  readonly enum?: readonly JsonValue[];
  /** The value if the caller does not provide one. */
  readonly default?: JsonValue;
  /** Whether the caller must provide it. */
  readonly required?: boolean;
  /** The value is the path of a file in the workspace, or a list of such paths. Forms then ask for files. */
  readonly format?: 'file';
  /** For files: the endings of their names that forms offer, for example `.eml,.pdf`. */
  readonly accept?: string;
}

/** Declared inputs by name. */
export type InputDocs = Readonly<Record<string, InputDoc>>;

const anyJson: z.ZodType<JsonValue> = z.any();
const namePattern = /^[A-Za-z_][\w-]*$/;

const inputDocSchema = z.strictObject({
  type: z.enum(inputTypes).describe('Type of the value.'),
  description: z.string().exactOptional().describe('Purpose of the input, for people who start the flow.'),
  enum: z.array(anyJson).min(1).exactOptional().meta({ title: 'Choices' }).describe('The allowed values.'),
  default: z.exactOptional(anyJson).describe('Value if the caller does not provide one.'),
  required: z.boolean().exactOptional().describe('True: the caller must provide a value. Default false.'),
  format: z
    .literal('file')
    .exactOptional()
    .describe('file: the value is the path of a file or, with type array, a list of paths. Forms ask for files.'),
  accept: z
    .string()
    .regex(/^\.\w+(?:, ?\.\w+)*$/, { error: 'must be endings of file names such as .eml,.pdf' })
    .exactOptional()
    .describe('Endings of the names of files that forms offer, for example .eml,.pdf.'),
});

export const inputDocsSchema = z.record(z.string(), inputDocSchema) satisfies z.ZodType<InputDocs>;
export const outputsSchema = z.record(z.string(), anyJson);

/** The parts of a flow's header that concern inputs. */
export interface InputHeader {
  readonly input?: JsonMap;
  readonly inputs?: InputDocs;
}

interface InterfaceHeader extends InputHeader {
  readonly outputs?: JsonMap;
}

/** Returns the default inputs by name. */
export function defaultInputs({ input = {}, inputs = {} }: InputHeader): JsonMap {
  const declared = Object.entries(inputs).flatMap(([name, { default: value }]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return declared.length === 0 ? input : Object.fromEntries([...Object.entries(input), ...declared]);
}

/** Returns the problems with input and output names and with input declarations; paths are relative to the document. */
export function interfaceFindings(header: InterfaceHeader): readonly Finding[] {
  return [...nameFindings(header, 'inputs'), ...nameFindings(header, 'outputs'), ...inputDocFindings(header)];
}

function nameFindings(header: InterfaceHeader, part: 'inputs' | 'outputs'): readonly Finding[] {
  return Object.keys(header[part] ?? {}).flatMap((name): Finding[] => {
    if (namePattern.test(name) && name !== '__proto__') return [];
    const message = `${JSON.stringify(name)} is not a valid name. It must start with a letter or _ and contain only ASCII letters, digits, _ and -.`;
    return [{ ...badValue(['flow', part, name], message), focus: 'key' }];
  });
}

function inputDocFindings({ input = {}, inputs = {} }: InputHeader): readonly Finding[] {
  return Object.entries(inputs).flatMap(([name, doc]): Finding[] => {
    const path = ['flow', 'inputs', name];
    const values = (doc.enum ?? []).flatMap((value, index) =>
      wrongValue([...path, 'enum', index], name, { value, doc: { type: doc.type } }),
    );
    const own = doc.default === undefined ? [] : wrongValue([...path, 'default'], name, { value: doc.default, doc });
    const plain = Object.hasOwn(input, name) ? input[name] : undefined;
    const file = fileFindings(doc, path);
    if (plain === undefined) return [...file, ...values, ...own, ...uselessDefault(doc, path)];
    const plainPath = ['flow', 'input', name];
    const twice: Finding[] =
      doc.default === undefined
        ? wrongValue(plainPath, name, { value: plain, doc })
        : [badValue(plainPath, `"${name}" has a default here and in "inputs". Keep only one of them.`)];
    return [...file, ...values, ...own, ...twice];
  });
}

function fileFindings({ type, format, accept }: InputDoc, path: readonly string[]): readonly Finding[] {
  if (format === undefined)
    return accept === undefined ? [] : [badValue([...path, 'accept'], 'Add "format: file", or remove "accept".')];
  if (type === 'string' || type === 'array') return [];
  return [badValue([...path, 'format'], 'A file is a path, so its type must be string, or array for several files.')];
}

function wrongValue(path: Finding['path'], name: string, given: { value: JsonValue; doc: InputDoc }): Finding[] {
  const problem = problemOf(given.value, given.doc);
  return problem === undefined ? [] : [badValue(path, `The input "${name}" ${problem}.`)];
}

function badValue(path: Finding['path'], message: string): Finding {
  return { code: 'flow.bad-value', severity: 'error', message, path };
}

function uselessDefault({ required, default: value }: InputDoc, path: readonly string[]): Finding[] {
  if (required !== true || value === undefined) return [];
  const message =
    'The caller must always provide this input, so its default is never used. Remove default or required.';
  return [{ code: 'flow.unused-default', severity: 'warning', message, path: [...path, 'default'] }];
}

/** A given input that the flow does not accept. */
export interface InputMisfit {
  readonly name: string;
  /** A sentence that names the input. */
  readonly message: string;
}

export interface DeclaredInputs {
  readonly inputDocs?: InputDocs;
  /** Default values. */
  readonly inputs: JsonMap;
}

/**
 * Validates given inputs against the flow's declarations. A flow without declarations accepts everything.
 * @throws EngineError `flow.bad-inputs` that names each input, with a list of `InputMisfit` as `details`
 */
export function refuseMisfits(declared: DeclaredInputs, given: JsonMap): void {
  const misfits = inputMisfits(declared, given);
  if (misfits.length === 0) return;
  throw new EngineError({
    code: 'flow.bad-inputs',
    message: `The flow cannot start with these inputs. ${misfits.map(({ message }) => message).join(' ')}`,
    details: misfits.map((misfit) => ({ ...misfit })),
  });
}

/** Returns the inputs that do not match the flow's declarations. A flow without declarations accepts everything. */
export function inputMisfits({ inputDocs, inputs: defaults }: DeclaredInputs, given: JsonMap): readonly InputMisfit[] {
  if (inputDocs === undefined) return [];
  return [
    ...Object.entries(inputDocs).flatMap(([name, doc]): InputMisfit[] => {
      const value = Object.hasOwn(given, name) ? given[name] : undefined;
      if (value === undefined) return doc.required === true ? [{ name, message: missing(name, doc) }] : [];
      const problem = problemOf(value, doc);
      return problem === undefined ? [] : [{ name, message: `The input "${name}" ${problem}.` }];
    }),
    ...Object.keys(given).flatMap((name): InputMisfit[] => {
      if (Object.hasOwn(inputDocs, name) || Object.hasOwn(defaults, name)) return [];
      const known = [...new Set([...Object.keys(inputDocs), ...Object.keys(defaults)])];
      return [
        {
          name,
          message: `The flow has no input "${name}".${didYouMean(name, known) || (known.length === 0 ? ' It has none.' : ` It has: ${known.join(', ')}.`)}`,
        },
      ];
    }),
  ];
}

function missing(name: string, { description }: InputDoc): string {
  return `The input "${name}" is missing${description === undefined ? '' : ` (${description})`}.`;
}

const typeWords: Readonly<Record<InputType, string>> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
};

/** Returns why a value does not match a declared input, as a continuation of its name; undefined if it does. */
export function problemOf(value: JsonValue, { type, enum: allowed, format }: InputDoc): string | undefined {
  if (!isOfType(value, type)) return `must be ${typeWords[type]}, not ${shown(value)}`;
  const odd = format === undefined || !isJsonList(value) ? undefined : value.find((path) => typeof path !== 'string');
  if (odd !== undefined) return `must be a list of paths, but contains ${shown(odd)}`;
  if (allowed === undefined || allowed.some((one) => jsonEquals(one, value))) return undefined;
  return `must be one of ${allowed.map(shown).join(', ')}, not ${shown(value)}`;
}

function isOfType(value: JsonValue, type: InputType): boolean {
  switch (type) {
    case 'array':
      return isJsonList(value);
    case 'object':
      return isJsonMap(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

const longestShown = 60;

function shown(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
}

/**
 * Returns a flow's inputs as a JSON Schema (2020-12) for callers: its declarations, and the types of plain defaults. A
 * flow without declarations also accepts other inputs.
 */
export function inputsSchemaOf({ input = {}, inputs }: InputHeader): JsonMap {
  const plain = Object.entries(input).map(([name, value]): [string, JsonMap] => [name, { default: value }]);
  const declared = Object.entries(inputs ?? {}).map(([name, { required: _, ...schema }]): [string, JsonMap] => {
    const value = Object.hasOwn(input, name) ? input[name] : undefined;
    return [name, value === undefined ? { ...schema } : { ...schema, default: value }];
  });
  const required = Object.entries(inputs ?? {}).flatMap(([name, doc]) => (doc.required === true ? [name] : []));
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: Object.fromEntries([...plain, ...declared]),
    ...(required.length === 0 ? {} : { required }),
    ...(inputs === undefined ? {} : { additionalProperties: false }),
  };
}
