/**
 * Converts chunks that resemble OpenAI's chat completions into strictly valid ones.
 */

import { wordsOfValue } from './error-words.ts';
import { type CollectedCall, ToolCallCollector } from './tool-call-collector.ts';

type ChunkFields = Readonly<Record<string, unknown>>;

/** A chunk that the SDK accepts. */
export type ChatChunk = ChunkFields;

const finishReasons: Readonly<Record<string, readonly string[]>> = {
  stop: ['stop', 'eos', 'eos_token', 'end_turn', 'stop_sequence', 'stop_token', 'complete', 'completed', 'finished'],
  length: ['length', 'max_tokens', 'max_output_tokens', 'max_length', 'model_length', 'model_context_window_exceeded'],
  tool_calls: ['tool_calls', 'tool_call', 'tool_use', 'function_call'],
  content_filter: ['content_filter', 'content_filtered', 'safety', 'sensitive', 'recitation', 'prohibited_content'],
  refusal: ['refusal'],
  error: ['error', 'network_error', 'insufficient_system_resource', 'abort'],
};

const knownReasons = new Map(
  Object.entries(finishReasons).flatMap(([reason, names]) => names.map((name) => [name, reason] as const)),
);

/** Reads the chunks of one response in order. */
export class ChatChunks {
  readonly #calls = new ToolCallCollector();
  #choice: number | undefined;
  #reason: string | undefined;
  #hasUsage = false;
  #hasRefused = false;
  #hasFailed = false;
  #isEmpty = true;

  /** @returns undefined if the value is not a chunk */
  get isFinished(): boolean {
    return this.#reason !== undefined || this.#hasFailed;
  }

