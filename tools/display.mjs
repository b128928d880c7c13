/** Where windows appear: the user's display, or a virtual one for tests. */
import { once } from 'node:events';
import { endChild, startChild } from './child-process.mjs';
import { ToolError } from './tool-error.mjs';

const startLimitMs = 10_000;

/** Whether windows can be shown to the user. Only Linux has sessions without a display. */
export function hasDisplay() {
  if (process.platform !== 'linux') return true;
  return Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']);
}

/**
 * @param {import('node:child_process').ChildProcess} server
 * @returns {Promise<string>} the number that the server writes to its third pipe when it is ready
 */
async function readDisplayNumber(server) {
  const pipe = /** @type {import('node:stream').Readable} */ (server.stdio[3]);
  const signal = AbortSignal.timeout(startLimitMs);
  const ended = once(server, 'exit', { signal }).then(() => {
    throw new ToolError('Xvfb ended before it was ready. Run "Xvfb -displayfd 1" to see why.');
  });
  const [data] = await Promise.race([once(pipe, 'data', { signal }), ended]);
  ended.catch(() => undefined);
  return String(data).trim();
}

/**
 * Does the work with the environment of a virtual display of its own, on systems that have such a thing. Tests never
 * draw on the user's display: a window that appears there would take the focus.
 * @template T
 * @param {(env: NodeJS.ProcessEnv) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withVirtualDisplay(work) {
  if (process.platform !== 'linux') return work(process.env);
  const server = startChild(
    'Xvfb',
    ['-displayfd', '3', '-screen', '0', '1920x1200x24', '-noreset', '-nolisten', 'tcp'],
    {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    },
  );
  try {
    const number = await readDisplayNumber(server);
    const { WAYLAND_DISPLAY: _, ...env } = process.env;
    return await work({ ...env, DISPLAY: `:${number}` });
  } finally {
    await endChild(server);
  }
}
