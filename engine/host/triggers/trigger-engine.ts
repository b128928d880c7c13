/**
 * Provides triggers to host programs. The code is loaded with the first call.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import { againKey, type Firing, type FiringQuery } from '../../history/store/firing-store.ts';
import type { RunStore } from '../../history/store/run-store.ts';
import { isMissing } from '../../world/files/file-error.ts';
import type { Executor } from '../executor/executor.ts';
import type { CallerDesk } from './caller-desk.ts';
import type { TriggerFile } from './trigger-files.ts';
import type { TriggerEntry, TriggerListWorld, TriggerSwitch } from './trigger-list.ts';
import type { TriggerService, TriggerServiceOptions } from './trigger-serving.ts';

/** What `startTriggers` needs to know. */
export type TriggerServing = Pick<TriggerServiceOptions, 'mostPerFlow' | 'onChange' | 'onNote'>;

/** The triggers of a workspace. */
export interface TriggerEngine {
  /**
   * Lists all triggers with their states, by the paths of their flows.
   * @throws EngineError `http.bad-list` if the list of triggers that are on is damaged
   */
  listTriggers(): Promise<readonly TriggerEntry[]>;
  /** Reads the files `triggers.yaml` of the workspace and its products, with their problems. */
  readTriggerFiles(): Promise<readonly TriggerFile[]>;
  /**
   * Switches triggers on or off. Only for a person who has decided it in a system dialog or a terminal.
   * @throws EngineError `trigger.not-found` | `trigger.unusable` | `trigger.list-inside` | `http.bad-list` |
   * `flow.changed`
   */
  switchTriggers(request: TriggerSwitch): Promise<readonly TriggerEntry[]>;
  /**
   * Subscribes to changes of which triggers are on, and of which workspaces are trusted, also by other processes. Returns
   * a function that unsubscribes.
   */
  watchTriggers(listener: () => void): () => void;
  /** Lists firings, newest first. */
  listFirings(query: FiringQuery): Promise<readonly Firing[]>;
  /**
   * Records a firing that started no run, or whose run was not completed, once more with the same event. A service then
   * starts its run. Calling this again returns the same firing.
   * @throws EngineError `firing.not-found` | `firing.not-settled` | `trigger.unusable` if its trigger is not on
   */
  fireAgain(id: number): Promise<Firing>;
  /** Starts the service that runs the triggers. It works until it is closed, which must happen before the engine closes. */
  startTriggers(serving: TriggerServing): Promise<TriggerService>;
}

interface TriggerWorld extends Pick<TriggerListWorld, 'hashFlow' | 'isTrusted'> {
  /** Absolute path. */
  readonly workspace: string;
  readonly baseFolder: string;
  readonly clock: Clock;
  readonly store: RunStore;
  readonly openSecrets: Executor['openSecrets'];
  readonly callers: CallerDesk;
}

/** The engine to which triggers are added. */
type BaseEngine = Pick<TriggerListWorld, 'listFlows' | 'listProducts' | 'readFlow'> &
  Pick<TriggerServiceOptions, 'cancelRun' | 'resumeRun' | 'startRun' | 'subscribe' | 'watchFlows' | 'watchFiles'>;

/** Adds triggers to an engine. */
export function withTriggers<Base extends BaseEngine>(engine: Base, others: TriggerWorld): Base & TriggerEngine {
  const { workspace, baseFolder, clock, store, openSecrets, callers } = others;
  const list = async (): Promise<TriggerListWorld> => {
    const { createEnabledTriggers } = await import('./enabled-triggers.ts');
    return {
      ...others,
      ...{ listFlows: engine.listFlows, listProducts: engine.listProducts, readFlow: engine.readFlow },
      readFile: (path) => textOf(join(workspace, path)),
      enabled: createEnabledTriggers(workspace, baseFolder, clock),
      ...{ firings: store.firings, now: () => clock.now() },
    };
  };
  const loaded = () => import('./trigger-list.ts');
  const listTriggers = async (): Promise<readonly TriggerEntry[]> => (await loaded()).listTriggers(await list());
  return Object.assign(engine, {
    listTriggers,
    readTriggerFiles: async () => (await import('./trigger-files.ts')).readTriggerFiles(await list()),
    switchTriggers: async (request: TriggerSwitch) => (await loaded()).switchTriggers(request, await list()),
    watchTriggers: (listener: () => void) => watchEnabled({ workspace, baseFolder, clock }, listener),
    listFirings: async (query: FiringQuery) => store.firings.list(query),
    fireAgain: (id: number) => fireAgain(id, { clock, store, list: listTriggers }),
    async startTriggers(serving: TriggerServing) {
      const { startTriggerService } = await import('./trigger-service.ts');
      const { startRun, resumeRun, cancelRun, subscribe, watchFiles, readFlow } = engine;
      const { enabled } = await list();
      const watchFlows = (listener: () => void): (() => void) => {
        const stops = [engine.watchFlows(listener), enabled.watch(listener)];
        return () => stops.forEach((stop) => void stop());
      };
      const parts = { startRun, resumeRun, cancelRun, subscribe, watchFlows, watchFiles, readFlow, workspace };
      return await startTriggerService({
        ...serving,
        ...parts,
        openSecrets,
        callers,
        clock,
        store,
        list: listTriggers,
      });
    },
  });
}

function watchEnabled(
  { workspace, baseFolder, clock }: Pick<TriggerWorld, 'workspace' | 'baseFolder' | 'clock'>,
  listener: () => void,
): () => void {
  let isEnded = false;
  let end = (): void => undefined;
  const begin = async (): Promise<void> => {
    const { createEnabledTriggers } = await import('./enabled-triggers.ts');
    if (!isEnded) end = createEnabledTriggers(workspace, baseFolder, clock).watch(listener);
  };
  void begin();
  return () => {
    isEnded = true;
    end();
  };
}

async function fireAgain(
  id: number,
  { clock, store, list }: Pick<TriggerServiceOptions, 'clock' | 'store' | 'list'>,
): Promise<Firing> {
  const firing = store.firings.find(id);
  if (firing === undefined)
    throw new EngineError({ code: 'firing.not-found', message: 'The firing is no longer in the history.' });
  const { flow, trigger, event, priority, runId, state } = firing;
  const status = runId === undefined ? undefined : store.findSummary(runId)?.status;
  const isUnsettled = ['queued', 'running', 'suspended', 'completed'].some((one) => one === status);
  if (state === 'waiting' || isUnsettled) {
    const message = `Only a firing that did not start a run, or whose run was not completed, can be started again.`;
    throw new EngineError({ code: 'firing.not-settled', message });
  }
  const entry = (await list()).find((one) => one.flow === flow && one.trigger === trigger);
  if (entry?.state !== 'on') {
    const message = `The trigger "${trigger}" of ${flow} is not on. Switch it on first.`;
    throw new EngineError({ code: 'trigger.unusable', message });
  }
  const again = { flow, trigger, event, priority, key: againKey(firing), createdAt: clock.now() };
  return store.firings.add({ ...again, state: 'waiting' }).firing;
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
