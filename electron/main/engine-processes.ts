/**
 * Which engine host serves which window: one host for each workspace, shared by all windows on it, ended with the last.
 */
import { type Clock, EngineError } from '../ipc/engine-base.ts';
import {
  createEngineSupervisor,
  type EngineState,
  type EngineSupervisor,
  type HostProcess,
  type PersonClient,
} from './engine-supervisor.ts';

/** A window, as its engine host sees it. */
export interface EngineUser<Port> {
  /** Takes the page's end of a line to the host. */
  receivePort(port: Port): void;
  receiveState(state: EngineState): void;
}

/** A window's share in the engine host of its workspace. */
export interface EngineLink {
  /** The page listens: sends it the state, and a port now or as soon as the host is ready. */
  connect(): void;
  /** The page no longer listens (it reloads); until `connect` nothing is sent to it. */
  disconnect(): void;
  /** How many runs end when the share is given up: those that go on, if no other window has a share. */
  runsAtStake(): number;
  /** Ends a host that does not answer, and lets its runs go on in another. */
  replaceSilent(): void;
  /**
   * Makes calls of the host on behalf of the person, who waits five seconds for it, or for ever. @throws EngineError `engine.not-ready` | `engine.not-answering`, or what
   * the host answers
   */
  asPerson<Answer>(act: (person: PersonClient) => Promise<Answer>, limitMs?: number | null): Promise<Answer>;
  /** Gives the share up; the last one ends the host. */
  leave(): void;
}

export interface EngineProcesses<Port> {
  /** Joins a window to the host of a workspace, which is started when it is the first. `workspace` is a real path. */
  join(workspace: string, user: EngineUser<Port>): EngineLink;
  /** How many runs go on in all hosts. */
  runsUnderWay(): number;
  /** Ends all hosts and resolves when they are gone. */
  endAll(): Promise<void>;
}

interface ProcessWorld<Port> {
  readonly clock: Clock;
  fork(workspace: string): HostProcess<Port>;
  /** Both ends of a new line: the host's and the page's. */
  createChannel(): readonly [Port, Port];
}

/** Makes the register of engine hosts; it starts none by itself. */
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
  /** Those whose page listens. */
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

/** Tells a listening window how its engine does; when that is well, with a fresh line to it. */
function inform<Port>(world: ProcessWorld<Port>, supervisor: EngineSupervisor<Port>, user: EngineUser<Port>): void {
  user.receiveState(supervisor.state);
  // One that does not answer takes the port when it does again.
  if (supervisor.person !== undefined) connect(world, supervisor, user);
}

function connect<Port>(world: ProcessWorld<Port>, supervisor: EngineSupervisor<Port>, user: EngineUser<Port>): void {
  const [hostPort, pagePort] = world.createChannel();
  supervisor.sendPort(hostPort);
  user.receivePort(pagePort);
}

/** How long the person waits for a host, in milliseconds. */
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
