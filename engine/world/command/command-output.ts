/**
 * A command's output stream: emitted as it arrives, with secrets masked, and stored up to a limit.
 */
import type { RunSecrets } from '../../runtime/kernel/hub/run-secrets.ts';
import { maskedBytes } from '../secrets/masked-bytes.ts';

interface CommandOutputOptions {
  readonly source: NodeJS.ReadableStream | null;
  readonly maxBytes: number;
  readonly secrets: RunSecrets | undefined;
  /** Receives decoded text, with U+FFFD in place of invalid UTF-8. */
  readonly onText: (text: string) => void;
  readonly onOverflow: () => void;
}

/** An output stream's content. */
interface HeldOutput {
  readonly text: string;
  /** The stream's bytes; undefined if the text represents all of them. */
  readonly base64: string | undefined;
}

/** Reads an output stream from its start. */
export class CommandOutput {
  /** Whether the limit was exceeded; the rest was discarded. */
  isTooMuch = false;
  /** Number of bytes read so far. */
  readBytes = 0;
  #isOver = false;
  readonly #pieces: Uint8Array[] = [];
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #onText: (text: string) => void;
  readonly #masked: ReturnType<typeof maskedBytes> | undefined;
  /** Chunks are processed one after the other. */
  #taken: Promise<void> = Promise.resolve();

  constructor({ source, maxBytes, secrets, onText, onOverflow }: CommandOutputOptions) {
    this.#onText = onText;
    this.#masked = secrets === undefined ? undefined : maskedBytes(secrets, async (piece) => this.#keep(piece));
    source?.on('data', (piece: Buffer) => {
      if (this.#isOver) return;
      this.readBytes += piece.byteLength;
      if (this.readBytes > maxBytes) {
        this.isTooMuch = true;
        onOverflow();
        return;
      }
      this.#taken = this.#taken.then(() => (this.#masked === undefined ? this.#keep(piece) : this.#masked.push(piece)));
    });
  }

  /**
   * Returns the entire output. Later output is read and discarded, so that a process that is still writing is not
   * blocked.
   */
  async end(): Promise<HeldOutput> {
    this.#isOver = true;
    await this.#taken;
    await this.#masked?.end();
    this.#tell(this.#decoder.decode());
    const bytes = Buffer.concat(this.#pieces);
    const text = bytes.toString('utf8');
    return { text, base64: Buffer.from(text).equals(bytes) ? undefined : bytes.toString('base64') };
  }

  #keep(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.#tell(this.#decoder.decode(piece, { stream: true }));
  }

  #tell(text: string): void {
    if (text !== '') this.#onText(text);
  }
}
