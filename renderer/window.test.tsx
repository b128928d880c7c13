import path from 'node:path';
import { build, type Plugin } from 'vite';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');

/** Notes the modules of which code is in what was built, and leaves packages out, which would take most of the time. */
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

/** What the engine's file for windows would be, if it also gave away something that runs. */
function alsoExport(from: string): Plugin {
  return {
    name: 'also-export',
    transform: (code, id) =>
      id.endsWith('engine/isomorphic.ts')
        ? `${code}\nimport * as running from '${from}';\nself.running = running;`
        : null,
  };
}

/** Modules in the window's bundle, those of its threads included. @param entry instead of the page, relative to it */
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

/** Files that run nodes, or that only what runs has a use for. */
const running = [
  /^engine\/flow\//,
  /^engine\/nodes\/[^/]+\/[^/]+-node\.ts$/,
  /^engine\/nodes\/(?:builtin-nodes|prompt-attachments|http-form|http-download|item-context)\.ts$/,
  /^engine\/kernel\/(?:capabilities|.*-capability|ask-(?!request\b).*|hub|inbox|cancel-scope|agent-definition)\.ts$/,
  /^engine\/(?!base|flowspec|schema|kernel|nodes|agent|dialogue|isomorphic)/,
];

const runningOf = (modules: readonly string[]): readonly string[] =>
  modules.filter((module) => running.some((pattern) => pattern.test(module)));

test('BB-42 the window knows node types as data: its bundle holds no code that runs a node', async () => {
  const modules = await modulesOfBundle();
  // The page, its threads, and the descriptions are all in what was looked at.
  expect(modules).toEqual(
    expect.arrayContaining([
      'renderer/window.tsx',
      'renderer/stores/text/worker.ts',
      'renderer/canvas/layout/layout-worker.ts',
      'engine/nodes/builtin-types.ts',
      'engine/nodes/prompt/prompt-type.ts',
    ]),
  );
  expect(runningOf(modules)).toEqual([]);
}, 60_000);

test.each([
  ['engine/nodes/echo/echo-node.ts', ['engine/flow/node-type.ts', 'engine/nodes/echo/echo-node.ts']],
  ['engine/kernel/hub.ts', ['engine/kernel/hub.ts']],
])(
  'BB-42 what gives %s to the window is found',
  async (file, found) => {
    const modules = await modulesOfBundle('stores/text/worker.ts', alsoExport(path.join(root, file)));
    expect(runningOf(modules)).toEqual(expect.arrayContaining(found));
  },
  60_000,
);
