/**
 * Bindings in a pasted command: `{{flow.input.city}}` stays a binding if the flow has that value, and is plain text
 * otherwise.
 */
import { parseTemplate } from '../bindings/binding-template.ts';
import type { FlowDoc } from '../flow/flow-doc.ts';

/** Returns whether a flow has a value for a path. */
export type IsKnownPath = (path: readonly string[]) => boolean;

/**
 * Secrets are excluded and stay text: a command comes from elsewhere, and must not choose which of the user's secrets
 * are sent.
 */
export function knownPathsOf({ flow, nodes }: Pick<FlowDoc, 'flow' | 'nodes'>): IsKnownPath {
  const inputs = new Set([...Object.keys(flow.input ?? {}), ...Object.keys(flow.inputs ?? {})]);
  const ids = new Set(nodes.map(({ id }) => id));
  return ([root = '', part, name = '']) => (root === 'flow' ? part === 'input' && inputs.has(name) : ids.has(root));
}

/** Returns the text with every `{{` escaped that does not start a known binding. */
export function escapedBraces(text: string, isKnown: IsKnownPath): string {
  return text.replaceAll(/\{\{[^{}]*\}\}|\{\{/g, (token) => {
    const { parts } = parseTemplate(token);
    const [binding] = parts;
    const isBinding = parts.length === 1 && typeof binding === 'object' && isKnown(binding.path);
    return isBinding ? token : `\\${token}`;
  });
}
