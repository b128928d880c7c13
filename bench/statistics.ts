/**
 * Benchmark statistics: medians and percentiles of samples that are taken alternately in one run.
 */

/** Returns the value below which `share` (0 to 1) of the samples lie. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const at = Math.min(sorted.length - 1, Math.floor(share * sorted.length));
  const value = sorted[at];
  if (value === undefined) throw new Error('No samples');
  return value;
}

export function median(samples: readonly number[]): number {
  return percentile(samples, 0.5);
}

/** Returns the CPU time that all threads of this process have used, in milliseconds. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

export interface Finding {
  readonly what: string;
  readonly ours: number;
  /** A well-known operation measured in the same run. */
  readonly yardstick: { readonly name: string; readonly value: number };
  readonly unit: string;
}

/** Prints one line: what was measured, the value, and its ratio to the baseline of the same run. */
export function report({ what, ours, yardstick, unit }: Finding): void {
  const ratio = (ours / yardstick.value).toFixed(2);
  console.log(
    `${what}: ${ours.toFixed(2)} ${unit}; ${yardstick.name}: ${yardstick.value.toFixed(2)} ${unit}; ratio ${ratio}`,
  );
}
