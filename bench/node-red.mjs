/**
 * Compares the engine with Node-RED: a chain of nodes that do almost nothing, in memory, and a process that runs a chain of
 * three once. Each value comes from a new process, and the engines alternate. Values are processor time, including that of
 * compilation and garbage collection, because other programs on the machine affect it less than elapsed time.
 *
 *     npm run build -- library
 *     npm install --prefix DIR --ignore-scripts node-red@4.1.15
 *     node bench/node-red.mjs DIR
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const rounds = 5;
const chainLength = 1000;
/** Until compiled code runs at its final speed. */
const warmUpMs = 1000;
const sampleMs = 1500;

/** The work of each node. */
const work = (i) => ({ v: i });

async function millraceChain(length) {
  const { asRunId, asSessionId, checkFlow, createHarness, createHub, createNodeRegistry, defineNodeType, runFlow, z } =
    await import('millrace');
  const workType = defineNodeType(
    {
      type: 'bench.work',
      title: 'Work',
      description: 'Does the work of one node.',
      category: 'data',
      icon: 'box',
      inputSchema: z.object({ before: z.any() }),
      configSchema: z.object({ i: z.int() }),
      outputSchema: z.object({ v: z.int() }),
      effects: 'pure',
    },
    { capabilities: [], run: async ({ config }) => work(config.i) },
  );
  const registry = createNodeRegistry([workType]);
  const ids = Array.from({ length }, (_, i) => i);
  const nodes = ids.map((i) => ({
    id: `n${i}`,
    type: 'bench.work',
    input: { before: i === 0 ? null : `{{n${i - 1}.v}}` },
    config: { i },
  }));
  const edges = ids.slice(1).map((i) => ({ from: `n${i - 1}`, to: `n${i}` }));
  // JSON is YAML.
  const { flow, diagnostics } = checkFlow(JSON.stringify({ flow: { name: 'Bench' }, nodes, edges }), registry);
  if (flow === null) throw new Error(JSON.stringify(diagnostics[0]));
  let count = 0;
  return async () => {
    count += 1;
    const { hub, subscribe, close } = createHub({ runId: asRunId(`r${count}`), sessionId: asSessionId('bench') });
    subscribe(() => undefined);
    const { status } = await runFlow({ flow, registry, inputs: {} }, createHarness(hub));
    close();
    if (status !== 'completed') throw new Error(status);
  };
}

/** Node-RED without its editor and its server, with flows in memory. */
async function nodeRedChain(length, packages, userDir) {
  const RED = createRequire(path.join(path.resolve(packages), 'package.json'))('node-red');
  const nothing = async () => ({});
  RED.init({
    userDir,
    httpAdminRoot: false,
    httpNodeRoot: false,
    logging: { console: { level: 'fatal', metrics: false, audit: false } },
    telemetry: { enabled: false, updateNotification: false },
    storageModule: {
      init: nothing,
      getFlows: async () => [],
      saveFlows: nothing,
      getCredentials: nothing,
      saveCredentials: nothing,
      getSettings: nothing,
      saveSettings: nothing,
      getSessions: nothing,
      saveSessions: nothing,
    },
  });
  await RED.start();
  let finish = () => undefined;
  RED.nodes.registerType('bench/work', 'bench-work', function Work(config) {
    RED.nodes.createNode(this, config);
    this.on('input', (message, send, done) => {
      message.payload = work(config.i);
      send(message);
      done();
      if (config.i === length - 1) finish();
    });
  });
  const tab = { id: 'tab', type: 'tab', label: 'Bench' };
  const nodes = Array.from({ length }, (_, i) => ({
    id: `n${i}`,
    z: 'tab',
    type: 'bench-work',
    i,
    x: 0,
    y: 0,
    wires: i === length - 1 ? [] : [[`n${i + 1}`]],
  }));
  const started = new Promise((resolve) => RED.events.once('flows:started', resolve));
  await RED.runtime.flows.setFlows({ flows: { flows: [tab, ...nodes] }, deploymentType: 'full' });
  await started;
  const first = RED.nodes.getNode('n0');
  return () =>
    new Promise((resolve) => {
      finish = () => resolve(undefined);
      first.receive({ payload: {} });
    });
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** Milliseconds of processor time of this process. */
function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Runs in the process of one measurement, and prints milliseconds. */
async function measure(engine, task, packages) {
  const userDir = mkdtempSync(path.join(tmpdir(), 'bench-'));
  const length = task === 'start' ? 3 : chainLength;
  const run = engine === 'millrace' ? await millraceChain(length) : await nodeRedChain(length, packages, userDir);
  await run();
  if (task === 'start') console.log(cpuMs());
  else {
    const warmEnd = cpuMs() + warmUpMs;
    while (cpuMs() < warmEnd) await run();
    const begin = cpuMs();
    let count = 0;
    for (; cpuMs() < begin + sampleMs; count++) await run();
    console.log((cpuMs() - begin) / count);
  }
  rmSync(userDir, { recursive: true });
  process.exit(0);
}

function compare(packages) {
  const program = fileURLToPath(import.meta.url);
  for (const [task, unit, scale] of [
    ['chain', 'µs per node', 1000 / chainLength],
    ['start', 'ms', 1],
  ]) {
    const found = { millrace: [], 'node-red': [] };
    for (let round = 0; round < rounds; round++) {
      for (const engine of Object.keys(found)) {
        const { stdout, stderr } = spawnSync(process.execPath, [program, packages, engine, task], { encoding: 'utf8' });
        const value = Number(stdout.trim().split('\n').at(-1));
        if (!(value > 0)) throw new Error(stderr || stdout);
        found[engine].push(value * scale);
      }
    }
    for (const [engine, values] of Object.entries(found)) {
      console.log(`${task} ${engine}: ${median(values).toFixed(2)} ${unit} (least ${Math.min(...values).toFixed(2)})`);
    }
    const ratio = median(found.millrace) / median(found['node-red']);
    const best = Math.min(...found.millrace) / Math.min(...found['node-red']);
    console.log(`${task}, Millrace relative to Node-RED: ${ratio.toFixed(2)} (least: ${best.toFixed(2)})`);
  }
}

const [packages, engine, task] = process.argv.slice(2);
if (packages === undefined) console.error('Usage: node bench/node-red.mjs DIR, with node-red installed in DIR');
else if (engine === undefined) compare(packages);
else await measure(engine, task, packages);
