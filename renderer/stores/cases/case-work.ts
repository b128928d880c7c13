/**
 * The stores of tests, connected: their list and results, the table of a dataset, those of proposals, and the run that is
 * about to become one.
 */
import type { StoreApi } from 'zustand/vanilla';
import type { Reviews } from '../review/reviews.ts';
import type { Cases, CasesContext } from './cases.ts';
import { createCases } from './create-cases.ts';
import { createDatasets } from './create-datasets.ts';
import type { Datasets } from './datasets.ts';
import { createProposalTests, type ProposalTests } from './proposal-tests.ts';
import { createSaveCase, type SaveCase } from './save-case.ts';

export interface CaseWork {
  readonly cases: StoreApi<Cases>;
  readonly datasets: StoreApi<Datasets>;
  readonly savedCase: StoreApi<SaveCase>;
  readonly proposalTests: StoreApi<ProposalTests>;
}

/** Also returns a function that ends their subscriptions. */
export function createCaseWork(
  context: CasesContext & { readonly reviews: StoreApi<Reviews> },
): readonly [CaseWork, () => void] {
  const [cases, endCases] = createCases(context);
  const [datasets, endDatasets] = createDatasets(context, cases);
  const [proposalTests, endTests] = createProposalTests(context);
  const end = (): void => {
    for (const endOne of [endDatasets, endCases, endTests]) endOne();
  };
  return [{ cases, datasets, proposalTests, savedCase: createSaveCase(context, cases) }, end];
}
