/**
 * Request fields that a server may not accept. Finds the rejected ones and builds the request without them.
 */

/** Fields that Millrace adds on its own. The response has the same meaning without them. */
const ownFields = ['stream_options', 'tool_choice', 'parallel_tool_calls', 'strict', 'store', 'prompt_cache_key'];
/** Fields set by a flow. They are omitted only if the server does not support them at all. */
const wishedFields = [
  ...['temperature', 'top_p', 'seed', 'stop', 'reasoning_effort', 'verbosity', 'frequency_penalty', 'presence_penalty'],
];
/** The limit on the response length has two names. It is renamed but never omitted, because it limits the cost. */
const renamedFields: Readonly<Record<string, string>> = {
  max_tokens: 'max_completion_tokens',
  max_completion_tokens: 'max_tokens',
};
/** Omitted by describing the schema in the prompt. */
export const formatField = 'response_format';

/** Fields that the setting `omit_fields` may contain. */
export const omittableFields: readonly string[] = [
  ...ownFields,
  ...wishedFields,
  ...Object.keys(renamedFields),
  formatField,
];

type Body = Readonly<Record<string, unknown>>;

/** Returns the body without the fields, or with the other name of the limit. */
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

/** `strict` occurs in tools and formats. */
function withoutStrict(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutStrict);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key, inner]) => key !== 'strict' || typeof inner !== 'boolean');
  return Object.fromEntries(
    entries.map(([key, inner]) => [key, strictPlaces.includes(key) ? withoutStrict(inner) : inner]),
  );
}

/** A server's response to a request that it rejected. */
export interface ProviderRejection {
  readonly statusCode: number;
  /** The server's message; may be empty. */
  readonly words: string;
}

const unsupported =
  /unsupported|not[ _]support|n't support|unknown|unrecogni[sz]ed|unexpected|not (?:allowed|permitted|accepted|available)|extra|additional|forbidden|deprecated|only the default|no longer|instead/i;
const aboutRequest =
  /unsupported|unknown|unrecogni[sz]ed|unexpected|extra |additional|not permitted|invalid (?:request|param|field|argument|option)|malformed|validation|unprocessable|^bad request$/i;

/**
 * Returns the fields to omit from the next attempt: those that the rejection names, or those that Millrace adds if it
 * names none.
 * @param body as sent
 * @returns empty if the rejection is not about such fields
 */
export function fieldsToOmit({ statusCode, words }: ProviderRejection, body: Body): readonly string[] {
  if (statusCode !== 400 && statusCode !== 422) return [];
  const sent = sentFields(body);
  const named = sent.filter((field) => new RegExp(`(?<![a-z_])${field}(?![a-z_])`, 'i').test(words));
  const isUnsupported = unsupported.test(words);
  const refused = named.filter((field) => ownFields.includes(field) || isUnsupported);
  if (named.length > 0) return refused.filter((field) => field !== formatField);
  const isUnclear = words === '' || aboutRequest.test(words);
  return isUnclear ? sent.filter((field) => ownFields.includes(field)) : [];
}

/** Whether the server rejects the response schema field altogether, regardless of the schema. */
export function isFormatRefused({ statusCode, words }: ProviderRejection, body: Body): boolean {
  const isNamed = formatField in body && /response_format|json_(?:schema|object)/i.test(words);
  return (statusCode === 400 || statusCode === 422) && isNamed && unsupported.test(words);
}

function sentFields(body: Body): readonly string[] {
  const text = JSON.stringify([body['tools'], body['response_format'], body['text']]);
  return omittableFields.filter(
    (field) => field in body || (field === 'strict' && /"strict":(?:true|false)/.test(text)),
  );
}

/** Fields that servers have rejected, remembered while the program runs. */
export class RefusedFields {
  readonly #fields = new Map<string, Set<string>>();

  /**
   * Fields that Millrace adds are remembered per provider, and those set by a flow per model, because other models may
   * support them.
   */
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

/** Whether the response may differ without the field. */
export function affectsAnswer(field: string): boolean {
  return wishedFields.includes(field);
}
