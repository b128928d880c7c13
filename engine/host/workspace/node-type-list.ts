/**
 * Describes node types for programs that write flows.
 */
import { z } from 'zod';
import type { Engine } from '../../engine.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import { builtinTypes } from '../../runtime/nodes/builtin-types.ts';

/** Lists all node types, or returns one with its schemas; undefined if it does not exist. */
export async function describeNodeTypes(
  engine: Pick<Engine, 'listNodeTypes'>,
  type: string | undefined,
): Promise<JsonMap | undefined> {
  const agents = (await engine.listNodeTypes({ named: [] })).flatMap((one) => ('problem' in one ? [] : [one]));
  if (type === undefined) {
    const all = [...builtinTypes, ...agents];
    return {
      types: all.map(({ type: name, title, description, category, effects }) => ({
        ...{ type: name, title, description, category, effects },
      })),
    };
  }
  const agent = agents.find((one) => one.type === type);
  if (agent !== undefined) return agent as unknown as JsonMap;
  const spec = builtinTypes.find((one) => one.type === type);
  if (spec === undefined) return undefined;
  const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): JsonMap =>
    z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonMap;
  return {
    type,
    ...{ title: spec.title, description: spec.description, effects: spec.effects },
    ...(spec.example === undefined ? {} : { example: spec.example }),
    input: schemaOf(spec.inputSchema, 'input'),
    config: schemaOf(spec.configSchema, 'input'),
    output: schemaOf(spec.outputSchema, 'output'),
  };
}
