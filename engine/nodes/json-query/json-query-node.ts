import { Breather } from '../../base/breather.ts';
import type { Clock } from '../../base/clock.ts';
import { defineNodeType } from '../../flow/node-type.ts';
import { queryJson } from '../../flowspec/json-path/json-path.ts';
import type { JsonValue } from '../../flowspec/json-value.ts';
import { jsonQueryType } from './json-query-type.ts';

export const jsonQueryNode = defineNodeType(jsonQueryType, {
  capabilities: [],
  run: async ({ input, config, clock, signal }) => ({
    value: await pick(config.path, input.value, { clock, signal }),
  }),
});

/**
 * Works as long as it may and then lets others have a turn, so that it can be cancelled.
 * @throws EngineError as `queryJson` does; the signal's reason
 */
async function pick(
  path: string,
  value: JsonValue,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<JsonValue> {
  const breather = new Breather(clock);
  const search = queryJson(path, value);
  for (let next = search.next(); ; next = search.next()) {
    if (next.done === true) return next.value;
    if (!breather.isDue()) continue;
    await breather.rest();
    signal.throwIfAborted();
  }
}
