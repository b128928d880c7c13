/**
 * Starting runs, and the permissions that they lack: asked for on one page before they start. The page only selects: main asks the person
 * and grants them.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { needKey, toErrorRecord } from '../../../engine/isomorphic.ts';
import type { EngineArgs, EngineClient, EngineResult } from '../../bridge/engine-client.ts';
import type { MainClient } from '../../bridge/main-client.ts';
import type { Secrets } from '../window/secrets.ts';

/** A run that is about to start: the call that starts it, and its request. */
type PlannedStart = EngineArgs<'findPermissions'>[0];

export type PermissionPlan = EngineResult<'findPermissions'>;

interface AskedStart {
  readonly start: PlannedStart;
  readonly plan: PermissionPlan;
  readonly decide: (mayRun: boolean) => void;
}

export interface PermissionAsk {
  /** What the page is about; null = the page is closed. */
  readonly asked: AskedStart | null;
  /** Shows the page where something is missing. Resolves with whether the run is to start. */
  before(start: PlannedStart): Promise<boolean>;
  /** Has main ask for these, by their keys, and lets the run start; without any it starts as it is. Gives what is in the way. */
  allow(keys: readonly string[]): Promise<string | null>;
  /** Closes the page: nothing runs. */
  close(): void;
}

export function createPermissionAsk(engine: EngineClient, main: MainClient): StoreApi<PermissionAsk> {
  return createStore<PermissionAsk>()((set, get) => {
    const decide = (mayRun: boolean): void => {
      const { asked } = get();
      set({ asked: null });
      asked?.decide(mayRun);
    };
    return {
      asked: null,
      async before(start) {
        // The start itself reports what is wrong with the flow.
        const plan = await engine.call('findPermissions', start).catch(() => null);
        if (plan === null || plan.missing.length === 0) return true;
        get().close();
        return await new Promise<boolean>((resolve) => set({ asked: { start, plan, decide: resolve } }));
      },
      async allow(keys) {
        const { asked } = get();
        if (asked === null) return null;
        if (keys.length > 0) {
          const problem = await main.call('permissions.grant', { start: asked.start, keys }).then(
            ({ isDone }) => (isDone ? null : 'Nothing was allowed.'),
            (thrown: unknown) => toErrorRecord(thrown).message,
          );
          if (problem !== null) return problem;
        }
        decide(true);
        return null;
      },
      close: () => decide(false),
    };
  });
}

type StartName = PlannedStart['by'];
type StartRequest<By extends StartName> = Extract<PlannedStart, { readonly by: By }>['request'];

/**
 * Starts a run, the only way in which the window starts one: finds the permissions that it lacks, has the person decide about them, and
 * makes the call. Resolves with null when the person does not want it to start. Throws what the engine answers.
 */
export type BeginRun = <By extends StartName>(by: By, request: StartRequest<By>) => Promise<EngineResult<By> | null>;

interface BeginParts {
  readonly engine: EngineClient;
  readonly permissionAsk: StoreApi<Pick<PermissionAsk, 'before'>>;
  readonly secrets: StoreApi<Pick<Secrets, 'startWith'>>;
}

export function createBeginRun({ engine, permissionAsk, secrets }: BeginParts): BeginRun {
  return async (by, request) => {
    const mayStart = await permissionAsk.getState().before({ by, request } as PlannedStart);
    if (!mayStart) return null;
    // The compiler does not see that the request of a call is its only argument.
    const args = [request] as unknown as EngineArgs<typeof by>;
    return await secrets.getState().startWith(() => engine.call(by, ...args));
  };
}

/** The permissions that are selected at first: all but trust, which is for everything that a workspace does. */
export function firstSelected({ missing }: PermissionPlan): readonly string[] {
  return missing.flatMap(({ need }) => (need.kind === 'trust' ? [] : [needKey(need)]));
}
