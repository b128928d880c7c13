/**
 * Intermediate results of a tool call that continues after a person has answered. They are stored in the log, so that
 * the call continues where it was, also in another process.
 */
import type { JsonValue } from '../../../language/json/json-value.ts';
import type { CallEvent } from '../events/run-event.ts';
import type { FinishedCall } from './call-keys.ts';

export interface ToolRounds {
  /** The intermediate results so far, in order. */
  readonly kept: readonly JsonValue[];
  /** Stores the next intermediate result: until the call continues, it has no effects with an unknown outcome. */
  keep(result: JsonValue): void;
}

const separator = '/round:';

/** Returns the key of an intermediate result of a tool call, or of a request because of one. */
export function roundKey(callKey: string, round: string): string {
  return `${callKey}${separator}${round}`;
}

/** Returns the key of the tool call to which the key of an intermediate result or of a request belongs, if any. */
export function toolCallOfRound(callKey: string): string | undefined {
  const end = callKey.lastIndexOf(separator);
  return end === -1 ? undefined : callKey.slice(0, end);
}

/**
 * Returns the intermediate results of a call.
 * @param finished the finished calls of the work, by call key
 * @param emit emits the event and adds it to `finished`
 */
export function toolRounds(
  callKey: string,
  finished: ReadonlyMap<string, FinishedCall>,
  emit: (event: CallEvent) => void,
): ToolRounds {
  const keyOf = (round: number): string => roundKey(callKey, String(round));
  const kept: JsonValue[] = [];
  for (;;) {
    const call = finished.get(keyOf(kept.length));
    if (call?.type !== 'call:complete') break;
    kept.push(call.result);
  }
  let count = kept.length;
  return {
    kept,
    keep(result) {
      emit({ type: 'call:complete', callKey: keyOf(count++), result });
    },
  };
}
