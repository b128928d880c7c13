/**
 * Converts a server's question (`elicitation/create`,
 * https://modelcontextprotocol.io/specification/draft/client/elicitation) to a request to a person, and the answer to
 * the server's format.
 */
import { webAddressProblem } from '../../base/web-address.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import { seenSchema, seenText } from '../../language/json/shown-text.ts';
import type { AskAnswer, AskRequest, InputRequest } from '../../runtime/kernel/requests/ask.ts';
import { isFields, type MessageFields } from './read-message.ts';

/** Type of a result that contains questions. */
export const inputRequired = 'input_required';
/** Method of a question. */
export const elicitMethod = 'elicitation/create';
/** Marks a result with questions about pages. */
export const pageQuestions = 'pages';

/**
 * Returns the result of a call that the server refused until a person has opened pages
 * (https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation#url-elicitation-required-error).
 * @param elicitations parameters of the questions
 */
export function pagesRequired(elicitations: readonly unknown[]): MessageFields {
  const entries = elicitations.map((params, index) => [`page ${index + 1}`, { method: elicitMethod, params }]);
  return { resultType: inputRequired, kind: pageQuestions, inputRequests: Object.fromEntries(entries) };
}

/** Where a question comes from. */
export interface ElicitationSource {
  readonly server: string;
  /** Full name of the tool that is being called. */
  readonly tool: string;
}

/** The response that the server receives. `cancel`: no person has decided. */
export type ElicitationResponse =
  | { readonly action: 'accept'; readonly content?: JsonMap }
  | { readonly action: 'decline' | 'cancel' };

export const noDecision: ElicitationResponse = { action: 'cancel' };

/** A question as a request, and the conversion of its answer. */
export interface AskedElicitation {
  readonly request: AskRequest;
  readonly responseTo: (answer: AskAnswer) => ElicitationResponse;
}

/** Maximum lengths in UTF-16 units. */
const longestTitle = 300;
const longestMessage = 4_000;
/** Maximum number of fields of a form. */
const mostFields = 100;

/**
 * Converts a question. Fields that the protocol does not allow become text fields.
 * @returns the problem as the rest of a sentence if a person cannot answer the question
 */
export function readElicitation(
  params: unknown,
  source: ElicitationSource,
): AskedElicitation | { readonly problem: string } {
  if (!isFields(params)) return { problem: 'sent a question without parameters' };
  const message = typeof params['message'] === 'string' ? seenText(params['message'], longestMessage) : '';
  const { mode = 'form' } = params;
  if (mode === 'url') return readPage(params, { message, source });
  if (mode !== 'form') return { problem: `asked in the unknown mode ${JSON.stringify(mode)}` };
  return readForm(params, { message, source });
}

interface ShownQuestion {
  readonly message: string;
  readonly source: ElicitationSource;
}

function readPage({ url }: MessageFields, { message, source }: ShownQuestion): AskedElicitation | { problem: string } {
  if (typeof url !== 'string') return { problem: 'asked to open a page without an address' };
  const problem = webAddressProblem(url);
  if (problem !== undefined) return { problem: `asked to open an invalid address: ${problem}` };
  const address = seenText(url, 2_000);
  const steps = `Open this address in your browser only if you trust it, and finish there:\n${address}\nThen approve to continue the call of ${source.tool}.`;
  return {
    request: {
      kind: 'approval',
      title: `The MCP server ${source.server} asks you to open ${new URL(url).host}`,
      message: message === '' ? steps : `${message}\n\n${steps}`,
    },
    responseTo: ({ payload }) => ({ action: payload['approved'] === true ? 'accept' : 'decline' }),
  };
}

function readForm(params: MessageFields, { message, source }: ShownQuestion): AskedElicitation | { problem: string } {
  const { requestedSchema } = params;
  const properties = isFields(requestedSchema) ? requestedSchema['properties'] : undefined;
  if (!isFields(requestedSchema) || !isFields(properties)) return { problem: 'asked for values without a schema' };
  const names = Object.keys(properties);
  if (names.length > mostFields) return { problem: `asked for more than ${mostFields} values` };
  const fields = new Map(names.map((name) => [name, fieldOf(properties[name])]));
  const required = isJsonList(requestedSchema['required'] as JsonValue | undefined)
    ? (requestedSchema['required'] as readonly JsonValue[]).filter((name) => names.includes(String(name)))
    : [];
  const title = `The MCP server ${source.server} asks${message === '' ? ' for values' : `: ${message}`}`;
  const request: InputRequest = {
    kind: 'input',
    title: seenText(title, longestTitle),
    message: `${message === '' ? '' : `${message}\n\n`}The server needs the answer to continue the call of ${source.tool}, and receives what you enter.`,
    schema: {
      type: 'object',
      properties: Object.fromEntries([...fields].map(([name, { schema }]) => [name, schema])),
      required,
    },
    mayDecline: true,
  };
  return { request, responseTo: (answer) => formResponse(answer, fields) };
}

