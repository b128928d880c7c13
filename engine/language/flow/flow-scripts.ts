/**
 * Finds the scripts in a flow's nodes, and reports their errors as the file's problems.
 */
import type { Diagnostic } from '../findings/diagnostic.ts';
import { isJsonMap } from '../json/json-value.ts';
import { formJsonSchema } from '../schema/json-schemas.ts';
import type { NodeTypeCatalog, NodeTypeSpec } from '../types/node-type-spec.ts';
import type { FlowDoc } from './flow-doc.ts';
import { lineInFile, textPlace } from './flow-source.ts';
import { parseFlow } from './parse-flow.ts';

const languages = ['javascript', 'lua'] as const;

/** A node's script. */
export interface NodeScript {
  readonly nodeId: string;
  /** Path relative to the node. */
  readonly path: readonly string[];
  readonly language: (typeof languages)[number];
  readonly code: string;
}

function scriptKeys(spec: NodeTypeSpec | undefined): readonly (readonly [key: string, NodeScript['language']])[] {
  const properties = spec === undefined ? {} : formJsonSchema(spec.configSchema)['properties'];
  if (!isJsonMap(properties ?? null)) return [];
  return Object.entries(properties as Readonly<Record<string, unknown>>).flatMap(([key, schema]) => {
    const editor = (schema as { readonly editor?: unknown }).editor;
    const language = languages.find((one) => one === editor);
    return language === undefined ? [] : [[key, language] as const];
  });
}

/** Returns a flow's scripts in file order. */
export function scriptsOf({ nodes }: FlowDoc, catalog: NodeTypeCatalog): readonly NodeScript[] {
  return nodes.flatMap(({ id, type, config = {} }) =>
    scriptKeys(catalog.get(type)).flatMap(([key, language]) => {
      const code = config[key];
      return typeof code === 'string' ? [{ nodeId: id, path: ['config', key], language, code }] : [];
    }),
  );
}

/** A problem in a script, with its line in the code. */
export interface FoundInScript {
  readonly script: NodeScript;
  readonly line: number;
  readonly message: string;
}

const names = { javascript: 'JavaScript', lua: 'Lua' };

/** Converts script problems to diagnostics at their line in the file. */
export function scriptDiagnostics(text: string, found: readonly FoundInScript[]): readonly Diagnostic[] {
  if (found.length === 0) return [];
  const parsed = parseFlow(text);
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  return found.map(({ script: { nodeId, path, language }, line: codeLine, message }) => {
    const line = lineInFile(textPlace(parsed, text, { nodeId, path }), codeLine);
    const written = lines[line - 1] ?? '';
    const column = written.length - written.trimStart().length + 1;
    return {
      code: 'node.script-syntax',
      severity: 'error',
      message: `${names[language]} syntax error: ${message.replace(/\.$/, '')}.`,
      range: { line, column, endLine: line, endColumn: Math.max(column + 1, written.trimEnd().length + 1) },
      nodeId,
      codeLine,
    };
  });
}

/** Compiles scripts without running them. Returns each script's error, or null if it compiles. */
export type CompileScripts = (
  scripts: readonly Pick<NodeScript, 'language' | 'code'>[],
) => Promise<readonly (Omit<FoundInScript, 'script'> | null)[]>;

/**
 * Returns the scripts of a flow that do not compile, as diagnostics of its file.
 * @throws errors from `compile`, which is not called if there are no scripts
 */
export async function findScriptProblems(
  { doc, text }: { readonly doc: FlowDoc | null; readonly text: string },
  catalog: NodeTypeCatalog,
  compile: CompileScripts,
): Promise<readonly Diagnostic[]> {
  const scripts = doc === null ? [] : scriptsOf(doc, catalog);
  if (scripts.length === 0) return [];
  const problems = await compile(scripts.map(({ language, code }) => ({ language, code })));
  const found = scripts.flatMap((script, index) => {
    const problem = problems[index] ?? null;
    return problem === null ? [] : [{ script, ...problem }];
  });
  return scriptDiagnostics(text, found);
}
