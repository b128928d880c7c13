/**
 * Import rules between layers, as data. A layer is a folder or a file; a file belongs to the layer with the longest
 * matching path.
 */
import path from 'node:path';
import type { Import } from './read-imports.ts';

export interface LayerRule {
  /** Folders and files from which this layer may import values and types, in addition to its own. */
  readonly values: readonly string[];
  /** Folders and files from which it may import only types. */
  readonly types?: readonly string[];
}

const base = 'engine/base';
const flowspec = 'engine/flowspec';
/** Shared, so that one module determines which numbers would be rounded. */
const exactJson = 'engine/flowspec/exact-json.ts';
/** The order of levels, and what a loop is, are decided where they are defined. */
const [autonomy, loop] = ['engine/flowspec/autonomy.ts', 'engine/flowspec/loops.ts'] as const;
/** Thinking is separated in the same way in model responses and in text parsed as JSON. */
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

/** Settings files are parsed, and mistakes in them reported, like flows. */
const settingsText = named('flowspec/json-value.ts flowspec/nearest.ts flowspec/toml-source.ts');
/** Values, and which numbers in external JSON become text. */
const valueTexts = named('flowspec/json-value.ts flowspec/foreign-json.ts');
/** Hides secrets in texts and values. */
const secretText = named('secrets/secret-mask.ts secrets/redactor.ts secrets/json-text.ts');
const node: LayerRule = { values: [base, flowspec, schema, kernel, 'engine/flow/node-type.ts'], types: [flow] };
const adapter: LayerRule = { values: [base, kernel], types: [flowspec] };
const area: LayerRule = { values: ['renderer/stores', 'renderer/ui', iso] };

/** Returns rules for ordered folders of `parent`, lowest first: each may import those before it. */
function ordered(parent: string, folders: readonly string[], below: readonly string[]): Record<string, LayerRule> {
  const paths = folders.map((folder) => `${parent}/${folder}`);
  return Object.fromEntries(paths.map((path, index) => [path, { values: [...below, ...paths.slice(0, index)] }]));
}

const canvasFolders = ordered(
  'renderer/canvas',
  'geometry projection layout state edit gestures edges overview page notes groups popups export'.split(' '),
  [...area.values, 'renderer/card'],
);

/** Parts of the window, by area. */
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