function formResponse({ payload }: AskAnswer, fields: ReadonlyMap<string, ElicitedField>): ElicitationResponse {
  const { values, declined } = payload;
  if (declined === true || !isJsonMap(values)) return { action: 'decline' };
  // A field that the answer leaves out has its default. One that a person has emptied has no value.
  const usual = [...fields].flatMap(([name, { schema }]): [string, JsonValue][] =>
    schema['default'] === undefined ? [] : [[name, schema['default']]],
  );
  const given = Object.entries({ ...Object.fromEntries(usual), ...values }).filter(
    ([, value]) => value !== null && value !== '',
  );
  const content = given.map(([name, value]): [string, JsonValue] => [name, fields.get(name)?.valueOf(value) ?? value]);
  return { action: 'accept', content: Object.fromEntries(content) };
}

interface ElicitedField {
  readonly schema: JsonMap;
  /** Returns the server's value for a value of the form. */
  readonly valueOf: (value: JsonValue) => JsonValue;
}

const unchanged = (value: JsonValue): JsonValue => value;
const fieldTypes: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean']);

function fieldOf(given: unknown): ElicitedField {
  const schema = isFields(given) ? seenSchema(given as JsonMap) : {};
  const { title, description, items } = schema;
  const words = [title, description].filter((text) => typeof text === 'string' && text !== '');
  const about = words.length === 0 ? {} : { description: words.join('. ') };
  if (schema['type'] === 'array' && isJsonMap(items)) return listOf(schema, items, about);
  const choices = choicesOf(schema);
  if (choices !== undefined) {
    const usual = schema['default'] ?? null;
    const shown = choices.find(({ value }) => value === usual)?.text;
    const initial = shown === undefined ? {} : { default: shown };
    return {
      schema: { type: 'string', enum: choices.map(({ text }) => text), ...about, ...initial },
      valueOf: (value) => choices.find(({ text }) => text === value)?.value ?? value,
    };
  }
  if (!fieldTypes.has(schema['type'])) return { schema: { type: 'string', ...about }, valueOf: unchanged };
  const { title: _title, ...rest } = schema;
  return { schema: { ...rest, ...about }, valueOf: unchanged };
}

function listOf(schema: JsonMap, items: JsonMap, about: JsonMap): ElicitedField {
  const { minItems, maxItems, default: usual } = schema;
  const limits = { ...(minItems === undefined ? {} : { minItems }), ...(maxItems === undefined ? {} : { maxItems }) };
  const choices = choicesOf(items) ?? [];
  const options = choices.map(({ text }) => JSON.stringify(text)).join(', ');
  const list = options === '' ? 'A list.' : `A list of ${options}.`;
  const { description } = about;
  const textOf = (value: JsonValue): JsonValue => choices.find((choice) => choice.value === value)?.text ?? value;
  const initial = isJsonList(usual) ? { default: usual.map(textOf) } : {};
  return {
    schema: {
      ...{ type: 'array', ...limits, ...initial },
      description: description === undefined ? list : `${description}. ${list}`,
    },
    valueOf: (value) =>
      isJsonList(value) ? value.map((one) => choices.find(({ text }) => text === one)?.value ?? one) : value,
  };
}

interface FieldChoice {
  readonly text: string;
  readonly value: JsonValue;
}

/** Returns the choices of a field; undefined if it has none. Two choices with the same title are shown by their values. */
function choicesOf(schema: JsonMap): readonly FieldChoice[] | undefined {
  const { enum: values, enumNames, oneOf, anyOf } = schema;
  const titled = isJsonList(oneOf) ? oneOf : isJsonList(anyOf) ? anyOf : undefined;
  const choices =
    titled?.filter(isChoice).map(({ const: value, title }) => choiceOf(value, title)) ?? plain(values, enumNames);
  if (choices === undefined || choices.length === 0) return undefined;
  const isUnique = new Set(choices.map(({ text }) => text)).size === choices.length;
  return isUnique ? choices : choices.map(({ value }) => choiceOf(value, undefined));
}

function plain(values: JsonValue | undefined, names: JsonValue | undefined): readonly FieldChoice[] | undefined {
  if (!isJsonList(values)) return undefined;
  return values.map((value, index) => choiceOf(value, isJsonList(names) ? names[index] : undefined));
}

function isChoice(one: JsonValue): one is JsonMap & { readonly const: JsonValue } {
  return isJsonMap(one) && one['const'] !== undefined;
}

function choiceOf(value: JsonValue, title: JsonValue | undefined): FieldChoice {
  const own = typeof value === 'string' ? value : JSON.stringify(value);
  return { text: typeof title === 'string' && title !== '' ? title : own, value };
}
