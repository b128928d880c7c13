/**
 * What is wrong with a file, flow or agent.
 */
import {
  type CheckedFlow,
  checkFlow,
  checkParsedFlow,
  type Diagnostic,
  MAX_FLOW_TEXT_LENGTH,
  parseAgent,
  schemaFilesOf,
} from '../../isomorphic.ts';
import { builtinRegistry } from '../builtin-registry.ts';
import { usageError } from '../exit-code.ts';
import type { FlowSource } from '../flow-source.ts';

/** Checks a flow with the schema files that it names. @param workspace absolute */
export async function checkFlowSource({ file, text }: FlowSource, workspace: string): Promise<CheckedFlow> {
  const checked = checkFlow(text, builtinRegistry);
  const { doc } = checked.parsed;
  const names = doc === null ? [] : schemaFilesOf(doc, builtinRegistry);
  if (names.length === 0) return checked;
  const { readSchemaFiles } = await import('../../host/schema-files.ts');
  const schemas = await readSchemaFiles(names, { file, workspace, mayLieOutside: true });
  return checkParsedFlow(checked.parsed, builtinRegistry, schemas);
}

/** The problems of an agent file in its order. @throws EngineError `cli.usage` when it is too large */
export function agentProblemsOf({ shown, text }: FlowSource): readonly Diagnostic[] {
  if (text.length <= MAX_FLOW_TEXT_LENGTH) return parseAgent(text).diagnostics;
  throw usageError(`${shown} is too large for an agent file.`);
}

/**
 * All problems of a flow or an agent; of an agent also what only Lua and the templates can tell, which are loaded for it.
 * @param workspace absolute
 * @throws EngineError `cli.usage` for an agent file that is too large
 */
export async function allProblemsOf(source: FlowSource, workspace: string): Promise<readonly Diagnostic[]> {
  if (!source.file.endsWith('.aip')) return (await checkFlowSource(source, workspace)).diagnostics;
  agentProblemsOf(source);
  const { checkAgentFile } = await import('../../host/check-agent-file.ts');
  return await checkAgentFile(source.text, { file: source.file, workspace, mayLieOutside: true });
}
