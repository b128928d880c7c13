/**
 * Figures of a bench: medians and percentiles of samples taken side by side in one run.
 */

/** Value below which `share` (0 to 1) of the samples lie. */
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

/** Milliseconds of processor time that this process has used, all threads included and other processes not. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

export interface Finding {
  readonly what: string;
  readonly ours: number;
  /** What the same run gave for something everybody knows. */
  readonly yardstick: { readonly name: string; readonly value: number };
  readonly unit: string;
}

/** Prints one line: what was measured, the figure, and its ratio to the yardstick of the same run. */
export function report({ what, ours, yardstick, unit }: Finding): void {
  const ratio = (ours / yardstick.value).toFixed(2);
  console.log(
    `${what}: ${ours.toFixed(2)} ${unit}; ${yardstick.name}: ${yardstick.value.toFixed(2)} ${unit}; ratio ${ratio}`,
  );
}
