/** `npm start [-- --workspace DIR]`: opens the program. Without a display, runs its main example in the terminal. */
import { cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bootstrap, bootstrapElectron } from './bootstrap.mjs';
import { runForeground } from './child-process.mjs';
import { displayProblem } from './display.mjs';
import { cliPath, exampleWorkspace, fromUsersFolder, root } from './paths.mjs';
import { say } from './progress.mjs';
import { sandboxProblem } from './sandbox.mjs';
import { ToolError } from './tool-error.mjs';

/** Logs only fatal errors. */
const quietChromium = '--log-level=3';
const mainExample = 'release-notes.flow.yaml';
/** Remains of examples that were run in place. */
const leavings = ['.millrace', 'out'].map((name) => path.join(exampleWorkspace, name));

/**
 * @param {readonly string[]} args arguments of the user
 * @returns {string[]} arguments for the program, which starts in another folder
 */
export function programArguments(args) {
  if (args.length === 0) return [];
  const [flag, folder] = args;
  if (args.length === 2 && flag === '--workspace' && folder) return ['--workspace', fromUsersFolder(folder)];
  throw new ToolError(`npm start accepts only "-- --workspace FOLDER", not "${args.join(' ')}".`);
}

/** @param {readonly string[]} args */
async function openWindow(args) {
  const electron = await bootstrapElectron({ build: true });
  const switches = [];
  const problem = await sandboxProblem(electron.dist);
  if (problem) {
    say(problem);
    switches.push('--no-sandbox');
  }
  if (!process.env['DISPLAY'] && process.env['WAYLAND_DISPLAY']) switches.push('--ozone-platform-hint=auto');
  // Chromium's log messages, about buses and graphics that this machine does not have, do not help the user.
  switches.push(quietChromium);
  return runForeground(electron.executable, [...switches, root, ...args]);
}

/** @param {string} problem why no window can be opened */
async function runExampleInTerminal(problem) {
  say(`No display is available (${problem}), so the main example runs in the terminal.`);
  await bootstrap({ electron: false, build: ['cli'] });
  const workspace = await mkdtemp(path.join(tmpdir(), 'millrace-example-'));
  await cp(exampleWorkspace, workspace, { recursive: true, filter: (file) => !leavings.includes(file) });
  const flow = path.join(workspace, mainExample);
  const code = await runForeground(process.execPath, [cliPath, 'run', flow, '--workspace', workspace]);
  say(`\nThe example and its results: ${workspace}`);
  say('To run any flow in the terminal: npm run -s millrace -- run FILE');
  say('To open the window, run "npm start" in a desktop session, over "ssh -X", or with DISPLAY set to an X server.');
  return code;
}

/**
 * @param {string[]} args
 * @returns {Promise<number>} exit code
 */
export async function main(args) {
  const forProgram = programArguments(args);
  const problem = await displayProblem(process.env);
  return problem ? runExampleInTerminal(problem) : openWindow(forProgram);
}
