/**
 * Keeps the engine host of one workspace alive: restarts it after a crash with increasing delays, and gives up after
 * repeated crashes. Checks once a second whether an idle host responds; one that does not is left alone until the user
 * ends it. Does not depend on Electron; the process is created by `fork`.
 */
import type { z } from 'zod';
import type { mainPushes } from '../../ipc/contracts/main-contract.ts';
import type { personContract } from '../../ipc/contracts/person-contract.ts';
import type { Clock } from '../../ipc/engine-base.ts';
import type { FromHostMessage, ToHostMessage } from '../../ipc/host-messages.ts';
import type { Client } from '../../ipc/rpc.ts';
import { text } from '../text.ts';

/**
 * Messages that a host sends unprompted. Replies to calls and confirmations of keys are handled where they are awaited.
 */
export type HostReport = Exclude<FromHostMessage, { type: 'keys-taken' | 'person' }>;

/** Client for calls to a host on behalf of the user. */
export type PersonClient = Client<typeof personContract>;

/** A running engine host, as used by its owner. */
export interface HostProcess<Port> {
  readonly person: PersonClient;
  send(message: ToHostMessage, ports: readonly Port[]): void;
  /** Kills the process immediately, even if it does not respond. The exit code is then meaningless. */
  kill(): void;
  onMessage(listener: (message: HostReport) => void): void;
  /** Calls the listener once with the exit code. */
  onExit(listener: (exitCode: number) => void): void;
}

/** State of the engine as shown in a window. */
export type EngineState = z.output<(typeof mainPushes)['engine.state']>;

export interface EngineSupervisor<Port> {
  readonly state: EngineState;
  /** Number of active runs in the host. */
  readonly runsUnderWay: number;
  /** Undefined while no host is ready. */
  readonly person: PersonClient | undefined;
  /** Sends a window's port to the host; only valid while `person` is defined. */
  sendPort(port: Port): void;
  /**
   * Ends a host that does not respond, starts another, and resumes the runs there. Has no effect on a host that
   * responds.
   */
  replaceSilent(): void;
  /** Restarts the host after the supervisor gave up. Has no effect in any other state. */
  retry(): void;
  /** Asks the host to store its state and exit, kills it if it does not, and resolves when it has exited. */
  end(): Promise<void>;
}

interface SupervisorWorld<Port> {
  readonly clock: Clock;
  fork(): HostProcess<Port>;
  onState(state: EngineState): void;
  /** Called when a new host is ready, after the state has been updated. */
  onReady(): void;
}

/** Milliseconds without a message after which a host is pinged. Each ping wakes both processes. */
const restMs = 4000;
/** Milliseconds between later pings, and the number of unanswered pings after which the host counts as silent. */
const beatMs = 1000;
const silentAfter = 5;
/** A host that has not sent anything yet may have much to read first. */
const silentAfterAtStart = 15;

/** Delays before the first, second and later restarts, in milliseconds. */
const restartDelaysMs = [0, 500, 2000] as const;
const maxCrashes = 5;
const crashWindowMs = 60_000;
/** Time in milliseconds for a host to store its state and exit. */
const shutdownLimitMs = 5000;

/** Starts the host of a workspace and keeps it running until `end`. */
export function createEngineSupervisor<Port>(world: SupervisorWorld<Port>): EngineSupervisor<Port> {
  return new Supervisor(world);
}

class Supervisor<Port> implements EngineSupervisor<Port> {
  readonly #world: SupervisorWorld<Port>;
  #state: EngineState = { state: 'starting', message: text().engine.starting };
  /** Time of the last message of a host that does not respond, in epoch milliseconds. */
  #silentSince: number | undefined;
  #heardAt = 0;
  #hasSpoken = false;
  #unanswered = 0;
  #stopBeat: () => void = () => undefined;
  #host: HostProcess<Port> | undefined;
  #stopTimer: () => void = () => undefined;
  #crashTimes: number[] = [];
  #runsUnderWay: readonly string[] = [];
  /** Ids of runs to resume from a host that the user ended. */
  #toResume: readonly string[] | undefined;
  #ending: { readonly done: Promise<void>; resolve(): void } | undefined;

  constructor(world: SupervisorWorld<Port>) {
    this.#world = world;
    this.#fork();
  }

  get state(): EngineState {
    const since = this.#silentSince;
    return since === undefined ? this.#state : { state: 'silent', message: text().engine.silent, since };
  }

