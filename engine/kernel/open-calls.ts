/**
 * What an open task has called, as its events tell it.
 */
import type { JsonValue } from '../flowspec/json-value.ts';
import type { Ask } from './ask.ts';
import { type FinishedCall, finishedBy, wholeCall } from './call-keys.ts';
import type { OpenTask } from './resume-point.ts';
import type { RunEvent } from './run-event.ts';

/** An open task while its log is read. */
export type OpenDraft = { -readonly [Key in keyof OpenTask]: OpenTask[Key] } & { finished: Map<string, FinishedCall> };

/** A task begins, or begins anew after it was cut: what it has asked and called stays. */
export function begunTask(former: OpenDraft | undefined, phase: string | undefined): OpenDraft {
  const { attemptsMade = 0, asks = new Map<string, Ask>(), finished = new Map<string, FinishedCall>() } = former ?? {};
  const rest = former?.rest === undefined ? {} : { rest: former.rest };
  return { attemptsMade, isWaiting: false, isParked: false, phase, isAsking: false, asks, finished, ...rest };
}

/** Takes the end of a call of a task; other events change nothing. */
export function noteCall(task: OpenDraft | undefined, event: RunEvent): void {
  const finished = finishedBy(event);
  if (task !== undefined && finished !== undefined) task.finished.set(...finished);
}

/** What calls gave is read when their task is open at the end of the log: mostly none is. */
export function wholeTask(task: OpenTask, whole: (value: JsonValue) => JsonValue): OpenTask {
  if (task.finished.size === 0) return task;
  return { ...task, finished: new Map([...task.finished].map(([key, call]) => [key, wholeCall(call, whole)])) };
}
