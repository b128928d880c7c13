/**
 * The body of an answer of an HTTP server, with its messages in the shape that the SDK accepts.
 */
import { readMessages } from './read-message.ts';

interface BodyReading {
  /** Of a stream of server-sent events, which are passed on as they come: the JSON of the id of the request that they answer, empty when none waits. Absent where the body is JSON. */
  readonly requestId?: string | undefined;
  /** Called when a number would have been rounded, and is text instead. */
  readonly onQuoted: () => void;
}

/** The body with its messages in that shape. */
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

/** Takes a stream apart into its events; each piece is looked at once. */
class EventSplitter {
  #pieces: string[] = [];
  /** The line end behind the last piece, when there is one. */
  #lineEnd = '';
  #isAfterReturn = false;

  /** @returns the events that have ended with this piece, without the empty line behind them */
  push(piece: string): readonly string[] {
    // Half of a line end that has been counted.
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

  /** What has begun. */
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

  /** The event with one message in each, or as it is when it holds none. */
  read(event: string): string {
    const lines = event.split('\n');
    this.#mayBeResumed ||= lines.some((line) => line.startsWith('id:'));
    const data = lines.flatMap((line) => (line.startsWith('data:') ? [line.slice(5).replace(/^ /, '')] : []));
    const messages = data.length === 0 ? undefined : readMessages(data.join('\n'), this.#onQuoted);
    if (messages === undefined) return `${event}\n\n`;
    this.#isAnswered ||= messages.some((one) => !('method' in one) && String(one.id) === this.#requestId);
    const others = lines.filter((line) => !line.startsWith('data:')).map((line) => `${line}\n`);
    return messages
      .map((message, index) => `${index === 0 ? others.join('') : ''}data: ${JSON.stringify(message)}\n\n`)
      .join('');
  }

  /** An error in place of an answer that never came, and that a further stream cannot bring: its caller would wait. */
  missingAnswer(): string {
    if (this.#requestId === '' || this.#isAnswered || this.#mayBeResumed) return '';
    const error = '{"code":-32000,"message":"The connection has ended before the answer."}';
    return `\n\ndata: {"jsonrpc":"2.0","id":${this.#requestId},"error":${error}}\n\n`;
  }
}
