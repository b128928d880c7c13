/**
 * The items of quick open, and how well they match the query.
 */
import { defaultFilter } from 'cmdk';
import { fileNameOf } from '../../stores/workspace/workspace.ts';

export interface FoundItem {
  readonly id: string;
  readonly kind: 'command' | 'file' | 'node' | 'agent' | 'model' | 'run' | 'version';
  readonly title: string;
  /** The item's path, or what it belongs to. */
  readonly detail: string;
  /** Another line of text, shown on hover. */
  readonly about?: string | undefined;
  /** Additional search terms. */
  readonly words?: string | undefined;
  /** The shortcut as displayed. */
  readonly keys?: string | undefined;
  /** Whether it was used recently. Recent items come first if the query is empty. */
  readonly isRecent?: boolean;
}

const maxItems = 60;

/** Creates the item for a file. */
export function fileItem(path: string, isRecent: boolean): FoundItem {
  const name = fileNameOf(path);
  const folder = path.slice(0, Math.max(0, path.length - name.length - 1));
  return { id: `file ${path}`, kind: 'file', title: name, detail: folder, isRecent };
}

function fitOf({ title, detail, words = '', isRecent }: FoundItem, query: string): number {
  const score = (text: string): number => {
    const byTitle = Math.max(defaultFilter(title, text), 0.9 * defaultFilter(words, text));
    return Math.max(byTitle, 0.8 * defaultFilter(`${detail}/${title}`, text));
  };
  const parts = query.split(/\s+/);
  // In any order: the name of a file and of a node in it.
  const inAnyOrder = parts.length === 1 ? 0 : 0.7 * Math.min(...parts.map(score));
  return Math.max(score(query), inAnyOrder) * (isRecent ? 1.1 : 1);
}

/**
 * Returns the best matches, at most 60, best first. Without a query, returns recent items and then the others in their
 * order.
 */
export function findItems(items: readonly FoundItem[], query: string): readonly FoundItem[] {
  const words = query.trim();
  if (words === '') {
    const recent = items.filter(({ isRecent }) => isRecent);
    return [...recent, ...items.filter(({ isRecent }) => !isRecent)].slice(0, maxItems);
  }
  return items
    .map((item) => ({ item, fit: fitOf(item, words) }))
    .filter(({ fit }) => fit > 0)
    .sort((left, right) => right.fit - left.fit)
    .slice(0, maxItems)
    .map(({ item }) => item);
}
