/**
 * Adapts the Millrace library to a benchmark that compares several engines. `PEER_BENCH` is the folder of that
 * benchmark: its `lib/engine.mjs` creates engines, and `work` from its `lib/probe.mjs` is the work of each node. See
 * `CONTRIBUTING.md`.
 *
 * Nodes receive the results of all their predecessors through bindings, every run sends its events to one subscriber,
 * and schemas are checked. The result is the cost in a program that embeds the library.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  asRunId,
  asSessionId,
  checkFlow,
  compileFlow,
  createEngine,
  createHarness,
  createHub,
  createNodeRegistry,
  defineNodeType,
  renderDiagnostic,
  runFlow,
  z,
} from 'millrace';

const bench = process.env.PEER_BENCH;
if (bench === undefined) throw new Error('Set PEER_BENCH to the folder of the benchmark.');
const importOfBench = (file) => import(pathToFileURL(path.resolve(bench, file)).href);
const { engine } = await importOfBench('lib/engine.mjs');
const { work } = await importOfBench('lib/probe.mjs');

const workNode = defineNodeType(
  {
    type: 'bench.work',
    title: 'Work',
    description: 'Does the work of one node of the bench.',
    category: 'data',
    icon: 'box',
    inputSchema: z.object({ before: z.array(z.int()) }),
    configSchema: z.object({ i: z.int() }),
    outputSchema: z.object({ v: z.int() }),
    effects: 'pure',
  },
  {
    capabilities: [],
    run: async ({ config }) => work(config.i),
  },
);
const nodePacks = [{ name: 'bench', version: '1', nodeTypes: [workNode] }];
const registry = createNodeRegistry([], { nodePacks });

const idOf = (i) => `n${i}`;

function docOf({ preds, edges }) {
  return {
    flow: { name: 'Bench', nodePacks: ['bench'] },
    nodes: preds.map((before, i) => ({
      id: idOf(i),
      type: workNode.type,
      input: { before: before.map((from) => `{{${idOf(from)}.v}}`) },
      config: { i },
    })),
    edges: edges.map(([from, to]) => ({ from: idOf(from), to: idOf(to) })),
  };
}

/** Writes one line per node and edge, as in a handwritten file. JSON is valid YAML. */
function textOf(graph) {
  const { flow, nodes, edges } = docOf(graph);
  const lines = (list) => list.map((entry) => `  - ${JSON.stringify(entry)}\n`).join('');
  return `flow: ${JSON.stringify(flow)}\nnodes:\n${lines(nodes)}edges:\n${lines(edges)}`;
}

function load(text) {
  const { flow, diagnostics } = checkFlow(text, registry);
  if (flow === null) throw new Error(diagnostics.map((found) => renderDiagnostic('bench', found)).join('\n'));
  return flow;
}

const listenerFor = (tell) => (events) => {
  for (const { event } of events) {
    if (event.type === 'task:start') tell('start');
    else if (event.type === 'task:complete') tell('end');
  }
};

function refuseUnlessCompleted(status) {
  if (status !== 'completed') throw new Error(`The run ended ${status}`);
}

const inMemory = engine({
  name: 'millrace',
  packages: [],
  notes: 'compileFlow once, runFlow per run, all events to one listener; nodes bind the results of all before them',
  async prepare(graph, { listener = () => {} }) {
    const flow = compileFlow(docOf(graph));
    const exec = async () => {
      const { hub, subscribe, close } = createHub({ runId: asRunId('bench'), sessionId: asSessionId('bench') });
      subscribe(listenerFor(listener));
      const { status } = await runFlow({ flow, registry, inputs: {} }, createHarness(hub));
      close();
      refuseUnlessCompleted(status);
    };
    return { exec };
  },
  file: { format: 'YAML, + checks and compile', write: textOf, load },
});

const withHistory = engine({
  name: 'millrace-sqlite',
  packages: [],
  notes:
    'startRun from text (parsed and checked every time) with the history in an SQLite file, durable after every node',
  async prepare(graph, { listener = () => {} }) {
    const workspace = mkdtempSync(path.join(tmpdir(), 'millrace-bench-'));
    process.on('exit', () => rmSync(workspace, { recursive: true, force: true }));
    const host = await createEngine({ workspace, nodePacks });
    host.subscribe(listenerFor(listener));
    const text = textOf(graph);
    const exec = async () => {
      const { runId } = await host.startRun({ path: 'bench.flow.yaml', text, inputs: {} });
      const { status } = await host.whenEnded(runId);
      refuseUnlessCompleted(status);
    };
    return { exec, close: () => host.close() };
  },
});

// biome-ignore lint/style/noDefaultExport: the benchmark imports the engines from the default export.
export default [inMemory, withHistory];
