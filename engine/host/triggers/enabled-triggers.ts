/**
 * Remembers which triggers a person has switched on: `millrace/triggers.json` in the base folder, never a file in the
 * workspace, because runs may write there.
 */
import { mkdirSync, watch } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import type { TriggerName } from '../../history/store/trigger-watch.ts';
import { openPersonList } from '../http/person-list.ts';

/** A trigger that a person has switched on. */
export interface EnabledTrigger {
  /** Hash of the flow, its triggers and everything it calls at that time. */
  readonly hash: string;
  /** Who switched it on. */
  readonly by: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Triggers by flow and ID. */
type EnabledFlows = Readonly<Record<string, Readonly<Record<string, EnabledTrigger>>>>;

const flowsSchema = (): z.ZodType<EnabledFlows> =>
  z.record(z.string(), z.record(z.string(), z.looseObject({ hash: z.string(), by: z.string(), at: z.number() })));

/** The triggers of one workspace that are switched on. */
export interface EnabledTriggers {
  /** Returns all of them. @throws EngineError `http.bad-list` if the file is damaged; `files.not-readable` */
  read(): Promise<EnabledFlows>;
  /**
   * Switches a trigger on, or off if `enabled` is undefined.
   * @throws EngineError `trigger.list-inside` if the file is in the workspace; as `read`, and the file is then unchanged
   */
  set(name: TriggerName, enabled: EnabledTrigger | undefined): Promise<void>;
  /**
   * Subscribes to changes of the list and of the trusted workspaces, also by other processes. Returns a function that
   * unsubscribes. A system that cannot watch the folder reports nothing.
   */
  watch(listener: () => void): () => void;
}

/** Finds a trigger by its own name only: an ID may be `constructor`. */
export function enabledIn(flows: EnabledFlows, { flow, trigger }: TriggerName): EnabledTrigger | undefined {
  const own = Object.hasOwn(flows, flow) ? (flows[flow] ?? {}) : {};
  return Object.hasOwn(own, trigger) ? own[trigger] : undefined;
}

/** Creates the list. @param baseFolder absolute; `millrace/` is created in it with the first entry */
export function createEnabledTriggers(workspace: string, baseFolder: string, clock: Clock): EnabledTriggers {
  const list = openPersonList({ baseFolder, name: 'triggers.json', field: 'workspaces', entry: flowsSchema, clock });
  return {
    async read() {
      if (await list.isIn(workspace)) return {};
      return (await list.read()).get(await realpath(workspace)) ?? {};
    },
    async set({ flow, trigger }, enabled) {
      const real = await realpath(workspace);
      if (await list.isIn(workspace)) throw listInside(workspace, list.file);
      await list.change((workspaces) => {
        const flows = workspaces.get(real) ?? {};
        const { [trigger]: _former, ...others } = flows[flow] ?? {};
        const own = { ...flows, [flow]: enabled === undefined ? others : { ...others, [trigger]: enabled } };
        return new Map([...workspaces, [real, own]]);
      });
    },
    watch: (listener) => watchFolder(dirname(list.file), listener),
  };
}

/** The lists that decide whether a trigger may start a flow. */
const decidingLists: ReadonlySet<string | null> = new Set(['triggers.json', 'trusted.json', null]);

function watchFolder(folder: string, listener: () => void): () => void {
  try {
    // The folder is watched, because each change replaces a file.
    mkdirSync(folder, { recursive: true });
    const watcher = watch(folder, { persistent: false }, (_event, name) => {
      if (decidingLists.has(name)) listener();
    });
    watcher.on('error', () => watcher.close());
    return () => watcher.close();
  } catch {
    return () => undefined;
  }
}

function listInside(workspace: string, file: string): EngineError {
  return new EngineError({
    code: 'trigger.list-inside',
    message: `${workspace} contains ${file}, the list of triggers that are on, so its triggers cannot be switched on. Open a smaller folder.`,
  });
}
