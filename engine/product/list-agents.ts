/**
 * The agents that steps of products may name, known by the files of their folders alone: what a module has is read in its text, and none of
 * its code runs for that.
 */
import { join } from 'node:path';
import { readTextFile } from '../files/read-text.ts';
import { findProducts } from './find-products.ts';
import type { Product, ProductFile } from './product.ts';

/** Longer modules are not looked at. */
const mostModuleBytes = 4 * 2 ** 20;

/**
 * Agents of all products, by product and name: files by what they are called, classes by the names that they give themselves in so many
 * words. A name that is put together while the module runs is not found.
 * @param workspace absolute
 */
export async function listStepAgents(workspace: string): Promise<readonly ProductFile[]> {
  const products = await findProducts(workspace);
  const found = await Promise.all(
    products.flatMap((product) => product.agents.map((file) => agentsOf(file, product, workspace))),
  );
  const byName = new Map(found.flat().map((agent) => [agent.name, agent]));
  return [...byName.values()].sort((left, right) => (left.name < right.name ? -1 : 1));
}

async function agentsOf(file: ProductFile, product: Product, workspace: string): Promise<readonly ProductFile[]> {
  const { path } = file;
  if (!path.endsWith('.mjs')) return [file];
  const reading = { maxBytes: mostModuleBytes, shownPath: path };
  const text = await readTextFile(join(workspace, path), reading).catch(() => '');
  return namesInModule(text).flatMap((written) => {
    const name = written.includes('.') ? written : `${product.name}.${written}`;
    return name.startsWith(`${product.name}.`) ? [{ name, path }] : [];
  });
}

/** `name = 'shop.planner'` of a class, alone in its line or behind what opens it. */
const ownName = /(?:^|[{;])[ \t]*(?:readonly |static |this\.)?name[ \t]*=[ \t]*(['"`])([\p{L}\p{N}_.-]{1,200})\1/gmu;

function namesInModule(text: string): readonly string[] {
  if (!text.includes('BaseAgent')) return [];
  return [...text.matchAll(ownName)].map(([, , name = '']) => name);
}
