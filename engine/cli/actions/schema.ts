/**
 * What `schema` does.
 */
import type { CliContext, GlobalOptions } from '../cli-context.ts';

/** Prints the JSON Schema of flow files or of `pack.toml`; with `--json` on one line. */
export async function printSchema(
  { terminal }: CliContext,
  kind: 'flow' | 'pack',
  { json }: GlobalOptions,
): Promise<void> {
  const schema =
    kind === 'flow' ? await flowSchema() : (await import('../../pack/manifest-schema.ts')).packManifestSchema;
  terminal.json(`${JSON.stringify(schema, undefined, json === true ? undefined : 2)}\n`);
}

async function flowSchema(): Promise<unknown> {
  const { flowJsonSchema } = await import('../../isomorphic.ts');
  const { builtinRegistry } = await import('../builtin-registry.ts');
  return flowJsonSchema(builtinRegistry);
}
