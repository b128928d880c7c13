/** Writes a command's output to the node's log. Lines are joined, so that even large output causes few events. */
import type { Clock } from '../../base/clock.ts';
import type { CommandStream } from '../kernel/capabilities/command-capability.ts';
import type { Hub } from '../kernel/hub/hub.ts';

/** Milliseconds for which lines wait to be joined. */
const joinMs = 100;
/** Maximum number of characters per entry; a longer line is split. */
const longestPart = 16_384;
/** Maximum number of logged characters per output stream; the node's output contains the rest. */
const longestLog = 1024 * 1024;

const levels = { stdout: 'print', stderr: 'warn' } as const;

export class CommandLog {
  readonly #hub: Hub;
  readonly #clock: Clock;
  readonly #waiting: Record<CommandStream, string> = { stdout: '', stderr: '' };
  readonly #told: Record<CommandStream, number> = { stdout: 0, stderr: 0 };
  #stopTimer: (() => void) | undefined;

  constructor(hub: Hub, clock: Clock) {
    this.#hub = hub;
    this.#clock = clock;
  }

  add(stream: CommandStream, text: string): void {
    this.#waiting[stream] += text;
    while (this.#waiting[stream].length >= longestPart) this.#tell(stream, longestPart);
    this.#stopTimer ??= this.#clock.setTimer(() => {
      this.#stopTimer = undefined;
      // An incomplete line waits for its end.
      for (const one of ['stdout', 'stderr'] as const) this.#tell(one, this.#waiting[one].lastIndexOf('\n') + 1);
    }, joinMs);
  }

  /** Writes the remaining text. */
  end(): void {
    this.#stopTimer?.();
    for (const stream of ['stdout', 'stderr'] as const) this.#tell(stream, this.#waiting[stream].length);
  }

  #tell(stream: CommandStream, length: number): void {
    const text = this.#waiting[stream].slice(0, length).replace(/\n$/, '');
    this.#waiting[stream] = this.#waiting[stream].slice(length);
    if (text === '' || this.#told[stream] > longestLog) return;
    this.#told[stream] += text.length;
    const isLast = this.#told[stream] > longestLog;
    const level = levels[stream];
    this.#hub.emit({ type: 'log', level, text: isLast ? `${text}\n… further output is not logged` : text });
  }
}
