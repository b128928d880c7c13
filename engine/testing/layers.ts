/**
 * Who may import whom, as data. A layer is a folder or a file; a file belongs
 * to the longest layer that its path begins with.
 */
import path from 'node:path';
import type { Import } from './read-imports.ts';

export interface LayerRule {
  /** Folders and files whose values and types this layer may import, beside itself. */
  readonly values: readonly string[];
  /** Those of which it may import types only. */
  readonly types?: readonly string[];
}

const base = 'engine/base';
const flowspec = 'engine/flowspec';
/** Which numbers would be rounded is decided in one place, for whoever reads some. */
const exactJson = 'engine/flowspec/exact-json.ts';
/** The order of levels, and what a loop is, are decided where they are defined. */
const [autonomy, loop] = ['engine/flowspec/autonomy.ts', 'engine/flowspec/loops.ts'] as const;
/** Thoughts are separated in answers of models and in texts that are read as JSON, in the same way. */
const thoughts = 'engine/schema/thoughts.ts';
/** Every thread comes from one pool, whatever it computes. */
const workers = 'engine/workers';
const kernel = 'engine/kernel';
const flow = 'engine/flow';
const files = 'engine/files';
const pack = 'engine/pack';
const webFetch = 'engine/web/web-fetch.ts';
const iso = 'engine/isomorphic.ts';
const ipc = 'electron/ipc';
const bridge = 'renderer/bridge';
const stores = 'renderer/stores';
const schema = 'engine/schema';

const isoParts = [base, flowspec, schema, kernel, flow, 'engine/nodes', 'engine/agent', 'engine/dialogue'];
const adapters =
  'template store files model command web cassette answers secrets governance workers js lua pack script team tools mcp product trace';
const workspaceFlows = 'engine/workspace-flows.ts';
const engineRoot = ['engine/executor', 'engine/host', 'engine/engine.ts', workspaceFlows];
const named = (names: string): string[] => names.split(' ').map((name) => `engine/${name}`);
const hostParts = [...isoParts, ...named(adapters), 'engine/conversation'];

/** Files of settings are read, and slips in them are named, like those of flows. */
const settingsText = named('flowspec/json-value.ts flowspec/nearest.ts flowspec/toml-source.ts');
/** Values, and which numbers of JSON from outside arrive as text. */
const valueTexts = named('flowspec/json-value.ts flowspec/foreign-json.ts');
/** What hides secrets in texts and values. */
const secretText = named('secrets/secret-mask.ts secrets/redactor.ts secrets/json-text.ts');
const node: LayerRule = { values: [base, flowspec, schema, kernel, 'engine/flow/node-type.ts'], types: [flow] };
const adapter: LayerRule = { values: [base, kernel], types: [flowspec] };
const area: LayerRule = { values: ['renderer/stores', 'renderer/ui', iso] };

/** Rules for folders of `parent` that stand in an order, lowest first: each may import those before it. */
function ordered(parent: string, folders: readonly string[], below: readonly string[]): Record<string, LayerRule> {
  const paths = folders.map((folder) => `${parent}/${folder}`);
  return Object.fromEntries(paths.map((path, index) => [path, { values: [...below, ...paths.slice(0, index)] }]));
}

const canvasFolders = ordered(
  'renderer/canvas',
  'geometry projection layout state edit gestures edges overview page notes groups popups export'.split(' '),
  [...area.values, 'renderer/card'],
);

/** What the window is put together of, by area. */
const areas = [
  'canvas',
  'text-view',
  'inspector',
  'outline',
  'run-view',
  'agent-view',
  'agent-editor',
  'workspace-view',
  'packs',
  'settings',
  'catalogue',
  'conversation',
].map((name) => `renderer/${name}`);
const appFolders = ordered(
  'renderer/app',
  ['commands', 'quick-pick', 'nodes', 'run', 'files', 'editor', 'shell'],
  ['renderer/bridge', 'renderer/stores', 'renderer/ui', ...areas, iso],
);

