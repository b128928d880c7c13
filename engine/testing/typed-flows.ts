/**
 * Small flows in which one node binds to another, and the type diagnostics for them.
 */

import type { DiagnosticCode } from '../language/findings/diagnostic.ts';
import { checkFlow } from '../language/flow/check-flow.ts';
import type { SchemaFile } from '../language/flow/schema-files.ts';
import { builtinNodes } from '../runtime/nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../runtime/nodes/node-registry.ts';

export const typedCatalog = createNodeRegistry(builtinNodes);
const codes: ReadonlySet<string> = new Set<DiagnosticCode>([
  'binding.unknown-field',
  'binding.wrong-type',
  'binding.may-be-missing',
  'when.never-holds',
  'edge.unknown-route',
]);

export type Files = Readonly<Record<string, SchemaFile>>;

/** Returns `severity code` of each type diagnostic. */
export function findings(text: string, files: Files = {}): readonly string[] {
  return checkFlow(text, typedCatalog, new Map(Object.entries(files)))
    .diagnostics.filter(({ code }) => codes.has(code))
    .map(({ severity, code }) => `${severity} ${code}`);
}

export function messages(text: string): readonly string[] {
  return checkFlow(text, typedCatalog).diagnostics.map(({ message }) => message);
}

/** Nodes before the tested one; each has an edge to it. */
export const sources: Readonly<Record<string, string>> = {
  text: '{ id: a, type: echo, input: { text: hi } }',
  number: '{ id: a, type: control.wait, input: { ms: 1 } }',
  list: '{ id: a, type: text.split, input: { text: hi } }',
  any: '{ id: a, type: script.js, input: {}, config: { code: "return 1" } }',
  http: '{ id: a, type: http.request, input: { url: "http://x.test" } }',
  saved: '{ id: a, type: http.request, input: { url: "http://x.test", saveTo: x.txt } }',
  file: '{ id: a, type: file.read, input: { path: x.txt } }',
  files: '{ id: a, type: file.read, input: { globs: ["*.txt"] } }',
  bytes: '{ id: a, type: file.read, input: { path: x.png, as: base64 } }',
  prompt: '{ id: a, type: prompt, input: { prompt: hi } }',
  asked:
    '{ id: a, type: prompt, input: { prompt: hi }, config: { output: { schema: { type: object, properties: { label: { enum: [yes, no] }, n: { type: integer }, maybe: { type: string } }, required: [label, n], additionalProperties: false } } } }',
  open: '{ id: a, type: prompt, input: { prompt: hi }, config: { output: { schema: { type: object, properties: { label: { type: string } }, required: [label] } } } }',
  lines: '{ id: a, type: command.run, input: {}, config: { program: x, parse: lines } }',
  plain: '{ id: a, type: command.run, input: {}, config: { program: x } }',
  constant: '{ id: a, type: constant, input: { value: { n: 5, list: [a, b], deep: { yes: true } } } }',
  parsed: '{ id: a, type: json.parse, input: { text: "{}" } }',
  fitted:
    '{ id: a, type: json.parse, input: { text: "{}" }, config: { schema: { type: array, items: { type: string } } } }',
  approval: '{ id: a, type: human_approval, input: { title: ok } }',
  form: '{ id: a, type: user_input, input: { title: ok, schema: { type: object, properties: { age: { type: integer } }, required: [age] } } }',
  sorted: '{ id: a, type: list.sort, input: { items: [{ n: 1 }] } }',
  mapped: '{ id: a, type: list.map, input: { items: [{ n: 1 }] }, config: { template: { m: "{{item.n}}" } } }',
  tolerated: '{ id: a, type: echo, input: { text: hi }, policy: { continueOnError: true } }',
  tool: '{ id: a, type: tool, input: {}, config: { tool: core.file_list } }',
};

/** Nodes that bind to the one before. */
export const uses = {
  text: (path: string) => `{ id: b, type: echo, input: { text: "${path}" } }`,
  list: (path: string) => `{ id: b, type: list.sort, input: { items: "${path}" } }`,
  number: (path: string) => `{ id: b, type: control.wait, input: { ms: "${path}" } }`,
  any: (path: string) => `{ id: b, type: constant, input: { value: "${path}" } }`,
  map: (path: string) => `{ id: b, type: http.request, input: { url: "http://x.test", headers: "${path}" } }`,
  choice: (path: string) => `{ id: b, type: file.read, input: { path: x, as: "${path}" } }`,
};

export function flowOf(source: string, use: keyof typeof uses, binding: string): string {
  return `flow: { name: x }\nnodes:\n  - ${sources[source]}\n  - ${uses[use](binding)}\nedges: [{ from: a, to: b }]\n`;
}

export const wrongType = 'error binding.wrong-type';
export const noField = 'error binding.unknown-field';
export const maybe = 'warning binding.may-be-missing';
