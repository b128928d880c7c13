/**
 * Counts what the engine does per node (bytes, promises, statements, messages) and prints the counts as JSON. Optimized
 * code allocates less over time, so this script is started with `--no-opt` and without the baseline compilers. Two runs
 * then give the same counts.
 */
import { createHook } from 'node:async_hooks';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  asRunId,
  asSessionId,
  builtinNodes,
  checkFlow,
  createEngine,
  createHarness,
  createHub,
  createNodeRegistry,
  runFlow,
} from 'millrace';

const nodeCount = 1000;
/** With a real clock, a run would pause and write more often on a slow machine. */
const clock = { now: () => 1_700_000_000_000, setTimer: () => () => undefined };
const registry = createNodeRegistry(builtinNodes);

/** @param {number} count */
function chainFlow(count) {
  const nodes = Array.from({ length: count }, (_, index) => {
    const text = index === 0 ? 'start' : `{{n${index - 1}.text}}`;
    return `  - { id: n${index}, type: echo, input: { text: "${text}" } }\n`;
  });
  const edges = Array.from({ length: count - 1 }, (_, index) => `  - { from: n${index}, to: n${index + 1} }\n`);
  return `flow: { name: Chain }\nnodes:\n${nodes.join('')}edges:\n${edges.join('')}`;
}

/** @param {number} count */
function loopFlow(count) {
  return `flow: { name: Loop }
nodes:
  - { id: each, type: control.foreach, input: { items: [${Array.from({ length: count }, (_, index) => index)}], maxItems: ${count}, body: [echo] } }
  - { id: echo, type: echo, input: { text: "{{item}}" } }
edges: []
`;
}

/** @param {string} text */
async function runOnce(text) {
  const { flow, diagnostics } = checkFlow(text, registry);
  if (flow === null) throw new Error(JSON.stringify(diagnostics));
  const run = async () => {
    const { hub, subscribe, close } = createHub({ runId: asRunId('bench'), sessionId: asSessionId('bench'), clock });
    subscribe(() => undefined);
    const { status } = await runFlow({ flow, registry, inputs: {}, clock }, createHarness(hub, clock));
    close();
    if (status !== 'completed') throw new Error(`The run ended ${status}`);
  };
  // Warms up what is created once, such as plans and schema validators.
  await run();
  return run;
}

/**
 * Returns the smallest count of several runs, because V8 itself occasionally allocates memory. @param {() =>
 * Promise<void>} run
 */
async function bytesOf(run) {
  const { gc } = globalThis;
  if (gc === undefined) throw new Error('Start this with --expose-gc.');
  const bytes = [];
  for (let round = 0; round < 5; round++) {
    gc();
    const before = process.memoryUsage().heapUsed;
    await run();
    bytes.push(process.memoryUsage().heapUsed - before);
  }
  return Math.min(...bytes);
}

/** @param {() => Promise<void>} run */
async function promisesOf(run) {
  let promises = 0;
  const hook = createHook({
    init(_id, type) {
      if (type === 'PROMISE') promises++;
    },
  }).enable();
  await run();
  hook.disable();
  return promises;
}

let statements = 0;

/** Replaces the SQLite package that the engine loads with one that counts the executed statements. */
function countStatements() {
  const require = createRequire(import.meta.url);
  const { DatabaseSync } = require('@photostructure/sqlite');
  class CountingDatabase extends DatabaseSync {
    /** @param {string} sql */
    exec(sql) {
      statements++;
      super.exec(sql);
    }

    /** @param {string} sql */
    prepare(sql) {
      const statement = super.prepare(sql);
      /** @param {'run' | 'get' | 'all'} name */
      const counted =
        (name) =>
        (/** @type {unknown[]} */ ...given) => {
          statements++;
          return statement[name](...given);
        };
      return { run: counted('run'), get: counted('get'), all: counted('all') };
    }
  }
  const loaded = require.cache[require.resolve('@photostructure/sqlite')];
  if (loaded === undefined) throw new Error('The SQLite package is not loaded through require.');
  loaded.exports = { DatabaseSync: CountingDatabase };
}

/** Returns the number of SQLite statements that a flow executes. @param {string} text */
async function statementsOf(text) {
  countStatements();
  const workspace = await mkdtemp(path.join(tmpdir(), 'millrace-count-'));
  await writeFile(path.join(workspace, 'chain.flow.yaml'), text);
  const engine = await createEngine({ workspace, clock });
  try {
    const run = async () => {
      const { runId } = await engine.startRun({ path: 'chain.flow.yaml', text, inputs: {} });
      const { status } = await engine.whenEnded(runId);
      if (status !== 'completed') throw new Error(`The run ended ${status}`);
    };
    await run();
    const counts = [];
    for (let round = 0; round < 3; round++) {
      statements = 0;
      await run();
      counts.push(statements);
    }
    // Use the smallest count, because a slow run writes in more batches.
    const least = Math.min(...counts);
    if (least === 0) throw new Error('The engine has loaded another SQLite than the one that counts.');
    return least;
  } finally {
    await engine.close();
    await rm(workspace, { recursive: true });
  }
}

/** Returns the number of event batches that subscribers receive for one second of tokens. @param {number} tokens */
function groupsOf(tokens) {
  let now = 0;
  /** @type {{ at: number, callback: () => void }[]} */
  let timers = [];
  const clock = {
    now: () => now,
    setTimer: (/** @type {() => void} */ callback, /** @type {number} */ delayMs) => {
      const timer = { at: now + delayMs, callback };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
  };
  const { hub, subscribe, close } = createHub({ runId: asRunId('bench'), sessionId: asSessionId('bench'), clock });
  let groups = 0;
  subscribe(() => {
    groups++;
  });
  const task = hub.scoped({ task: { id: 'node:ask' } });
  for (let token = 0; token < tokens; token++) {
    task.emit({ type: 'agent:text', content: 'word ' });
    now += 1000 / tokens;
    const due = timers.filter(({ at }) => at <= now);
    timers = timers.filter(({ at }) => at > now);
    for (const { callback } of due) callback();
  }
  close();
  return groups;
}

/** @param {number} count @param {number} parts */
const each = (count, parts) => Math.round((count / parts) * 100) / 100;

const chain = await runOnce(chainFlow(nodeCount));
const loop = await runOnce(loopFlow(nodeCount));
const tokens = 200;
const counts = {
  'bytes allocated, per node': each(await bytesOf(chain), nodeCount),
  'bytes allocated, per item of a loop': each(await bytesOf(loop), nodeCount),
  'promises, per node': each(await promisesOf(chain), nodeCount),
  'promises, per item of a loop': each(await promisesOf(loop), nodeCount),
  'SQLite statements, per recorded node': each(await statementsOf(chainFlow(100)), 100),
  'groups of events, per streamed token': each(groupsOf(tokens), tokens),
};
console.log(JSON.stringify(counts));
