/**
 * Measures and limits a thread's computing time. Time that the machine spends on other work does not count, so a limit
 * has the same meaning under load.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { systemClock } from '../../base/clock.ts';

/** Linux counts a thread's time in hundredths of a second. */
const tickMs = 10;
/** Minimum interval between checks in milliseconds, given the resolution of a thread's time. */
const shortestLookMs = 20;
/** If a thread's time is not available, its limit is multiplied by this factor and compared with the process time. */
const processFactor = 3;

/** Returns the number under which Linux identifies the calling thread; undefined on other systems. */
export function ownThread(): number | undefined {
  try {
    const [, thread] = /\/task\/(\d+)$/.exec(readlinkSync('/proc/thread-self')) ?? [];
    return thread === undefined ? undefined : Number(thread);
  } catch {
    return undefined;
  }
}

/** Measures one thread's computing time from its creation on. */
export interface ComputingMeter {
  /** Whether it is the thread's own time; otherwise it is estimated from the process time. */
  readonly isExact: boolean;
  /** Returns the milliseconds so far. */
  read(): number;
}

/** @param thread number that the thread itself received from `ownThread` */
export function startMeter(thread: number | undefined): ComputingMeter {
  const base = thread === undefined ? undefined : timeOf(thread);
  if (thread !== undefined && base !== undefined) {
    let last = 0;
    return {
      isExact: true,
      read() {
        // The time of a thread that has ended no longer changes.
        last = Math.max(last, (timeOf(thread) ?? base) - base);
        return last;
      },
    };
  }
  const before = process.cpuUsage();
  return {
    isExact: false,
    read() {
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000 / processFactor;
    },
  };
}

/** Returns the milliseconds that one of this process's threads has computed since it started. */
function timeOf(thread: number): number | undefined {
  try {
    const text = readFileSync(`/proc/self/task/${thread}/stat`, 'latin1');
    // The name, which may contain spaces, ends with the last parenthesis.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[11]) + Number(fields[12]);
    return Number.isNaN(ticks) ? undefined : ticks * tickMs;
  } catch {
    return undefined;
  }
}

/**
 * Calls `onOver` once the thread has computed for longer than the limit.
 * @param limitMs milliseconds of computing time
 * @returns a function that stops watching
 */
export function limitComputing(meter: ComputingMeter, limitMs: number, onOver: () => void): () => void {
  let endTimer = (): void => undefined;
  const look = (): void => {
    const leftMs = limitMs - meter.read();
    if (leftMs <= 0) onOver();
    // A thread cannot compute for longer than the elapsed time.
    else endTimer = systemClock.setTimer(look, Math.max(leftMs, shortestLookMs));
  };
  endTimer = systemClock.setTimer(look, limitMs);
  return () => endTimer();
}
