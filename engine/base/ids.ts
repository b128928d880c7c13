/**
 * Defines ids, branded so that one type cannot be passed as another. At run time, each is a plain string.
 */

type Brand<Name extends string> = string & { readonly __brand: Name };

/** Id of one execution of a flow or agent, created by an `IdSource`. */
export type RunId = Brand<'RunId'>;
/** Id of a conversation, or of the lifetime of a command or window. */
export type SessionId = Brand<'SessionId'>;

/** Source of new ids. Tests use one that counts. */
export interface IdSource {
  /** Returns a run id that no earlier call returned. */
  runId(): RunId;
  sessionId(): SessionId;
}

/** Casts text that is known to be a run id (from a store, contract or argument). */
export function asRunId(text: string): RunId {
  return text as RunId;
}

/** Casts text that is known to be a session id. */
export function asSessionId(text: string): SessionId {
  return text as SessionId;
}

const nodeTaskPrefix = 'node:';

/** Returns the id of the kernel task that runs a node: `node:<id>`. */
export function taskIdOf(nodeId: string): string {
  return nodeTaskPrefix + nodeId;
}

/** Returns the node that a kernel task runs; undefined if it runs something else. */
export function nodeNameOf(taskId: string | undefined): string | undefined {
  return taskId?.startsWith(nodeTaskPrefix) ? taskId.slice(nodeTaskPrefix.length) : undefined;
}

/** Returns a task's name in the run state: the name of its node, or the task's own id. */
export function taskNameOf(taskId: string): string {
  return nodeNameOf(taskId) ?? taskId;
}

const digits = 20;

/** Returns random text that is practically unique. */
export function randomText(): string {
  return Array.from({ length: digits }, () => Math.floor(Math.random() * 36).toString(36)).join('');
}
