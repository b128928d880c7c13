/**
 * Asks for the branch, tag or commit with which the active flow is compared.
 */
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { compareWithVersion } from '../../stores/review/compare-with-version.ts';
import { text as reviewText } from '../../stores/review/text.ts';
import { useCommandContext } from '../commands/command-context.tsx';
import { type FoundItem, findItems } from '../quick-pick/find-items.ts';
import { QuickPick } from '../quick-pick/quick-pick.tsx';
import { text } from './text.ts';
import { firstOf, iconOf, itemsOf, type ListedVersions, prefixes, sectionOf } from './version-items.tsx';

const words = text.compare;

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
  const first = useMemo(() => firstOf(items), [items]);
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
