/**
 * The text of the views of a value.
 */
import { type Counted, inLanguage, numberText, plural } from '../../ui/language.ts';

export const text = inLanguage('inspector/values', {
  format: 'Format',
  views: { text: 'Text', markdown: 'Markdown', image: 'Image', table: 'Table', json: 'JSON' },
  text: 'Text',
  empty: 'The text is empty.',
  emptyList: 'The list is empty.',
  emptyMap: 'There are no fields.',
  showAll: ({ count }: Counted) => `Show all ${numberText(count)} characters`,
  earlier: ({ count }: Counted) => `${numberText(count)} earlier characters are shown when the text is complete.`,
  load: ({ size }: { readonly size: string }) => `Load ${size}`,
  loading: 'Loading…',
  copy: ({ label }: { readonly label: string }) => `Copy ${label.toLowerCase()}`,
  copyText: 'Copy text',
  copyPart: 'Copy value',
  copyPath: 'Copy path',
  copyBinding: 'Copy as binding',
  characters: ({ count }: Counted) => plural(count, { one: '1 character', other: `${numberText(count)} characters` }),
  closePart: 'Close the whole value',
  wholePart: 'Whole value',
  imageAlt: ({ label }: { readonly label: string }) => `${label} as an image`,
  badImage: 'The data is not a picture that can be shown.',
  table: {
    filter: 'Filter rows',
    filterAll: 'Filter all columns',
    columns: 'Columns',
    copyCsv: 'Copy as CSV',
    item: 'item',
    position: 'Item number',
    itemOf: ({ number, total }: { readonly number: number; readonly total: number }) =>
      `Item ${numberText(number)} of ${numberText(total)}`,
    showItem: ({ number }: { readonly number: number }) => `Show item ${numberText(number)}`,
    goToItem: ({ number }: { readonly number: number }) =>
      `Double-click to show item ${numberText(number)} in the nodes of the loop`,
    skipped: 'skipped',
    sortAscending: 'Click to sort in ascending order',
    sortDescending: 'Click to sort in descending order',
    sortLongest: 'Click to sort by length, longest first',
    sortShortest: 'Click to sort by length, shortest first',
    sortOriginal: 'Click to restore the original order',
    valuesOf: ({ column }: { readonly column: string }) => `Values of ${column}`,
    times: ({ count }: Counted) => numberText(count),
    moreValues: ({ count }: Counted) => `and ${numberText(count)} more`,
    noValue: 'no value',
    emptyText: 'empty text',
    showAllRows: 'Show all rows',
    rows: ({ count }: Counted) => plural(count, { one: '1 row', other: `${numberText(count)} rows` }),
    someRows: ({ count, total }: Counted & { readonly total: number }) =>
      `${numberText(count)} of ${numberText(total)} rows`,
    omitted: ({ count }: Counted) => `${numberText(count)} more keys are only in the JSON.`,
    noMatch: 'No row contains this text.',
    length: 'length',
    lengthOf: ({ column }: { readonly column: string }) => `Length of ${column}`,
    sameLength: ({ count, length, column }: Counted & { readonly length: number; readonly column: string }) =>
      `${numberText(count)} texts in ${column} have exactly ${numberText(length)} characters`,
  },
  tree: {
    search: 'Search keys and values',
    found: ({ at, count }: Counted & { readonly at: number }) => `${numberText(at)} of ${numberText(count)}`,
    foundMost: ({ at, count }: Counted & { readonly at: number }) =>
      `${numberText(at)} of the first ${numberText(count)}`,
    none: 'None',
    next: 'Next match',
    previous: 'Previous match',
    expandAll: 'Expand all',
    collapseAll: 'Collapse all',
    items: ({ count }: Counted) => plural(count, { one: '1 item', other: `${numberText(count)} items` }),
    fields: ({ count }: Counted) => plural(count, { one: '1 field', other: `${numberText(count)} fields` }),
  },
});
