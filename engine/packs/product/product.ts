/**
 * Defines products: folders in a workspace's `products` folder with their own flows, agents, tools and rules.
 */
import type { Diagnostic } from '../../language/findings/diagnostic.ts';

/** A flow or an agent of a product. */
export interface ProductFile {
  /** For a flow, its name in the product; for an agent, its full name `<product>.<file without extension>`. */
  readonly name: string;
  /** Path relative to the workspace with forward slashes. */
  readonly path: string;
}

/** A problem of a product, with its position. */
export interface ProductProblem extends Diagnostic {
  /** The file or folder, relative to the workspace with forward slashes. */
  readonly path: string;
}

export interface Product {
  readonly name: string;
  /** Path relative to the workspace with forward slashes. */
  readonly path: string;
  /** Absolute path of the folder. */
  readonly folder: string;
  readonly title?: string;
  readonly description?: string;
  readonly version?: string;
  /** The flow to run if only the product is named. */
  readonly defaultFlow?: string;
  /** Flows in manifest order, otherwise by name. */
  readonly flows: readonly ProductFile[];
  /** Names of the flows that the manifest allows to be published; absent if it allows none. */
  readonly exposedFlows?: readonly string[];
  /** Paths of flow files that the manifest does not list and that therefore do not count. */
  readonly unlisted: readonly string[];
  /** `*.aip` and `*.mjs` files in the folder `agents`, by name. */
  readonly agents: readonly ProductFile[];
  readonly problems: readonly ProductProblem[];
  /** Why the product cannot be used; absent if it can. */
  readonly refusal?: ProductProblem;
}

/**
 * Returns the flow to run.
 * @param name of the flow or of its file; absent for the default one
 * @returns its file, or a sentence that explains why there is none and what to do
 */
export function flowToRun(product: Product, name: string | undefined): ProductFile | { readonly problem: string } {
  const { refusal, flows, defaultFlow, problems } = product;
  if (refusal !== undefined) return { problem: `Product ${product.name} cannot be used: ${textOf(refusal)}` };
  const wanted = name ?? defaultFlow;
  const found = flows.find((flow) => flow.name === wanted || flow.path.endsWith(`/flows/${wanted}`));
  if (found !== undefined) return found;
  const there = flows.map((flow) => `${product.name}/${flow.name}`).join(', ');
  const all = there === '' ? 'It has no flows.' : `It has ${there}.`;
  // One of these problems may be the reason why the flow does not count.
  const why = problems.filter(({ severity }) => severity === 'error').map((problem) => ` ${textOf(problem)}`);
  if (wanted === undefined)
    return { problem: `${product.name} is a product. Choose one of its flows. ${all}${why.join('')}` };
  return { problem: `Product ${product.name} has no flow ${JSON.stringify(wanted)}. ${all}${why.join('')}` };
}

/** Formats a problem as one line with its position. */
export function textOf({ path, range, message }: ProductProblem): string {
  return `${path}:${range.line}: ${message}`;
}
