/**
 * Converts node types stored as data into descriptions, for drawing and validating nodes.
 */
import { z } from 'zod';
import { isAgentType, missingAgentType } from '../flow/agent-type-name.ts';
import type { SchemaFiles } from '../flow/schema-files.ts';
import { schemaOfJson } from '../schema/schema-of-json.ts';
import type { NodeTypeCatalog, NodeTypeData, NodeTypeSpec } from './node-type-spec.ts';

const noConfig = z.object({});

const known = new WeakMap<NodeTypeData, NodeTypeSpec>();

/**
 * Returns the description for a type's data; the same object for the same data. Omits its summary, which only cards
 * need.
 */
export function specOfData(data: NodeTypeData): NodeTypeSpec {
  const made = known.get(data);
  if (made !== undefined) return made;
  const { input, config, output, start, summary: _, ...words } = data;
  const spec: NodeTypeSpec = {
    ...words,
    inputSchema: schemaOfJson(input),
    configSchema: config === undefined ? noConfig : schemaOfJson(config),
    outputSchema: schemaOfJson(output),
    ...(start === undefined ? {} : { start: () => start }),
  };
  known.set(data, spec);
  return spec;
}

/** Returns why an agent node type is missing; undefined if it has not been loaded yet. */
export function problemOfAgent(type: string, catalog: NodeTypeCatalog): string | undefined {
  return catalog.agentProblem === undefined ? missingAgentType(type) : catalog.agentProblem(type);
}

/** Returns a catalog that includes the agents a flow uses as types, if they were loaded. */
export function withAgentTypes(catalog: NodeTypeCatalog, files: SchemaFiles): NodeTypeCatalog {
  const found = new Map<string, NodeTypeSpec>();
  const problems = new Map<string, string>();
  for (const [name, file] of files) {
    if ('nodeType' in file) found.set(name, specOfData(file.nodeType));
    else if ('problem' in file && isAgentType(name)) problems.set(name, file.problem);
  }
  return {
    get: (type) => catalog.get(type) ?? found.get(type),
    list: () => [...catalog.list(), ...found.values()],
    packs: () => catalog.packs(),
    allowsLongLived: (type) => catalog.allowsLongLived(type),
    agentProblem: (type) => problems.get(type) ?? problemOfAgent(type, catalog),
  };
}
