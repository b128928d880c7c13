/**
 * The streaming formats of each kind of provider, as server-sent events.
 */

/** A model response, independent of the format. */
export interface Spoken {
  /** The provider's own name of the model that responded. */
  readonly model: string;
  readonly thoughts: readonly string[];
  readonly pieces: readonly string[];
  /** Tool calls with their arguments as text, and the provider's signature of each call. */
  readonly calls?: readonly {
    readonly id: string;
    readonly name: string;
    readonly text: string;
    readonly signature?: string;
  }[];
  readonly finish: 'stop' | 'length' | 'calls';
  readonly usage: {
    readonly prompt: number;
    readonly completion: number;
    readonly cached?: number;
    readonly cacheWrite?: number;
    readonly thought?: number;
  };
}

export interface Wire {
  /** Path of requests for a response, below the base URL. */
  readonly path: (model: string) => string;
  /** The expected header with the key. */
  readonly keyHeader: (key: string) => readonly [string, string];
  /** All events up to the last piece. */
  body(spoken: Spoken): string[];
  /** The events that complete the response. */
  end(spoken: Spoken): string[];
  /** The body of an error response. */
  refusal(message: string): unknown;
  /** The response to the request for all models. */
  list(models: readonly string[]): unknown;
}

/** Arguments arrive in pieces. */
function halves(text: string): readonly string[] {
  const middle = Math.floor(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
}

function event(data: Readonly<Record<string, unknown>>): string {
  const name = typeof data['type'] === 'string' ? `event: ${data['type']}\n` : '';
  return `${name}data: ${JSON.stringify(data)}\n\n`;
}

const bearer = (key: string): readonly [string, string] => ['authorization', `Bearer ${key}`];
const openAiError = (message: string): unknown => ({ error: { message, type: 'x', code: 'y' } });
const openAiList = (models: readonly string[]): unknown => ({ object: 'list', data: models.map((id) => ({ id })) });

function chunk(model: string, delta: Readonly<Record<string, unknown>>, reason: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: reason }];
  return event({ id: 'c1', object: 'chat.completion.chunk', created: 1, model, choices });
}