/** `engine/nodes/*` represents each node type's folder; none of them imports another. */
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
  // The names and merging of settings belong to agents; their location belongs to the model.
  'engine/model': {
    values: [base, kernel, 'engine/files', webFetch, 'engine/agent/agent-options.ts', ...settingsText],
    types: [flowspec, schema, 'engine/agent'],
  },
  'engine/agent': { values: [base, flowspec, schema, kernel] },
  // The model of a conversation, independent of the code that runs it.
  'engine/dialogue': { values: [base, flowspec, schema], types: [kernel] },
  // Runs conversations.
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
  // Team settings and packages; the host determines to whom they apply.
  'engine/team': { values: [base, flowspec, kernel, files, 'engine/governance', 'engine/model', pack] },
  // Effects of scripts, subject to the policy.
  'engine/script': {
    values: [base, flowspec, kernel, files, pack, ...named('command web governance js lua template workers')],
  },
  // All tools are called by a single executor, regardless of their implementation.
  'engine/tools': { values: [base, flowspec, kernel, files, 'engine/schema', 'engine/governance', pack] },
  // Folders of `products`: their content and problems.
  'engine/product': {
    values: [base, flowspec, kernel, files, 'engine/agent', 'engine/tools'],
    // The API for programs uses an engine.
    types: ['engine/engine.ts', 'engine/executor'],
  },
  'engine/web': { ...adapter, values: [...adapter.values, 'engine/secrets/masked-bytes.ts'] },
  'engine/mcp': { values: [base, flowspec, schema, kernel, files, webFetch, 'engine/command', 'engine/tools'] },
  // Run data for other programs.
  'engine/trace': {
    values: [base, flowspec, kernel, files, webFetch, ...secretText, 'engine/store/large-value.ts'],
  },
  'engine/command': { values: [base, kernel, files, 'engine/governance', 'engine/secrets/masked-bytes.ts'] },
  'engine/cassette': {
    values: [base, kernel, exactJson, thoughts, 'engine/files', ...secretText],
    types: [flowspec],
  },
  'engine/executor': { values: hostParts },
  // Parts of `index.ts`: adapters wired together.
  'engine/host': { values: [...hostParts, 'engine/executor'] },
  'engine/isomorphic.ts': { values: isoParts },
  'engine/isomorphic-globals.d.ts': { values: [] },
  // The result of `createEngine`, composed of the interfaces next to their implementations.
  'engine/engine.ts': { values: [], types: [...hostParts, 'engine/executor', 'engine/host'] },
  // Available before the engine is loaded, so it has few dependencies.
  [workspaceFlows]: {
    values: [base, files, 'engine/product', 'engine/flowspec/flow-limits.ts', 'engine/flowspec/product-path.ts'],
    types: ['engine/engine.ts'],
  },
  'engine/index.ts': { values: [...hostParts, ...engineRoot, iso] },
  // The library's exports: selected names of the parts below.
  'engine/library.ts': {
    values: ['engine/index.ts', 'engine/product', ...isoParts],
    types: ['engine/executor', 'engine/host', 'engine/engine.ts'],
  },
  // Validating a file must not load the whole engine, and showing help must not load validation.
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
  // Errors, the clock and the envelope are used in every process. Through isomorphic.ts, main would contain the whole
  // engine.
  'electron/ipc': { values: [base, 'engine/kernel/run-event.ts', 'engine/flowspec/checked-json.ts', autonomy, iso] },
  'electron/engine-host': { values: ['engine/index.ts', workspaceFlows, ipc] },
  'electron/cli-host': { values: ['engine/cli'] },
  // A team's examples are needed only at the first start, before there is an engine.
  'electron/main': { values: [ipc, webFetch, 'engine/team/find-team.ts', 'engine/pack/pack-folders.ts'] },
  'electron/preload': { values: [ipc] },
  'renderer/bridge': { values: [ipc, iso] },
  // In ascending order: flows, the window's state, open texts, the workspace, runs, agents. The root combines them.
  'renderer/stores/flow': { values: [iso] },
  'renderer/stores/window': { values: [bridge, `${stores}/flow`, iso] },
  // The window and main apply the steps of a file's log with the same function.
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
  // Content and drawing of cards.
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
  // The form for a tool's values is the same as for other values.
  'renderer/settings': { values: [...area.values, 'renderer/inspector'] },
  // Fields of the inspector are also used in other forms.
  'renderer/catalogue': { values: [...area.values, 'renderer/inspector'] },
  // Requests of runs are answered with the same forms everywhere.
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

/** Tests combine real parts, so they may import anything that runs in the same process as the tested code. */
const testReach: Readonly<Record<string, readonly string[]>> = {
  engine: ['engine'],
  electron: ['electron', 'engine'],
  renderer: ['renderer', 'electron/ipc', 'engine'],
  bench: ['engine'],
  tools: [],
};

/** Tests and test helpers: `test-….ts`, and everything in a `testing` folder. */
const testFile = /\.test\.tsx?$|(?:^|\/)test-[^/]+\.tsx?$|(?:^|\/)testing\//;

function isInside(file: string, layer: string): boolean {
  return file === layer || file.startsWith(layer.endsWith('/') ? layer : `${layer}/`);
}

/**
 * Returns the layer of a file, both relative to the repository with forward slashes; undefined if the table has none. A
 * test belongs to the layer of the file it tests.
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

/** A trailing `/` in the table refers to the files directly in that folder. */
function isAllowed(target: string, allowed: readonly string[]): boolean {
  return allowed.some((entry) =>
    entry.endsWith('/') ? `${path.posix.dirname(target)}/` === entry : isInside(target, entry),
  );
}

/**
 * Returns the forbidden imports. @param file the importing file, relative to the repository with forward slashes
 * @param imported its imports, as returned by `readImports`
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
