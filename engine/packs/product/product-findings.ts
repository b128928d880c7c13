/**
 * Finds a flow's problems with products: it uses another product's names, its own product is unusable, or another of
 * the product's flows has the same id. The first part of a name identifies the product.
 */
import { join } from 'node:path';
import type { Diagnostic, DiagnosticCode } from '../../language/findings/diagnostic.ts';
import type { FlowDoc, NodeDoc } from '../../language/flow/flow-doc.ts';
import { MAX_FLOW_TEXT_LENGTH } from '../../language/flow/flow-limits.ts';
import { parseFlow } from '../../language/flow/parse-flow.ts';
import { productOfPath } from '../../language/flow/product-path.ts';
import { isJsonList } from '../../language/json/json-value.ts';
import type { ValuePath } from '../../language/schema/schema-problems.ts';
import { readFlowText } from '../../world/files/read-flow.ts';
import { ManifestReader } from '../../world/tools/read-manifests.ts';
import { foreignTool } from '../../world/tools/tools-of-products.ts';
import { findProducts } from './find-products.ts';
import { type Product, textOf } from './product.ts';

/** A flow and its location. */
export interface FlowWithPath {
  readonly doc: FlowDoc | null;
  readonly text: string;
  /** Path relative to the workspace with forward slashes, or absolute. */
  readonly path: string;
}

/** A reference in a node. */
interface NodeReference {
  readonly kind: 'tool' | 'agent';
  readonly name: string;
  readonly nodeId: string;
  readonly path: ValuePath;
}

/**
 * Returns a flow's problems with products, in node order.
 * @param workspace absolute
 */
export async function findProductProblems(flow: FlowWithPath, workspace: string): Promise<readonly Diagnostic[]> {
  const { doc, text, path } = flow;
  if (doc === null) return [];
  const product = productOfPath(path);
  const named = doc.nodes.flatMap((node, index) => namedIn(node, index, doc.steps !== undefined));
  if (product === undefined && named.length === 0) return [];
  const products = await findProducts(workspace);
  const own = products.find(({ name }) => name === product);
  if (own?.refusal !== undefined) return [unusable(own)];
  const world = { products, product, workspace, manifests: new ManifestReader() };
  const [twin, ...found] = await Promise.all([
    own === undefined ? undefined : flowOfSameId(flow, own, workspace),
    ...named.map((one) => problemOf(one, world)),
  ]);
  const unlisted = own?.unlisted.includes(path) === true ? [notListed(own, path)] : [];
  if ([twin, ...found].every((message) => message === undefined)) return unlisted;
  const parsed = parseFlow(text);
  // A copy must not prevent the original flow from running.
  const ofId: readonly Diagnostic[] =
    twin === undefined
      ? []
      : [{ ...problem('product.duplicate', twin, { range: parsed.rangeOf(['flow', 'name']) }), severity: 'warning' }];
  const ofNodes = found.flatMap((message, index): Diagnostic[] => {
    const one = named[index];
    if (message === undefined || one === undefined) return [];
    return [problem('product.isolated', message, { range: parsed.problemRange(one.path), nodeId: one.nodeId })];
  });
  return [...unlisted, ...ofId, ...ofNodes];
}

/** Finds another flow with the same ID. A step flow is identified by its ID within its product. */
async function flowOfSameId(
  { doc, path }: FlowWithPath,
  { name, flows }: Product,
  workspace: string,
): Promise<string | undefined> {
  const id = doc?.steps?.id;
  if (id === undefined || id === '') return undefined;
  for (const other of flows.filter((flow) => flow.path !== path)) {
    const reading = { shownPath: other.path, maxLength: MAX_FLOW_TEXT_LENGTH };
    const text = await readFlowText(join(workspace, other.path), reading).catch(() => '');
    // Most flows have another id, and parsing a whole flow would take longer than this check.
    if (!text.includes(id) || parseFlow(text).steps?.id !== id) continue;
    return `Flow ${other.path} of product ${name} has the same id ${JSON.stringify(id)}. Change one of them.`;
  }
  return undefined;
}

