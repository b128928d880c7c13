/**
 * A server's output outside the protocol. The last lines are kept in memory and in a file, however much the server
 * writes.
 */
import type { Clock } from '../../base/clock.ts';
import { cutText } from '../../base/cut-text.ts';
import type { RunSecrets } from '../../runtime/kernel/hub/run-secrets.ts';
import { writeFileAtomically } from '../files/atomic-write.ts';

const mostLines = 200;
const longestLine = 2_000;
/** Minimum time between two writes to the file, in milliseconds. */
const filePauseMs = 2_000;

interface ServerLogOptions {
  /** Absolute path of the log file. */
  readonly file: string;
  readonly clock: Clock;
  readonly secrets: Pick<RunSecrets, 'stream'>;
  /** Called when something was written, at most once between two writes of the file. */
  readonly onChange: () => void;
}

/** One server's log. */
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

  /** The last lines, without secrets. */
  get tail(): readonly string[] {
    return this.#open === '' ? this.#lines : [...this.#lines, this.#open];
  }

  /** Adds output. Secrets are masked even if they arrive in pieces. */
  push(piece: string): void {
    this.#stream ??= this.#options.secrets.stream((text) => this.#take(text));
    this.#stream.push(piece);
    this.#stopTimer ??= this.#options.clock.setTimer(() => this.#write(), filePauseMs);
  }

  /** Removes everything. */
  clear(): void {
    this.#stream?.end();
    this.#stream = undefined;
    [this.#lines, this.#open] = [[], ''];
  }

  /** Flushes the text that is held back and writes the file. */
  async end(): Promise<void> {
    this.#stream?.end();
    this.#stream = undefined;
    if (this.#stopTimer !== undefined) this.#write();
    await this.#writing;
  }

  #take(text: string): void {
    const pieces = (this.#open + text).split('\n');
    this.#open = cutText(pieces.pop() ?? '', longestLine);
    // Processes only the lines that are kept, even for a flood.
    const added = pieces.slice(-mostLines).map((line) => cutText(line.replace(/\r$/, ''), longestLine));
    this.#lines = [...this.#lines, ...added].slice(-mostLines);
  }

  #write(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    const text = `${this.tail.join('\n')}\n`;
    // A workspace that is not writable is reported elsewhere.
    this.#writing = this.#writing
      .then(() => writeFileAtomically(this.#options.file, text, 0o600))
      .catch(() => undefined);
    this.#options.onChange();
  }
}
