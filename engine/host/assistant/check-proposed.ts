/**
 * Checks texts of flows that the assistant writes, as the window checks typed text.
 */
import { type Diagnostic, hasErrors } from '../../language/findings/diagnostic.ts';
import { checkParsedFlow } from '../../language/flow/check-flow.ts';
import { scriptsOf } from '../../language/flow/flow-scripts.ts';
import { parseFlow } from '../../language/flow/parse-flow.ts';
import { schemaFilesOf } from '../../language/flow/schema-files.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import { checkFlowScripts } from '../../world/script/check-flow-scripts.ts';
import type { FlowInPlace } from '../workspace/flow-findings.ts';
import type { AssistantWorld } from './assistant-world.ts';

/** Problems after these are not listed; they usually follow from the first ones. */
const mostProblems = 50;

/** Returns all problems of a flow, by line. */
export async function checkProposed(
  { path, text }: FlowInPlace,
  { engine, registry }: Pick<AssistantWorld, 'engine' | 'registry'>,
): Promise<readonly Diagnostic[]> {
  const parsed = parseFlow(text);
  const { doc } = parsed;
  if (doc === null) return parsed.diagnostics;
  const names = schemaFilesOf(doc, registry);
  const schemas = names.length === 0 ? [] : await engine.readSchemas({ path, names });
  const found = await Promise.all([
    engine.checkFlowInPlace({ path, text }),
    scriptsOf(doc, registry).length === 0 ? [] : checkFlowScripts({ doc, text }, registry),
  ]);
  const { diagnostics } = checkParsedFlow(parsed, registry, new Map(schemas));
  return [diagnostics, ...found].flat().sort((left, right) => left.range.line - right.range.line);
}

/** Returns the errors that a text has and another does not have. */
export function newErrors(found: readonly Diagnostic[], before: readonly Diagnostic[]): readonly Diagnostic[] {
  const known = new Set(before.map(({ code, message }) => `${code} ${message}`));
  return found.filter(({ severity, code, message }) => severity === 'error' && !known.has(`${code} ${message}`));
}

/** Returns problems as models read them. */
export function problemsForModel(problems: readonly Diagnostic[]): JsonMap {
  return {
    valid: !hasErrors(problems),
    problems: problems
      .slice(0, mostProblems)
      .map(({ range, severity, code, message }) => ({ line: range.line, severity, code, message })),
    ...(problems.length > mostProblems ? { more: problems.length - mostProblems } : {}),
  };
}
