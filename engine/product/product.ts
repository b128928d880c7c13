/**
 * A product of a workspace: a folder in `products` with flows, agents, tools and rules of its own.
 */
import type { Diagnostic } from '../flowspec/diagnostic.ts';

/** A flow of a product, or an agent of one. */
export interface ProductFile {
  /** Of a flow its name in the product; of an agent its whole name, `<product>.<file without ending>`. */
  readonly name: string;
  /** Relative to the workspace with `/`. */
  readonly path: string;
}

/** Something that is wrong with a product, at its place. */
export interface ProductProblem extends Diagnostic {
  /** The file or folder, relative to the workspace with `/`. */
  readonly path: string;
}

export interface Product {
  readonly name: string;
  /** Relative to the workspace with `/`. */
  readonly path: string;
  /** Absolute. */
  readonly folder: string;
  readonly title?: string;
  readonly description?: string;
  readonly version?: string;
  /** The flow that is meant where only the product is named. */
  readonly defaultFlow?: string;
  /** In the order of the manifest, else by name. */
  readonly flows: readonly ProductFile[];
  /** Paths of flow files that the manifest does not list: they do not count. */
  readonly unlisted: readonly string[];
  /** `*.aip` and `*.mjs` of the folder `agents`, by name. */
  readonly agents: readonly ProductFile[];
  readonly problems: readonly ProductProblem[];
  /** Why nothing of it can be used; absent = it can. */
  readonly refusal?: ProductProblem;
}

/**
 * The flow that is to run.
 * @param name of the flow, or of its file; absent = the default one
 * @returns its file, or why there is none, as a sentence that says what to do
 */
export function flowToRun(product: Product, name: string | undefined): ProductFile | { readonly problem: string } {
  const { refusal, flows, defaultFlow, problems } = product;
  if (refusal !== undefined) return { problem: `The product ${product.name} cannot be used: ${textOf(refusal)}` };
  const wanted = name ?? defaultFlow;
  const found = flows.find((flow) => flow.name === wanted || flow.path.endsWith(`/flows/${wanted}`));
  if (found !== undefined) return found;
  const there = flows.map((flow) => `${product.name}/${flow.name}`).join(', ');
  const all = there === '' ? 'It has no flows.' : `It has ${there}.`;
  // What keeps the flow from counting may be among them.
  const why = problems.filter(({ severity }) => severity === 'error').map((problem) => ` ${textOf(problem)}`);
  if (wanted === undefined)
    return { problem: `${product.name} is a product. Name one of its flows. ${all}${why.join('')}` };
  return { problem: `The product ${product.name} has no flow ${JSON.stringify(wanted)}. ${all}${why.join('')}` };
}

/** A problem as one line with its place. */
export function textOf({ path, range, message }: ProductProblem): string {
  return `${path}:${range.line}: ${message}`;
}
