/**
 * Asks for the branch, tag or commit with which the active flow is compared.
 */
import { GitBranch, GitCommitHorizontal, Tag } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { EngineResult } from '../../bridge/engine-client.ts';
import { compareWithVersion } from '../../stores/review/compare-with-version.ts';
import { text as reviewText } from '../../stores/review/text.ts';
import { shortTimeText } from '../../ui/quantity-text.ts';
import { useCommandContext } from '../commands/command-context.tsx';
import { type FoundItem, findItems } from '../quick-pick/find-items.ts';
import { QuickPick } from '../quick-pick/quick-pick.tsx';
import { text } from './text.ts';

const words = text.compare;

type ListedVersions = EngineResult<'listGitVersions'>;

/** How many of each are listed while nothing is entered. */
const firstShown = { branches: 20, tags: 10, commits: 30 } as const;

const prefixes = { branches: 'branch ', tags: 'tag ', commits: 'commit ', typed: 'typed ' } as const;

function itemsOf({ branches, tags, commits }: ListedVersions) {
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

/** Returns what matches the query. What the person has entered can be a branch, tag or commit itself. */
function matches(items: readonly FoundItem[], query: string): readonly FoundItem[] {
  const entered = query.trim();
  const found = findItems(items, entered);
  if (items.some(({ title, words: commit }) => title === entered || commit === entered)) return found;
  const typed: FoundItem = { id: prefixes.typed + entered, kind: 'version', title: entered, detail: words.typed };
  const contains = ({ title, detail }: FoundItem): boolean =>
    `${title} ${detail}`.toLowerCase().includes(entered.toLowerCase());
  return found.some(contains) ? [...found, typed] : [typed, ...found];
}

function sectionOf({ id }: FoundItem): string | null {
  if (id.startsWith(prefixes.branches)) return words.branches;
  return id.startsWith(prefixes.tags) ? words.tags : words.commits;
}

function iconOf({ id }: FoundItem): ReactNode {
  const Icon = id.startsWith(prefixes.branches) ? GitBranch : id.startsWith(prefixes.tags) ? Tag : GitCommitHorizontal;
  return <Icon aria-hidden size={14} />;
}

export function CompareVersionDialog() {
  const { dialogs, stores } = useCommandContext();
  const path = useStore(stores.openFiles, ({ activePath }) => activePath);
  const [versions, setVersions] = useState<ListedVersions | null>(null);
  useEffect(() => {
    if (path === null) return;
    let isGone = false;
    stores.engine.call('listGitVersions', path).then(
      (found) => isGone || setVersions(found),
      (error: unknown) => {
        if (isGone) return;
        dialogs.getState().close();
        stores.notices.getState().addError(reviewText.git.compareFailed, error);
      },
    );
    return () => {
      isGone = true;
    };
  }, [path, stores, dialogs]);
  const items = useMemo(() => itemsOf(versions ?? { branches: [], tags: [], commits: [] }), [versions]);
  const all = useMemo(() => [...items.branches, ...items.tags, ...items.commits], [items]);
  const first = useMemo(
    () => [
      ...items.branches.slice(0, firstShown.branches),
      ...items.tags.slice(0, firstShown.tags),
      ...items.commits.slice(0, firstShown.commits),
    ],
    [items],
  );
  const find = useCallback((query: string) => matches(all, query), [all]);
  if (path === null) return null;
  return (
    <QuickPick
      isOpen
      onClose={() => dialogs.getState().close()}
      title={words.title({ path })}
      placeholder={words.placeholder}
      items={first}
      find={find}
      sectionOf={sectionOf}
      iconOf={iconOf}
      empty={versions === null ? words.loading : words.empty}
      onPick={(id) => void compareWithVersion(stores, path, id.slice(id.indexOf(' ') + 1))}
    />
  );
}