  /** @returns undefined if the value is not a chunk */
  take(value: unknown): readonly ChatChunk[] | undefined {
    if (Array.isArray(value)) {
      const parts = value.map((part) => this.take(part));
      return parts.some((part) => part !== undefined) ? parts.flatMap((part) => part ?? []) : undefined;
    }
    if (!isFields(value) || this.#hasFailed) return this.#hasFailed ? [] : undefined;
    const error = errorIn(value);
    if (error !== undefined) return this.#fail(error);
    if (!isChunk(value)) return undefined;
    const choice = this.#choiceOf(value);
    this.#isEmpty &&= choice === undefined;
    const usage = usageIn(value['usage'] ?? fieldsOf(value['x_groq'])['usage'] ?? choice?.['usage']);
    this.#hasUsage ||= usage !== undefined;
    const delta = choice === undefined ? {} : this.#delta(choice);
    if (this.#reason === 'error') return this.#fail({ message: 'The server ended the response with an error.' });
    return [
      {
        ...headOf(value),
        choices: Object.keys(delta).length === 0 ? [] : [{ index: 0, delta, finish_reason: null }],
        ...(usage === undefined ? {} : { usage }),
      },
    ];
  }

  /**
   * Returns the chunks that complete the response: tool calls and the finish reason.
   * @param isComplete whether the server has marked the end, even without a reason
   * @returns the chunks; `isGuessed` if the finish reason was inferred
   */
  end(isComplete: boolean): {
    readonly chunks: readonly ChatChunk[];
    readonly isGuessed: boolean;
    readonly lost: number;
  } {
    const { calls, lost } = this.#calls.end();
    if (this.#hasFailed) return { chunks: [], isGuessed: false, lost };
    if (this.#isEmpty) {
      const chunks = isComplete ? this.#fail({ message: 'The response is empty.' }) : [];
      return { chunks, isGuessed: false, lost };
    }
    const isGuessed = this.#reason === undefined && (isComplete || this.#hasUsage);
    const reason = this.#reason ?? (isGuessed ? 'stop' : undefined);
    if (reason === undefined) return { chunks: [], isGuessed: false, lost };
    return { chunks: [endChunk(calls, this.#endReason(reason, calls))], isGuessed, lost };
  }

  #endReason(reason: string, calls: readonly CollectedCall[]): string {
    if (reason !== 'stop') return reason;
    return calls.length > 0 ? 'tool_calls' : this.#hasRefused ? 'refusal' : reason;
  }

  #fail(error: ChunkFields): readonly ChatChunk[] {
    this.#hasFailed = true;
    return [{ error }];
  }

  /** Returns the first choice that the server started; the others are alternative responses. */
  #choiceOf({ choices }: ChunkFields): ChunkFields | undefined {
    const list = (Array.isArray(choices) ? choices : [choices]).filter(isFields);
    this.#choice ??= list[0] === undefined ? undefined : indexOf(list[0]);
    return list.find((one) => indexOf(one) === this.#choice);
  }

  /** Returns the delta of a choice without fields that the SDK would reject. */
  #delta(choice: ChunkFields): ChunkFields {
    const said = choice['delta'] ?? choice['message'] ?? { content: choice['text'] };
    const given = isFields(said) ? said : { content: said };
    const { tool_calls: calls, function_call: call } = given;
    for (const one of Array.isArray(calls) ? calls : [calls]) if (isFields(one)) this.#calls.take(one);
    if (isFields(call)) this.#calls.take({ index: 'function_call', function: call });
    const reason = choice['finish_reason'] ?? choice['stop_reason'];
    if (typeof reason === 'string' && reason !== '') this.#reason = knownReasons.get(reason.toLowerCase()) ?? reason;
    const { text, thoughts } = partsOf(given['content']);
    const refusal = textOf(given['refusal']);
    this.#hasRefused ||= refusal !== '';
    const reasoning = reasoningIn(given) + thoughts;
    return {
      ...(text + refusal === '' ? {} : { content: text + refusal }),
      ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    };
  }
}

const chunkKeys = ['choices', 'usage', 'id', 'object', 'created', 'model', 'type'];

/** An object without any known key is not a chunk, except an empty one, which is a keep-alive. */
function isChunk(value: ChunkFields): boolean {
  const { choices } = value;
  const isUsable =
    !Array.isArray(choices) || choices.length === 0 || choices.some((one) => one === null || isFields(one));
  const keys = Object.keys(value);
  return isUsable && typeof choices !== 'string' && (keys.length === 0 || chunkKeys.some((key) => key in value));
}

function indexOf({ index }: ChunkFields): number {
  const number = Number(index ?? 0);
  return Number.isInteger(number) ? number : 0;
}

function endChunk(calls: readonly CollectedCall[], reason: string): ChatChunk {
  const called = calls.map(({ id, name, text, extra }, index) => ({
    ...{ index, id, type: 'function', function: { name, arguments: text } },
    ...(extra === undefined ? {} : { extra_content: extra }),
  }));
  const delta = called.length === 0 ? {} : { tool_calls: called };
  return { choices: [{ index: 0, delta, finish_reason: reason }] };
}

/** Returns an error within a stream in OpenAI's format. */
function errorIn(chunk: ChunkFields): ChunkFields | undefined {
  const { error, choices, base_resp: response } = chunk;
  const status = countOf(fieldsOf(response)['status_code']) ?? 0;
  const hasError = isFields(error) ? Object.keys(error).length > 0 : Boolean(error);
  const isOnlyError =
    choices === undefined && ['detail', 'errors', 'message', 'msg'].some((key) => wordsOfValue(chunk[key]) !== '');
  if (!hasError && !isOnlyError && status === 0 && chunk['object'] !== 'error' && chunk['type'] !== 'error') {
    return undefined;
  }
  const inner = fieldsOf(error);
  const type = inner['type'] ?? chunk['type'];
  const code = inner['code'] ?? inner['status'] ?? chunk['code'] ?? chunk['status'] ?? chunk['status_code'];
  return {
    message: wordsOfValue(chunk) || JSON.stringify(chunk),
    ...(typeof type === 'string' ? { type } : {}),
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
  };
}

function headOf({ id, created, model }: ChunkFields): ChunkFields {
  const at = Number(created);
  return {
    ...(typeof id === 'string' ? { id } : {}),
    ...(created !== null && Number.isFinite(at) && Math.abs(at) < 8.64e12 ? { created: at } : {}),
    ...(typeof model === 'string' ? { model } : {}),
  };
}

/** Returns the text of content that is a string or a list of parts. */
function partsOf(content: unknown): { readonly text: string; readonly thoughts: string } {
  if (!Array.isArray(content)) return { text: textOf(content), thoughts: '' };
  const isThought = (part: unknown): boolean => isFields(part) && /think|reason/.test(String(part['type']));
  return {
    text: content
      .filter((part) => !isThought(part))
      .map(textOf)
      .join(''),
    thoughts: content.filter(isThought).map(textOf).join(''),
  };
}

const textKeys = ['text', 'content', 'value', 'thinking', 'reasoning', 'refusal', 'summary'];

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.map(textOf).join('');
  if (!isFields(value)) return '';
  const key = textKeys.find((one) => value[one] !== undefined && value[one] !== null);
  if (key !== undefined) return textOf(value[key]);
  // Some hosts return requested JSON as a value. An object with a type is a part, such as an image.
  return 'type' in value || Object.keys(value).length === 0 ? '' : JSON.stringify(value);
}

/** The same thinking may be repeated under several keys. */
function reasoningIn(delta: ChunkFields): string {
  const names = ['reasoning_content', 'reasoning', 'thinking', 'reasoning_details'];
  return names.map((name) => textOf(delta[name])).find((text) => text !== '') ?? '';
}

function usageIn(usage: unknown): ChunkFields | undefined {
  if (!isFields(usage)) return undefined;
  const prompt = countOf(usage['prompt_tokens']) ?? countOf(usage['input_tokens']);
  const completion = countOf(usage['completion_tokens']) ?? countOf(usage['output_tokens']);
  if (prompt === undefined && completion === undefined) return undefined;
  const cached = countOf(fieldsOf(usage['prompt_tokens_details'])['cached_tokens']);
  const thought = countOf(fieldsOf(usage['completion_tokens_details'])['reasoning_tokens']);
  return {
    ...(prompt === undefined ? {} : { prompt_tokens: prompt }),
    ...(completion === undefined ? {} : { completion_tokens: completion }),
    ...(cached === undefined ? {} : { prompt_tokens_details: { cached_tokens: cached } }),
    ...(thought === undefined ? {} : { completion_tokens_details: { reasoning_tokens: thought } }),
  };
}

/** Returns a count, even if it is written as a string. */
function countOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? Math.round(number) : undefined;
}

function fieldsOf(value: unknown): ChunkFields {
  return isFields(value) ? value : {};
}

function isFields(value: unknown): value is ChunkFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
