/**
 * Assigns engine hosts to windows. All windows on a workspace share one host, which ends with the last of them.
 */
import { type Clock, EngineError } from '../../ipc/engine-base.ts';
import {
  createEngineSupervisor,
  type EngineState,
  type EngineSupervisor,
  type HostProcess,
  type PersonClient,
} from './engine-supervisor.ts';

/** A window as a user of its engine host. */
export interface EngineUser<Port> {
  /** Receives the page's end of a connection to the host. */
  receivePort(port: Port): void;
  receiveState(state: EngineState): void;
}

/** A window's connection to the engine host of its workspace. */
export interface EngineProcessLink {
  /** Called when the page starts listening. Sends it the state, and a port now or as soon as the host is ready. */
  connect(): void;
  /** Called when the page stops listening, such as on a reload. Nothing is sent to it until `connect` is called. */
  disconnect(): void;
  /**
   * Returns the number of runs that end if the window leaves: all active runs, or 0 if another window uses the host.
   */
  runsAtStake(): number;
  /** Ends a host that does not respond and resumes its runs in another. */
  replaceSilent(): void;
  /**
   * Makes calls to the host on behalf of the user. Waits five seconds by default, or without a limit. @throws
   * EngineError `engine.not-ready` | `engine.not-answering`, or the host's error
   */
  asPerson<Answer>(act: (person: PersonClient) => Promise<Answer>, limitMs?: number | null): Promise<Answer>;
  /** Disconnects the window. The last one to leave ends the host. */
  leave(): void;
}

export interface EngineProcesses<Port> {
  /**
   * Connects a window to the host of a workspace, which starts when the first window joins. `workspace` is a path with
   * symbolic links resolved.
   */
  join(workspace: string, user: EngineUser<Port>): EngineProcessLink;
  /** Returns the number of active runs in all hosts. */
  runsUnderWay(): number;
  /** Ends all hosts and resolves when they have exited. */
  endAll(): Promise<void>;
}

interface ProcessWorld<Port> {
  readonly clock: Clock;
  fork(workspace: string): HostProcess<Port>;
  /** Returns both ends of a new connection: the host's and the page's. */
  createChannel(): readonly [Port, Port];
}

/** Creates the registry of engine hosts. It starts none by itself. */
export function createEngineProcesses<Port>(world: ProcessWorld<Port>): EngineProcesses<Port> {
  const hosts = new Map<string, SharedHost<Port>>();
  const endings = new Set<Promise<void>>();

  const end = (workspace: string, host: SharedHost<Port>): void => {
    hosts.delete(workspace);
    const ending = host.supervisor.end().finally(() => endings.delete(ending));
    endings.add(ending);
  };

  return {
    join(workspace, user) {
      const host = hosts.get(workspace) ?? startHost(world, workspace);
      hosts.set(workspace, host);
      host.users.add(user);
      return {
        connect() {
          host.supervisor.retry();
          host.listening.add(user);
          inform(world, host.supervisor, user);
        },
        disconnect: () => host.listening.delete(user),
        replaceSilent: () => host.supervisor.replaceSilent(),
        async asPerson(act, limitMs = answerLimitMs) {
          const { person } = host.supervisor;
          if (person === undefined) throw notReady();
          return limitMs === null ? await act(person) : await within(limitMs, world.clock, act(person));
        },
        runsAtStake: () => (host.users.has(user) && host.users.size === 1 ? host.supervisor.runsUnderWay : 0),
        leave() {
          host.listening.delete(user);
          if (host.users.delete(user) && host.users.size === 0) end(workspace, host);
        },
      };
    },
    runsUnderWay: () => [...hosts.values()].reduce((sum, { supervisor }) => sum + supervisor.runsUnderWay, 0),
    async endAll() {
      for (const [workspace, host] of hosts) end(workspace, host);
      await Promise.all(endings);
    },
  };
}

interface SharedHost<Port> {
  readonly supervisor: EngineSupervisor<Port>;
  readonly users: Set<EngineUser<Port>>;
  /** Users with a listening page. */
  readonly listening: Set<EngineUser<Port>>;
}

function startHost<Port>(world: ProcessWorld<Port>, workspace: string): SharedHost<Port> {
  const listening = new Set<EngineUser<Port>>();
  const supervisor = createEngineSupervisor<Port>({
    clock: world.clock,
    fork: () => world.fork(workspace),
    onState: (state) => {
      for (const user of listening) user.receiveState(state);
    },
    onReady: () => {
      for (const user of listening) connect(world, supervisor, user);
    },
  });
  return { supervisor, users: new Set(), listening };
}

/** Sends a listening window the state of its engine, and a new connection if the engine is running. */
function inform<Port>(world: ProcessWorld<Port>, supervisor: EngineSupervisor<Port>, user: EngineUser<Port>): void {
  user.receiveState(supervisor.state);
  // A host that does not respond receives the port when it responds again.
  if (supervisor.person !== undefined) connect(world, supervisor, user);
}

function connect<Port>(world: ProcessWorld<Port>, supervisor: EngineSupervisor<Port>, user: EngineUser<Port>): void {
  const [hostPort, pagePort] = world.createChannel();
  supervisor.sendPort(hostPort);
  user.receivePort(pagePort);
}

/** How long a call on behalf of the user waits for the host, in milliseconds. */
const answerLimitMs = 5000;

function notReady(): EngineError {
  return new EngineError({ code: 'engine.not-ready', message: 'The engine is not ready. Try again in a moment.' });
}

async function within<Answer>(limitMs: number, clock: Clock, answer: Promise<Answer>): Promise<Answer> {
  let stopTimer: () => void = () => undefined;
  const tooLong = new Promise<never>((_, reject) => {
    const message = 'The engine does not answer, so it is not known whether that was done. Try again when it does.';
    const error = new EngineError({ code: 'engine.not-answering', message });
    stopTimer = clock.setTimer(() => reject(error), limitMs);
  });
  return await Promise.race([answer, tooLong]).finally(() => stopTimer());
}
