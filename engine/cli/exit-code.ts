/**
 * Exit codes of the program. The numbers are part of the product's public protocol (`docs/cli.md`).
 */
import { EngineError } from '../base/engine-error.ts';
import type { RunStatus } from '../isomorphic.ts';

export const exitCode = {
  /** Completed or skipped, with warnings at most. */
  ok: 0,
  /** The run failed, or the program could not perform its task. */
  failed: 1,
  /** A file, input or usage is invalid, or a file or run does not exist. */
  refused: 2,
  /** The run waits for a person. */
  suspended: 3,
  /** The start was refused because a required consent was not given, or because a team forbids it. */
  denied: 4,
  cancelled: 130,
} as const;

/** Sets the exit code of a command. */
export type Finish = (code: number) => void;

/** Returns the exit code for the status of an ended or suspended run. */
export function exitCodeOfRun(status: RunStatus): number {
  switch (status) {
    case 'completed':
    case 'skipped':
      return exitCode.ok;
    case 'suspended':
      return exitCode.suspended;
    case 'cancelled':
      return exitCode.cancelled;
    case 'queued':
    case 'running':
    case 'interrupted':
    case 'failed':
      return exitCode.failed;
  }
}

/**
 * Error codes for failures that are not the caller's fault, such as a history that cannot be written or a server that
 * does not respond.
 */
const ownTroubles = new Set([
  'store.full',
  'store.write-failed',
  'store.unreachable',
  'restate.unreachable',
  'restate.refused',
  'restate.no-worker',
  'files.no-trash',
  'team.bad-package',
  'team.bad-signature',
  'team.other-signer',
]);
const troublesOfPacks = /^(?:web\.|pack\.)/;
const mistakesWithPacks = new Set([
  'pack.bad-uri',
  'pack.bad-ref',
  'pack.bad-manifest',
  'pack.no-manifest',
  'pack.not-found',
  'pack.not-installed',
  'pack.exists',
  'pack.no-lock',
  'pack.bad-lock',
  'pack.newer-lock',
  'pack.lock-misfit',
  'pack.bad-declaration',
]);

/** Error codes for refusals by a team or for lack of consent. */
const refusals = new Set([
  'pack.not-allowed',
  'model.not-allowed',
  'team.locked',
  'secret.not-allowed',
  'permission.refused',
  'files.unseen',
]);

/** Returns the exit code for an error that occurred before a run started. */
export function exitCodeOfError(error: unknown): number {
  if (EngineError.is(error) && refusals.has(error.code)) return exitCode.denied;
  return EngineError.is(error) && !isTrouble(error.code) ? exitCode.refused : exitCode.failed;
}

function isTrouble(code: string): boolean {
  return ownTroubles.has(code) || (troublesOfPacks.test(code) && !mistakesWithPacks.has(code));
}

/** Creates the error for incorrect usage. The message should suggest an alternative. */
export function usageError(message: string): EngineError {
  return new EngineError({ code: 'cli.usage', message });
}
