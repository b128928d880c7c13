/**
 * The engine as the page sees it: typed calls and streams that outlive the port they travel on. The host may end and come
 * back with a new port; callers only notice that calls under way then fail.
 */
import { enginePortMessage } from '../../electron/ipc/channels.ts';
import { engineContract } from '../../electron/ipc/engine-contract.ts';
import { type ArgsOf, type Client, createClient, type ResultOf } from '../../electron/ipc/rpc.ts';
import { type Transport, transportOverPort } from '../../electron/ipc/transport.ts';

type Contract = typeof engineContract;

/** What the engine answers to a call. */
export type EngineResult<Name extends keyof Contract> = ResultOf<Contract[Name]>;

/** What it is asked with. */
export type EngineArgs<Name extends keyof Contract> = ArgsOf<Contract[Name]>;

/**
 * Calls wait while no host is connected, and reject with `rpc.disconnected` when the host ends before it answers. A stream
 * goes on with each new host.
 */
export interface EngineClient extends Client<Contract> {
  /** Calls back for each host that becomes reachable, the first one included. Returns the subscription's end. */
  onConnected(listener: () => void): () => void;
}

/** What the first file is shown with. The host answers the calls for flows before it has loaded its engine. */
const firstCalls: ReadonlySet<string> = new Set(['listFlows', 'readFlow', 'readAgent', 'readFile']);

/** A host that is reachable, or will be. */
interface Connection {
  readonly host: Promise<Client<Contract>>;
  readonly resolve: (host: Client<Contract>) => void;
  isOpen: boolean;
}

function createConnection(): Connection {
  let resolve: Connection['resolve'] = () => undefined;
  const host = new Promise<Client<Contract>>((settle) => {
    resolve = settle;
  });
  return { host, resolve, isOpen: false };
}

/**
 * Makes a client that follows the engine host from port to port.
 * @param onTransport calls back with each new port
 * @param whenPainted until then, only what the first file needs is asked for; streams begin then, and other calls behind them.
 *   Without it nothing waits
 */
export function createEngineClient(
  onTransport: (listener: (transport: Transport) => void) => unknown,
  whenPainted?: Promise<unknown>,
): EngineClient {
  const connectedListeners = new Set<() => void>();
  /** Each begins a stream anew with a host. */
  const streams = new Set<(host: Client<Contract>) => void>();
  let connection = createConnection();
  /** The one that is reachable. */
  let current: Client<Contract> | undefined;
  let isPainted = whenPainted === undefined;
  const beginStreams = (): void => {
    if (isPainted && current !== undefined) for (const begin of streams) begin(current);
  };
  void whenPainted?.then(() => {
    isPainted = true;
    beginStreams();
  });

  onTransport((transport) => {
    // A port that comes before the former one has closed takes its place.
    if (connection.isOpen) connection = createConnection();
    const opened = connection;
    current = createClient(engineContract, transport);
    opened.isOpen = true;
    opened.resolve(current);
    transport.onClose(() => {
      if (connection !== opened) return;
      connection = createConnection();
      current = undefined;
    });
    beginStreams();
    for (const listener of connectedListeners) listener();
  });

  return {
    async call(name, ...args) {
      if (!isPainted && !firstCalls.has(name)) await whenPainted;
      return (await connection.host).call(name, ...args);
    },
    stream(name, listener) {
      let end: (() => void) | undefined;
      const begin = (host: Client<Contract>): void => {
        end = host.stream(name, listener);
      };
      streams.add(begin);
      if (isPainted && current !== undefined) begin(current);
      return () => {
        streams.delete(begin);
        end?.();
      };
    },
    onConnected(listener) {
      connectedListeners.add(listener);
      return () => connectedListeners.delete(listener);
    },
  };
}

/**
 * Calls back with each new port as a transport. Only this very window, from its own origin, may hand one in; whatever else
 * arrives (a frame, another window) is ignored. Returns the subscription's end.
 */
export function listenForEnginePort(page: Window, listener: (transport: Transport) => void): () => void {
  const take = (event: MessageEvent): void => {
    const { data, source, origin, ports } = event;
    if (source !== page || origin !== page.location.origin || data?.type !== enginePortMessage) return;
    const [port] = ports;
    if (port !== undefined) listener(transportOverPort(port));
  };
  page.addEventListener('message', take);
  return () => page.removeEventListener('message', take);
}
