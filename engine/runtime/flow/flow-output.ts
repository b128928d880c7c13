/**
 * Determines a flow's output: the outputs that it declares, or the outputs of its last nodes.
 */
import { EngineError, toErrorRecord } from '../../base/engine-error.ts';
import type { BindingContext } from '../../language/bindings/binding-path.ts';
import { resolveBindings } from '../../language/bindings/bindings.ts';
import type { CompiledFlow } from '../../language/flow/compiled-flow.ts';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import { planOf } from './graph-plan.ts';
import type { NodeOutputs } from './node-outputs.ts';

/**
 * Returns a flow's declared outputs; undefined if it declares none.
 * @throws EngineError `binding.*`, naming the output, if its bound value is missing
 */
export function declaredOutput({ outputs }: CompiledFlow, context: BindingContext): JsonMap | undefined {
  if (outputs === undefined) return undefined;
  const given = Object.entries(outputs).map(([name, value]): [string, JsonValue] => {
    try {
      return [name, resolveBindings(value, context)];
    } catch (error) {
      const { code, message } = toErrorRecord(error);
      throw new EngineError({ code, message: `The flow cannot return its output "${name}". ${message}`, cause: error });
    }
  });
  return Object.freeze(Object.fromEntries(given));
}

/** Returns a flow's default output: the outputs or markers of the nodes without outgoing edges, by node ID. */
export function finalOutput(flow: CompiledFlow, outputs: NodeOutputs): JsonMap {
  const ids = flow.ends ?? planOf(flow).lastIds;
  return Object.fromEntries(ids.map((id) => [id, outputs.get(id) ?? null]));
}
