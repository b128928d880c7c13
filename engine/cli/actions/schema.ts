/**
 * Implements `schema`.
 */
import { type CliContext, type GlobalOptions, resolveWorkspace } from '../cli-context.ts';
import { usageError } from '../exit-code.ts';

export type SchemaKind = 'flow' | 'steps' | 'dialogue' | 'test' | 'pack' | 'inputs';

/**
 * Prints the JSON Schema of flow files, step flows, conversation catalogs, test files, `pack.toml`, or a flow's inputs. With
 * `--json`, prints it on one line.
 * @throws EngineError `cli.usage` for `inputs` without a flow, or with one that has problems
 */
export async function printSchema(
  context: CliContext,
  { kind, file }: { readonly kind: SchemaKind; readonly file: string | undefined },
  options: GlobalOptions,
): Promise<void> {
  const schema = await schemaOf(context, { kind, file, options });
  context.terminal.json(`${JSON.stringify(schema, undefined, options.json === true ? undefined : 2)}\n`);
}

interface AskedSchema {
  readonly kind: SchemaKind;
  readonly file: string | undefined;
  readonly options: GlobalOptions;
}

async function schemaOf(context: CliContext, { kind, file, options }: AskedSchema): Promise<unknown> {
  if (kind === 'inputs') {
    if (file === undefined) throw usageError('Name a flow file: millrace schema inputs FILE.');
    return await inputsSchema(context, file);
  }
  if (file !== undefined) throw usageError(`Only the schema of inputs accepts a file: millrace schema inputs ${file}.`);
  if (kind === 'steps') return (await import('../../isomorphic.ts')).stepsJsonSchema();
  if (kind === 'dialogue') return (await import('../../conversations/catalog/catalogue-doc.ts')).catalogueJsonSchema();
  if (kind === 'test') return (await import('../../language/cases/case-doc.ts')).caseFileJsonSchema();
  if (kind === 'flow') return await flowSchema(context, options);
  return (await import('../../packs/pack/manifest-schema.ts')).packManifestSchema;
}

async function inputsSchema(context: CliContext, file: string): Promise<unknown> {
  const { hasErrors, inputsSchemaOf, parseFlow } = await import('../../isomorphic.ts');
  const { readFlowSource } = await import('../flow-source.ts');
  const { doc, diagnostics } = parseFlow((await readFlowSource(context, file)).text);
  if (doc !== null && !hasErrors(diagnostics)) return inputsSchemaOf(doc.flow);
  throw usageError(`${file} has problems. To list them: millrace validate ${file}`);
}

/** Includes node types that are agents in the workspace or in installed packs. */
async function flowSchema(context: CliContext, options: GlobalOptions): Promise<unknown> {
  const { describedType, flowJsonSchema } = await import('../../isomorphic.ts');
  const { builtinRegistry } = await import('../builtin-registry.ts');
  const { listAgentTypes } = await import('./agent-types.ts');
  const agents = (await listAgentTypes(context, resolveWorkspace(context, options))).map(describedType);
  return flowJsonSchema({ ...builtinRegistry, list: () => [...builtinRegistry.list(), ...agents] });
}
