/**
 * Formats diagnostics of flow files in a short form for comparison in tests.
 */
import { z } from 'zod';
import type { Diagnostic } from '../language/findings/diagnostic.ts';
import { checkFlow } from '../language/flow/check-flow.ts';
import { parseFlow } from '../language/flow/parse-flow.ts';
import type { NodeTypeCatalog, NodeTypeSpec } from '../language/types/node-type-spec.ts';
import { anyJson } from '../runtime/nodes/shared-schemas.ts';

/** Returns `line:column severity code` of every problem found by parsing, in the order of the text. */
export function parseProblems(text: string): readonly string[] {
  return summaries(parseFlow(text).diagnostics);
}

/** Returns the problems found by parsing and by validation against `specCatalog`. */
export function checkProblems(text: string): readonly string[] {
  return summaries(checkFlow(text, specCatalog).diagnostics);
}

function summaries(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics
    .toSorted(({ range: left }, { range: right }) => left.line - right.line || left.column - right.column)
    .map(({ range, severity, code }) => `${range.line}:${range.column} ${severity} ${code}`);
}

function spec(type: string, inputSchema: z.ZodType, configSchema: z.ZodType = z.object({})): NodeTypeSpec {
  return {
    type,
    title: type,
    description: `The ${type} of tests.`,
    category: 'flow',
    icon: 'box',
    inputSchema,
    configSchema,
    outputSchema: anyJson,
    effects: 'pure',
  };
}

const serverSpec: NodeTypeSpec = { ...spec('server', z.object({})), longLived: true };

const specs = [
  spec('echo', z.object({ text: z.string() })),
  spec('constant', z.strictObject({ value: anyJson })),
  spec('open', z.record(z.string(), anyJson)),
  spec(
    'ask',
    z.object({ prompt: z.string(), count: z.int().min(1).optional(), tags: z.array(z.string()).optional() }),
    z.strictObject({ temperature: z.number().max(2).optional(), model: z.string().optional() }),
  ),
  spec(
    'either',
    z
      .object({ path: z.string().optional(), globs: z.array(z.string()).optional() })
      .refine(({ path, globs }) => (path === undefined) !== (globs === undefined), { error: 'must have one of both' }),
  ),
  spec('configured', z.object({}), z.object({ mode: z.enum(['a', 'b']) })),
  spec(
    'control.foreach',
    z.strictObject({
      items: z.array(anyJson),
      as: z.string().optional(),
      body: z.array(z.string()),
      maxParallel: z.int().min(1).optional(),
    }),
  ),
  { ...spec('shop.order', z.object({})), pack: 'shop' },
  serverSpec,
  { ...serverSpec, type: 'allowed-server' },
];

/** Some node types that cover all features of schemas. They are only descriptions and cannot run. */
export const specCatalog: NodeTypeCatalog = {
  get: (type) => specs.find((candidate) => candidate.type === type),
  list: () => specs,
  packs: () => ['shop', 'mail'],
  allowsLongLived: (type) => type === 'allowed-server',
};
