/**
 * Connects one window to the engine, which answers the calls listed in the contract. Sends no more pushes than the
 * window can process.
 */
import type { Engine } from '../../engine/index.ts';
import type { WorkspaceFlows } from '../../engine/workspace-flows.ts';
import { engineContract } from '../ipc/contracts/engine-contract.ts';
import type { Clock } from '../ipc/engine-base.ts';
import type { RpcHandlers } from '../ipc/rpc.ts';
import { serve } from '../ipc/rpc-server.ts';
import type { Transport } from '../ipc/transport.ts';
import { createEventBatcher } from './event-batcher.ts';
import { createFollowedConversations, type FollowedConversations } from './followed-conversations.ts';
import type { LateEngine } from './late-engine.ts';

const maxPathsAtOnce = 1_000;

/** The objects that answer a window's calls. */
export interface WindowSources {
  /** Answers calls that do not need the engine. */
  readonly flows: WorkspaceFlows;
  readonly engine: LateEngine;
  readonly clock: Clock;
}

type EngineHandlers = RpcHandlers<typeof engineContract>;

/** Serves a window until its transport closes, then releases all resources held for it. */
export function serveWindow({ flows, engine, clock }: WindowSources, transport: Transport): void {
  serve(engineContract, { ...lateHandlers(engine, clock, createFollowedConversations()), ...flows }, transport);
}

/** Returns handlers that create the engine on the first call. */
function lateHandlers({ need }: LateEngine, clock: Clock, followed: FollowedConversations): EngineHandlers {
  type Methods = Record<string, (...args: readonly unknown[]) => unknown>;
  const methodsOf = (engine: Engine): Methods => handlersOf(engine, clock, followed) as unknown as Methods;
  const call =
    (name: string) =>
    async (...args: readonly unknown[]): Promise<unknown> =>
      methodsOf(await need())[name]?.(...args);
  const stream = (name: string) => (push: unknown) => {
    let end: (() => void) | null = () => undefined;
    need().then(
      (engine) => {
        if (end !== null) end = methodsOf(engine)[name]?.(push) as () => void;
      },
      // Main and all pending calls already receive the reason.
      () => undefined,
    );
    return () => {
      end?.();
      end = null;
    };
  };
  const entries = Object.entries(engineContract);
  return Object.fromEntries(
    entries.map(([name, entry]) => [name, 'args' in entry ? call(name) : stream(name)]),
  ) as unknown as EngineHandlers;
}

function handlersOf(engine: Engine, clock: Clock, followed: FollowedConversations): EngineHandlers {
  return {
    ...engine,
    readNotices: () => engine.notices,
    followConversation: (sessionId) => followed.follow(engine, sessionId),
    leaveConversation: followed.leave,
    watchConversations: followed.watch,
    subscribe(push) {
      const batcher = createEventBatcher({
        clock,
        send: (events) => void push(events).then(() => batcher.acknowledge(events.length)),
        readEvents: engine.readEvents,
      });
      const unsubscribe = engine.subscribe(batcher.offer);
      return () => {
        unsubscribe();
        batcher.end();
      };
    },
    watchFiles: (push) =>
      engine.watchFiles(({ paths, isTree }) => {
        // An empty list means that anything may have changed.
        for (let start = 0; start === 0 || start < paths.length; start += maxPathsAtOnce) {
          void push({ paths: paths.slice(start, start + maxPathsAtOnce), isTree });
        }
      }),
  };
}
