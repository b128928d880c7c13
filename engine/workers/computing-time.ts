/**
 * How long a thread has computed, and a limit on that. Time in which the machine is busy with other work does not count, so a limit
 * means the same on a machine under load.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { systemClock } from '../base/clock.ts';

/** Linux counts the time of a thread in hundredths of a second. */
const tickMs = 10;
/** Milliseconds; the time of a thread is not more exact than that. */
const shortestLookMs = 20;
/** Where the time of one thread is not known, its limit is this many times as long in time of the process. */
const processFactor = 3;

/** The number under which Linux knows the thread that calls this; undefined on other systems. */
export function ownThread(): number | undefined {
  try {
    const [, thread] = /\/task\/(\d+)$/.exec(readlinkSync('/proc/thread-self')) ?? [];
    return thread === undefined ? undefined : Number(thread);
  } catch {
    return undefined;
  }
}

/** Counts the computing of one thread from when this is made. */
export interface ComputingMeter {
  /** Whether it is the thread's own time; else it is estimated from that of the process. */
  readonly isExact: boolean;
  /** Milliseconds so far. */
  read(): number;
}

/** @param thread as the thread itself has got it from `ownThread` */
export function startMeter(thread: number | undefined): ComputingMeter {
  const base = thread === undefined ? undefined : timeOf(thread);
  if (thread !== undefined && base !== undefined) {
    let last = 0;
    return {
      isExact: true,
      read() {
        // A thread that has just ended computes no longer.
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

/** Milliseconds that a thread of this process has computed since it began. */
function timeOf(thread: number): number | undefined {
  try {
    const text = readFileSync(`/proc/self/task/${thread}/stat`, 'latin1');
    // The name, which may contain blanks, ends with the last parenthesis.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[11]) + Number(fields[12]);
    return Number.isNaN(ticks) ? undefined : ticks * tickMs;
  } catch {
    return undefined;
  }
}

/**
 * Calls `onOver` once, when the thread has computed for longer than the limit.
 * @param limitMs milliseconds of computing
 * @returns ends the watching
 */
export function limitComputing(meter: ComputingMeter, limitMs: number, onOver: () => void): () => void {
  let endTimer = (): void => undefined;
  const look = (): void => {
    const leftMs = limitMs - meter.read();
    if (leftMs <= 0) onOver();
    // No thread computes for longer than the time that passes.
    else endTimer = systemClock.setTimer(look, Math.max(leftMs, shortestLookMs));
  };
  endTimer = systemClock.setTimer(look, limitMs);
  return () => endTimer();
}
