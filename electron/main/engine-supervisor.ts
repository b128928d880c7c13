/**
 * Keeps the engine host of one workspace alive: starts it again after a crash, with growing pauses, and gives up when
 * that does not help. Knows no Electron; the process comes through `fork`.
 */
import type { z } from 'zod';
import type { Clock } from '../ipc/engine-base.ts';
import type { FromHostMessage, ToHostMessage } from '../ipc/host-messages.ts';
import type { mainPushes } from '../ipc/main-contract.ts';

/** What a host says of itself; that it took keys is received where they are delivered. */
export type HostReport = Exclude<FromHostMessage, { type: 'keys-taken' }>;

/** A running engine host, as its owner sees it. */
export interface HostProcess<Port> {
  send(message: ToHostMessage, ports: readonly Port[]): void;
  /** Ends it at once. The exit code of a killed process is 0, like that of a clean end. */
  kill(): void;
  onMessage(listener: (message: HostReport) => void): void;
  /** Tells once, with the exit code. */
  onExit(listener: (exitCode: number) => void): void;
}

/** What a window shows of its engine. */
export type EngineState = z.output<(typeof mainPushes)['engine.state']>;

export interface EngineSupervisor<Port> {
  readonly state: EngineState;
  /** How many runs go on in the host. */
  readonly runsUnderWay: number;
  /** Hands a window's port to the host; only while the state is `ready`. */
  sendPort(port: Port): void;
  /** Starts the host once more after it was given up; does nothing in any other state. */
  retry(): void;
  /** Asks the host to store what it knows and to exit, kills it when it does not, and resolves when it is gone. */
  end(): Promise<void>;
}

interface SupervisorWorld<Port> {
  readonly clock: Clock;
  fork(): HostProcess<Port>;
  onState(state: EngineState): void;
}

/** Pauses before the first, second and every later restart, in milliseconds. */
const restartDelaysMs = [0, 500, 2000] as const;
const maxCrashes = 5;
const crashWindowMs = 60_000;
/** How long a host may take to store what it knows and to exit. */
const shutdownLimitMs = 5000;

const wayOut = 'What was stored before is kept. Try again, here or with View > Reload Window.';

/** Starts the host of a workspace and keeps it running until `end`. */
export function createEngineSupervisor<Port>(world: SupervisorWorld<Port>): EngineSupervisor<Port> {
  return new Supervisor(world);
}

class Supervisor<Port> implements EngineSupervisor<Port> {
  readonly #world: SupervisorWorld<Port>;
  #state: EngineState = { state: 'starting', message: 'The engine is starting.' };
  #host: HostProcess<Port> | undefined;
  #stopTimer: () => void = () => undefined;
  #crashTimes: number[] = [];
  #runsUnderWay = 0;
  #ending: { readonly done: Promise<void>; resolve(): void } | undefined;

  constructor(world: SupervisorWorld<Port>) {
    this.#world = world;
    this.#fork();
  }

  get state(): EngineState {
    return this.#state;
  }

  get runsUnderWay(): number {
    return this.#runsUnderWay;
  }

  sendPort(port: Port): void {
    this.#host?.send({ type: 'port' }, [port]);
  }

  retry(): void {
    if (this.#state.state !== 'failed' || this.#ending !== undefined) return;
    this.#crashTimes = [];
    this.#become('starting', 'The engine is starting.');
    this.#fork();
  }

  end(): Promise<void> {
    if (this.#ending !== undefined) return this.#ending.done;
    this.#stopTimer();
    const host = this.#host;
    if (host === undefined) return Promise.resolve();
    this.#ending = deferred();
    host.send({ type: 'shutdown' }, []);
    this.#stopTimer = this.#world.clock.setTimer(() => host.kill(), shutdownLimitMs);
    return this.#ending.done;
  }

  #fork(): void {
    const host = this.#world.fork();
    this.#host = host;
    host.onMessage((message) => this.#hear(host, message));
    host.onExit((exitCode) => this.#exited(host, exitCode));
  }

  #hear(host: HostProcess<Port>, message: HostReport): void {
    if (host !== this.#host || this.#ending !== undefined) return;
    if (message.type === 'ready') this.#become('ready', 'The engine is ready.');
    else if (message.type === 'runs') this.#runsUnderWay = message.underWay;
    else this.#giveUp(host, message.message);
  }

  #giveUp(host: HostProcess<Port>, reason: string): void {
    this.#host = undefined;
    host.kill();
    this.#become('failed', `The engine cannot open this folder: ${reason} ${wayOut}`);
  }

  #exited(host: HostProcess<Port>, exitCode: number): void {
    if (host !== this.#host) return;
    this.#host = undefined;
    this.#runsUnderWay = 0;
    this.#stopTimer();
    if (this.#ending !== undefined) this.#ending.resolve();
    else this.#recover(exitCode);
  }

  /** Any exit that nobody asked for is a crash, whatever its code. */
  #recover(exitCode: number): void {
    const now = this.#world.clock.now();
    this.#crashTimes = [...this.#crashTimes.filter((time) => now - time < crashWindowMs), now];
    const crashes = this.#crashTimes.length;
    if (crashes >= maxCrashes) {
      this.#become(
        'failed',
        `The engine ended ${crashes} times within a minute, last with exit code ${exitCode}, and is not started again. ${wayOut}`,
      );
      return;
    }
    this.#become('restarting', `The engine ended unexpectedly (exit code ${exitCode}) and is being started again.`);
    const delayMs = restartDelaysMs[Math.min(crashes, restartDelaysMs.length) - 1] ?? 0;
    this.#stopTimer = this.#world.clock.setTimer(() => this.#fork(), delayMs);
  }

  #become(state: EngineState['state'], message: string): void {
    this.#state = { state, message };
    this.#world.onState(this.#state);
  }
}

function deferred(): { done: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined;
  const done = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { done, resolve };
}