/** `engine/nodes/*` stands for each node type's folder: none of them imports another. */
export const layers: Readonly<Record<string, LayerRule>> = {
  'engine/base': { values: [] },
  'engine/flowspec': { values: [base] },
  'engine/schema': { values: [base, flowspec] },
  'engine/kernel': {
    values: [base, autonomy, loop, thoughts],
    types: [flowspec, schema, 'engine/agent/model-purpose.ts'],
  },
  'engine/flow': { values: [base, flowspec, kernel] },
  'engine/nodes': { ...node, values: [...node.values, 'engine/nodes'] },
  'engine/nodes/*': { ...node, values: [...node.values, 'engine/nodes/'] },
  'engine/template': { values: [base], types: [kernel, flowspec] },
  'engine/secrets': { values: [base, 'engine/flowspec/secret-bindings.ts', 'engine/files'], types: [flowspec, kernel] },
  'engine/answers': { values: [base, kernel, schema, ...valueTexts, workers], types: [flowspec] },
  'engine/store': { ...adapter, types: [flowspec, 'engine/dialogue'] },
  'engine/files': { ...adapter, values: [base, kernel, 'engine/flowspec/product-path.ts', workers] },
  // The names and the merge of settings belong to agents; where they stand is the model's affair.
  'engine/model': {
    values: [base, kernel, 'engine/files', webFetch, 'engine/agent/agent-options.ts', ...settingsText],
    types: [flowspec, schema, 'engine/agent'],
  },
  'engine/agent': { values: [base, flowspec, schema, kernel] },
  // What a conversation is, without anybody who holds one.
  'engine/dialogue': { values: [base, flowspec, schema], types: [kernel] },
  // Who holds conversations.
  'engine/conversation': {
    values: [base, flowspec, schema, kernel, 'engine/dialogue', 'engine/store/session-store.ts'],
    types: ['engine/store', 'engine/executor'],
  },
  'engine/governance': { values: [base, flowspec, kernel] },
  // The pool of threads, and what runs scripts in it, whatever the language.
  [workers]: { values: [base], types: [flowspec] },
  'engine/js': { values: [base, workers], types: [flowspec] },
  'engine/lua': {
    values: [base, kernel, 'engine/flowspec/json-value.ts', exactJson, 'engine/template', workers],
    types: [flowspec],
  },
  'engine/pack': { values: [base, flowspec, kernel, 'engine/agent', 'engine/files', 'engine/web'] },
  // What a team sets, and packages that carry it; whom it concerns is told by the host.
  'engine/team': { values: [base, flowspec, kernel, files, 'engine/governance', 'engine/model', pack] },
  // What scripts may do in the world, behind the policy.
  'engine/script': {
    values: [base, flowspec, kernel, files, pack, ...named('command web governance js lua template workers')],
  },
  // Every tool, whatever does its work, is called by the one executor.
  'engine/tools': { values: [base, flowspec, kernel, files, 'engine/schema', 'engine/governance', pack] },
  // Folders of `products`: what each has, and what is wrong with it.
  'engine/product': {
    values: [base, flowspec, kernel, files, 'engine/agent', 'engine/tools'],
    // Its way in for programs asks an engine.
    types: ['engine/engine.ts', 'engine/executor'],
  },
  'engine/web': { ...adapter, values: [...adapter.values, 'engine/secrets/masked-bytes.ts'] },
  'engine/mcp': { values: [base, flowspec, schema, kernel, files, webFetch, 'engine/command', 'engine/tools'] },
  // What other programs read of runs.
  'engine/trace': {
    values: [base, flowspec, kernel, files, webFetch, ...secretText, 'engine/store/large-value.ts'],
  },
  'engine/command': { values: [base, kernel, files, 'engine/governance', 'engine/secrets/masked-bytes.ts'] },
  'engine/cassette': {
    values: [base, kernel, exactJson, thoughts, 'engine/files', ...secretText],
    types: [flowspec],
  },
  'engine/executor': { values: hostParts },
  // The parts of `index.ts`: adapters wired together.
  'engine/host': { values: [...hostParts, 'engine/executor'] },
  'engine/isomorphic.ts': { values: isoParts },
  'engine/isomorphic-globals.d.ts': { values: [] },
  // What `createEngine` gives, put together of the interfaces beside what implements them.
  'engine/engine.ts': { values: [], types: [...hostParts, 'engine/executor', 'engine/host'] },
  // There before the engine is loaded, so it needs little.
  [workspaceFlows]: {
    values: [base, files, 'engine/product', 'engine/flowspec/flow-limits.ts', 'engine/flowspec/product-path.ts'],
    types: ['engine/engine.ts'],
  },
  'engine/index.ts': { values: [...hostParts, ...engineRoot, iso] },
  // What other programs import: chosen names of the parts below.
  'engine/library.ts': {
    values: ['engine/index.ts', 'engine/product', ...isoParts],
    types: ['engine/executor', 'engine/host', 'engine/engine.ts'],
  },
  // Checking a file must not load the whole engine, and showing help not even the check.
  'engine/cli': {
    values: [
      base,
      autonomy,
      'engine/dialogue/catalogue-doc.ts',
      'engine/dialogue/parse-catalogue.ts',
      'engine/index.ts',
      'engine/executor/export-run.ts',
      'engine/executor/export-trace.ts',
      'engine/files/atomic-write.ts',
      'engine/files/git-changes.ts',
      'engine/files/read-flow.ts',
      'engine/governance',
      'engine/host',
      'engine/pack',
      'engine/product',
      'engine/team',
      iso,
    ],
  },
  'engine/testing': { values: ['engine', 'tools/lua-worker-plugin.ts'] },
  // Errors, the clock and the envelope cross every border; by way of isomorphic.ts, main would carry the whole engine.
  'electron/ipc': { values: [base, 'engine/kernel/run-event.ts', 'engine/flowspec/checked-json.ts', autonomy, iso] },
  'electron/engine-host': { values: ['engine/index.ts', workspaceFlows, ipc] },
  'electron/cli-host': { values: ['engine/cli'] },
  // The examples of a team are asked for at the first start only, before there is an engine.
  'electron/main': { values: [ipc, webFetch, 'engine/team/find-team.ts', 'engine/pack/pack-folders.ts'] },
  'electron/preload': { values: [ipc] },
  'renderer/bridge': { values: [ipc, iso] },
  // From the ground up: flows, what the window shows, open texts, the workspace, runs, agents. The root ties them together.
  'renderer/stores/flow': { values: [iso] },
  'renderer/stores/window': { values: [bridge, `${stores}/flow`, iso] },
  // Window and main take the steps of a file's log with one function.
  'renderer/stores/text': {
    values: [bridge, 'electron/ipc/edit-log.ts', `${stores}/flow`, `${stores}/window`, iso],
  },
  'renderer/stores/curl': { values: [iso], types: [`${stores}/window`] },
  'renderer/stores/workspace': { values: [bridge, `${stores}/flow`, `${stores}/window`, `${stores}/text`, iso] },
  'renderer/stores/runs': {
    values: [bridge, `${stores}/flow`, `${stores}/window`, `${stores}/text`, `${stores}/workspace`, iso],
  },
  'renderer/stores/agents': {
    values: [bridge, `${stores}/window`, `${stores}/text`, `${stores}/workspace`, `${stores}/runs`, iso],
  },
  'renderer/stores/conversations': {
    values: [bridge, `${stores}/window`, `${stores}/text`, `${stores}/runs`, iso],
  },
  'renderer/stores': { values: [bridge, iso] },
  // What cards say and how they are drawn.
  'renderer/card': area,
  'renderer/canvas': { values: [...area.values, 'renderer/card'] },
  ...canvasFolders,
  'renderer/inspector': area,
  'renderer/run-view': { values: [...area.values, 'renderer/card'] },
  'renderer/text-view': area,
  'renderer/agent-view': { values: ['renderer/inspector', 'renderer/run-view', 'renderer/stores', 'renderer/ui', iso] },
  'renderer/agent-editor': area,
  'renderer/outline': area,
  'renderer/workspace-view': area,
  'renderer/packs': area,
  // The form of a tool's values is that of other values.
  'renderer/settings': { values: [...area.values, 'renderer/inspector'] },
  // Fields of the inspector are those of other forms too.
  'renderer/catalogue': { values: [...area.values, 'renderer/inspector'] },
  // What runs ask is answered by the same forms everywhere.
  'renderer/conversation': { values: [...area.values, 'renderer/inspector'] },
  'renderer/ui': { values: [] },
  'renderer/app': { values: ['renderer', iso] },
  ...appFolders,
  'renderer/main.ts': { values: ['renderer'] },
  'renderer/german.ts': { values: ['renderer'] },
  'renderer/window.tsx': { values: ['renderer', iso] },
  e2e: { values: [] },
  bench: {
    values: ['engine/answers/answer-reader.ts', 'engine/index.ts', 'engine/js', 'engine/library.ts', 'engine/lua', iso],
  },
  tools: { values: ['engine/index.ts', iso] },
};

