/**
 * The outputs of a command as lines of a node's log, joined, so that a command which writes much tells little at a time.
 */
import type { Clock } from '../base/clock.ts';
import type { CommandStream } from '../kernel/command-capability.ts';
import type { Hub } from '../kernel/hub.ts';

/** Milliseconds that lines wait for others. */
const joinMs = 100;
/** Characters; a line that is longer is told in parts. */
const longestPart = 16_384;
/** Characters of each output; the rest is in the node's output only. */
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
      // The beginning of a line waits for its end.
      for (const one of ['stdout', 'stderr'] as const) this.#tell(one, this.#waiting[one].lastIndexOf('\n') + 1);
    }, joinMs);
  }

  /** Tells what is left. */
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
    this.#hub.emit({ type: 'log', level, text: isLast ? `${text}\n… more is not in the log` : text });
  }
}
