/**
 * Validates an agent file without an engine.
 */

import type { AgentDoc } from '../../language/agent/agent-doc.ts';
import { checkAgent } from '../../language/agent/check-agent.ts';
import { parseAgent } from '../../language/agent/parse-agent.ts';
import type { Diagnostic } from '../../language/findings/diagnostic.ts';
import { createLuaRuntime } from '../../world/lua/lua-runtime.ts';
import { probeScripts } from '../../world/lua/probe-scripts.ts';
import { createTemplateRenderer } from '../../world/template/template-renderer.ts';
import { badSchemaFile } from '../executor/agent-runs.ts';
import { readSchemaFiles, type SchemaOwner } from '../workspace/schema-files.ts';

/** Returns all problems of an agent file, including its scripts, prompts and schema file, in file order. */
export async function checkAgentFile(text: string, owner: SchemaOwner): Promise<readonly Diagnostic[]> {
  const lua = createLuaRuntime();
  try {
    const inside = await checkAgent(text, {
      scripts: (...asked) => probeScripts(lua, ...asked),
      template: createTemplateRenderer('agent').problemOf,
    });
    const { doc, diagnostics } = parseAgent(text);
    const found = [...diagnostics, ...(await schemaProblems(doc, owner)), ...inside];
    return found.sort((left, right) => left.range.line - right.range.line);
  } finally {
    await lua.close();
  }
}

async function schemaProblems(doc: AgentDoc | null, owner: SchemaOwner): Promise<readonly Diagnostic[]> {
  const named = doc?.outputSchema;
  if (named === undefined || 'schema' in named) return [];
  const found = (await readSchemaFiles([named.file], owner)).get(named.file);
  return found === undefined || 'schema' in found ? [] : [badSchemaFile(named, found)];
}
