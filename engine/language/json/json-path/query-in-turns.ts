/**
 * Runs JSONPath queries alongside other work.
 */
import { Breather } from '../../../base/breather.ts';
import type { Clock } from '../../../base/clock.ts';
import type { JsonValue } from '../json-value.ts';
import { queryJson } from './json-path.ts';

/**
 * Runs a query, yielding regularly to other work, so that it can be canceled.
 * @throws EngineError as `queryJson` does; the signal's reason
 */
export async function queryInTurns(
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
