/**
 * Provides triggers to host programs. The code is loaded with the first call.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import type { Firing, FiringQuery } from '../../history/store/firing-store.ts';
import type { RunStore } from '../../history/store/run-store.ts';
import { isMissing } from '../../world/files/file-error.ts';
import type { TriggerFile } from './trigger-files.ts';
import type { TriggerEntry, TriggerListWorld, TriggerSwitch } from './trigger-list.ts';
import type { TriggerService, TriggerServiceOptions } from './trigger-serving.ts';

/** What `startTriggers` needs to know. */
export type TriggerServing = Pick<TriggerServiceOptions, 'mostPerFlow' | 'onNote'>;

/** The triggers of a workspace. */
export interface TriggerEngine {
  /** Lists all triggers with their states, by the paths of their flows. */
  listTriggers(): Promise<readonly TriggerEntry[]>;
  /** Reads the files `triggers.yaml` of the workspace and its products, with their problems. */
  readTriggerFiles(): Promise<readonly TriggerFile[]>;
  /**
   * Switches triggers on or off. Only for a person who has decided it in a system dialog or a terminal.
   * @throws EngineError `trigger.not-found` | `trigger.unusable` | `trigger.list-inside`
   */
  switchTriggers(request: TriggerSwitch): Promise<readonly TriggerEntry[]>;
  /** Lists firings, newest first. */
  listFirings(query: FiringQuery): Promise<readonly Firing[]>;
  /** Starts the service that runs the triggers. It works until it is closed, which must happen before the engine closes. */
  startTriggers(serving: TriggerServing): Promise<TriggerService>;
}

interface TriggerWorld extends Pick<TriggerListWorld, 'hashFlow' | 'isTrusted'> {
  /** Absolute path. */
  readonly workspace: string;
  readonly baseFolder: string;
  readonly clock: Clock;
  readonly store: RunStore;
}

/** The engine to which triggers are added. */
type BaseEngine = Pick<TriggerListWorld, 'listFlows' | 'listProducts' | 'readFlow'> &
  Pick<TriggerServiceOptions, 'cancelRun' | 'resumeRun' | 'startRun' | 'subscribe' | 'watchFlows' | 'watchFiles'>;

/** Adds triggers to an engine. */
export function withTriggers<Base extends BaseEngine>(engine: Base, others: TriggerWorld): Base & TriggerEngine {
  const { workspace, baseFolder, clock, store } = others;
  const list = async (): Promise<TriggerListWorld> => {
    const { createEnabledTriggers } = await import('./enabled-triggers.ts');
    return {
      ...others,
      ...{ listFlows: engine.listFlows, listProducts: engine.listProducts, readFlow: engine.readFlow },
      readFile: (path) => textOf(join(workspace, path)),
      enabled: createEnabledTriggers(workspace, baseFolder),
      ...{ firings: store.firings, now: () => clock.now() },
    };
  };
  const loaded = () => import('./trigger-list.ts');
  const listTriggers = async (): Promise<readonly TriggerEntry[]> => (await loaded()).listTriggers(await list());
  return Object.assign(engine, {
    listTriggers,
    readTriggerFiles: async () => (await import('./trigger-files.ts')).readTriggerFiles(await list()),
    switchTriggers: async (request: TriggerSwitch) => (await loaded()).switchTriggers(request, await list()),
    listFirings: async (query: FiringQuery) => store.firings.list(query),
    async startTriggers(serving: TriggerServing) {
      const { startTriggerService } = await import('./trigger-service.ts');
      const { startRun, resumeRun, cancelRun, subscribe, watchFlows, watchFiles, readFlow } = engine;
      const parts = { startRun, resumeRun, cancelRun, subscribe, watchFlows, watchFiles, readFlow, workspace };
      return await startTriggerService({ ...serving, ...parts, clock, store, list: listTriggers });
    },
  });
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
