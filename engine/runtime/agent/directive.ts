/**
 * Parses directives: tables returned by a script to control its run, `{ _aipack_ = { kind, data } }` (created by
 * `aip.flow.*`). Any other return value is the plain result of the stage. Messages are compatible with existing packs.
 */
import { EngineError } from '../../base/engine-error.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import { type AskDirective, readAsk } from './ask-directive.ts';
import { type AttachmentSource, readAttachments } from './attachments.ts';

/** The stage ends the run or the input. The reason may be empty. */
export interface SkipDirective {
  readonly kind: 'skip';
  readonly reason: string;
}

/** Result of Before All. */
type BeforeAllResult =
  | {
      readonly kind: 'value';
      readonly beforeAll: JsonValue;
      /** Replaces the run's inputs; absent to keep them. */
      readonly inputs?: readonly JsonValue[];
      /** Not validated yet. */
      readonly options?: JsonValue;
    }
  | SkipDirective
  | { readonly kind: 'redo' };

/** Result of Data. */
type DataResult =
  | {
      readonly kind: 'value';
      readonly data: JsonValue;
      /** Replaces the input; absent to keep it. */
      readonly input?: JsonValue;
      readonly attachments: readonly AttachmentSource[];
      /** Not validated yet. */
      readonly options?: JsonValue;
    }
  | SkipDirective
  | AskDirective;

/** Result of Output. */
type OutputResult = { readonly kind: 'value'; readonly output: JsonValue } | SkipDirective | AskDirective;

/**
 * Parses the return value of Before All.
 * @throws EngineError `agent.unknown-directive` | `agent.wrong-directive` | `agent.bad-response`
 */
export function readBeforeAllResult(value: JsonValue): BeforeAllResult {
  const directive = readDirective(value);
  switch (directive?.kind) {
    case undefined:
      return { kind: 'value', beforeAll: value };
    case 'Skip':
      return skipOf(directive);
    case 'Redo':
      return { kind: 'redo' };
    case 'BeforeAllResponse':
      return beforeAllResponse(directive.data);
    case 'DataResponse':
      throw wrongDirective("Aipack custom 'DataResponse' not supported at the Before All stage");
    case 'Ask':
      throw askRefused('Before All');
  }
}

/**
 * Parses the return value of Data.
 * @param agent name of the agent
 * @throws EngineError `agent.redo-refused` | `agent.unknown-directive` | `agent.wrong-directive` | `agent.bad-response`
 * | `ask.bad-request`
 */
export function readDataResult(value: JsonValue, agent: string): DataResult {
  const directive = readDirective(value);
  switch (directive?.kind) {
    case undefined:
      return { kind: 'value', data: value, attachments: [] };
    case 'Skip':
      return skipOf(directive);
    case 'Redo':
      throw redoRefused();
    case 'DataResponse':
      return dataResponse(directive.data);
    case 'BeforeAllResponse':
      throw wrongDirective("Aipack Custom 'BeforeAllResponse' is not supported at the Data stage");
    case 'Ask':
      return readAsk(directive.data, agent);
  }
}

/**
 * Parses the return value of Output.
 * @param agent name of the agent
 * @throws EngineError `agent.redo-refused` | `agent.unknown-directive` | `agent.wrong-directive` | `ask.bad-request`
 */
export function readOutputResult(value: JsonValue, agent: string): OutputResult {
  const directive = readDirective(value);
  switch (directive?.kind) {
    case undefined:
      return { kind: 'value', output: value };
    case 'Skip':
      return skipOf(directive);
    case 'Redo':
      throw redoRefused();
    case 'Ask':
      return readAsk(directive.data, agent);
    default:
      throw wrongDirective(`Aipack custom '${directive?.kind}' not supported at the Output stage`);
  }
}

/**
 * Parses the return value of After All, which supports only the redo directive.
 * @throws EngineError `agent.wrong-directive` for a question, which After All cannot ask
 */
export function readAfterAllResult(value: JsonValue): JsonValue {
  if (kindOf(value) === 'Ask') throw askRefused('After All');
  return value;
}

/** Whether After All requests another run. */
export function asksForRedo(value: JsonValue): boolean {
  return kindOf(value) === 'Redo';
}

const kinds = ['Skip', 'Redo', 'BeforeAllResponse', 'DataResponse', 'Ask'] as const;

