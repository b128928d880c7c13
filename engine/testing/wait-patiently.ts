/**
 * How long tests wait for expected conditions. The default of one second causes false failures on a busy machine.
 */
import { vi } from 'vitest';

/** In milliseconds; shorter than the timeout of a test, so that the failed condition is reported. */
const patience = 60_000;

type WaitOptions = Parameters<typeof vi.waitFor>[1];

const { waitFor, waitUntil } = vi;

function patient(options: WaitOptions): WaitOptions {
  return typeof options === 'number' ? options : { timeout: patience, ...options };
}

vi.waitFor = (callback, options) => waitFor(callback, patient(options));
vi.waitUntil = (callback, options) => waitUntil(callback, patient(options));
