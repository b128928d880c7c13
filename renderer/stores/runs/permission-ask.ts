/**
 * The permissions that a flow lacks, asked for on one page before it runs. The page only selects: main asks the person and grants them.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type JsonValue, needKey, toErrorRecord } from '../../../engine/isomorphic.ts';
import type { EngineClient, EngineResult } from '../../bridge/engine-client.ts';
import type { MainClient } from '../../bridge/main-client.ts';

/** A flow that is about to run. */
interface PlannedRun {
  readonly path: string;
  readonly text: string;
  readonly inputs: Readonly<Record<string, JsonValue>>;
}

export type PermissionPlan = EngineResult<'findPermissions'>;

interface AskedRun extends PlannedRun {
  readonly plan: PermissionPlan;
  readonly decide: (mayRun: boolean) => void;
}

export interface PermissionAsk {
  /** The run that the page is about; null = the page is closed. */
  readonly asked: AskedRun | null;
  /** Shows the page where something is missing. Resolves with whether the run is to start. */
  before(run: PlannedRun): Promise<boolean>;
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
      async before(run) {
        // What is wrong with the flow, the start of the run says.
        const plan = await engine.call('findPermissions', run).catch(() => null);
        if (plan === null || plan.missing.length === 0) return true;
        get().close();
        return await new Promise<boolean>((resolve) => set({ asked: { ...run, plan, decide: resolve } }));
      },
      async allow(keys) {
        const { asked } = get();
        if (asked === null) return null;
        const { path, text, inputs } = asked;
        if (keys.length > 0) {
          const problem = await main.call('permissions.grant', { path, text, inputs, keys }).then(
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

/** The permissions that are selected at first: all but trust, which is for everything that a workspace does. */
export function firstSelected({ missing }: PermissionPlan): readonly string[] {
  return missing.flatMap(({ need }) => (need.kind === 'trust' ? [] : [needKey(need)]));
}