/** Tests put real parts together, so they may reach for anything that runs in the same place as what they test. */
const testReach: Readonly<Record<string, readonly string[]>> = {
  engine: ['engine'],
  electron: ['electron', 'engine'],
  renderer: ['renderer', 'electron/ipc', 'engine'],
  bench: ['engine'],
  tools: [],
};

/** Tests, and what is there for tests only: `test-….ts`, and all of a `testing` folder. */
const testFile = /\.test\.tsx?$|(?:^|\/)test-[^/]+\.tsx?$|(?:^|\/)testing\//;

function isInside(file: string, layer: string): boolean {
  return file === layer || file.startsWith(layer.endsWith('/') ? layer : `${layer}/`);
}

/**
 * The layer of a file, both relative to the repository with `/`; undefined = the table knows no such place. A test
 * belongs where the file lies that it tests.
 */
export function layerOf(file: string): string | undefined {
  const nodeFolder = /^engine\/nodes\/[^/]+\//.exec(file)?.[0].slice(0, -1);
  if (nodeFolder !== undefined) return nodeFolder;
  const tested = file.replace('.test.', '.');
  const matching = Object.keys(layers).filter((layer) => isInside(tested, layer));
  return matching.sort((a, b) => b.length - a.length)[0];
}

function ruleOf(layer: string): LayerRule | undefined {
  return layers[layer] ?? layers[layer.replace(/^(engine\/nodes)\/.*/, '$1/*')];
}

