/**
 * Creates the store of tests.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { CaseRunner } from './case-runner.ts';
import type { Cases, CasesContext } from './cases.ts';
import { createOpenCases } from './open-cases.ts';

/** Also returns a function that ends its subscriptions. */
export function createCases(context: CasesContext): readonly [StoreApi<Cases>, () => void] {
  let runner: CaseRunner | undefined;
  const store = createStore<Cases>()((set, get, api) => {
    const made = new CaseRunner(context, api);
    runner = made;
    return {
      ...{ files: null, results: new Map(), waiting: new Set(), summary: null, affected: [] },
      ...{ isRunning: false, isRecording: false, opened: new Map(), folded: new Set(), shownCheck: null },
      refresh: () => made.refresh(),
      run: (cases, record = 'none') => made.run(cases, record),
      runVariant: (cases, record, variant) => made.run(cases, record, variant),
      isReadable: (runId) => made.isReadable(runId),
      stop: () => made.stop(),
      ...createOpenCases(context, api, (runId) => made.isReadable(runId)),
      setFolded(file, isFolded) {
        const folded = new Set(get().folded);
        if (isFolded) folded.add(file);
        else folded.delete(file);
        set({ folded });
      },
      showCheck: (shownCheck) => set({ shownCheck }),
    };
  });
  return [store, () => runner?.end()];
}
