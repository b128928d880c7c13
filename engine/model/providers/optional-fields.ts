/**
 * Fields of a request that a server may not accept: finds those that it has refused, and builds the request without them.
 */

/** Fields that Millrace adds by itself. An answer means the same without them. */
const ownFields = ['stream_options', 'tool_choice', 'parallel_tool_calls', 'strict', 'store', 'prompt_cache_key'];
/** Fields that a flow has set. They are left out only when the server does not support them at all. */
const wishedFields = [
  ...['temperature', 'top_p', 'seed', 'stop', 'reasoning_effort', 'verbosity', 'frequency_penalty', 'presence_penalty'],
];
/** The limit of an answer has two names. It is sent under the other one, and never left out: it limits what is paid. */
const renamedFields: Readonly<Record<string, string>> = {
  max_tokens: 'max_completion_tokens',
  max_completion_tokens: 'max_tokens',
};
/** Left out by asking for the shape of an answer in words. */
export const formatField = 'response_format';

/** The fields that the setting `omit_fields` may contain. */
export const omittableFields: readonly string[] = [
  ...ownFields,
  ...wishedFields,
  ...Object.keys(renamedFields),
  formatField,
];

type Body = Readonly<Record<string, unknown>>;

/** The body without the fields, or with the other name of the limit. */
export function withoutFields(body: Body, fields: ReadonlySet<string>): Body {
  if (fields.size === 0) return body;
  const entries = Object.entries(body).flatMap(([key, value]) => {
    if (!fields.has(key)) return [[key, value]];
    const other = renamedFields[key];
    return other === undefined ? [] : [[other, value]];
  });
  const rest = Object.fromEntries(entries);
  return fields.has('strict') ? (withoutStrict(rest) as Body) : rest;
}

const strictPlaces = ['tools', 'function', 'response_format', 'json_schema', 'text', 'format'];

/** It is part of tools and formats. */
function withoutStrict(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutStrict);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key, inner]) => key !== 'strict' || typeof inner !== 'boolean');
  return Object.fromEntries(
    entries.map(([key, inner]) => [key, strictPlaces.includes(key) ? withoutStrict(inner) : inner]),
  );
}

/** A server's response to a request that it did not accept. */
export interface Refusal {
  readonly statusCode: number;
  /** Its own words; may be empty. */
  readonly words: string;
}

const unsupported =
  /unsupported|not[ _]support|n't support|unknown|unrecogni[sz]ed|unexpected|not (?:allowed|permitted|accepted|available)|extra|additional|forbidden|deprecated|only the default|no longer|instead/i;
const aboutRequest =
  /unsupported|unknown|unrecogni[sz]ed|unexpected|extra |additional|not permitted|invalid (?:request|param|field|argument|option)|malformed|validation|unprocessable|^bad request$/i;

/**
 * The fields to leave out of the next try: those that a refusal names; when it names none, those that Millrace adds by itself.
 * @param body as it was sent
 * @returns empty = the refusal is not about such fields
 */
export function fieldsToOmit({ statusCode, words }: Refusal, body: Body): readonly string[] {
  if (statusCode !== 400 && statusCode !== 422) return [];
  const sent = sentFields(body);
  const named = sent.filter((field) => new RegExp(`(?<![a-z_])${field}(?![a-z_])`, 'i').test(words));
  const isUnsupported = unsupported.test(words);
  const refused = named.filter((field) => ownFields.includes(field) || isUnsupported);
  if (named.length > 0) return refused.filter((field) => field !== formatField);
  const isUnclear = words === '' || aboutRequest.test(words);
  return isUnclear ? sent.filter((field) => ownFields.includes(field)) : [];
}

/** Whether the server does not accept the field for the shape of an answer, whatever the shape. */
export function isFormatRefused({ statusCode, words }: Refusal, body: Body): boolean {
  const isNamed = formatField in body && /response_format|json_(?:schema|object)/i.test(words);
  return (statusCode === 400 || statusCode === 422) && isNamed && unsupported.test(words);
}

function sentFields(body: Body): readonly string[] {
  const text = JSON.stringify([body['tools'], body['response_format'], body['text']]);
  return omittableFields.filter(
    (field) => field in body || (field === 'strict' && /"strict":(?:true|false)/.test(text)),
  );
}

/** Fields that servers have refused, for as long as the program runs. */
export class RefusedFields {
  readonly #fields = new Map<string, Set<string>>();

  /** Fields that Millrace adds are remembered per provider, those that a flow sets per model: other models may support them. */
  of(address: string, model: string): readonly string[] {
    return [...(this.#fields.get(address) ?? []), ...(this.#fields.get(`${address} ${model}`) ?? [])];
  }

  add(address: string, model: string, fields: readonly string[]): void {
    for (const field of fields) {
      const place = ownFields.includes(field) || field === formatField ? address : `${address} ${model}`;
      this.#fields.set(place, (this.#fields.get(place) ?? new Set()).add(field));
    }
  }
}

/** Whether an answer may be another one without the field. */
export function isWished(field: string): boolean {
  return wishedFields.includes(field);
}
