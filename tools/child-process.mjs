/**
 * Starts other programs, and ensures that none of them outlives the tool that started it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { say } from './progress.mjs';
import { ToolError } from './tool-error.mjs';

/**
 * On Windows a detached child would get a separate console window. Console signals reach all processes there anyway.
 */
const hasGroups = process.platform !== 'win32';
/** A terminal signals the whole group, and npm then signals its child again, so one key press arrives here twice. */
const samePressMs = 300;

/** @type {Map<import('node:child_process').ChildProcess, { isForeground: boolean }>} */
const children = new Map();
/** @type {NodeJS.Signals | undefined} */
let stoppedBy;

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function signalChild(child, signal) {
  const pid = child.pid;
  if (pid === undefined) return;
  try {
    if (hasGroups && !children.get(child)?.isForeground) process.kill(-pid, signal);
    else child.kill(signal);
  } catch {
    // It has already ended.
  }
}

/**
 * Programs that own the terminal already receive its signals. The others may need time to clean up, as npm does, and
 * are ended at the second signal.
 * @param {NodeJS.Signals} signal
 * @param {boolean} isFirst
 */
function passOn(signal, isFirst) {
  const hidden = [...children.values()].filter(({ isForeground }) => !isForeground);
  if (isFirst && hidden.length > 0) say('Stopping. Press Ctrl-C again to stop immediately.');
  for (const [child, { isForeground }] of children) signalChild(child, isFirst || isForeground ? signal : 'SIGKILL');
}

/** Forwards the signals that mean "stop" to every child, once each. After that no further child can be started. */
export function endChildrenOnSignals() {
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    let lastAt = 0;
    process.on(signal, () => {
      const isFirst = stoppedBy === undefined;
      stoppedBy = signal;
      if (children.size === 0) process.exit(exitCodeOf(null, signal));
      const isRepeat = Date.now() - lastAt < samePressMs;
      lastAt = Date.now();
      if (!isRepeat && hasGroups) passOn(signal, isFirst);
    });
  }
}

/**
 * @param {number | null} code
 * @param {NodeJS.Signals | null} signal
 * @returns {number} the exit code that a shell would report
 */
export function exitCodeOf(code, signal) {
  if (code !== null) return code;
  return 128 + (signal === null ? 0 : constants.signals[signal]);
}

process.on('exit', () => {
  for (const child of children.keys()) signalChild(child, 'SIGTERM');
});

/** @returns {number | undefined} the exit code for the signal that stopped this process; undefined if there was none */
export function exitCodeOfStop() {
  return stoppedBy && exitCodeOf(null, stoppedBy);
}

/**
 * @typedef {object} ChildOptions
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env] replaces the environment
 * @property {number} [limitMs] time limit after which the program is ended
 */

/**
 * Starts a program that the caller waits for. It is ended together with this process.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions & { isForeground?: boolean }} options
 * @throws {ToolError} after a signal to stop
 */
export function startChild(command, args, { isForeground = false, ...options }) {
  if (stoppedBy) throw new ToolError('Stopped.');
  const child = spawn(command, args, { detached: hasGroups, ...options });
  children.set(child, { isForeground });
  child.once('exit', () => children.delete(child));
  child.once('error', () => children.delete(child));
  return child;
}

/**
 * Ends a program and waits until it has exited.
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} [signal]
 */
export async function endChild(child, signal = 'SIGTERM') {
  if (!children.has(child)) return;
  const gone = once(child, 'exit');
  signalChild(child, signal);
  await gone;
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<number>} its exit code
 */
function whenEnded(child) {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new ToolError(`Could not start ${child.spawnfile}: ${error.message}`)));
    child.once('close', (code, signal) => resolve(exitCodeOf(code, signal)));
  });
}

/**
 * Runs a program that takes over the terminal.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {ChildOptions} [options]
 * @returns {Promise<number>} its exit code
 */
export function runForeground(command, args, options = {}) {
  return whenEnded(startChild(command, args, { ...options, stdio: 'inherit', isForeground: true }));
}

/**
 * Runs a program and captures its output, with both streams combined.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {ChildOptions} [options]
 * @returns {Promise<{ code: number, output: string }>}
 */
export async function runCaptured(command, args, { limitMs, ...options } = {}) {
  const child = startChild(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const limit = limitMs === undefined ? undefined : setTimeout(() => signalChild(child, 'SIGTERM'), limitMs);
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text) => (output += text));
  child.stderr?.setEncoding('utf8').on('data', (text) => (output += text));
  try {
    return { code: await whenEnded(child), output };
  } finally {
    clearTimeout(limit);
  }
}

/**
 * Runs a program that is expected to succeed.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {ChildOptions} [options]
 * @returns {Promise<string>} its output
 * @throws {ToolError} with the whole output if it fails
 */
export async function runOrFail(command, args, options) {
  const { code, output } = await runCaptured(command, args, options);
  if (code === 0) return output;
  throw new ToolError(`${[command, ...args].join(' ')} failed with exit code ${code}:\n${output.trim()}`);
}

/**
 * Returns the program and the first arguments that start npm: the npm that started this process, or else the one on
 * the path, or on Windows the one installed with Node, because Node starts no `.cmd` file without a shell.
 * @param {{ npmScript?: string | undefined, platform: NodeJS.Platform, nodePath: string }} machine
 * @returns {[command: string, ...args: string[]]}
 */
export function npmCommand({ npmScript, platform, nodePath }) {
  if (npmScript?.endsWith('.js')) return [nodePath, npmScript];
  if (platform !== 'win32') return ['npm'];
  return [nodePath, path.win32.join(path.win32.dirname(nodePath), 'node_modules', 'npm', 'bin', 'npm-cli.js')];
}

/**
 * Runs npm and captures its output.
 * @param {readonly string[]} args
 * @param {ChildOptions} [options]
 */
export function captureNpm(args, options) {
  const { platform, execPath: nodePath, env } = process;
  const [command, ...first] = npmCommand({ npmScript: env['npm_execpath'], platform, nodePath });
  return runCaptured(command, [...first, ...args], options);
}

/**
 * Runs npm, which is expected to succeed.
 * @param {readonly string[]} args
 * @param {ChildOptions} [options]
 * @returns {Promise<string>} its output
 * @throws {ToolError} with the whole output if it fails
 */
export async function runNpm(args, options) {
  const { code, output } = await captureNpm(args, options);
  if (code === 0) return output;
  throw new ToolError(`npm ${args.join(' ')} failed with exit code ${code}:\n${output.trim()}`);
}
