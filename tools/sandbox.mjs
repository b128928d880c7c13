/** Checks whether Chromium's sandbox works on this machine. Development must be possible without it. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { runCaptured } from './child-process.mjs';

/** Returns whether ordinary users can create the namespaces that the sandbox requires. Some systems do not allow it. */
async function canMakeNamespaces() {
  const { code } = await runCaptured('unshare', ['--user', '--map-root-user', 'true']).catch(() => ({ code: 0 }));
  return code === 0;
}

/** @param {string} helper */
async function isSetUidRoot(helper) {
  const info = await stat(helper).catch(() => undefined);
  return info !== undefined && info.uid === 0 && (info.mode & 0o4000) !== 0;
}

/**
 * @param {string} dist folder of the runtime
 * @returns {Promise<string | undefined>} why the sandbox cannot be used, and how to fix that; undefined if it can
 */
export async function sandboxProblem(dist) {
  if (process.platform !== 'linux') return undefined;
  if (process.getuid?.() === 0) return 'Started as root, for which Chromium has no sandbox. Passing --no-sandbox.';
  const helper = path.join(dist, 'chrome-sandbox');
  if ((await isSetUidRoot(helper)) || (await canMakeNamespaces())) return undefined;
  return [
    'This system does not let ordinary users create namespaces, so the Chromium sandbox is off (--no-sandbox). To turn it on:',
    `  sudo chown root "${helper}" && sudo chmod 4755 "${helper}"`,
  ].join('\n');
}
