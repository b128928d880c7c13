/**
 * Turns text into an executable graph, for hosts, editors and tests.
 */

import { type Diagnostic, type DiagnosticCode, hasErrors } from '../findings/diagnostic.ts';
import { validateFlow } from '../findings/validate-flow.ts';
import type { KnownOutputs } from '../types/flow-values.ts';
import type { NodeTypeCatalog } from '../types/node-type-spec.ts';
import { compileFlow } from './compile-flow.ts';
import type { CompiledFlow } from './compiled-flow.ts';
import type { FlowDoc } from './flow-doc.ts';
import { type ParsedFlow, parseFlow } from './parse-flow.ts';
import { noSchemaFiles, type SchemaFiles, withSchemaFiles } from './schema-files.ts';

/** The result of validating a text. */
export interface CheckedFlow {
  readonly parsed: ParsedFlow;
  /** All problems, in text order. */
  readonly diagnostics: readonly Diagnostic[];
  /** Null if a diagnostic is an error. Such a flow must not run. */
  readonly flow: CompiledFlow | null;
  /** The schema files that were used for validation. */
  readonly schemas: SchemaFiles;
}

/**
 * Parses and validates a flow file, and compiles it if there are no errors. Never throws.
 * @param schemas the files that `schemaFilesOf` names; without them such files are not checked, and a node that needs
 * one fails
 */
export function checkFlow(text: string, catalog: NodeTypeCatalog, schemas = noSchemaFiles): CheckedFlow {
  return checkParsedFlow(parseFlow(text), catalog, schemas);
}

/** Validates and compiles a text that was already parsed. */
export function checkParsedFlow(
  parsed: ParsedFlow,
  catalog: NodeTypeCatalog,
  schemas: SchemaFiles,
  outputs: KnownOutputs = {},
): CheckedFlow {
  const { doc } = parsed;
  const diagnostics = [...parsed.diagnostics, ...validateFlow(parsed, catalog, schemas, outputs)].sort(byPlace);
  const flow = doc === null || hasErrors(diagnostics) ? null : compileWith(doc, catalog, schemas);
  return { parsed, diagnostics, flow, schemas };
}

/**
 * Compiles a flow with the content of the files that it references: schemas, and the agents that are its node types.
 */
export function compileWith(doc: FlowDoc, catalog: NodeTypeCatalog, schemas: SchemaFiles): CompiledFlow {
  const flow = compileFlow(withSchemaFiles(doc, catalog, schemas));
  const types = [...schemas.values()].flatMap((file) => ('nodeType' in file ? [file.nodeType] : []));
  return types.length === 0 ? flow : { ...flow, types };
}

/** Problems with value types. */
const typeCodes: ReadonlySet<string> = new Set<DiagnosticCode>([
  'binding.may-be-missing',
  'binding.unknown-field',
  'binding.wrong-type',
  'when.never-holds',
  'edge.unknown-route',
]);

/** Whether a problem concerns value types. */
export function isTypeProblem({ code }: Diagnostic): boolean {
  return typeCodes.has(code);
}

/**
 * Compiles the flow of a run that has already started, even if the flow has type errors, because a run from an earlier
 * version must be able to continue. Returns null if there are other errors.
 */
export function compileStarted(
  { parsed, diagnostics, flow, schemas }: CheckedFlow,
  catalog: NodeTypeCatalog,
): CompiledFlow | null {
  const { doc } = parsed;
  const others = diagnostics.filter((one) => !isTypeProblem(one));
  return flow ?? (doc === null || hasErrors(others) ? null : compileWith(doc, catalog, schemas));
}

function byPlace(left: Diagnostic, right: Diagnostic): number {
  return left.range.line - right.range.line || left.range.column - right.range.column;
}
