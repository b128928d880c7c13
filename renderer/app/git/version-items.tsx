/**
 * Branches, tags, commits and runs as items of a list.
 */
import { GitBranch, GitCommitHorizontal, History, Tag } from 'lucide-react';
import type { ReactNode } from 'react';
import { type RunSummary, runVersion } from '../../../engine/isomorphic.ts';
import type { EngineResult } from '../../bridge/engine-client.ts';
import { versionText } from '../../case-view/use-dataset.ts';
import { shownRunState } from '../../stores/runs/shown-run.ts';
import { shortTimeText } from '../../ui/quantity-text.ts';
import { visualStateLabels } from '../../ui/state-icon.tsx';
import type { FoundItem } from '../quick-pick/find-items.ts';
import { text } from './text.ts';

const words = text.compare;

export type ListedVersions = EngineResult<'listGitVersions'>;

/** How many of each are listed while nothing is entered. */
const firstShown = { branches: 20, tags: 10, commits: 30 } as const;

export const prefixes = {
  branches: 'branch ',
  tags: 'tag ',
  commits: 'commit ',
  runs: 'run ',
  typed: 'typed ',
} as const;

export function itemsOf({ branches, tags, commits }: ListedVersions) {
  const item = (kind: keyof typeof prefixes, ref: string, title: string, detail: string): FoundItem => ({
    id: prefixes[kind] + ref,
    kind: 'version',
    title,
    detail,
  });
  const now = Date.now();
  return {
    branches: branches.map(({ name, isCurrent }) => item('branches', name, name, isCurrent ? words.current : '')),
    tags: tags.map((name) => item('tags', name, name, '')),
    commits: commits.map(({ commit, subject, author, at }) => {
      const detail = words.commit({ commit: commit.slice(0, 8), author, time: shortTimeText(at, now) });
      return { ...item('commits', commit, subject, detail), words: commit };
    }),
  };
}

export function runItems(runs: readonly RunSummary[]): readonly FoundItem[] {
  const now = Date.now();
  return runs.map((run) => {
    const version = runVersion(run.number);
    const detail = `${visualStateLabels[shownRunState(run)]} · ${shortTimeText(run.startedAt, now)}`;
    return { id: prefixes.runs + version, kind: 'version', title: versionText(version), detail };
  });
}

/** Returns the items that are listed while nothing is entered. */
export function firstOf({ branches, tags, commits }: ReturnType<typeof itemsOf>): readonly FoundItem[] {
  return [
    ...branches.slice(0, firstShown.branches),
    ...tags.slice(0, firstShown.tags),
    ...commits.slice(0, firstShown.commits),
  ];
}

export function sectionOf({ id }: FoundItem): string | null {
  if (id.startsWith(prefixes.branches)) return words.branches;
  if (id.startsWith(prefixes.runs)) return words.runs;
  return id.startsWith(prefixes.tags) ? words.tags : words.commits;
}

const icons = [
  [prefixes.branches, GitBranch],
  [prefixes.tags, Tag],
  [prefixes.runs, History],
] as const;

export function iconOf({ id }: FoundItem): ReactNode {
  const found = icons.find(([prefix]) => id.startsWith(prefix));
  const [, Icon] = found ?? [prefixes.commits, GitCommitHorizontal];
  return <Icon aria-hidden size={14} />;
}