/** A trailing `/` in the table means the files that lie directly in that folder. */
function isAllowed(target: string, allowed: readonly string[]): boolean {
  return allowed.some((entry) =>
    entry.endsWith('/') ? `${path.posix.dirname(target)}/` === entry : isInside(target, entry),
  );
}

/**
 * @param file the importing file, relative to the repository with `/`
 * @param imported its imports, as `readImports` gives them
 * @returns one sentence for each import that the table forbids
 */
export function violations(file: string, imported: readonly Import[]): string[] {
  const layer = layerOf(file);
  const rule = layer === undefined ? undefined : ruleOf(layer);
  if (layer === undefined || rule === undefined) return [`${file}: belongs to no layer of engine/testing/layers.ts`];
  const extra = testFile.test(file) ? (testReach[file.split('/')[0] ?? ''] ?? []) : [];
  return imported.flatMap(({ from, isTypeOnly }) => {
    if (!from.startsWith('.')) return [];
    const target = path.posix.join(path.posix.dirname(file), from);
    if (testFile.test(target) && !testFile.test(file)) return [`${file} imports ${target}, which is for tests only`];
    const allowed = [layer, ...rule.values, ...extra, ...(isTypeOnly ? (rule.types ?? []) : [])];
    if (isAllowed(target, allowed)) return [];
    return [`${file} imports ${target}: ${layer} may not import ${layerOf(target) ?? 'what lies there'}`];
  });
}