interface Directive {
  readonly kind: (typeof kinds)[number];
  readonly data: JsonValue | undefined;
}

/** Returns undefined if the value is not a directive. */
function readDirective(value: JsonValue): Directive | undefined {
  const name = kindOf(value);
  if (name === undefined) return undefined;
  const kind = kinds.find((known) => known === name);
  if (kind !== undefined) return { kind, data: fieldOf(fieldOf(value, '_aipack_'), 'data') };
  throw new EngineError({ code: 'agent.unknown-directive', message: `_aipack_ kind '${name}' is not known.` });
}

function kindOf(value: JsonValue): string | undefined {
  const kind = fieldOf(fieldOf(value, '_aipack_'), 'kind');
  return typeof kind === 'string' ? kind : undefined;
}

function fieldOf(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isJsonMap(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function skipOf({ data }: Directive): SkipDirective {
  const reason = fieldOf(data, 'reason');
  return { kind: 'skip', reason: typeof reason === 'string' ? reason : '' };
}

const badBeforeAll = 'Before All Lua block did not return a valid structure.\nCause: ';
const beforeAllCall = 'aip.flow.before_all_response(arg)';
const badData = 'Data Lua block did not return a valid structure.\nCause: ';

function beforeAllResponse(data: JsonValue | undefined): BeforeAllResult {
  if (!isJsonMap(data)) return { kind: 'value', beforeAll: null };
  const inputs = replacingInputs(data['inputs']);
  const allowed = "'arg' can only have `.inputs`, `.options`, `.before_all`)";
  refuseOtherKeys(data, ['inputs', 'before_all', 'options'], `${badBeforeAll}${beforeAllCall} - ${allowed}`);
  return {
    kind: 'value',
    beforeAll: data['before_all'] ?? null,
    ...(inputs === undefined ? {} : { inputs }),
    ...optionsOf(data),
  };
}

/** Lua cannot distinguish an empty list from an empty table. Returns undefined to keep the inputs. */
function replacingInputs(inputs: JsonValue | undefined): readonly JsonValue[] | undefined {
  if (inputs === undefined || inputs === null) return undefined;
  if (isJsonList(inputs)) return inputs;
  const start = `${badBeforeAll}${beforeAllCall} - 'arg.inputs\` must be an nil`;
  if (!isJsonMap(inputs)) throw badResponse(`${start} or an array`);
  if (Object.keys(inputs).length === 0) return [];
  throw badResponse(`${start}, array, or empty object. But was an object with name/value.`);
}

function dataResponse(data: JsonValue | undefined): DataResult {
  if (!isJsonMap(data)) return { kind: 'value', data: null, attachments: [] };
  // Typos are preserved for compatibility with packs.
  const allowed = 'aip.flow.data_response(arg) argumen can can only have `.input`, `.options`)';
  refuseOtherKeys(data, ['input', 'data', 'attachments', 'options'], badData + allowed);
  const input = data['input'];
  return {
    kind: 'value',
    data: data['data'] ?? null,
    ...(input === undefined ? {} : { input }),
    attachments: readAttachments(data['attachments'] ?? null),
    ...optionsOf(data),
  };
}

function optionsOf(data: JsonMap): { readonly options?: JsonValue } {
  const options = data['options'] ?? null;
  return options === null ? {} : { options };
}

function refuseOtherKeys(data: JsonMap, known: readonly string[], intro: string): void {
  const others = Object.keys(data).filter((key) => !known.includes(key));
  // Lua tables are unordered. Sorting makes the message deterministic.
  if (others.length > 0) throw badResponse(`${intro}. But also contained: ${others.sort().join(', ')}`);
}

function badResponse(message: string): EngineError {
  return new EngineError({ code: 'agent.bad-response', message });
}

function wrongDirective(message: string): EngineError {
  return new EngineError({ code: 'agent.wrong-directive', message });
}

function askRefused(stage: string): EngineError {
  return wrongDirective(
    `aip.flow.ask() can be returned only from # Data or # Output stages, not from # ${stage}: only an input can wait for a person.`,
  );
}

function redoRefused(): EngineError {
  const message = 'aip.flow.redo_run() can be returned only from # Before All or # After All stages.';
  return new EngineError({ code: 'agent.redo-refused', message });
}
