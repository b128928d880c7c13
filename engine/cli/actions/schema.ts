/**
 * What `schema` does.
 */
import { flowJsonSchema } from '../../isomorphic.ts';
import { builtinRegistry } from '../builtin-registry.ts';
import type { CliContext, GlobalOptions } from '../cli-context.ts';

/** Prints the JSON Schema of flow files; with `--json` on one line. */
export function printFlowSchema({ terminal }: CliContext, { json }: GlobalOptions): void {
  const schema = flowJsonSchema(builtinRegistry);
  terminal.out(`${JSON.stringify(schema, undefined, json === true ? undefined : 2)}\n`);
}