const chatCompletions: Wire = {
  path: () => '/chat/completions',
  keyHeader: bearer,
  refusal: openAiError,
  list: openAiList,
  body: ({ model, thoughts, pieces, calls = [] }) => [
    ...thoughts.map((thought) => chunk(model, { role: 'assistant', reasoning_content: thought })),
    ...pieces.map((content) => chunk(model, { role: 'assistant', content })),
    ...calls.flatMap(({ id, name, text }, index) => [
      chunk(model, { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
      ...halves(text).map((half) => chunk(model, { tool_calls: [{ index, function: { arguments: half } }] })),
    ]),
  ],
  end: ({ model, finish, usage }) => [
    chunk(model, {}, finish === 'calls' ? 'tool_calls' : finish),
    event({
      id: 'c1',
      object: 'chat.completion.chunk',
      created: 1,
      model,
      choices: [],
      usage: {
        prompt_tokens: usage.prompt,
        completion_tokens: usage.completion,
        total_tokens: usage.prompt + usage.completion,
        prompt_tokens_details: { cached_tokens: usage.cached ?? 0 },
        completion_tokens_details: { reasoning_tokens: usage.thought ?? 0 },
      },
    }),
    'data: [DONE]\n\n',
  ],
};

const responses: Wire = {
  path: () => '/responses',
  keyHeader: bearer,
  refusal: openAiError,
  list: openAiList,
  body: ({ model, thoughts, pieces, calls = [] }) => [
    event({ type: 'response.created', response: { id: 'r1', created_at: 1, model } }),
    event({ type: 'response.output_item.added', output_index: 0, item: { type: 'reasoning', id: 'rs1' } }),
    ...thoughts.map((delta) =>
      event({ type: 'response.reasoning_summary_text.delta', item_id: 'rs1', summary_index: 0, delta }),
    ),
    event({ type: 'response.output_item.done', output_index: 0, item: { type: 'reasoning', id: 'rs1' } }),
    event({ type: 'response.output_item.added', output_index: 1, item: { type: 'message', id: 'm1' } }),
    ...pieces.map((delta) => event({ type: 'response.output_text.delta', item_id: 'm1', delta })),
    event({ type: 'response.output_item.done', output_index: 1, item: { type: 'message', id: 'm1' } }),
    ...calls.flatMap(({ id, name, text }, index) => {
      const place = { output_index: index + 2 };
      const item = { type: 'function_call', id: `fc-${id}`, call_id: id, name };
      return [
        event({ type: 'response.output_item.added', ...place, item: { ...item, arguments: '' } }),
        ...halves(text).map((delta) =>
          event({ type: 'response.function_call_arguments.delta', ...place, item_id: item.id, delta }),
        ),
        event({ type: 'response.output_item.done', ...place, item: { ...item, arguments: text, status: 'completed' } }),
      ];
    }),
  ],
  end: ({ finish, usage }) => [
    event({
      type: finish === 'length' ? 'response.incomplete' : 'response.completed',
      response: {
        incomplete_details: finish === 'length' ? { reason: 'max_output_tokens' } : null,
        usage: {
          input_tokens: usage.prompt,
          input_tokens_details: { cached_tokens: usage.cached ?? 0 },
          output_tokens: usage.completion,
          output_tokens_details: { reasoning_tokens: usage.thought ?? 0 },
        },
      },
    }),
  ],
};

function block(index: number, start: unknown, deltas: readonly unknown[]): string[] {
  return [
    event({ type: 'content_block_start', index, content_block: start }),
    ...deltas.map((delta) => event({ type: 'content_block_delta', index, delta })),
  ];
}

const messages: Wire = {
  path: () => '/messages',
  keyHeader: (key) => ['x-api-key', key],
  refusal: (message) => ({ type: 'error', error: { type: 'some_error', message } }),
  list: (models) => ({ data: models.map((id) => ({ type: 'model', id })), has_more: false }),
  body: ({ model, thoughts, pieces, usage, calls = [] }) => [
    event({
      type: 'message_start',
      message: {
        id: 'm1',
        type: 'message',
        role: 'assistant',
        model,
        content: [],
        stop_reason: null,
        usage: {
          input_tokens: usage.prompt - (usage.cached ?? 0) - (usage.cacheWrite ?? 0),
          cache_read_input_tokens: usage.cached ?? 0,
          cache_creation_input_tokens: usage.cacheWrite ?? 0,
          output_tokens: 1,
        },
      },
    }),
    ...block(0, { type: 'thinking', thinking: '' }, [
      ...thoughts.map((thinking) => ({ type: 'thinking_delta', thinking })),
      ...calls.slice(0, 1).map(({ signature = '' }) => ({ type: 'signature_delta', signature })),
    ]),
    event({ type: 'content_block_stop', index: 0 }),
    event({ type: 'ping' }),
    ...block(
      1,
      { type: 'text', text: '' },
      pieces.map((text) => ({ type: 'text_delta', text })),
    ),
    event({ type: 'content_block_stop', index: 1 }),
    ...calls.flatMap(({ id, name, text }, index) => [
      ...block(
        index + 2,
        { type: 'tool_use', id, name, input: {} },
        halves(text).map((half) => ({ type: 'input_json_delta', partial_json: half })),
      ),
      event({ type: 'content_block_stop', index: index + 2 }),
    ]),
  ],
  end: ({ finish, usage }) => [
    event({
      type: 'message_delta',
      delta: { stop_reason: { stop: 'end_turn', length: 'max_tokens', calls: 'tool_use' }[finish] },
      usage: { output_tokens: usage.completion },
    }),
    event({ type: 'message_stop' }),
  ],
};

function candidate(part: Readonly<Record<string, unknown>>): string {
  return event({ candidates: [{ index: 0, content: { role: 'model', parts: [part] } }] });
}

const generateContent: Wire = {
  path: (model) => `/models/${model}:streamGenerateContent?alt=sse`,
  keyHeader: (key) => ['x-goog-api-key', key],
  refusal: (message) => ({ error: { code: 400, message, status: 'SOME_STATUS' } }),
  list: (models) => ({ models: models.map((name) => ({ name: `models/${name}` })) }),
  body: ({ thoughts, pieces, calls = [] }) => [
    ...thoughts.map((text) => candidate({ text, thought: true })),
    ...pieces.map((text) => candidate({ text })),
    // Its arguments are not text and arrive at once.
    ...calls.map(({ name, text, signature }) =>
      candidate({
        functionCall: { name, args: JSON.parse(text) },
        ...(signature === undefined ? {} : { thoughtSignature: signature }),
      }),
    ),
  ],
  end: ({ finish, usage, model }) => [
    event({
      modelVersion: model,
      candidates: [
        { index: 0, content: { role: 'model', parts: [] }, finishReason: finish === 'length' ? 'MAX_TOKENS' : 'STOP' },
      ],
      usageMetadata: {
        promptTokenCount: usage.prompt,
        candidatesTokenCount: usage.completion - (usage.thought ?? 0),
        thoughtsTokenCount: usage.thought ?? 0,
        cachedContentTokenCount: usage.cached ?? 0,
        totalTokenCount: usage.prompt + usage.completion,
      },
    }),
  ],
};

/** Formats by kind of provider. */
export const wires = {
  openai: responses,
  anthropic: messages,
  gemini: generateContent,
  'openai-compatible': chatCompletions,
  ollama: chatCompletions,
} as const;
