/**
 * What a service for triggers needs, and what it offers.
 */
import type { Clock } from '../../base/clock.ts';
import type { RunId } from '../../base/ids.ts';
import type { AddedFiring, Firing, NewFiring } from '../../history/store/firing-store.ts';
import type { RunStore } from '../../history/store/run-store.ts';
import type { RunListener } from '../../runtime/kernel/hub/hub-core.ts';
import type { Executor } from '../executor/executor.ts';
import type { StartRun } from '../executor/start-request.ts';
import type { CallerDesk, WaitingCaller } from './caller-desk.ts';
import type { TriggerEntry } from './trigger-list.ts';

/** The parts of an engine that the service uses, and how it works. */
export interface TriggerServiceOptions {
  readonly clock: Clock;
  readonly store: RunStore;
  /** Returns the triggers of the workspace. */
  readonly list: () => Promise<readonly TriggerEntry[]>;
  readonly readFlow: (path: string) => Promise<{ readonly text: string }>;
  /** Opens secrets that a flow names. @throws EngineError `secret.*` */
  readonly openSecrets: Executor['openSecrets'];
  readonly callers: CallerDesk;
  /** Queues a run. @throws EngineError as `RunActions.startRun` does */
  readonly startRun: (request: StartRun) => Promise<{ readonly runId: RunId }>;
  readonly resumeRun: (request: { readonly runId: RunId }) => Promise<unknown>;
  readonly cancelRun: (runId: RunId) => void;
  /** Subscribes to stored events of all runs. */
  readonly subscribe: (listener: RunListener) => () => void;
  /** Absolute path. */
  readonly workspace: string;
  /** Subscribes to changes of all files. */
  readonly watchFiles: (listener: () => void) => () => void;
  /** Subscribes to changes of flows, and of which triggers are on. */
  readonly watchFlows: (listener: () => void) => () => void;
  /** Maximum number of unfinished runs of a flow that triggers have started; 10 by default. */
  readonly mostPerFlow?: number;
  /** Receives what a person should know, such as a firing that could not start. */
  readonly onNote: (text: string) => void;
  /** Called when the triggers or their next times may have changed. */
  readonly onChange?: () => void;
}

/** A service that is running. */
export interface TriggerService {
  /** The triggers that it knows, with the times at which they are due next. */
  triggers(): readonly (TriggerEntry & { readonly nextAt: readonly number[] })[];
  /** The triggers that it knows: the same list until one of them changes. */
  entries(): readonly TriggerEntry[];
  /**
   * Returns the values of secrets that a trigger names, by name.
   * @throws EngineError `secret.missing` | `secret.not-allowed` | `secret.file-unreadable` | `files.*`
   */
  readSecrets(entry: TriggerEntry, names: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Records an event of a trigger, such as a request, and starts its run when it may. Resolves when the event is on disk.
   * @throws EngineError `store.full` | `store.write-failed`
   */
  fire(firing: NewFiring): Promise<AddedFiring>;
  /** Returns a caller that waits for a `respond` node. Must be called before `fire`. */
  expectResponse(): WaitingCaller;
  /** Resolves with a firing when it no longer waits, or when the service is closed. Undefined if there is none. */
  whenDecided(id: number): Promise<Firing | undefined>;
  /** Resolves when everything that is due has been handled. */
  settled(): Promise<void>;
  /** Stops starting runs. Runs continue. */
  close(): Promise<void>;
}
