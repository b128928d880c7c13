/**
 * Import rules between layers, as data. A layer is a folder or a file; a file belongs to the layer with the longest
 * matching path.
 */
import path from 'node:path';
import type { Import } from './read-imports.ts';

export interface LayerRule {
  /** Folders and files from which this layer may import values and types, in addition to its own. */
  readonly values: readonly string[];
  /** Folders and files from which it may import types only. */
  readonly types?: readonly string[];
  /** Folders of this layer, lowest first: each may import those before it, and files outside these folders may import all. */
  readonly order?: readonly string[];
}

const base = 'engine/base';
const language = 'engine/language';
const kernel = 'engine/runtime/kernel';
const governance = 'engine/runtime/governance';
const world = 'engine/world';
const store = 'engine/history/store';
const packs = 'engine/packs';
const host = 'engine/host';
const conversations = 'engine/conversations';
const api = 'engine/engine.ts';
const iso = 'engine/isomorphic.ts';
const workspaceFlows = 'engine/workspace-flows.ts';
const ipc = 'electron/ipc';
const bridge = 'renderer/bridge';

/** What windows may use of the engine, by way of `isomorphic.ts`. */
const isoParts = [base, language, 'engine/runtime', ...folders(conversations, 'catalog session meaning plans')];

function folders(parent: string, names: string): string[] {
  return names.split(' ').map((name) => `${parent}/${name}`);
}

