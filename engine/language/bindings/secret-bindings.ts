/**
 * Secrets in a flow: `{{secret.NAME}}`, and where they are allowed. Only text in the file is a binding, so a node's
 * output cannot reference a secret.
 */

import type { Finding } from '../findings/finding.ts';
import type { CompiledFlow, CompiledGraph, CompiledNode } from '../flow/compiled-flow.ts';
import type { NodeDoc } from '../flow/flow-doc.ts';
import type { JsonMap } from '../json/json-value.ts';
import type { NodeTypeSpec } from '../types/node-type-spec.ts';
import { findBindings } from './bindings.ts';

/** Root of secret names. Nodes and loop items cannot use it as a name. */
export const secretRoot = 'secret';

const secretName = /^[A-Z][A-Z0-9_]*$/;
const longestName = 64;

/** Whether text is a valid secret name: uppercase letters, digits and `_`, at most 64 characters. */
export function isSecretName(text: string): boolean {
  return text.length <= longestName && secretName.test(text);
}

const known = new WeakMap<CompiledFlow, readonly string[]>();

/**
 * Returns the secrets that a flow's nodes reference, without duplicates, in start order. Includes nodes in loop bodies.
 */
export function secretNamesOf(flow: CompiledFlow): readonly string[] {
  let found = known.get(flow);
  if (found === undefined) {
    const names = new Set<string>();
    collect(flow, names);
    found = [...names];
    known.set(flow, found);
  }
  return found;
}

/** Returns the mask that people see in place of a secret. */
export function secretMark(name: string): string {
  return `•••${name}•••`;
}

/** Returns the masks of the secrets that a node's input references, by name. */
export function secretMarksIn(input: CompiledNode['input']): JsonMap {
  const names = new Set<string>();
  collectIn(input, names);
  return Object.fromEntries([...names].map((name) => [name, secretMark(name)]));
}

function collectIn(input: CompiledNode['input'], names: Set<string>): void {
  for (const { template } of findBindings(input)) {
    for (const part of template.parts) {
      if (typeof part !== 'string' && part.path[0] === secretRoot) names.add(part.path[1] ?? '');
    }
  }
}

function collect({ nodes }: CompiledGraph, names: Set<string>): void {
  for (const { input, body } of nodes) {
    collectIn(input, names);
    if (body !== undefined) collect(body, names);
  }
}

/**
 * Returns the problems with the secrets that a node references; paths are relative to the node.
 * @param spec the node's type; undefined if it is unknown, in which case the location is not checked
 */
export function secretFindings({ input }: NodeDoc, spec: NodeTypeSpec | undefined): readonly Finding[] {
  return findBindings(input).flatMap(({ path: inner, template }) =>
    template.parts.flatMap((part): Finding[] => {
      if (typeof part === 'string' || part.path[0] !== secretRoot) return [];
      const message = nameProblem(part.path) ?? placeProblem(inner, spec);
      if (message === undefined) return [];
      return [
        {
          code: 'secret.misplaced',
          severity: 'error',
          path: ['input', ...inner],
          focus: { part: part.source },
          message,
        },
      ];
    }),
  );
}

function nameProblem([, name = '', ...rest]: readonly string[]): string | undefined {
  if (rest.length === 0 && isSecretName(name)) return undefined;
  return 'Name secrets like {{secret.API_TOKEN}}: capital letters, digits and _, with nothing after the name.';
}

function placeProblem([field]: readonly (string | number)[], spec: NodeTypeSpec | undefined): string | undefined {
  if (spec === undefined || (typeof field === 'string' && spec.secretFields?.includes(field) === true))
    return undefined;
  return 'A secret is not allowed here because it would be visible. Use secrets only in the url, headers, body and form of an http.request, and in the env and stdin of a command.run.';
}
