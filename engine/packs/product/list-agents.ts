/**
 * Lists the agents that product steps may use, by reading the files in their folders. Modules are read as text, without
 * running their code.
 */
import { join } from 'node:path';
import { readTextFile } from '../../world/files/read-text.ts';
import { findProducts } from './find-products.ts';
import type { Product, ProductFile } from './product.ts';

/** Maximum size in bytes of a module that is read. */
const mostModuleBytes = 4 * 2 ** 20;

/**
 * Lists the agents of all products by product and name: files by their file name, classes by the literal name they
 * declare. A name computed at run time is not found.
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

/** Matches `name = 'shop.planner'` in a class, alone on its line or after an opening brace or semicolon. */
const ownName = /(?:^|[{;])[ \t]*(?:readonly |static |this\.)?name[ \t]*=[ \t]*(['"`])([\p{L}\p{N}_.-]{1,200})\1/gmu;

function namesInModule(text: string): readonly string[] {
  if (!text.includes('BaseAgent')) return [];
  return [...text.matchAll(ownName)].map(([, , name = '']) => name);
}
