/**
 * What a server writes beside the protocol: its last lines in memory, and the same in a file, however much it writes.
 */
import type { Clock } from '../base/clock.ts';
import { cutText } from '../base/cut-text.ts';
import { writeFileAtomically } from '../files/atomic-write.ts';
import type { RunSecrets } from '../kernel/run-secrets.ts';

const mostLines = 200;
const longestLine = 2_000;
/** Of what comes within this time, the file is written once; in milliseconds. */
const filePauseMs = 2_000;

interface ServerLogOptions {
  /** Absolute. */
  readonly file: string;
  readonly clock: Clock;
  readonly secrets: Pick<RunSecrets, 'stream'>;
  /** Something was written. At most once in the time between two writes of the file. */
  readonly onChange: () => void;
}

/** The log of one server. */
export class ServerLog {
  #lines: string[] = [];
  #open = '';
  readonly #options: ServerLogOptions;
  #stream: { push(piece: string): void; end(): void } | undefined;
  #stopTimer: (() => void) | undefined;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(options: ServerLogOptions) {
    this.#options = options;
  }

  /** Its last lines, without secrets. */
  get tail(): readonly string[] {
    return this.#open === '' ? this.#lines : [...this.#lines, this.#open];
  }

  /** Takes what came, with marks in place of secrets also where one comes in pieces. */
  push(piece: string): void {
    this.#stream ??= this.#options.secrets.stream((text) => this.#take(text));
    this.#stream.push(piece);
    this.#stopTimer ??= this.#options.clock.setTimer(() => this.#write(), filePauseMs);
  }

  /** What is held back is taken, and the file written. */
  async end(): Promise<void> {
    this.#stream?.end();
    this.#stream = undefined;
    if (this.#stopTimer !== undefined) this.#write();
    await this.#writing;
  }

  #take(text: string): void {
    const pieces = (this.#open + text).split('\n');
    this.#open = cutText(pieces.pop() ?? '', longestLine);
    // Of a flood, only what stays is looked at.
    const added = pieces.slice(-mostLines).map((line) => cutText(line.replace(/\r$/, ''), longestLine));
    this.#lines = [...this.#lines, ...added].slice(-mostLines);
  }

  #write(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    const text = `${this.tail.join('\n')}\n`;
    // A workspace that cannot be written is told of elsewhere.
    this.#writing = this.#writing
      .then(() => writeFileAtomically(this.#options.file, text, 0o600))
      .catch(() => undefined);
    this.#options.onChange();
  }
}
