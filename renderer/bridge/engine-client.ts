/**
 * The engine as the page sees it: typed calls and pushes that outlive the port they travel on. The host may end and come
 * back with a new port; callers only notice that what was under way then fails.
 */
import type { z } from 'zod';
import { engineContract, enginePushes } from '../../electron/ipc/engine-contract.ts';
import { type Client, createClient, onPush } from '../../electron/ipc/rpc.ts';
import type { Transport } from '../../electron/ipc/transport.ts';

type Pushes = typeof enginePushes;

export type EngineResult<Method extends keyof typeof engineContract> = z.output<
  (typeof engineContract)[Method]['result']
>;

/** What it is asked with. */
export type EngineParams<Method extends keyof typeof engineContract> = z.input<
  (typeof engineContract)[Method]['params']
>;

export interface EngineClient {
  /**
   * Asks the engine host; waits while no host is connected. Throws what the engine answered, or `rpc.disconnected` when
   * the host ended before it answered.
   */
  readonly call: Client<typeof engineContract>;
  /** Subscribes to what the host pushes, whichever host it is. Returns the subscription's end. */
  onPush<Name extends keyof Pushes>(name: Name, listener: (payload: z.output<Pushes[Name]>) => void): () => void;
  /** Calls back for each host that becomes reachable, the first one included. Returns the subscription's end. */
  onConnected(listener: () => void): () => void;
}

interface Connection {
  readonly isOpen: boolean;
  /** Resolves when the host is reachable. */
  readonly client: Promise<Client<typeof engineContract>>;
  open(client: Client<typeof engineContract>): void;
}

function createConnection(): Connection {
  let resolve: (client: Client<typeof engineContract>) => void;
  const client = new Promise<Client<typeof engineContract>>((settle) => {
    resolve = settle;
  });
  let isOpen = false;
  return {
    client,
    get isOpen() {
      return isOpen;
    },
    open(opened) {
      isOpen = true;
      resolve(opened);
    },
  };
}

/** Makes a client that follows the engine host from port to port; `onTransport` calls back with each new one. */
export function createEngineClient(onTransport: (listener: (transport: Transport) => void) => unknown): EngineClient {
  const listeners = {
    'run.events': new Set<(payload: z.output<Pushes['run.events']>) => void>(),
    'flow.changed': new Set<(payload: z.output<Pushes['flow.changed']>) => void>(),
    'file.changed': new Set<(payload: z.output<Pushes['file.changed']>) => void>(),
    'history.changed': new Set<(payload: z.output<Pushes['history.changed']>) => void>(),
  } satisfies { [Name in keyof Pushes]: Set<(payload: z.output<Pushes[Name]>) => void> };
  const connectedListeners = new Set<() => void>();
  let connection = createConnection();

  onTransport((transport) => {
    // A port that comes before the former one has closed takes its place.
    if (connection.isOpen) connection = createConnection();
    const current = connection;
    current.open(createClient(engineContract, transport));
    transport.onClose(() => {
      if (connection === current) connection = createConnection();
    });
    onPush(enginePushes, transport, {
      'run.events': (payload) => {
        for (const listener of listeners['run.events']) listener(payload);
      },
      'flow.changed': (payload) => {
        for (const listener of listeners['flow.changed']) listener(payload);
      },
      'file.changed': (payload) => {
        for (const listener of listeners['file.changed']) listener(payload);
      },
      'history.changed': (payload) => {
        for (const listener of listeners['history.changed']) listener(payload);
      },
    });
    for (const listener of connectedListeners) listener();
  });

  return {
    call: async (method, params) => (await connection.client)(method, params),
    onPush(name, listener) {
      // The table's type pairs each name with its listeners; a name that is a type parameter loses the pairing.
      const set = listeners[name] as Set<typeof listener>;
      set.add(listener);
      return () => set.delete(listener);
    },
    onConnected(listener) {
      connectedListeners.add(listener);
      return () => connectedListeners.delete(listener);
    },
  };
}