/** Returns the tools that nodes call or offer to models, the agents that steps name, and agent files. */
function namedIn(
  { id: nodeId, type, config = {}, input }: NodeDoc,
  index: number,
  isStep: boolean,
): readonly NodeReference[] {
  const { tool, tools = null, agent } = config;
  const path: ValuePath = ['nodes', index, 'config'];
  const found: (readonly [kind: NodeReference['kind'], name: unknown, path: ValuePath])[] = [
    ['tool', tool, [...path, 'tool']],
    ...(isJsonList(tools) ? tools : []).map((one, at) => ['tool', one, [...path, 'tools', at]] as const),
    ...(isStep ? [['agent', agent, [...path, 'agent']] as const] : []),
    ...(!isStep && type === 'agent' ? [['agent', input['agent'], ['nodes', index, 'input', 'agent']] as const] : []),
  ];
  return found.flatMap(([kind, name, at]) =>
    typeof name === 'string' && /[./]/.test(name) && !name.includes('{{') ? [{ kind, name, nodeId, path: at }] : [],
  );
}

interface World {
  readonly products: readonly Product[];
  /** Product of the flow; undefined if it belongs to none. */
  readonly product: string | undefined;
  readonly workspace: string;
  readonly manifests: ManifestReader;
}

async function problemOf({ kind, name }: NodeReference, world: World): Promise<string | undefined> {
  const { products, product } = world;
  const ofFile = productOfPath(name);
  const owner = products.find((one) => one.name === (ofFile ?? name.split('.')[0]));
  if (owner === undefined || owner.name === product) return undefined;
  if (kind === 'agent') return product === undefined ? undefined : foreignAgent(name, owner.name, product);
  return await foreignToolProblem(name, owner, world);
}

function foreignAgent(name: string, owner: string, product: string): string {
  return `Agent "${name}" belongs to product ${owner}, but flows of ${product} can only use agents of ${product} and core. Create an agent in ${product}, or a tool with shared: true in ${owner} that does the work.`;
}

/**
 * Returns why another product's tool cannot be used; undefined if it can. Tool groups and unknown tools are reported
 * elsewhere.
 */
async function foreignToolProblem(
  name: string,
  owner: Product,
  { product, workspace, manifests }: World,
): Promise<string | undefined> {
  const id = name.slice(owner.name.length + 1);
  const shown = `${owner.path}/tools`;
  const files = await manifests.filesIn({ folder: `${owner.folder}/tools`, shown, within: workspace });
  for (const { file, parsed } of files) {
    const { manifest } = parsed;
    if (manifest === null || manifest.shared || (id !== '*' && manifest.tool_id !== id)) continue;
    const tool = `${owner.name}.${manifest.tool_id}`;
    return foreignTool({ name: tool, product: owner.name, source: `${shown}/${file}` }, product);
  }
  return undefined;
}

const start = { line: 1, column: 1, endLine: 1, endColumn: 2 };

function unusable({ name, refusal }: Product): Diagnostic {
  const why = refusal === undefined ? '' : textOf(refusal);
  return problem('product.refused', `Product ${name} cannot be used, so its flows cannot run: ${why}`, {
    range: start,
  });
}

/**
 * Returns the warning for a flow that the manifest does not list, for example one that was just created in the window.
 */
function notListed({ path: folder, name }: Product, path: string): Diagnostic {
  const file = path.slice(path.lastIndexOf('/') + 1);
  const message = `This flow is not part of product ${name}: it is not listed under flows in ${folder}/manifest.yaml. Add ${file} there.`;
  return { ...problem('product.unlisted', message, { range: start }), severity: 'warning' };
}

function problem(code: DiagnosticCode, message: string, place: Pick<Diagnostic, 'range' | 'nodeId'>): Diagnostic {
  return { code, severity: 'error', message, ...place };
}
