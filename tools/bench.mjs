/**
 * `npm run bench [-- engine|start|window|live|durable|scale|history-postgres|check]`: measures the program together with baselines in the
 * same run and prints the ratios. Nothing is asserted, because machines differ and other programs run on them. Only `check` can
 * fail, because it counts.
 */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { benchCheck } from './bench-check.mjs';
import { bootstrap, bootstrapElectron } from './bootstrap.mjs';
import { endChild, runForeground, runOrFail } from './child-process.mjs';
import { withVirtualDisplay } from './display.mjs';
import { makeTestable, testEnvironment } from './e2e.mjs';
import { ensureModernNode } from './modern-node.mjs';
import { packProgram } from './package.mjs';
import { cacheDir, cliPath, packageFile, root } from './paths.mjs';
import { withProgress } from './progress.mjs';
import { startPostgres, startRestate } from './start-servers.mjs';
import { ToolError } from './tool-error.mjs';

const benchDir = path.join(cacheDir, 'bench');
const yardstickDir = path.join(benchDir, 'yardsticks');

async function buildBenches() {
  const vite = packageFile('vite/bin/vite.js');
  const yardsticks = path.join(root, 'bench', 'yardsticks');
  await rm(benchDir, { recursive: true, force: true });
  await runOrFail(process.execPath, [vite, 'build', '--config', 'vite.bench.config.ts'], { cwd: root });
  await cp(yardsticks, yardstickDir, { recursive: true });
  const page = path.join(yardsticks, 'plain-canvas');
  const pageOut = path.join(yardstickDir, 'plain-canvas');
  await runOrFail(process.execPath, [vite, 'build', page, '--base', './', '--outDir', pageOut, '--emptyOutDir'], {
    cwd: root,
  });
}

async function benchEngine() {
  const codes = [];
  for (const [bench, ...args] of [
    ['run-graphs.js'],
    ['chain.js'],
    ['calls.js'],
    ['evaluation.js'],
    ['foreach.js'],
    ['load.js'],
    ['edit.js'],
    ['diff.js'],
    ['fold.js'],
    ['agent-file.js'],
    ['lua.js'],
    ['javascript.js'],
    ['mcp-calls.js'],
    ['tool-calls.js'],
    ['streams.js'],
    ['conversations.js'],
    ['node-types.js'],
    ['agents.js'],
    ['secrets-and-answers.js'],
    ['policies.js'],
    ['webhooks.js'],
    ['cli-start.js', cliPath],
    ['serve-idle.js', cliPath],
  ]) {
    codes.push(await runForeground(process.execPath, [path.join(benchDir, `${bench}`), ...args], { cwd: root }));
  }
  return Math.max(...codes);
}

/**
 * @param {import('./electron-runtime.mjs').ElectronRuntime} electron
 * @param {readonly string[]} benches
 * @param {string} [other] executable of another version, for `live`
 */
async function benchProgram(electron, benches, other = '') {
  await withProgress('Packing', () => packProgram(electron, {}));
  const program = await makeTestable();
  return withVirtualDisplay(async (env) => {
    const codes = [];
    for (const bench of benches) {
      const others = bench === 'live' ? [other] : [electron.executable, yardstickDir];
      const args = [path.join(benchDir, `${bench}.js`), program, ...others];
      codes.push(await runForeground(process.execPath, args, { cwd: root, env: testEnvironment(env, program) }));
    }
    return Math.max(...codes);
  });
}

/**
 * Runs a measurement of runs on Restate and PostgreSQL.
 * @param {string} name
 */
async function benchDurable(name) {
  const node = await ensureModernNode();
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-bench-'));
  const servers = [await startRestate(folder), await startPostgres(folder)];
  try {
    const places = servers.flatMap(({ url, child }) => [url, String(child.pid)]);
    return await runForeground(node, [path.join(benchDir, `${name}.js`), cliPath, folder, ...places], { cwd: root });
  } finally {
    for (const { child, stopSignal } of servers) await endChild(child, stopSignal);
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

/**
 * @param {string[]} args name of a benchmark; all if empty
 * @returns {Promise<number>} exit code
 */
export async function main([name, option]) {
  const names = ['engine', 'start', 'window', 'live', 'durable', 'scale', 'history-postgres', 'check'];
  if (name !== undefined && !names.includes(name)) {
    throw new ToolError(
      `"${name}" is not a benchmark. Use one of ${names.join(', ')}; without a name, the first three run.`,
    );
  }
  if (name === 'check') return await benchCheck({ isWriting: option === '--write' });
  if (name === 'scale' || name === 'durable') {
    await bootstrap({ electron: false, build: ['cli'] });
    await withProgress('Building the benchmarks', buildBenches);
    return await benchDurable(name);
  }
  if (name === 'history-postgres') {
    await withProgress('Building the benchmarks', buildBenches);
    return await runForeground(process.execPath, [path.join(benchDir, `${name}.js`)], { cwd: root });
  }
  const electron = await bootstrapElectron({ build: true, programs: name === 'engine' ? [] : ['Xvfb'] });
  await withProgress('Building the benchmarks', buildBenches);
  const codes = [];
  if (name === undefined || name === 'engine') codes.push(await benchEngine());
  if (name !== 'engine')
    codes.push(await benchProgram(electron, name === undefined ? ['start', 'window'] : [name], option));
  return Math.max(...codes);
}
