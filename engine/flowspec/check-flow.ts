/**
 * The whole way from text to a graph that can run, for hosts, editors and tests.
 */
import { compileFlow } from './compile-flow.ts';
import type { CompiledFlow } from './compiled-flow.ts';
import { type Diagnostic, hasErrors } from './diagnostic.ts';
import type { NodeTypeCatalog } from './node-type-spec.ts';
import { type ParsedFlow, parseFlow } from './parse-flow.ts';
import { validateFlow } from './validate-flow.ts';

/** What the check of a text found. */
export interface CheckedFlow {
  readonly parsed: ParsedFlow;
  /** Everything that is wrong, in the order of the text. */
  readonly diagnostics: readonly Diagnostic[];
  /** Null when a diagnostic is an error: such a flow must not run. */
  readonly flow: CompiledFlow | null;
}

/** Parses and validates a flow file, and compiles it when nothing forbids a run. Never throws. */
export function checkFlow(text: string, catalog: NodeTypeCatalog): CheckedFlow {
  const parsed = parseFlow(text);
  const diagnostics = [...parsed.diagnostics, ...validateFlow(parsed, catalog)].sort(byPlace);
  const flow = parsed.doc === null || hasErrors(diagnostics) ? null : compileFlow(parsed.doc);
  return { parsed, diagnostics, flow };
}

function byPlace(left: Diagnostic, right: Diagnostic): number {
  return left.range.line - right.range.line || left.range.column - right.range.column;
}
