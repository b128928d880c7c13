/**
 * Exit codes, for the program's caller. The numbers are part of the product's public protocol (`docs/cli.md`).
 */
import { EngineError } from '../base/engine-error.ts';
import type { RunStatus } from '../isomorphic.ts';

export const exitCode = {
  /** Completed or skipped; at most warnings. */
  ok: 0,
  /** The run failed, or the program could not do its work. */
  failed: 1,
  /** An invalid file, input or usage; a missing file or run. */
  refused: 2,
  /** The run waits for a person. */
  suspended: 3,
  /** Refused before the start by policy: nobody agreed to what it would have needed, or a team forbids it. */
  denied: 4,
  cancelled: 130,
} as const;

/** How a command sets its exit code. */
export type Finish = (code: number) => void;

/** The code for a run that ended so, or stopped to ask. */
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

/** A history that cannot take a run is no mistake of the caller, and neither is a server that does not answer. */
const ownTroubles = new Set([
  'store.full',
  'store.write-failed',
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

/** A team has said no, or nobody was there to say yes. */
const refusals = new Set([
  'pack.not-allowed',
  'model.not-allowed',
  'team.locked',
  'secret.not-allowed',
  'permission.refused',
  'files.unseen',
]);

/** The code for what stopped a command before a run started. */
export function exitCodeOfError(error: unknown): number {
  if (EngineError.is(error) && refusals.has(error.code)) return exitCode.denied;
  return EngineError.is(error) && !isTrouble(error.code) ? exitCode.refused : exitCode.failed;
}

function isTrouble(code: string): boolean {
  return ownTroubles.has(code) || (troublesOfPacks.test(code) && !mistakesWithPacks.has(code));
}

/** The caller asked for something that cannot be done so. The message says what to do instead. */
export function usageError(message: string): EngineError {
  return new EngineError({ code: 'cli.usage', message });
}
