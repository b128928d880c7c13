/** Where windows appear: on the user's display, or on a virtual one for tests. */
import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';
import { endChild, startChild } from './child-process.mjs';
import { ToolError } from './tool-error.mjs';

const startLimitMs = 10_000;
const answerLimitMs = 3_000;
const firstXPort = 6_000;

/**
 * Returns where a program looks for the X server of a display.
 * @param {string} display as in `DISPLAY`: `:0`, `:0.0`, `localhost:10.0`, `unix:1`
 * @returns {net.NetConnectOpts[]} addresses, any of which may respond; empty if the name cannot be parsed
 */
export function xServerAddresses(display) {
  const [, host = '', number] = display.match(/^(.*):(\d+)(\.\d+)?$/) ?? [];
  if (number === undefined) return [];
  if (host !== '' && host !== 'unix') return [{ host, port: firstXPort + Number(number) }];
  const socket = `/tmp/.X11-unix/X${number}`;
  // Servers listen on a socket file, on an abstract socket (Linux only), or on both.
  return [{ path: socket }, { path: `\0${socket}` }];
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {net.NetConnectOpts[]}
 */
function waylandAddresses({ WAYLAND_DISPLAY: name, XDG_RUNTIME_DIR: folder = '' }) {
  return name ? [{ path: path.resolve(folder, name) }] : [];
}

/**
 * @param {net.NetConnectOpts} address
 * @returns {Promise<void>} rejects if no server responds
 */
async function knock(address) {
  const socket = net.connect(address);
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(answerLimitMs) });
  } finally {
    socket.destroy();
  }
}

/** @param {readonly net.NetConnectOpts[]} addresses */
async function doesAnyAnswer(addresses) {
  return Promise.any(addresses.map(knock)).then(
    () => true,
    () => false,
  );
}

/**
 * Checks whether windows can be shown to the user. Only Linux has sessions without a display.
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string | undefined>} why they cannot be shown
 */
export async function displayProblem(env) {
  if (process.platform !== 'linux') return undefined;
  const { DISPLAY: x, WAYLAND_DISPLAY: wayland } = env;
  if (!x && !wayland) return 'neither DISPLAY nor WAYLAND_DISPLAY is set';
  if (await doesAnyAnswer([...(x ? xServerAddresses(x) : []), ...waylandAddresses(env)])) return undefined;
  const named = [x && `DISPLAY=${x}`, wayland && `WAYLAND_DISPLAY=${wayland}`].filter(Boolean);
  return `no server responds at ${named.join(' or ')}`;
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
 * Runs the work with the environment of a separate virtual display, on systems that support one. Tests never draw on
 * the user's display, because a window that appears there would take the focus.
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
