/**
 * What an open task has called, as its events tell it.
 */
import type { JsonValue } from '../flowspec/json-value.ts';
import type { Ask } from './ask.ts';
import { type FinishedCall, finishedBy, wholeCall } from './call-keys.ts';
import type { OpenTask } from './resume-point.ts';
import type { RunEvent } from './run-event.ts';

/** An open task while its log is read. */
export type OpenDraft = { -readonly [Key in keyof OpenTask]: OpenTask[Key] } & {
  finished: Map<string, FinishedCall>;
  cutTools: Map<string, number>;
};

/** A task begins, or begins anew after it was cut: what it has asked and called stays. */
export function begunTask(former: OpenDraft | undefined, phase: string | undefined): OpenDraft {
  const { attemptsMade = 0, asks = new Map<string, Ask>(), finished = new Map<string, FinishedCall>() } = former ?? {};
  const { cutTools = new Map<string, number>() } = former ?? {};
  const rest = former?.rest === undefined ? {} : { rest: former.rest };
  return { attemptsMade, isWaiting: false, isParked: false, phase, isAsking: false, asks, finished, cutTools, ...rest };
}

/** Takes the end of a call of a task, and the beginning of one that is not to be made twice; other events change nothing. */
export function noteCall(task: OpenDraft | undefined, event: RunEvent): void {
  if (task === undefined) return;
  if (event.type === 'tool:attempt' && event.effects === 'external') {
    task.cutTools.set(event.callKey, (task.cutTools.get(event.callKey) ?? 0) + 1);
  }
  const finished = finishedBy(event);
  if (finished === undefined) return;
  task.finished.set(...finished);
  task.cutTools.delete(finished[0]);
}

/** What calls gave is read when their task is open at the end of the log: mostly none is. */
export function wholeTask(task: OpenTask, whole: (value: JsonValue) => JsonValue): OpenTask {
  if (task.finished.size === 0) return task;
  return { ...task, finished: new Map([...task.finished].map(([key, call]) => [key, wholeCall(call, whole)])) };
}
