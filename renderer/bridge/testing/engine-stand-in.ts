/**
 * For tests: an engine host that is simulated by the test and reached through the real calls, checks and streams.
 */
import { engineContract } from '../../../electron/ipc/contracts/engine-contract.ts';
import type { ItemOf, RpcHandlers } from '../../../electron/ipc/rpc.ts';
import { serve } from '../../../electron/ipc/rpc-server.ts';
import { createLine, type PortTransport, type Transport } from '../../../electron/ipc/transport.ts';
import { createEngineClient, type EngineClient } from '../engine-client.ts';

type Contract = typeof engineContract;
type EngineHandlers = RpcHandlers<Contract>;
const streamNames = [
  ...(['subscribe', 'watchFlows', 'watchFiles', 'watchHistory', 'watchConversations', 'watchProposals'] as const),
  ...(['watchAssistance', 'watchTests'] as const),
] as const;
type StreamName = (typeof streamNames)[number];
type EngineMethod = Exclude<keyof Contract, StreamName>;

/** Handlers for the calls of a test. */
export type EngineAnswers = Partial<Pick<EngineHandlers, EngineMethod>>;

export interface EngineStandIn {
  readonly client: EngineClient;
  /** Names of the methods that were called, in order. */
  readonly calls: readonly EngineMethod[];
  /** Sends an item of a stream to the page. */
  push<Name extends StreamName>(name: Name, item: ItemOf<Contract[Name]>, onTaken?: () => void): void;
  /** Makes a host reachable, for the first time or after it was lost. */
  connect(): void;
  /** Ends the host. */
  disconnect(): void;
}

/** Returns two connected transports. Messages are copied and arrive asynchronously, as between processes. */
export function connectedLines(): [PortTransport, PortTransport] {
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

/** Creates a simulated engine. A call of a method without a handler fails as unknown. */
export function createEngineStandIn(given: EngineAnswers): EngineStandIn {
  const calls: EngineMethod[] = [];
  const streams = new Map<StreamName, Set<(item: never) => Promise<void>>>();
  let connectPage: (transport: Transport) => void = () => undefined;
  let hostEnd: PortTransport | null = null;

  const openStream = (name: StreamName) => (push: (item: never) => Promise<void>) => {
    const pushes = streams.get(name) ?? new Set();
    streams.set(name, pushes.add(push));
    return () => pushes.delete(push);
  };
  const answered = new Set<string>([...Object.keys(given), ...streamNames]);
  const contract = Object.fromEntries(
    Object.entries(engineContract).filter(([name]) => answered.has(name)),
  ) as Contract;
  const handlers = {
    ...Object.fromEntries(streamNames.map((name) => [name, openStream(name)])),
    ...Object.fromEntries(
      Object.entries(given).map(([name, handler]) => [
        name,
        (...args: never[]) => {
          calls.push(name as EngineMethod);
          return (handler as (...args: never[]) => unknown)(...args);
        },
      ]),
    ),
  } as unknown as EngineHandlers;

  return {
    client: createEngineClient((listener) => {
      connectPage = listener;
    }),
    calls,
    push(name, item, onTaken) {
      // Deferred, because a stream that the page has just requested is still on its way.
      queueMicrotask(() => {
        for (const push of streams.get(name) ?? []) void push(item as never).then(onTaken);
      });
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

/** Resolves when everything that was posted has arrived and been answered. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
}
