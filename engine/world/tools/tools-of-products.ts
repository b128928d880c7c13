/**
 * Determines which tools a caller may use, and what a name without a dot refers to in a product's step.
 */
import {
  type ToolCall,
  type ToolDescription,
  wholeToolNames,
} from '../../runtime/kernel/capabilities/tool-capability.ts';
import { type ToolFailureReason, trouble } from './tool-failures.ts';
import type { RunnableTool, ToolSource } from './tool-source.ts';

/** Returns the names that a call may refer to, in search order. @param products the calling run's products */
export function candidateToolNames(
  { tool, ofStep }: ToolCall,
  products: readonly string[] | undefined,
): readonly string[] {
  return ofStep === true ? wholeToolNames(tool, products?.at(-1)) : [tool];
}

/** Returns the tool with the first of the names that exists. */
export async function findFirst(source: ToolSource, names: readonly string[]): Promise<RunnableTool | undefined> {
  for (const name of names) {
    const tool = await source.find(name);
    if (tool !== undefined) return tool;
  }
  return undefined;
}

/** Returns why a run may not call an existing tool; undefined if it may. @param products the calling run's products */
export function isolationOf(
  { name, kind, product, shared, source }: ToolDescription,
  products: readonly string[] = [],
): ToolFailureReason | undefined {
  const caller = products.at(-1);
  const refused = (message: string): ToolFailureReason => ({
    ...trouble('auth_error', message, 'product.isolated'),
    isRetryable: false,
  });
  if (caller !== undefined && kind === 'flow') return refused(callsFlow(name));
  if (product === undefined || shared === true || product === caller) return undefined;
  return refused(foreignTool({ name, product, source }, caller));
}

/**
 * Returns the error for a product that uses another product's tool. @param caller undefined if the caller belongs to no
 * product
 */
export function foreignTool(
  { name, product, source }: { readonly name: string; readonly product: string; readonly source: string },
  caller: string | undefined,
): string {
  const who =
    caller === undefined
      ? 'only the flows and agents of that product can call it'
      : `the product ${caller} cannot call it`;
  const instead = caller === undefined ? '' : `, or add a tool to ${caller}`;
  return `The tool "${name}" belongs to the product ${product}, and ${who}. Write shared: true in ${source}${instead}.`;
}

export function callsFlow(name: string): string {
  return `The tool "${name}" runs a flow, and flows of products cannot call other flows. Have the program that uses the product start that flow.`;
}
