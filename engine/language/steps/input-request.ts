/**
 * The request of a `user_input` step, which is defined by its params.
 */
import { z } from 'zod';
import { cutText } from '../../base/cut-text.ts';
import { late } from '../../base/late.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../json/json-value.ts';

/** How a person answers: by a choice or with free text. */
const inputModes = ['choice_input', 'free_text_input'] as const;

const anyJson: z.ZodType<JsonValue> = z.any();
const anyMap = () => z.record(z.string(), anyJson);

const choiceSchema = () =>
  z.strictObject({
    label: z.string().describe('Label for people.'),
    value: anyJson.describe('Value of the answer.'),
    id: z.string().exactOptional(),
    description: z.string().exactOptional(),
  });

/** The params of a step that requests input; other keys are rejected. */
export const inputRequestSchema = late(() =>
  z.strictObject({
    schema_version: z.literal('1.0').exactOptional(),
    form_id: z.string().min(1).max(80).describe('ID of the answer, read as artifacts.user_input.<form_id>.values.'),
    prompt: z.string().exactOptional().describe('The question.'),
    title: z.string().exactOptional().describe('The question in one line. Can replace prompt.'),
    description: z.string().exactOptional(),
    mode: z.enum(inputModes).exactOptional().describe('Default choice_input.'),
    input_type: z.enum(['text', 'select', 'number', 'boolean']).exactOptional(),
    schema: anyMap().exactOptional().describe('JSON Schema of the values: properties with type and enum.'),
    defaults: anyMap().exactOptional().describe('Initial values of the form.'),
    options: anyJson.exactOptional(),
    required: z.array(z.string()).exactOptional().describe('Keys that an answer must contain.'),
    choices: z.array(choiceSchema()).exactOptional(),
    constraints: anyJson.exactOptional(),
  }),
);

export type InputRequestDoc = z.output<ReturnType<typeof inputRequestSchema>>;

/** Keys that identify the answer and its destination. Their values are used as written, without templates. */
export const fixedInputKeys = ['form_id', 'mode', 'input_type', 'schema_version'] as const;

/** Whether there is anything to ask. */
export function hasRequestText({ prompt, title }: JsonMap): boolean {
  return [prompt, title].some((text) => typeof text === 'string' && text.trim() !== '');
}

/** The information shown to a person. */
interface StepInput {
  readonly title: string;
  readonly message?: string;
  /** JSON Schema of the values. */
  readonly schema: JsonMap;
  readonly defaults?: JsonMap;
}

const longestTitle = 200;

/** @param form the step's resolved params. @param id the step's ID */
export function inputOf(id: string, form: InputRequestDoc): StepInput {
  const { prompt = '', title = '', description = '', defaults } = form;
  const asked = title.trim() || prompt.trim() || `Enter the values for the step "${id}"`;
  const others = prompt.trim() === asked ? [description] : [prompt, description];
  const message = others.filter((text) => text.trim() !== '').join('\n\n');
  return {
    title: cutText(asked, longestTitle),
    ...(message === '' ? {} : { message }),
    schema: answerSchemaOf(form),
    ...(defaults === undefined ? {} : { defaults }),
  };
}

/**
 * Returns the JSON Schema for the answer to a request. It is sufficient to draw any form and to validate any answer.
 */
function answerSchemaOf({ schema = {}, required = [], ...form }: InputRequestDoc): JsonMap {
  const { properties, required: declared } = schema;
  const known = isJsonMap(properties) ? properties : {};
  const needed = [...(isJsonList(declared) ? declared : []), ...required];
  const isFree = form.mode === 'free_text_input';
  const fields = isFree ? { ...known, text: fieldOf(known['text'], { type: 'string' }) } : chosenFields(known, form);
  return {
    // An answer may contain fields that the form does not mention.
    additionalProperties: true,
    ...schema,
    type: 'object',
    properties: fields,
    required: [...new Set(isFree ? ['text', ...needed] : needed)],
  };
}

type FormDoc = Omit<InputRequestDoc, 'schema' | 'required'>;

const inputTypes: Readonly<Record<string, string>> = { number: 'number', boolean: 'boolean', text: 'string' };

/** A form with only choices, or only a question, has one field. */
function chosenFields(known: JsonMap, { choices, input_type: type }: FormDoc): JsonMap {
  const names = Object.keys(known);
  if (choices !== undefined && choices.length > 0 && names.length <= 1) {
    const [name = 'selection'] = names;
    return { [name]: fieldOf(known[name], { enum: choices.map(({ value }) => value) }) };
  }
  const plain = inputTypes[type ?? ''];
  return names.length === 0 && plain !== undefined ? { value: { type: plain } } : known;
}

/** A field's schema takes precedence over the form. */
function fieldOf(schema: JsonValue | undefined, otherwise: JsonMap): JsonMap {
  return { ...otherwise, ...(isJsonMap(schema) ? schema : {}) };
}
