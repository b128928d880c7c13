/**
 * What was found → the rows of the tree of results: files, and below each its matches.
 */
import type { FoundFile, SearchAnswer, SearchMatch } from '../stores/workspace/text-search.ts';
import { fileNameOf } from '../stores/workspace/workspace.ts';
import type { TreeRow } from '../ui/tree-row.ts';

export type SearchRow = TreeRow &
  (
    | { readonly kind: 'file'; readonly file: FoundFile; readonly name: string; readonly folder: string }
    | { readonly kind: 'match'; readonly path: string; readonly match: SearchMatch }
  );

/** The text of a match's line in three parts; what stands before it is cut so that the match is in view. */
export interface MatchParts {
  readonly before: string;
  readonly found: string;
  readonly after: string;
}

/** UTF-16 units that fit before a match without pushing it out of view. */
const mostBefore = 24;

export function partsOfMatch({ text, start, end }: SearchMatch): MatchParts {
  const before = text.slice(0, start);
  // By whole characters, of which a cut half would be drawn as a question mark.
  const kept = before.length <= mostBefore ? before : `…${[...before].slice(3 - mostBefore).join('')}`;
  return { before: kept, found: text.slice(start, end), after: text.slice(end) };
}

/** All rows that are unfolded, from top to bottom. */
export function searchRows(answer: SearchAnswer, folded: ReadonlySet<string>): readonly SearchRow[] {
  return answer.files.flatMap((file, index): SearchRow[] => {
    const { path, matches } = file;
    const name = fileNameOf(path);
    const folder = path.slice(0, Math.max(0, path.length - name.length - 1));
    const isExpanded = !folded.has(path);
    const head: SearchRow = {
      kind: 'file',
      id: path,
      file,
      name,
      folder,
      label: `${path}, ${matches.length === 1 ? '1 match' : `${matches.length} matches`}`,
      level: 1,
      isExpanded,
      position: index + 1,
      size: answer.files.length,
    };
    return isExpanded ? [head, ...matchRows(file)] : [head];
  });
}

function matchRows({ path, matches }: FoundFile): SearchRow[] {
  return matches.map((match, index) => ({
    kind: 'match',
    id: `${path}\0${index}`,
    path,
    match,
    label: `Line ${match.line}: ${match.text.trim()}`,
    level: 2,
    isExpanded: null,
    position: index + 1,
    size: matches.length,
  }));
}

/** How much was found, and what was not looked at; one sentence each. */
export function answerSentences({ files, end, slowPath, tooLarge, isCut }: SearchAnswer): readonly string[] {
  const matches = files.reduce((sum, file) => sum + file.matches.length, 0);
  const count = (number: number, one: string, many: string): string =>
    `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
  const found = `${count(matches, 'match', 'matches')} in ${count(files.length, 'file', 'files')}`;
  const stopped = {
    all: [],
    matches: ['There are more: only the first are shown. Look for something rarer, or in fewer files.'],
    slow: [`The search was stopped: ${slowPath ?? 'one file'} took too long. Write a simpler expression.`],
    time: ['The search was stopped because it took too long. Look in fewer files.'],
  }[end];
  return [
    matches === 0 ? 'Nothing was found' : found,
    ...stopped,
    ...(tooLarge === 0
      ? []
      : [`${count(tooLarge, 'file', 'files')} over 2 MiB ${tooLarge === 1 ? 'was' : 'were'} left out.`]),
    ...(isCut ? ['The workspace has more files than are searched.'] : []),
  ];
}