/** `engine/runtime/nodes/*` is each node type's folder: none imports another. `renderer/*` is each area of the window. */
export const layers: Readonly<Record<string, LayerRule>> = {
  'engine/base': { values: [] },
  'engine/language': { values: [base] },
  // Flows and agents both run on the kernel, so it knows their files by types only.
  [kernel]: {
    values: [
      base,
      ...['flow/autonomy.ts', 'triggers/budget-doc.ts', 'flow/loops.ts', 'schema/thoughts.ts'].map(
        (file) => `${language}/${file}`,
      ),
    ],
    types: [language],
  },
  'engine/runtime': { values: [base, language, kernel], order: ['governance', 'flow', 'agent'] },
  'engine/runtime/nodes': {
    values: [base, language, kernel, 'engine/runtime/flow/node-type.ts'],
    types: ['engine/runtime/flow'],
  },
  'engine/runtime/nodes/*': {
    values: [base, language, kernel, 'engine/runtime/flow/node-type.ts', 'engine/runtime/nodes/'],
    types: ['engine/runtime/flow'],
  },
  'engine/world': {
    values: [base, language, kernel, governance],
    order: 'files archive secrets command template web model workers answers js lua script search tools mcp'.split(' '),
  },
  'engine/history': {
    values: [base, language, kernel, ...folders(world, 'files secrets web')],
    types: [`${conversations}/session`],
    order: ['cassette', 'store', 'postgres', 'trace'],
  },
  'engine/packs': {
    values: [base, language, kernel, governance, world],
    types: [api],
    order: ['product', 'pack', 'team'],
  },
  'engine/host': {
    values: [
      base,
      language,
      'engine/runtime',
      world,
      'engine/history',
      packs,
      `${conversations}/host/catalogue-files.ts`,
    ],
    types: [api],
  },
  // What a conversation is; windows use it as well.
  'engine/conversations': { values: [base, language], types: [kernel] },
  'engine/conversations/turns': {
    values: [base, language, kernel, conversations, `${store}/session-store.ts`],
    types: [store, host],
  },
  // Opens engines through the one that it extends.
  'engine/evaluation': {
    values: [
      ...[base, language, 'engine/runtime', world, 'engine/history', packs, host],
      ...folders(conversations, 'catalog meaning host'),
      iso,
    ],
    types: [api],
  },
  'engine/conversations/host': { values: [base, language, 'engine/runtime', world, store, packs, host, conversations] },
  // The interfaces of an engine, without the code behind them.
  'engine/engine.ts': { values: [], types: ['engine'] },
  'engine/isomorphic.ts': { values: isoParts },
  // Runs before the engine is loaded, so it needs little.
  [workspaceFlows]: { values: [base, `${world}/files`, `${packs}/product`, `${language}/flow`], types: [api] },
  // The adapters wired together (`index.ts`), and the names that other programs may import (`library.ts`).
  engine: { values: ['engine'] },
  // Checking a file must not load the whole engine, and showing help must not load the checks.
  'engine/cli': {
    values: [
      base,
      language,
      `${conversations}/catalog`,
      governance,
      `${kernel}/events/start-event.ts`,
      `${world}/files`,
      `${world}/script/check-flow-scripts.ts`,
      packs,
      host,
      'engine/evaluation/chat-turns.ts',
      'engine/index.ts',
      workspaceFlows,
      iso,
    ],
    types: [api],
  },
  'engine/testing': { values: ['engine', 'tools/lua-worker-plugin.ts'] },
  // Imports single files where `isomorphic.ts` would load the whole language into main.
  'electron/ipc': {
    values: [
      base,
      `${kernel}/events/run-event.ts`,
      `${kernel}/events/start-event.ts`,
      `${language}/json/checked-json.ts`,
      `${language}/flow/autonomy.ts`,
      `${language}/flow/product-path.ts`,
      iso,
    ],
  },
  'electron/engine-host': { values: ['engine/index.ts', 'engine/remote.ts', workspaceFlows, ipc] },
  'electron/cli-host': { values: ['engine/cli', ipc] },
  // The first start looks for a team's examples before there is an engine.
  'electron/main': {
    values: [ipc, `${world}/web/web-fetch.ts`, `${packs}/team/find-team.ts`, `${packs}/pack/pack-folders.ts`],
  },
  'electron/preload': { values: [ipc] },
  'renderer/bridge': { values: [ipc, 'renderer/ui/language.ts', iso] },
  'renderer/stores': {
    values: [bridge, 'electron/ipc/edit-log.ts', 'renderer/ui/language.ts', 'renderer/ui/csv-text.ts', iso],
    order: 'flow window text review curl workspace runs cases agents conversations assistant'.split(' '),
  },
  'renderer/ui': { values: [] },
  'renderer/*': { values: ['renderer/stores', 'renderer/ui', 'renderer/card', 'renderer/inspector', iso] },
  'renderer/canvas': {
    values: ['renderer/stores', 'renderer/ui', 'renderer/card', iso],
    order:
      'text.ts geometry projection layout state edit gestures edges overview page notes groups popups export'.split(
        ' ',
      ),
  },
  'renderer/agent-view': { values: ['renderer/inspector', 'renderer/run-view', 'renderer/stores', 'renderer/ui', iso] },
  // Loaded over a network, and by itself: it knows the engine by types only.
  'renderer/form-page': {
    values: ['renderer/ui'],
    types: ['engine/host/http/page-data.ts', `${language}/json/json-value.ts`],
  },
  'renderer/app': {
    values: ['renderer', iso],
    order: ['commands', 'quick-pick', 'nodes', 'run', 'git', 'files', 'gallery', 'editor', 'shell'],
  },
  renderer: { values: ['renderer', iso] },
  e2e: { values: [] },
  bench: {
    values: [
      `${world}/answers/answer-reader.ts`,
      ...folders(world, 'js lua'),
      `${base}/clock.ts`,
      'engine/host/durable/projection.ts',
      'engine/host/http/routes.ts',
      'engine/history/postgres',
      'engine/index.ts',
      'engine/library.ts',
      iso,
      'renderer/stores/runs/live',
    ],
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
  // End-to-end tests start servers and other processes as the other tests do.
  e2e: ['engine/testing'],
};

/** Tests and test helpers: `test-….ts`, everything in a `testing` folder, and end-to-end tests. */
const testFile = /\.test\.tsx?$|(?:^|\/)test-[^/]+\.tsx?$|(?:^|\/)testing\/|^e2e\//;

function isInside(file: string, layer: string): boolean {
  return file === layer || file.startsWith(layer.endsWith('/') ? layer : `${layer}/`);
}

/**
 * Returns the layer of a file, both relative to the repository with forward slashes; undefined if the table has none. A
 * test belongs to the layer of the file it tests.
 */
export function layerOf(file: string): string | undefined {
  const tested = file.replace('.test.', '.');
  const matching = Object.keys(layers).flatMap((layer) => {
    if (!layer.endsWith('/*')) return isInside(tested, layer) ? [layer] : [];
    const parent = layer.slice(0, -1);
    const [name, ...rest] = tested.startsWith(parent) ? tested.slice(parent.length).split('/') : [];
    return rest.length > 0 ? [`${parent}${name}`] : [];
  });
  return matching.sort((a, b) => b.length - a.length)[0];
}

function ruleOf(layer: string): LayerRule | undefined {
  return layers[layer] ?? layers[`${path.posix.dirname(layer)}/*`];
}

/** The place of a file in the order of its layer's folders; undefined if it lies in none of them. */
function rankOf(file: string, layer: string, order: readonly string[]): number | undefined {
  const rank = order.findIndex((folder) => isInside(file, `${layer}/${folder}`));
  return rank === -1 ? undefined : rank;
}

function breaksOrder(file: string, target: string, layer: string): boolean {
  const { order = [] } = ruleOf(layer) ?? {};
  const [from, to] = [rankOf(file, layer, order), rankOf(target, layer, order)];
  return from !== undefined && layerOf(target) === layer && (to === undefined || to > from);
}

/** A trailing `/` in the table refers to the files directly in that folder. */
function isAllowed(target: string, allowed: readonly string[]): boolean {
  return allowed.some((entry) =>
    entry.endsWith('/') ? `${path.posix.dirname(target)}/` === entry : isInside(target, entry),
  );
}

/**
 * Returns the forbidden imports.
 * @param file the importing file, relative to the repository with forward slashes
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
    const isOrdered = testFile.test(file) || !breaksOrder(file, target, layer);
    if (isAllowed(target, allowed) && isOrdered) return [];
    return [`${file} imports ${target}: ${layer} may not import ${layerOf(target) ?? 'what lies there'}`];
  });
}
