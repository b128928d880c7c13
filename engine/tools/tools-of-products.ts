/**
 * Whose tools a caller may call, and what a name without a dot means to a step of a product.
 */
import { type ToolCall, type ToolDescription, wholeToolNames } from '../kernel/tool-capability.ts';
import { type ToolTrouble, trouble } from './tool-failures.ts';
import type { RunnableTool, ToolSource } from './tool-source.ts';

/** The names that a call may mean, in the order in which they are looked for. @param products of the run that calls */
export function namesMeant({ tool, ofStep }: ToolCall, products: readonly string[] | undefined): readonly string[] {
  return ofStep === true ? wholeToolNames(tool, products?.at(-1)) : [tool];
}

/** The tool that the first of some names means of which there is one. */
export async function findFirst(source: ToolSource, names: readonly string[]): Promise<RunnableTool | undefined> {
  for (const name of names) {
    const tool = await source.find(name);
    if (tool !== undefined) return tool;
  }
  return undefined;
}

/** Why a run may not call a tool that there is; undefined = it may. @param products of the run that calls */
export function isolationOf(
  { name, kind, product, shared, source }: ToolDescription,
  products: readonly string[] = [],
): ToolTrouble | undefined {
  const caller = products.at(-1);
  const refused = (message: string): ToolTrouble => ({
    ...trouble('auth_error', message, 'product.isolated'),
    isRetryable: false,
  });
  if (caller !== undefined && kind === 'flow') return refused(callsFlow(name));
  if (product === undefined || shared === true || product === caller) return undefined;
  return refused(foreignTool({ name, product, source }, caller));
}

/** What somebody is told whose product uses a tool of another one. @param caller undefined = it is of no product */
export function foreignTool(
  { name, product, source }: { readonly name: string; readonly product: string; readonly source: string },
  caller: string | undefined,
): string {
  const who =
    caller === undefined ? 'only its own flows and agents may call it' : `the product ${caller} may not call it`;
  const instead = caller === undefined ? '' : `, or give ${caller} a tool of its own`;
  return `The tool "${name}" belongs to the product ${product}, and ${who}. Write shared: true in ${source}${instead}.`;
}

export function callsFlow(name: string): string {
  return `The tool "${name}" runs a flow, and flows of products do not call other flows. Let the program that uses the product start that flow.`;
}
