/**
 * For tests: an engine host that the test plays, reached through the real calls, checks and pushes.
 */
import { engineContract, type enginePushes } from '../../../electron/ipc/engine-contract.ts';
import { createPushSender, type Handlers, serve } from '../../../electron/ipc/rpc.ts';
import { createLine, type PortTransport, type Transport } from '../../../electron/ipc/transport.ts';
import { createEngineClient, type EngineClient } from '../engine-client.ts';

type EngineHandlers = Handlers<typeof engineContract>;
type EngineMethod = keyof EngineHandlers;

export interface EngineStandIn {
  readonly client: EngineClient;
  /** Methods that were called, in order. */
  readonly calls: readonly EngineMethod[];
  /** Pushes something to the page. */
  readonly push: ReturnType<typeof createPushSender<typeof enginePushes>>;
  /** A host becomes reachable, the first time or after it was lost. */
  connect(): void;
  /** The host ends by itself. */
  disconnect(): void;
}

/** Two ends of a line; messages are copied and arrive later, as between processes. */
function connectedLines(): [PortTransport, PortTransport] {
  const ends: [PortTransport, PortTransport] = [
    createLine({ postMessage: (message) => deliver(1, message), close: () => right.cut() }),
    createLine({ postMessage: (message) => deliver(0, message), close: () => left.cut() }),
  ];
  const [left, right] = ends as [ReturnType<typeof createLine>, ReturnType<typeof createLine>];
  const deliver = (to: 0 | 1, message: unknown): void => {
    const copy = structuredClone(message);
    queueMicrotask(() => (to === 0 ? left : right).deliver(copy));
  };
  return ends;
}

/** Plays an engine; a call of a method that was not given fails as unknown. */
export function createEngineStandIn(given: Partial<EngineHandlers>): EngineStandIn {
  const calls: EngineMethod[] = [];
  let connectPage: (transport: Transport) => void = () => undefined;
  let hostEnd: PortTransport | null = null;

  const contract = Object.fromEntries(
    Object.entries(engineContract).filter(([method]) => method in given),
  ) as typeof engineContract;
  const handlers = Object.fromEntries(
    Object.entries(given).map(([method, handler]) => [
      method,
      (params: never) => {
        calls.push(method as EngineMethod);
        return handler(params);
      },
    ]),
  ) as EngineHandlers;

  return {
    client: createEngineClient((listener) => {
      connectPage = listener;
    }),
    calls,
    push: (name, payload) => {
      if (hostEnd !== null) createPushSender<typeof enginePushes>(hostEnd)(name, payload);
    },
    connect() {
      const [pageEnd, newHostEnd] = connectedLines();
      hostEnd = newHostEnd;
      serve(contract, handlers, hostEnd);
      connectPage(pageEnd);
    },
    disconnect() {
      hostEnd?.close();
      hostEnd = null;
    },
  };
}

/** Resolves when everything that was posted has arrived and was answered. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
}
