/**
 * Identities, branded so that one kind cannot be passed as another. At run time each is plain text.
 */

type Brand<Name extends string> = string & { readonly __brand: Name };

/** One execution of one flow or agent. Made by an `IdSource`. */
export type RunId = Brand<'RunId'>;
/** One conversation, or one lifetime of a command or a window. */
export type SessionId = Brand<'SessionId'>;

/** Where fresh identities come from; a test hands in a counting one. */
export interface IdSource {
  /** A run id that no earlier call returned. */
  runId(): RunId;
  sessionId(): SessionId;
}

/** Takes text that is known to be a run id (read from a store, a contract, an argument) as one. */
export function asRunId(text: string): RunId {
  return text as RunId;
}

/** Takes text that is known to be a session id as one. */
export function asSessionId(text: string): SessionId {
  return text as SessionId;
}

const nodeTaskPrefix = 'node:';

/** Id of the kernel task that runs a node: `node:<id>`. */
export function taskIdOf(nodeId: string): string {
  return nodeTaskPrefix + nodeId;
}

/** The node that a kernel task runs; undefined when it runs something else. */
export function nodeNameOf(taskId: string | undefined): string | undefined {
  return taskId?.startsWith(nodeTaskPrefix) ? taskId.slice(nodeTaskPrefix.length) : undefined;
}

/** The name under which a run's state has a task: that of its node, or its own. */
export function taskNameOf(taskId: string): string {
  return nodeNameOf(taskId) ?? taskId;
}

const digits = 20;

/** Text that never repeats, by chance. */
export function randomText(): string {
  return Array.from({ length: digits }, () => Math.floor(Math.random() * 36).toString(36)).join('');
}
