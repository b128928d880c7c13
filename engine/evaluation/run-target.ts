/**
 * Finds what a test file tests.
 */
import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { EngineError } from '../base/engine-error.ts';
import { isCataloguePath } from '../conversations/catalog/catalogue-doc.ts';
import type { Engine } from '../engine.ts';
import { flowToRun } from '../packs/product/product.ts';

/** A flow, an agent or a catalog. `path` is relative to the workspace; for an agent in a pack, its reference. */
export interface TestTarget {
  readonly kind: 'flow' | 'agent' | 'catalog';
  readonly path: string;
}

/**
 * Returns what a test file names as its target: a file, relative to the test file or the workspace; `PRODUCT/FLOW`; or
 * an agent of a pack.
 * @param file path of the test file, relative to the workspace
 * @throws EngineError `test.bad-target`
 */
export async function findTestTarget(
  engine: Pick<Engine, 'listProducts' | 'workspace'>,
  file: string,
  target: string,
): Promise<TestTarget> {
  if (/^[^/]+@/.test(target)) return { kind: kindOf(target), path: target };
  const beside = posix.normalize(posix.join(posix.dirname(file), target));
  for (const path of [beside, posix.normalize(target)]) {
    if (path.startsWith('../')) continue;
    if (existsSync(join(engine.workspace, path)) && /\.[a-z]+$/i.test(path)) return { kind: kindOf(path), path };
  }
  const [, name, flow] = /^([^/.][^/]*)(?:\/([^/.][^/]*))?$/.exec(target) ?? [];
  const product = name === undefined ? undefined : (await engine.listProducts()).find((one) => one.name === name);
  if (product === undefined) throw badTarget(target, `There is no file ${beside}.`);
  const found = flowToRun(product, flow);
  if ('problem' in found) throw badTarget(target, found.problem);
  return { kind: 'flow', path: found.path };
}

function kindOf(path: string): TestTarget['kind'] {
  if (path.endsWith('.aip')) return 'agent';
  if (isCataloguePath(path)) return 'catalog';
  return /\.(?:ya?ml|json)$/i.test(path) ? 'flow' : 'agent';
}

function badTarget(target: string, why: string): EngineError {
  return new EngineError({
    code: 'test.bad-target',
    message: `The target ${JSON.stringify(target)} cannot be tested. ${why} Set \`target\` to a flow, agent or catalog, relative to the test file.`,
  });
}
