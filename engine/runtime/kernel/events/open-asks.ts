/**
 * Derives an open task's requests from its events.
 */
import type { JsonMap, JsonValue } from '../../../language/json/json-value.ts';
import { isPauseReason } from '../hub/run-pause.ts';
import type { AskEvent, AskRequest } from '../requests/ask.ts';
import type { OpenTask } from '../resume/resume-point.ts';
import type { StageEvent, SuspendReason } from './run-event.ts';

type AskingTask = { -readonly [Key in keyof OpenTask]: OpenTask[Key] };

interface OpenRequestReader {
  /** Time in epoch milliseconds. */
  readonly at: number;
  readonly whole: (value: JsonValue) => JsonValue;
}

/** A node's own request is answered by events in the log, not by resuming the run. */
export function isAskReason(reason: SuspendReason): boolean {
  return reason !== 'operator' && !isPauseReason(reason);
}

/** Applies a task's request, or an answer to one. */
export function applyRequestEvent(
  task: AskingTask | undefined,
  event: AskEvent,
  { at, whole }: OpenRequestReader,
): void {
  if (task === undefined) return;
  const asks = new Map(task.asks);
  const { key, requestHash } = event;
  const former = asks.get(key);
  const wholeMap = (map: JsonMap): JsonMap =>
    Object.fromEntries(Object.entries(map).map(([name, value]) => [name, whole(value)]));
  if ('request' in event) {
    const request = wholeMap(event.request as unknown as JsonMap) as unknown as AskRequest;
    asks.set(key, { key, requestHash, request, askedAt: at });
  } else if (former?.requestHash === requestHash) {
    const by = event.by === undefined ? {} : { by: event.by };
    asks.set(key, { ...former, answer: { payload: wholeMap(event.payload), at: event.at, ...by } });
    // A task that is called again may act, so it counts as interrupted if an interruption follows.
    task.isAsking = false;
  }
  task.asks = asks;
}

/** Applies the start or end of an agent input's stage. Only waiting stages matter. */
export function applyStageEvent(
  task: AskingTask | undefined,
  event: StageEvent,
  { whole }: Pick<OpenRequestReader, 'whole'>,
): void {
  if (task === undefined) return;
  if (event.type === 'stage:start') {
    task.isAsking = false;
    if (task.rest !== undefined) task.rest = { ...task.rest, hasBegun: true };
  } else if (event.result !== undefined) {
    task.rest = { stage: event.stage, kept: whole(event.result), hasBegun: false };
  }
}
