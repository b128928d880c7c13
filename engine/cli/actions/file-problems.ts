/**
 * What is wrong with a file, flow or agent.
 */
import { checkFlow, type Diagnostic, MAX_FLOW_TEXT_LENGTH, parseAgent } from '../../isomorphic.ts';
import { builtinRegistry } from '../builtin-registry.ts';
import { usageError } from '../exit-code.ts';
import type { FlowSource } from '../flow-source.ts';

/** The problems of a file in its order. @throws EngineError `cli.usage` for an agent file that is too large */
export function problemsOf({ shown, file, text }: FlowSource): readonly Diagnostic[] {
  if (!file.endsWith('.aip')) return checkFlow(text, builtinRegistry).diagnostics;
  if (text.length <= MAX_FLOW_TEXT_LENGTH) return parseAgent(text).diagnostics;
  throw usageError(`${shown} is too large for an agent file.`);
}

/**
 * The same, and of an agent file what only Lua and the templates can tell; both are loaded for it.
 * @throws EngineError `cli.usage` for an agent file that is too large
 */
export async function allProblemsOf(source: FlowSource): Promise<readonly Diagnostic[]> {
  const found = problemsOf(source);
  if (!source.file.endsWith('.aip')) return found;
  const { checkAgentFile } = await import('../../host/check-agent-file.ts');
  return await checkAgentFile(source.text);
}
