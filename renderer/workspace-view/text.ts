/**
 * The text of the workspace tree, the search in all files, and the messages of a workspace without flows.
 */
import { inLanguage, numberText, plural } from '../ui/language.ts';

interface Found {
  readonly matches: number;
  readonly files: number;
}

/** A single match is in a single file. */
function foundText({ matches, files }: Found): string {
  const number = numberText(matches);
  return plural(matches, {
    zero: 'No matches',
    one: '1 match in 1 file',
    other: plural(files, {
      one: `${number} matches in 1 file`,
      other: `${number} matches in ${numberText(files)} files`,
    }),
  });
}

export const text = inLanguage('workspace-view', {
  tree: {
    label: 'Workspace files',
    new: 'New…',
    newFile: 'New file',
    newFolder: 'New folder',
    more: 'More file actions',
    collapseAll: 'Collapse all folders',
    refresh: 'Refresh',
    open: 'Open',
    openKey: 'Enter',
    rename: 'Rename',
    duplicate: 'Duplicate',
    copyPath: 'Copy path',
    moveToTrash: 'Move to the trash…',
    deleteKey: 'Delete',
    folder: ({ count }: { readonly count: number }) =>
      plural(count, { one: 'folder, 1 entry', other: `folder, ${numberText(count)} entries` }),
    hasErrors: 'has errors',
    modified: 'changed since the last commit',
    untracked: 'not in git yet',
    loading: 'Loading…',
    empty: 'Empty folder',
    failed: ({ reason }: { readonly reason: string }) => `Couldn't list this folder: ${reason}`,
    cut: ({ count }: { readonly count: number }) => `Only the first ${numberText(count)} entries are shown.`,
    nameOfFile: 'Name of the new file',
    nameOfFolder: 'Name of the new folder',
    newName: ({ name }: { readonly name: string }) => `New name for ${name}`,
    taken: ({ name }: { readonly name: string }) => `${name} already exists here.`,
  },
  trash: {
    title: ({ name }: { readonly name: string }) => `Move ${name} to the trash?`,
    file: 'You can restore it until the trash is emptied.',
    folder: ({ path }: { readonly path: string }) => `Everything in ${path} goes to the trash.`,
    unsaved: 'Only saved text goes to the trash. You will lose unsaved changes in:',
    cancel: 'Cancel',
    move: 'Move to the trash',
  },
  unreadableFolder: 'This folder cannot be read',
  search: {
    title: 'SEARCH',
    label: 'Search in files',
    placeholder: 'Search',
    matchCase: 'Match case',
    wholeWords: 'Whole words',
    regExp: 'Regular expression',
    filter: 'Filter files',
    include: 'Files to include',
    exclude: 'Files to exclude',
    results: 'Search results',
    expandAll: 'Expand all files',
    collapseAll: 'Collapse all files',
    file: ({ path, count }: { readonly path: string; readonly count: number }) =>
      plural(count, { one: `${path}, 1 match`, other: `${path}, ${numberText(count)} matches` }),
    line: ({ line, content }: { readonly line: number; readonly content: string }) => `Line ${line}: ${content}`,
    found: foundText,
    firstOnly: 'Only the first matches are shown. Search for something more specific or in fewer files.',
    slowFile: ({ path }: { readonly path: string }) =>
      `The search stopped because ${path} took too long. Simplify the expression.`,
    slow: 'The search stopped because a file took too long. Simplify the expression.',
    time: 'The search stopped because it took too long. Search fewer files.',
    tooLarge: ({ count }: { readonly count: number }) =>
      plural(count, {
        one: '1 file over 2 MiB was skipped.',
        other: `${numberText(count)} files over 2 MiB were skipped.`,
      }),
    cut: 'The workspace has too many files to search all of them.',
    start: 'Search in all files',
    startNote: 'Searches flows, agents, notes and all other text files in this folder, including unsaved changes.',
    nothing: 'No matches',
    nothingNote: 'Files that git ignores, files over 2 MiB and binary files are not searched.',
  },
});
