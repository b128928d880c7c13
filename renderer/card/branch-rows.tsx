/**
 * The ways out of a card: a row each, its name and what follows. In a run the one that was taken stands out.
 */
import type { CSSProperties } from 'react';
import { branchRowHeight, type CardBranch } from './card-branches.ts';
import './branch-rows.css';

export interface BranchRowsProps {
  readonly branches: readonly CardBranch[];
  /** The way taken in the run; null while nobody knows. */
  readonly taken: string | null;
}

/** What stands in a row at the right. */
export function targetText({ targets }: Pick<CardBranch, 'targets'>): string {
  return targets.length === 0 ? 'ends here' : targets.join(', ');
}

/** The ways in words, for screen readers; undefined for a card that has none. */
export function waysText({ branches }: { readonly branches: readonly CardBranch[] }): string | undefined {
  if (branches.length === 0) return undefined;
  return branches
    .map((branch) =>
      branch.targets.length === 0 ? `${branch.route} ends here` : `${branch.route} to ${targetText(branch)}`,
    )
    .join(', ');
}

export function BranchRows({ branches, taken }: BranchRowsProps) {
  if (branches.length === 0) return null;
  const style: CSSProperties = { height: branchRowHeight(branches.length) };
  return (
    <dl className="branch-rows">
      {branches.map((branch) => {
        const { route } = branch;
        const target = targetText(branch);
        return (
          <div key={route} style={style} data-taken={taken === null ? undefined : taken === route}>
            <dt title={route}>{route}</dt>
            <dd title={target}>{target}</dd>
          </div>
        );
      })}
    </dl>
  );
}
