import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { layerOf, layers, violations } from './layers.ts';
import { type Import, readImports } from './read-imports.ts';

const root = path.resolve(import.meta.dirname, '../..');
const notOurs = new Set(['node_modules', 'out', 'dist', 'coverage', 'docs', 'resources']);
const source = /\.(?:ts|tsx|mts|js|mjs|cjs)$/;

/** Parsing all files takes long on a busy machine. */
const readingMs = 120_000;

/**
 * Returns the source files of the repository as relative paths with forward slashes, without the configuration files in
 * its root.
 */
function sourceFiles(): string[] {
  const top = readdirSync(root, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && !entry.name.startsWith('.') && !notOurs.has(entry.name),
  );
  return top.flatMap(({ name }) =>
    readdirSync(path.join(root, name), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && source.test(entry.name))
      .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/')),
  );
}

describe('layers of the repository', () => {
  const files = sourceFiles();
  let imports: ReadonlyMap<string, readonly Import[]>;
  beforeAll(() => {
    imports = new Map(files.map((file) => [file, readImports(file, readFileSync(path.join(root, file), 'utf8'))]));
  }, readingMs);

  test('no file imports what its layer must not', () => {
    expect([...imports].flatMap(([file, found]) => violations(file, found))).toEqual([]);
  });

  test('code that shows or starts runs uses the engine, and neither its history nor its database', () => {
    const showing = [...imports].filter(([file]) => /^(?:renderer|electron|engine\/cli)\//.test(file));
    const own = showing.filter(([file]) => !/\.test\.tsx?$|\/testing\//.test(file));
    expect(own.length).toBeGreaterThan(100);
    const stored = /\/store\/[^/]+\.ts$|node:sqlite|reads\/(?:history|read-log)/;
    expect(own.flatMap(([file, found]) => found.filter(({ from }) => stored.test(from)).map(() => file))).toEqual([]);
  });

  test('every layer of the table has files, so that none is overlooked', () => {
    const seen = new Set(files.map(layerOf));
    const known = Object.keys(layers).filter((layer) => !layer.endsWith('*'));
    expect(known.filter((layer) => !seen.has(layer))).toEqual([]);
    expect([...seen].some((layer) => layer?.startsWith('engine/runtime/nodes/'))).toBe(true);
  });

  test('most files import something, so that the imports were actually parsed', () => {
    const silent = [...imports.values()].filter(({ length }) => length === 0);
    expect(imports.size).toBe(files.length);
    expect(silent.length).toBeLessThan(files.length / 3);
  });
});

describe('the check', () => {
  function check(file: string, text: string): string[] {
    return violations(file, readImports(file, text));
  }

  test('a violation names both files and both layers', () => {
    expect(check('engine/runtime/kernel/hub/hub.ts', `import { openDb } from '../../../history/store/db.ts';`)).toEqual(
      [
        'engine/runtime/kernel/hub/hub.ts imports engine/history/store/db.ts: engine/runtime/kernel may not import engine/history',
      ],
    );
  });

  test('detects all kinds of imports', () => {
    const text = `
      import '../a.ts';
      export * from '../b.ts';
      export { c } from '../c.ts';
      const d = await import('../d.ts');
      type E = import('../e.ts').E;`;
    expect(check('renderer/ui/button.tsx', text)).toHaveLength(5);
  });

  test('distinguishes types from values where only types are allowed', () => {
    const file = 'engine/runtime/kernel/hub/hub.ts';
    expect(check(file, `import type { FlowDoc } from '../../../language/flow/flow-doc.ts';`)).toEqual([]);
    expect(check(file, `import { type FlowDoc } from '../../../language/flow/flow-doc.ts';`)).toEqual([]);
    expect(check(file, `import { parseFlow } from '../../../language/flow/parse-flow.ts';`)).toHaveLength(1);
    expect(check(file, `import { type FlowDoc, parseFlow } from '../../../language/flow/flow-doc.ts';`)).toHaveLength(
      1,
    );
  });

  test('lets a node type import files next to the folders, but no other node type', () => {
    const file = 'engine/runtime/nodes/echo/echo-node.ts';
    expect(check(file, `import { anyJson } from '../any-json.ts';`)).toEqual([]);
    expect(check(file, `import { promptNode } from '../prompt/prompt-node.ts';`)).toHaveLength(1);
  });

  test('keeps areas of the window separate', () => {
    expect(check('renderer/canvas/canvas.tsx', `import { x } from '../inspector/x.tsx';`)).toHaveLength(1);
    expect(
      check('renderer/canvas/canvas.tsx', `import { x } from '../../engine/runtime/kernel/hub/hub.ts';`),
    ).toHaveLength(1);
  });

  test('lets tests import across layers, but only within their process', () => {
    expect(check('engine/runtime/kernel/hub/hub.test.ts', `import { x } from '../../../history/store/db.ts';`)).toEqual(
      [],
    );
    expect(
      check('engine/runtime/kernel/hub/hub.test.ts', `import { x } from '../../../../renderer/app/x.ts';`),
    ).toHaveLength(1);
    expect(check('e2e/open.test.ts', `import { x } from '../engine/index.ts';`)).toHaveLength(1);
  });

  test('lets test helpers import what tests may, and keeps them out of the program', () => {
    expect(check('renderer/app/testing/test-window.tsx', `import { x } from '../../electron/ipc/rpc.ts';`)).toEqual([]);
    expect(check('renderer/app/app-shell.tsx', `import { x } from './testing/test-window.tsx';`)).toEqual([
      'renderer/app/app-shell.tsx imports renderer/app/testing/test-window.tsx, which is for tests only',
    ]);
    expect(check('engine/index.ts', `import { x } from './testing/manual-clock.ts';`)).toHaveLength(1);
  });

  test('rejects a file outside of all layers', () => {
    expect(check('misc/x.ts', '')).toEqual(['misc/x.ts: belongs to no layer of engine/testing/layers.ts']);
  });
});
