/**
 * For tests: a main process that is simulated by the test and reached through the real calls and checks. It keeps
 * drafts in memory.
 */

import { mainContract } from '../../../electron/ipc/contracts/main-contract.ts';
import { type EditLog, type EditStep, newEditLog, takeStep } from '../../../electron/ipc/edit-log.ts';
import type { RpcHandlers } from '../../../electron/ipc/rpc.ts';
import { createDispatcher } from '../../../electron/ipc/rpc-server.ts';
import { createMainClient, type MainClient } from '../main-client.ts';

type MainHandlers = RpcHandlers<typeof mainContract>;

interface Draft {
  readonly baseText: string;
  readonly steps: EditStep[];
  log: EditLog;
}

export interface MainStandIn {
  readonly client: MainClient;
  /** The drafts of files, by path. */
  readonly drafts: ReadonlyMap<string, Draft>;
  /** Pushes a message to the page. */
  tell(name: string, payload: unknown): void;
}

function draftHandlers(drafts: Map<string, Draft>): Partial<MainHandlers> {
  return {
    'draft.open': ({ path, diskText }) => {
      if (diskText === null && !drafts.has(path)) throw new Error('Nothing is kept');
      const draft = drafts.get(path) ?? { baseText: diskText ?? '', steps: [], log: newEditLog(diskText ?? '') };
      drafts.set(path, draft);
      return { baseText: draft.baseText, steps: draft.steps, version: draft.log.version };
    },
    'draft.step': ({ path, base, steps }) => {
      const draft = drafts.get(path);
      if (draft === undefined) throw new Error(`${path} is not open`);
      const { version } = draft.log;
      if (base !== version) return { accepted: false as const, version, steps: draft.steps.slice(base) };
      draft.steps.push(...steps);
      draft.log = steps.reduce(takeStep, draft.log);
      return { accepted: true as const, version: draft.log.version };
    },
    'draft.close': () => undefined,
    'draft.move': () => ({ notices: [] }),
  };
}

/** Creates a simulated main process with these handlers. All other calls succeed. */
export function createMainStandIn(given: Partial<MainHandlers> = {}): MainStandIn {
  const drafts = new Map<string, Draft>();
  const handlers = { ...draftHandlers(drafts), ...given };
  const pages = new Set<(message: unknown) => void>();
  const client = createMainClient({
    call: async (name, args) => {
      if (!Object.hasOwn(handlers, name)) return { ok: true };
      return createDispatcher(mainContract, handlers as MainHandlers)(name, args);
    },
    onPush(listener) {
      pages.add(listener);
      return () => pages.delete(listener);
    },
  });
  return {
    client,
    drafts,
    tell(name, payload) {
      for (const page of pages) page({ kind: 'push', name, payload });
    },
  };
}
