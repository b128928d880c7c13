/**
 * Node types that are data, as descriptions for whoever draws and checks nodes.
 */
import { z } from 'zod';
import { isAgentType, missingAgentType } from './agent-type-name.ts';
import type { NodeTypeCatalog, NodeTypeData, NodeTypeSpec } from './node-type-spec.ts';
import type { SchemaFiles } from './schema-files.ts';
import { schemaOfJson } from './schema-of-json.ts';

const noConfig = z.object({});

const known = new WeakMap<NodeTypeData, NodeTypeSpec>();

/** The description that data stands for; the same one for the same data. Without its sentence, which only cards need. */
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

/** Why a type that is named like an agent is not there; undefined when nobody has looked yet. */
export function problemOfAgent(type: string, catalog: NodeTypeCatalog): string | undefined {
  return catalog.agentProblem === undefined ? missingAgentType(type) : catalog.agentProblem(type);
}

/** A catalog with the agents that a flow names as types, where they were looked at. */
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
