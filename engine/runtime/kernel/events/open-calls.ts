/**
 * Derives an open task's calls from its events.
 */
import type { JsonMap, JsonValue } from '../../../language/json/json-value.ts';
import { type Ask, withoutLive } from '../requests/ask.ts';
import { type FinishedCall, finishedBy, wholeCall } from '../resume/call-keys.ts';
import type { OpenTask } from '../resume/resume-point.ts';
import { toolCallOfRound } from '../resume/tool-rounds.ts';
import type { RunEvent } from './run-event.ts';

/** An open task while its log is being read. */
export type OpenDraft = { -readonly [Key in keyof OpenTask]: OpenTask[Key] } & {
  finished: Map<string, FinishedCall>;
  cutTools: Map<string, number>;
};

/** Starts a task, or restarts it after an interruption, keeping its requests and calls. */
export function startedTask(former: OpenDraft | undefined, phase: string | undefined): OpenDraft {
  const { attemptsMade = 0, finished = new Map<string, FinishedCall>() } = former ?? {};
  const asks: ReadonlyMap<string, Ask> = new Map(
    withoutLive([...(former?.asks.values() ?? [])]).map((ask) => [ask.key, ask]),
  );
  const { cutTools = new Map<string, number>() } = former ?? {};
  const rest = former?.rest === undefined ? {} : { rest: former.rest };
  const edited = former?.edited === undefined ? {} : { edited: former.edited };
  return {
    attemptsMade,
    isWaiting: false,
    isParked: false,
    phase,
    isAsking: false,
    asks,
    finished,
    cutTools,
    ...rest,
    ...edited,
  };
}

/** Returns what changes when a task's input is known: a person has let it continue. */
export function taskWithInput(
  { input, edited }: Extract<RunEvent, { readonly type: 'node:input' }>,
  whole: (value: JsonValue) => JsonValue,
): Partial<OpenDraft> {
  // A node's input is a map.
  const given = edited === undefined ? {} : { edited: { input: whole(input) as JsonMap, by: edited.by } };
  return { isWaiting: false, isAsking: false, ...given };
}

/** Applies the end of one of a task's calls, or the start of a call that must not be repeated; ignores other events. */
export function applyCallEvent(task: OpenDraft | undefined, event: RunEvent): void {
  if (task === undefined) return;
  if (event.type === 'tool:attempt' && event.effects === 'external' && !waitsForRound(task, event.callKey)) {
    task.cutTools.set(event.callKey, (task.cutTools.get(event.callKey) ?? 0) + 1);
  }
  // A tool call waits between a question because of its intermediate result and the answer, so it is not interrupted.
  if ('requestHash' in event) task.cutTools.delete(toolCallOfRound(event.key) ?? '');
  const finished = finishedBy(event);
  if (finished === undefined) return;
  task.finished.set(...finished);
  task.cutTools.delete(toolCallOfRound(finished[0]) ?? finished[0]);
}

/** Whether a tool call waits for an answer because of its intermediate result. It then only asks again. */
function waitsForRound({ asks }: OpenDraft, callKey: string): boolean {
  return [...asks.values()].some(({ key, answer }) => answer === undefined && toolCallOfRound(key) === callKey);
}

/** Call results are loaded only for tasks that are open at the end of the log, which is rare. */
export function wholeTask(task: OpenTask, whole: (value: JsonValue) => JsonValue): OpenTask {
  if (task.finished.size === 0) return task;
  return { ...task, finished: new Map([...task.finished].map(([key, call]) => [key, wholeCall(call, whole)])) };
}
