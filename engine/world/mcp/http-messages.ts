/**
 * Converts the messages in the response body of an HTTP server to the shape that the SDK accepts.
 */
import { readMessages } from './read-message.ts';

interface BodyReading {
  /**
   * For a stream of server-sent events: the request id as JSON, or an empty string if no request waits for a response.
   * Events are passed on as they arrive. Absent if the body is JSON.
   */
  readonly requestId?: string | undefined;
  /** Called when a number was converted to text because it would have been rounded. */
  readonly onQuoted: () => void;
}

/** Returns the body with its messages in the shape that the SDK accepts. */
export function readableBody(
  body: ReadableStream<Uint8Array>,
  { requestId, onQuoted }: BodyReading,
): ReadableStream<Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const splitter = new EventSplitter();
  const events = new ReadableEvents(requestId ?? '', onQuoted);
  let whole = '';
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(bytes, controller) {
        const text = decoder.decode(bytes, { stream: true });
        if (requestId === undefined) whole += text;
        else for (const event of splitter.push(text)) controller.enqueue(encoder.encode(events.read(event)));
      },
      flush(controller) {
        const rest =
          requestId === undefined
            ? readableJson(whole + decoder.decode(), onQuoted)
            : splitter.open + events.missingAnswer();
        controller.enqueue(encoder.encode(rest));
      },
    }),
  );
}

function readableJson(text: string, onQuoted: () => void): string {
  const messages = readMessages(text, onQuoted);
  if (messages === undefined) return text;
  return JSON.stringify(messages.length === 1 ? messages[0] : messages);
}

/** Splits a stream into its events, in linear time. */
class EventSplitter {
  #pieces: string[] = [];
  /** The line end after the last piece, if there is one. */
  #lineEnd = '';
  #isAfterReturn = false;

  /** @returns the events that this piece completes, without the empty line after them */
  push(piece: string): readonly string[] {
    // The second half of a line end that has already been counted.
    const fresh = this.#isAfterReturn && piece.startsWith('\n') ? piece.slice(1) : piece;
    this.#isAfterReturn = piece.endsWith('\r');
    const parts = (this.#lineEnd + fresh.replace(/\r\n?/g, '\n')).split('\n\n');
    const open = parts.pop() ?? '';
    this.#lineEnd = open.endsWith('\n') ? '\n' : '';
    if (parts.length > 0) {
      parts[0] = this.#pieces.join('') + (parts[0] ?? '');
      this.#pieces = [];
    }
    this.#pieces.push(open.slice(0, open.length - this.#lineEnd.length));
    return parts;
  }

  /** The incomplete event. */
  get open(): string {
    return this.#pieces.join('') + this.#lineEnd;
  }
}

class ReadableEvents {
  readonly #requestId: string;
  readonly #onQuoted: () => void;
  #isAnswered = false;
  #mayBeResumed = false;

  constructor(requestId: string, onQuoted: () => void) {
    this.#requestId = requestId;
    this.#onQuoted = onQuoted;
  }

  /** Returns the event with one message per event, or unchanged if it contains none. */
  read(event: string): string {
    const lines = event.split('\n');
    this.#mayBeResumed ||= lines.some((line) => line.startsWith('id:'));
    const data = lines.flatMap((line) => (line.startsWith('data:') ? [line.slice(5).replace(/^ /, '')] : []));
    const messages = data.length === 0 ? undefined : readMessages(data.join('\n'), this.#onQuoted);
    if (messages === undefined) return `${event}\n\n`;
    // Some servers return a number as a string.
    this.#isAnswered ||= messages.some(
      (one) => !('method' in one) && [String(one.id), JSON.stringify(one.id)].includes(this.#requestId),
    );
    const others = lines.filter((line) => !line.startsWith('data:')).map((line) => `${line}\n`);
    return messages
      .map((message, index) => `${index === 0 ? others.join('') : ''}data: ${JSON.stringify(message)}\n\n`)
      .join('');
  }

  /**
   * Returns an error for a request without a response that no further stream can deliver. Otherwise its caller would
   * wait forever.
   */
  missingAnswer(): string {
    if (this.#requestId === '' || this.#isAnswered || this.#mayBeResumed) return '';
    const error = '{"code":-32000,"message":"The connection ended before the response."}';
    return `\n\ndata: {"jsonrpc":"2.0","id":${this.#requestId},"error":${error}}\n\n`;
  }
}
