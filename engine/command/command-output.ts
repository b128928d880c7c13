/**
 * One output of a command: told while it comes, with marks in place of secrets, and kept up to a limit.
 */
import type { RunSecrets } from '../kernel/run-secrets.ts';
import { maskedBytes } from '../secrets/masked-bytes.ts';

interface CommandOutputOptions {
  readonly source: NodeJS.ReadableStream | null;
  readonly maxBytes: number;
  readonly secrets: RunSecrets | undefined;
  /** Gets what came, with U+FFFD in place of what is no UTF-8. */
  readonly onText: (text: string) => void;
  readonly onOverflow: () => void;
}

/** What an output held. */
interface HeldOutput {
  readonly text: string;
  /** Of its bytes; undefined when all of them are in the text. */
  readonly base64: string | undefined;
}

/** Reads an output from its beginning. */
export class CommandOutput {
  /** More came than there may be; the rest was dropped. */
  isTooMuch = false;
  /** So far. */
  readBytes = 0;
  #isOver = false;
  readonly #pieces: Uint8Array[] = [];
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #onText: (text: string) => void;
  readonly #masked: ReturnType<typeof maskedBytes> | undefined;
  /** Pieces are taken one after the other. */
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

  /** Returns all of it. What comes later is read and dropped, so that a process that still writes is not stopped. */
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
