/**
 * Reads `triggers.yaml` of a workspace and of its products: triggers of flows whose files have no room for them.
 */
import { systemErrorText } from '../../base/system-trouble.ts';
import type { Diagnostic } from '../../language/findings/diagnostic.ts';
import { parseFlow } from '../../language/flow/parse-flow.ts';
import type { TriggerDoc } from '../../language/triggers/trigger-doc.ts';
import {
  type FindFlow,
  type NamedFlow,
  parseWorkspaceTriggers,
  workspaceTriggersFile,
} from '../../language/triggers/workspace-triggers.ts';
import { flowToRun, type Product } from '../../packs/product/product.ts';
import { systemCodeOf } from '../../world/files/file-error.ts';

export interface TriggerFilesWorld {
  readonly listFlows: () => Promise<readonly { readonly path: string }[]>;
  /** @throws EngineError `files.*` */
  readonly readFlow: (path: string) => Promise<{ readonly text: string }>;
  readonly listProducts: () => Promise<readonly Product[]>;
  /** Returns the text of a file in the workspace; undefined if there is none. */
  readonly readFile: (path: string) => Promise<string | undefined>;
}

/** A file with triggers. */
export interface TriggerFile {
  /** Relative to the workspace. */
  readonly path: string;
  readonly diagnostics: readonly Diagnostic[];
  /** Triggers without errors by the paths of their flows. */
  readonly triggers: ReadonlyMap<string, readonly TriggerDoc[]>;
}

/** Reads the files: the workspace's first, then those of its products by name. */
export async function readTriggerFiles(world: TriggerFilesWorld): Promise<readonly TriggerFile[]> {
  const products = await world.listProducts();
  const places = [
    { path: workspaceTriggersFile, product: undefined },
    ...products.map((product) => ({ path: `${product.path}/${workspaceTriggersFile}`, product })),
  ];
  const found: TriggerFile[] = [];
  for (const { path, product } of places) {
    try {
      const text = await world.readFile(path);
      if (text !== undefined) found.push(await readTriggerFile({ path, text, product, products }, world));
    } catch (error) {
      // The triggers of the other files still work.
      const systemCode = systemCodeOf(error);
      if (systemCode === undefined) throw error;
      found.push({ path, diagnostics: [unreadable(systemCode)], triggers: new Map() });
    }
  }
  return found;
}

function unreadable(systemCode: string): Diagnostic {
  const message = `The file cannot be read: ${systemErrorText(systemCode)}.`;
  const range = { line: 1, column: 1, endLine: 1, endColumn: 1 };
  return { code: 'trigger.invalid', severity: 'error', message, range };
}

interface TriggerText {
  readonly path: string;
  readonly text: string;
  /** The product that contains the file. */
  readonly product: Product | undefined;
  readonly products: readonly Product[];
}

async function readTriggerFile(
  { path, text, product, products }: TriggerText,
  world: TriggerFilesWorld,
): Promise<TriggerFile> {
  const paths = new Set((await world.listFlows()).map((flow) => flow.path));
  const flows = new Map<string, NamedFlow | undefined>();
  const pathOf = (name: string): string | undefined =>
    product === undefined ? (paths.has(name) ? name : namedFlow(name, products)) : inProduct(product, name);
  // Parsing tells which flows are named. Only those are read.
  const named = new Set<string>();
  parseWorkspaceTriggers(text, (name) => {
    named.add(name);
    return undefined;
  });
  for (const name of named) flows.set(name, await readNamed(pathOf(name), world));
  const findFlow: FindFlow = (name) => flows.get(name);
  const { triggers, diagnostics } = parseWorkspaceTriggers(text, findFlow);
  const byFlow = new Map<string, TriggerDoc[]>();
  for (const { flow, ...trigger } of triggers) byFlow.set(flow, [...(byFlow.get(flow) ?? []), trigger]);
  return { path, diagnostics, triggers: byFlow };
}

/** Finds the flow of a name such as `shop` or `shop/refund`. */
function namedFlow(name: string, products: readonly Product[]): string | undefined {
  const [productName = '', ...rest] = name.split('/');
  const product = products.find((one) => one.name === productName);
  return product && inProduct(product, rest.length === 0 ? undefined : rest.join('/'));
}

function inProduct(product: Product, name: string | undefined): string | undefined {
  const found = flowToRun(product, name);
  return 'path' in found ? found.path : undefined;
}

async function readNamed(path: string | undefined, { readFlow }: TriggerFilesWorld): Promise<NamedFlow | undefined> {
  if (path === undefined) return undefined;
  const { doc } = parseFlow((await readFlow(path)).text);
  return doc === null ? undefined : { path, header: doc.flow, nodeTypes: new Set(doc.nodes.map(({ type }) => type)) };
}