  get runsUnderWay(): number {
    return this.#runsUnderWay.length;
  }

  get person(): PersonClient | undefined {
    return this.#state.state === 'ready' ? this.#host?.person : undefined;
  }

  sendPort(port: Port): void {
    this.#host?.send({ type: 'port' }, [port]);
  }

  replaceSilent(): void {
    if (this.#silentSince === undefined || this.#ending !== undefined) return;
    this.#toResume = this.#runsUnderWay;
    this.#host?.kill();
  }

  retry(): void {
    if (this.#state.state !== 'failed' || this.#ending !== undefined) return;
    this.#crashTimes = [];
    this.#become('starting', text().engine.starting);
    this.#fork();
  }

  end(): Promise<void> {
    if (this.#ending !== undefined) return this.#ending.done;
    this.#stopTimer();
    const host = this.#host;
    if (host === undefined) return Promise.resolve();
    this.#ending = deferred();
    this.#stopBeat();
    host.send({ type: 'shutdown' }, []);
    this.#stopTimer = this.#world.clock.setTimer(() => host.kill(), shutdownLimitMs);
    return this.#ending.done;
  }

  #fork(): void {
    const host = this.#world.fork();
    this.#host = host;
    host.onMessage((message) => this.#hear(host, message));
    host.onExit((exitCode) => this.#exited(host, exitCode));
    this.#hasSpoken = false;
    this.#unanswered = 0;
    this.#heardAt = this.#world.clock.now();
    this.#beat(host);
  }

  /** Counts pings instead of time, because a suspended machine sends none. */
  #beat(host: HostProcess<Port>, delayMs = beatMs): void {
    this.#stopBeat();
    this.#stopBeat = this.#world.clock.setTimer(() => {
      if (this.#unanswered === 0) host.send({ type: 'ping' }, []);
      this.#unanswered++;
      const limit = this.#hasSpoken ? silentAfter : silentAfterAtStart;
      if (this.#unanswered > limit && this.#silentSince === undefined) {
        this.#silentSince = this.#heardAt;
        this.#world.onState(this.state);
      }
      this.#beat(host);
    }, delayMs);
  }

  #heard(host: HostProcess<Port>): void {
    this.#heardAt = this.#world.clock.now();
    this.#hasSpoken = true;
    this.#unanswered = 0;
    this.#beat(host, restMs);
    if (this.#silentSince === undefined) return;
    this.#silentSince = undefined;
    this.#world.onState(this.state);
  }

  #hear(host: HostProcess<Port>, message: HostReport): void {
    if (host !== this.#host || this.#ending !== undefined) return;
    this.#heard(host);
    if (message.type === 'ready') this.#begin(host);
    else if (message.type === 'runs') this.#runsUnderWay = message.underWay;
    else if (message.type === 'refused') this.#giveUp(host, message.message);
  }

  #begin(host: HostProcess<Port>): void {
    this.#become('ready', text().engine.ready);
    this.#world.onReady();
    const runIds = this.#toResume ?? [];
    this.#toResume = undefined;
    if (runIds.length > 0) host.send({ type: 'resume', runIds }, []);
  }

  #giveUp(host: HostProcess<Port>, reason: string): void {
    this.#host = undefined;
    this.#stopBeat();
    host.kill();
    this.#become('failed', text().engine.refused({ reason }));
  }

  #exited(host: HostProcess<Port>, exitCode: number): void {
    if (host !== this.#host) return;
    this.#host = undefined;
    this.#runsUnderWay = [];
    this.#silentSince = undefined;
    this.#stopTimer();
    this.#stopBeat();
    if (this.#ending !== undefined) this.#ending.resolve();
    else if (this.#toResume !== undefined) this.#replace(this.#toResume.length);
    else this.#recover(exitCode);
  }

  /** Ending a host at the user's request does not count as a crash. */
  #replace(runs: number): void {
    this.#become('restarting', text().engine.replaced({ count: runs }));
    this.#fork();
  }

  /** Every unrequested exit is a crash, whatever its code. */
  #recover(exitCode: number): void {
    const now = this.#world.clock.now();
    this.#crashTimes = [...this.#crashTimes.filter((time) => now - time < crashWindowMs), now];
    const crashes = this.#crashTimes.length;
    if (crashes >= maxCrashes) {
      this.#become('failed', text().engine.gaveUp({ count: crashes, code: exitCode }));
      return;
    }
    this.#become('restarting', text().engine.crashed({ code: exitCode }));
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
