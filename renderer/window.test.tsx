import path from 'node:path';
import { build, type Plugin } from 'vite';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');

/** Records the modules with code in the build output, and excludes packages, which would take most of the time. */
function noteModules(modules: Set<string>): Plugin {
  return {
    name: 'note-modules',
    enforce: 'pre',
    resolveId: (id) => (/^[a-z@]/.test(id) && !/^[a-z]:/i.test(id) ? { id, external: true } : null),
    generateBundle(_, files) {
      for (const file of Object.values(files)) {
        if (file.type !== 'chunk') continue;
        for (const [id, { renderedLength }] of Object.entries(file.modules)) {
          if (renderedLength > 0) modules.add(path.relative(root, id).replaceAll('\\', '/'));
        }
      }
    },
  };
}

/** Modifies the engine's entry point for windows as if it also exported executable code. */
function alsoExport(from: string): Plugin {
  return {
    name: 'also-export',
    transform: (code, id) =>
      id.endsWith('engine/isomorphic.ts')
        ? `${code}\nimport * as running from '${from}';\nself.running = running;`
        : null,
  };
}

/**
 * Returns the modules in the window's bundle, including those of its workers. @param entry used instead of the page,
 * relative to it
 */
async function modulesOfBundle(entry?: string, ...plugins: Plugin[]): Promise<readonly string[]> {
  const modules = new Set<string>();
  await build({
    configFile: path.join(root, 'vite.renderer.config.ts'),
    root: path.join(root, 'renderer'),
    logLevel: 'error',
    plugins: [noteModules(modules), ...plugins],
    worker: { format: 'es', plugins: () => [noteModules(modules)] },
    build: {
      write: false,
      minify: false,
      emptyOutDir: false,
      ...(entry === undefined ? {} : { rolldownOptions: { input: path.join(root, 'renderer', entry) } }),
    },
  });
  return [...modules];
}

/** Files that run nodes, or that are useful only for running them. */
const running = [
  /^engine\/runtime\/flow\//,
  /^engine\/runtime\/nodes\/[^/]+\/[^/]+-node\.ts$/,
  /^engine\/runtime\/nodes\/(?:builtin-nodes|prompt-attachments|http-form|http-download|item-context)\.ts$/,
  /^engine\/runtime\/kernel\/\w+\/(?:capabilities|.*-capability|ask-(?!request\b).*|hub|inbox|cancel-scope|agent-definition)\.ts$/,
  /^engine\/(?!base|language|runtime\/(?:kernel|nodes|agent)|conversations\/(?:catalog|meaning|plans|session)|isomorphic)/,
];

const runningOf = (modules: readonly string[]): readonly string[] =>
  modules.filter((module) => running.some((pattern) => pattern.test(module)));

test('BB-42 the window knows node types as data: its bundle contains no code that runs a node', async () => {
  const modules = await modulesOfBundle();
  // The page, its workers, and the descriptions are all part of the examined modules.
  expect(modules).toEqual(
    expect.arrayContaining([
      'renderer/window.tsx',
      'renderer/stores/text/worker.ts',
      'renderer/canvas/layout/layout-worker.ts',
      'engine/runtime/nodes/builtin-types.ts',
      'engine/runtime/nodes/prompt/prompt-type.ts',
    ]),
  );
  expect(runningOf(modules)).toEqual([]);
}, 60_000);

test.each([
  [
    'engine/runtime/nodes/echo/echo-node.ts',
    ['engine/runtime/flow/node-type.ts', 'engine/runtime/nodes/echo/echo-node.ts'],
  ],
  ['engine/runtime/kernel/hub/hub.ts', ['engine/runtime/kernel/hub/hub.ts']],
])(
  'BB-42 detects an export that adds %s to the window',
  async (file, found) => {
    const modules = await modulesOfBundle('stores/text/worker.ts', alsoExport(path.join(root, file)));
    expect(runningOf(modules)).toEqual(expect.arrayContaining(found));
  },
  60_000,
);
