/**
 * A filter between the SDK and servers that only resemble OpenAI's chat completions. It converts event streams with
 * malformed chunks, JSON lines, or a single JSON value into the stream that the SDK expects. An unreadable chunk
 * affects only itself.
 */
import { type ChatChunk, ChatChunks } from './chat-chunks.ts';
import { ChatTexts, type WordListener } from './chat-texts.ts';
import { wordsOfBody } from './error-words.ts';

/** A stream's irregularities. */
export interface StreamNotes {
  /** Number of chunks and tool calls missing from the response. */
  lost: number;
  /** Whether the server gave no finish reason. */
  isWithoutReason: boolean;
}

/** Maximum number of characters of a body that is a single JSON value. */
const maxWholeBody = 64 * 1024 * 1024;

interface ChatStreamContext {
  /** Filled in while the body is read. */
  readonly notes: StreamNotes;
  readonly signal: AbortSignal | null | undefined;
  /** Called with each piece of the body, of any size. */
  readonly onBytes: () => void;
  readonly words: WordListener;
}

/**
 * Returns the body as the SDK expects it, without text and thinking, which the listener receives. An error in the
 * listener ends the stream.
 */
export function readableChatStream(
  body: ReadableStream<Uint8Array>,
  reading: ChatStreamContext,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const groups = chunksOf(body, reading);
  const texts = new ChatTexts(reading.words);
  return new ReadableStream({
    async pull(controller) {
      for (let next = await groups.next(); next.done !== true; next = await groups.next()) {
        const rest = texts.take(next.value);
        if (rest.length === 0) continue;
        controller.enqueue(encoder.encode(rest.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')));
        return;
      }
      controller.close();
    },
    cancel() {
      // Not awaited: while nothing arrives, only the signal of the request can end the read.
      groups.return(undefined).catch(() => undefined);
    },
  });
}

/** Yields a body's chunks in groups as they arrive; never yields an empty group. */
async function* chunksOf(
  body: ReadableStream<Uint8Array>,
  { notes, signal, onBytes }: ChatStreamContext,
): AsyncGenerator<readonly ChatChunk[], undefined> {
  const chunks = new ChatChunks();
  const events = new EventReader();
  const read = (values: readonly EventData[]): readonly ChatChunk[] =>
    values.flatMap((one) => {
      const taken = one === 'unreadable' ? undefined : chunks.take(one.value);
      if (taken === undefined) notes.lost++;
      return taken ?? [];
    });
  try {
    for await (const lines of linesOf(body, onBytes)) {
      const arrived = lines.flatMap((line) => (events.isDone ? [] : read(events.take(line))));
      if (arrived.length > 0) yield arrived;
      if (events.isDone) break;
    }
  } catch (thrown) {
    // A connection that breaks after a complete response has lost nothing.
    if (!chunks.isFinished || signal?.aborted === true) throw thrown;
  }
  const left = read(events.end());
  const { chunks: last, isGuessed, lost } = chunks.end(events.isDone || events.isWhole);
  notes.isWithoutReason = isGuessed;
  notes.lost += lost;
  if (left.length + last.length > 0) yield [...left, ...last];
}

type EventData = { readonly value: unknown } | 'unreadable';

/** Reads events line by line, and everything else as JSON. */
class EventReader {
  #name = '';
  /** Lines of an incomplete event. */
  #data: string[] = [];
  /** Lines outside events. */
  #other: string[] = [];
  #otherLength = 0;
  #hasRead = false;
  /** Number of lines that were a complete JSON value outside an event. */
  #lineValues = 0;
  isDone = false;
  /** Whether the body was a single JSON value, which is complete by itself. */
  isWhole = false;

  take(line: string): readonly EventData[] {
    if (line === '') return this.#other.length > 0 ? this.#keep(line) : this.#dispatch();
    const [, field = '', rest = ''] = /^(data|event|id|retry)[ \t]*:(.*)$/s.exec(line) ?? [];
    if (field === 'data') return this.#takeData(rest.trimStart());
    if (field === 'event') this.#name = rest.trim();
    if (field !== '' || line.startsWith(':')) return [];
    return this.#takeOther(line);
  }

  end(): readonly EventData[] {
    const left = this.#dispatch();
    const other = this.#other.join('\n');
    if (other.trim() === '') {
      this.isWhole = this.#lineValues === 1;
      return left;
    }
    const value = parsed(other);
    if (value !== undefined) {
      this.isWhole = true;
      return [...left, { value }];
    }
    if (this.#hasRead) return [...left, 'unreadable'];
    // For example a proxy's error page; its text is the only information.
    return [...left, { value: { error: wordsOfBody(other) || 'The response cannot be read.' } }];
  }

  #takeData(data: string): readonly EventData[] {
    if (data.trim() === '[DONE]') {
      const left = this.#dispatch();
      this.isDone = true;
      return left;
    }
    const value = parsed(data);
    // Complete even without the blank line after it.
    if (value !== undefined) return [...this.#dispatch(), this.#event(value)];
    this.#data.push(data);
    return [];
  }

  #dispatch(): readonly EventData[] {
    const lines = this.#data;
    if (lines.length === 0) {
      this.#name = '';
      return [];
    }
    this.#data = [];
    const value = parsed(lines.join('\n'));
    if (value !== undefined) return [this.#event(value)];
    const isError = this.#name === 'error';
    this.#name = '';
    if (isError) return [{ value: { error: lines.join(' ') } }];
    return lines.every((line) => line.trim() === '') ? [] : ['unreadable'];
  }

  #event(value: unknown): EventData {
    const isError = this.#name === 'error';
    this.#name = '';
    this.#hasRead = true;
    return { value: isError ? { error: value } : value };
  }

  #takeOther(line: string): readonly EventData[] {
    const value = this.#other.length === 0 && /^\s*[{[]/.test(line) ? parsed(line) : undefined;
    if (value === undefined) return this.#keep(line);
    this.#hasRead = true;
    this.#lineValues++;
    return [{ value }];
  }

  #keep(line: string): readonly EventData[] {
    this.#otherLength += line.length;
    if (this.#otherLength < maxWholeBody) this.#other.push(line);
    return [];
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Yields a body's lines in groups as they arrive, without a byte order mark. */
async function* linesOf(body: ReadableStream<Uint8Array>, onBytes: () => void): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder();
  let open: string[] = [];
  for await (const bytes of body) {
    onBytes();
    const text = decoder.decode(bytes, { stream: true });
    if (!/[\r\n]/.test(text)) {
      open.push(text);
      continue;
    }
    const lines = (open.join('') + text).split(/\r\n|\n|\r(?!$)/);
    open = lines.splice(-1);
    yield lines;
  }
  const rest = (open.join('') + decoder.decode()).replace(/\r$/, '');
  if (rest !== '') yield [rest];
}
