/**
 * Starts runs and requests the permissions that they lack on one page before they start. The page only selects
 * permissions: main asks the user and grants them.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { needKey, toErrorRecord } from '../../../../engine/isomorphic.ts';
import type { EngineArgs, EngineClient, EngineResult } from '../../../bridge/engine-client.ts';
import type { MainClient } from '../../../bridge/main-client.ts';
import type { Secrets } from '../../window/secrets.ts';
import { text } from '../text.ts';

/** A run that is about to start: the call that starts it, and its arguments. */
type PlannedStart = EngineArgs<'findPermissions'>[0];

export type PermissionPlan = EngineResult<'findPermissions'>;

interface AskedStart {
  readonly start: PlannedStart;
  readonly plan: PermissionPlan;
  readonly decide: (mayRun: boolean) => void;
}

export interface PermissionAsk {
  /** The content of the page. Null while it is closed. */
  readonly asked: AskedStart | null;
  /** Shows the page if permissions are missing. Resolves to whether the run may start. */
  before(start: PlannedStart): Promise<boolean>;
  /**
   * Lets main request the permissions with these keys, and then starts the run. Without keys it starts as it is.
   * Resolves to the problem, if there is one.
   */
  allow(keys: readonly string[]): Promise<string | null>;
  /** Closes the page without starting the run. */
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
        // Problems of the flow are reported when it is started.
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
            ({ isDone }) => (isDone ? null : text.requests.nothingAllowed),
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
 * Starts a run. The window uses no other way to start one: finds the missing permissions, lets the user decide about
 * them, and makes the call. Resolves to null if the user decides not to start it. Throws the error of the engine.
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
    // The compiler cannot infer that the request is the only argument of a call.
    const args = [request] as unknown as EngineArgs<typeof by>;
    return await secrets.getState().startWith(() => engine.call(by, ...args));
  };
}

/** Returns the permissions selected by default: all except trust, which applies to everything in a workspace. */
export function firstSelected({ missing }: PermissionPlan): readonly string[] {
  return missing.flatMap(({ need }) => (need.kind === 'trust' ? [] : [needKey(need)]));
}
