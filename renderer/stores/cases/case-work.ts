/**
 * The stores of tests, connected: their list and results, and the run that is about to become one.
 */
import type { StoreApi } from 'zustand/vanilla';
import type { Cases, CasesContext } from './cases.ts';
import { createCases } from './create-cases.ts';
import { createSaveCase, type SaveCase } from './save-case.ts';

export interface CaseWork {
  readonly cases: StoreApi<Cases>;
  readonly savedCase: StoreApi<SaveCase>;
}

/** Also returns a function that ends their subscriptions. */
export function createCaseWork(context: CasesContext): readonly [CaseWork, () => void] {
  const [cases, end] = createCases(context);
  return [{ cases, savedCase: createSaveCase(context, cases) }, end];
}
