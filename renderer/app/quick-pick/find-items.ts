/**
 * What "go to anything" offers, and how well it fits what was typed.
 */
import { defaultFilter } from 'cmdk';
import { plainName } from '../../../engine/isomorphic.ts';
import { fileNameOf } from '../../stores/workspace/workspace.ts';

export interface FoundItem {
  readonly id: string;
  readonly kind: 'command' | 'file' | 'node' | 'agent' | 'model' | 'run';
  readonly title: string;
  /** Where it is, or what it belongs to. */
  readonly detail: string;
  /** A line more on it, for whoever points at it. */
  readonly about?: string | undefined;
  /** As printed. */
  readonly keys?: string | undefined;
  /** What other tools call it: for what was typed, a sentence on what it is here; undefined = not so. */
  readonly otherName?: (query: string) => string | undefined;
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

function fitOf({ title, detail, isRecent }: FoundItem, query: string): number {
  const byTitle = defaultFilter(title, query);
  const byPlace = 0.8 * defaultFilter(`${detail}/${title}`, query);
  return Math.max(byTitle, byPlace) * (isRecent ? 1.1 : 1);
}

/** Whether that is what a type of node is called here: its title, its id, or what stands behind the dot of that. */
function isOwnName({ id, title }: FoundItem, words: string): boolean {
  const wanted = plainName(words);
  return [title, id, id.replace(/^.*\./, '')].some((name) => plainName(name) === wanted);
}

/** The items that fit best, at most 60, the best first; without a query those used lately, then the others in their order. */
export function findItems(items: readonly FoundItem[], query: string): readonly FoundItem[] {
  const words = query.trim();
  if (words === '') {
    const recent = items.filter(({ isRecent }) => isRecent);
    return [...recent, ...items.filter(({ isRecent }) => !isRecent)].slice(0, maxItems);
  }
  return items
    .map((item) => {
      if (item.otherName !== undefined && isOwnName(item, words)) return { item, fit: 3 };
      const other = item.otherName?.(words);
      if (other === undefined) return { item, fit: fitOf(item, words) };
      // Meant by name, and not by letters that happen to be in it.
      return { item: { ...item, detail: other || item.detail }, fit: other === '' ? 1.5 : 2 };
    })
    .filter(({ fit }) => fit > 0)
    .sort((left, right) => right.fit - left.fit)
    .slice(0, maxItems)
    .map(({ item }) => item);
}
