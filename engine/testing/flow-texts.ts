/**
 * Files that flows refer to, from texts in a map: schemas, agents as node types, and called flows. All are in one
 * folder.
 */

import { agentTypeData } from '../language/agent/agent-node.ts';
import { parseAgent } from '../language/agent/parse-agent.ts';
import { isAgentType, missingAgentType } from '../language/flow/agent-type-name.ts';
import { parseFlow } from '../language/flow/parse-flow.ts';
import { calledName, type SchemaFile, type SchemaFiles, schemaFilesOf } from '../language/flow/schema-files.ts';
import { readSchemaText } from '../language/schema/schema-text.ts';
import type { NodeTypeCatalog } from '../language/types/node-type-spec.ts';

/** Returns the content of the texts with these names. A missing schema is omitted; a missing flow is a problem. */
export function namedTexts(
  texts: ReadonlyMap<string, string>,
  names: readonly string[],
  catalog: NodeTypeCatalog,
): SchemaFiles {
  return new Map(names.flatMap((name) => fileIn(texts, name, catalog)));
}

function fileIn(texts: ReadonlyMap<string, string>, key: string, catalog: NodeTypeCatalog): [string, SchemaFile][] {
  const path = calledName(key);
  const text = texts.get(path ?? key);
  if (isAgentType(key)) {
    const { doc } = parseAgent(text ?? '');
    const nodeType = text === undefined || doc === null ? undefined : agentTypeData(doc, { type: key, group: 'Test' });
    return [[key, nodeType === undefined ? { problem: missingAgentType(key) } : { nodeType }]];
  }
  if (path === undefined) return text === undefined ? [] : [[key, readSchemaText(text, key)]];
  if (path === '') return [];
  if (text === undefined) return [[key, { problem: `There is no flow "${path}".` }]];
  const { doc } = parseFlow(text);
  const files = namedTexts(texts, doc === null ? [] : schemaFilesOf(doc, catalog), catalog);
  return [[key, { flow: { path, text, files: [...files] } }]];
}
