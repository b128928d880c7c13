/**
 * What "go to anything" offers, and how well it fits what was typed.
 */
import { defaultFilter } from 'cmdk';
import { fileNameOf } from '../../stores/workspace/workspace.ts';

export interface FoundItem {
  readonly id: string;
  readonly kind: 'command' | 'file' | 'node' | 'agent' | 'model' | 'run';
  readonly title: string;
  /** Where it is, or what it belongs to. */
  readonly detail: string;
  /** A line more on it, for whoever points at it. */
  readonly about?: string | undefined;
  /** Further words that it is found by. */
  readonly words?: string | undefined;
  /** As printed. */
  readonly keys?: string | undefined;
  /** Known from lately: offered first when nothing was typed. */
  readonly isRecent?: boolean;
}

const maxItems = 60;

/** A file as an item. */
export function fileItem(path: string, isRecent: boolean): FoundItem {
  const name = fileNameOf(path);
  const folder = path.slice(0, Math.max(0, path.length - name.length - 1));
  return { id: `file ${path}`, kind: 'file', title: name, detail: folder, isRecent };
}

function fitOf({ title, detail, words = '', isRecent }: FoundItem, query: string): number {
  const byTitle = Math.max(defaultFilter(title, query), 0.9 * defaultFilter(words, query));
  const byPlace = 0.8 * defaultFilter(`${detail}/${title}`, query);
  return Math.max(byTitle, byPlace) * (isRecent ? 1.1 : 1);
}

/** The items that fit best, at most 60, the best first; without a query those used lately, then the others in their order. */
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
