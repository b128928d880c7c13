/**
 * The body of an answer of an HTTP server, with its messages in the shape that the SDK accepts.
 */
import { readMessages } from './read-message.ts';

interface BodyReading {
  /** Whether it is a stream of server-sent events, which are passed on as they come. */
  readonly isEvents: boolean;
  /** Called when a number would have been rounded, and is text instead. */
  readonly onQuoted: () => void;
}

export function readableBody(
  body: ReadableStream<Uint8Array>,
  { isEvents, onQuoted }: BodyReading,
): ReadableStream<Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const events = new EventSplitter();
  let whole = '';
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(bytes, controller) {
        const text = decoder.decode(bytes, { stream: true });
        if (isEvents) for (const event of events.push(text)) controller.enqueue(encoder.encode(readableEvent(event, onQuoted)));
        else whole += text;
      },
      flush(controller) {
        controller.enqueue(encoder.encode(isEvents ? events.open : readableJson(whole + decoder.decode(), onQuoted)));
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

/** An event with one message in each, or as it is when it holds none. */
function readableEvent(event: string, onQuoted: () => void): string {
  const lines = event.split('\n');
  const data = lines.flatMap((line) => (line.startsWith('data:') ? [line.slice(5).replace(/^ /, '')] : []));
  const messages = data.length === 0 ? undefined : readMessages(data.join('\n'), onQuoted);
  if (messages === undefined) return `${event}\n\n`;
  const others = lines.filter((line) => !line.startsWith('data:')).map((line) => `${line}\n`);
  return messages
    .map((message, index) => `${index === 0 ? others.join('') : ''}data: ${JSON.stringify(message)}\n\n`)
    .join('');
}
