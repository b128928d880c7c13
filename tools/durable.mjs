/**
 * `npm run durable`: starts Restate and PostgreSQL on this machine, in temporary folders, and prints how to use them.
 * Ctrl-C stops both and deletes their data.
 */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bootstrap } from './bootstrap.mjs';
import { endChild, exitCodeOfStop } from './child-process.mjs';
import { ensureRestate } from './durable-servers.mjs';
import { ensureModernNode } from './modern-node.mjs';
import { cliPath, exampleWorkspace, root } from './paths.mjs';
import { say, withProgress } from './progress.mjs';
import { startPostgres, startRestate } from './start-servers.mjs';
import { ToolError } from './tool-error.mjs';

/** @typedef {import('./start-servers.mjs').Server} Server */

/**
 * @param {string} restate
 * @param {string} postgres
 */
async function explain(restate, postgres) {
  const node = await ensureModernNode();
  const millrace = [node, cliPath].map((file) => path.relative(root, file)).join(' ');
  const program = node === process.execPath ? 'npm run -s millrace --' : millrace;
  const options = `--on '${restate}' --history '${postgres}' --workspace ${path.relative(root, exampleWorkspace)}`;
  say(`Restate     ${restate}`);
  say(`PostgreSQL  ${postgres}`);
  say('\nIn a second terminal, start a worker:');
  say(`  ${program} worker ${options}`);
  say('In a third one, run a flow:');
  say(`  ${program} run ${path.relative(root, exampleWorkspace)}/release-notes.flow.yaml ${options}`);
  say('\nCtrl-C stops both servers and deletes their data.');
}

/**
 * @param {string[]} args
 * @returns {Promise<number>} exit code
 * @throws {ToolError} if a server cannot start, or ends by itself
 */
export async function main(args) {
  if (args.length > 0) throw new ToolError(`npm run durable accepts no arguments, not "${args.join(' ')}".`);
  await bootstrap({ electron: false, build: ['cli'] });
  for (const ensure of [ensureRestate, ensureModernNode]) await ensure();
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-durable-'));
  /** @type {Server[]} */
  const servers = [];
  /** @param {string} name @param {(folder: string) => Promise<Server>} start */
  const begin = async (name, start) => {
    const server = await withProgress(`Starting ${name}`, () => start(folder));
    servers.push(server);
    return server.url;
  };
  try {
    const restate = await begin('Restate', startRestate);
    const postgres = process.env['MILLRACE_TEST_POSTGRES'] || (await begin('PostgreSQL', startPostgres));
    await explain(restate, postgres);
    const ended = await Promise.race(servers.map(({ child }) => once(child, 'exit').then(() => child)));
    if (exitCodeOfStop() === undefined) throw new ToolError(`${path.basename(ended.spawnfile)} has ended by itself.`);
    return 0;
  } finally {
    for (const { child, stopSignal } of servers) await endChild(child, stopSignal);
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}
