/**
 * How long tests wait for what they expect. Left to themselves they give up after a second, which fails what is right on a busy machine.
 */
import { vi } from 'vitest';

/** In milliseconds; below the time that a test may take, so that it is told what did not come. */
const patience = 60_000;

type WaitOptions = Parameters<typeof vi.waitFor>[1];

const { waitFor, waitUntil } = vi;

function patient(options: WaitOptions): WaitOptions {
  return typeof options === 'number' ? options : { timeout: patience, ...options };
}

vi.waitFor = (callback, options) => waitFor(callback, patient(options));
vi.waitUntil = (callback, options) => waitUntil(callback, patient(options));
