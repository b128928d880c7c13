/**
 * Branches, tags and commits as items of a list.
 */
import { GitBranch, GitCommitHorizontal, Tag } from 'lucide-react';
import type { ReactNode } from 'react';
import type { EngineResult } from '../../bridge/engine-client.ts';
import { shortTimeText } from '../../ui/quantity-text.ts';
import type { FoundItem } from '../quick-pick/find-items.ts';
import { text } from './text.ts';

const words = text.compare;

export type ListedVersions = EngineResult<'listGitVersions'>;

/** How many of each are listed while nothing is entered. */
const firstShown = { branches: 20, tags: 10, commits: 30 } as const;

export const prefixes = { branches: 'branch ', tags: 'tag ', commits: 'commit ', typed: 'typed ' } as const;

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
  return id.startsWith(prefixes.tags) ? words.tags : words.commits;
}

export function iconOf({ id }: FoundItem): ReactNode {
  const Icon = id.startsWith(prefixes.branches) ? GitBranch : id.startsWith(prefixes.tags) ? Tag : GitCommitHorizontal;
  return <Icon aria-hidden size={14} />;
}
