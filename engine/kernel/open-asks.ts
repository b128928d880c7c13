/**
 * What an open task asks, as its events tell it.
 */
import type { JsonMap, JsonValue } from '../flowspec/json-value.ts';
import type { AskEvent, AskRequest } from './ask.ts';
import type { OpenTask } from './resume-point.ts';
import type { StageEvent, SuspendReason } from './run-event.ts';

type AskingTask = { -readonly [Key in keyof OpenTask]: OpenTask[Key] };

interface Reading {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly whole: (value: JsonValue) => JsonValue;
}

/** What a node asks itself is answered by facts of the log, and not by whoever lets the run go on. */
export function isAskReason(reason: SuspendReason): boolean {
  return reason !== 'operator';
}

/** Takes a question of a task, or an answer to one. */
export function noteAsk(task: AskingTask | undefined, event: AskEvent, { at, whole }: Reading): void {
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
    // Whoever is called again may act: one that is cut from now on has been cut.
    task.isAsking = false;
  }
  task.asks = asks;
}

/** Takes the begin or the end of a stage of an input of an agent: only where it rests is of interest. */
export function noteStage(task: AskingTask | undefined, event: StageEvent, { whole }: Pick<Reading, 'whole'>): void {
  if (task === undefined) return;
  if (event.type === 'stage:start') {
    task.isAsking = false;
    if (task.rest !== undefined) task.rest = { ...task.rest, hasBegun: true };
  } else if (event.result !== undefined) {
    task.rest = { stage: event.stage, kept: whole(event.result), hasBegun: false };
  }
}
