/**
 * The text of the table of runs, of the filter of lists of runs, and of labels and notes.
 */
import { type Counted, inLanguage, type Numbered, numberText, plural } from '../../ui/language.ts';

export const text = inLanguage('run-view/table', {
  show: 'Show the runs of this file as a table',
  filter: {
    button: 'Filter',
    counted: ({ count }: Counted) => `Filter (${count})`,
    content: 'Text in inputs or outputs',
    status: 'Status',
    anyStatus: 'Any status',
    label: 'Label',
    anyLabel: 'Any label',
    since: 'Time',
    anyTime: 'Any time',
    lastDays: ({ count }: Counted) => plural(count, { one: 'Last 24 hours', other: `Last ${count} days` }),
    clear: 'Clear',
  },
  table: {
    title: ({ name }: { readonly name: string }) => `Runs of ${name}`,
    count: ({ count }: Counted) => plural(count, { one: '1 run', other: `${numberText(count)} runs` }),
    newest: ({ count }: Counted) => `The newest ${numberText(count)} runs`,
    view: 'View',
    rows: 'Table',
    charts: 'Charts',
    columns: 'Columns',
    copyCsv: 'Copy as CSV',
    compare: 'Compare 2 runs',
    loading: 'Loading runs…',
    none: 'No runs yet',
    noneHint: 'Run this file. Each run appears here with its time, tokens and cost.',
    noMatch: 'No such runs',
    noMatchHint: 'No run matches the filter. Text is searched in the newest 10,000 runs.',
    p50: 'p50, ended runs',
    p95: 'p95',
  },
  columns: {
    run: 'Run',
    started: 'Started',
    state: 'State',
    version: 'Version',
    starter: 'Started by',
    labels: 'Labels',
    time: 'Time',
    tokens: 'Tokens',
    cost: 'Cost',
    nodes: 'By node',
    note: 'Note',
  },
  charts: {
    time: 'Time',
    cost: 'Cost',
    tokens: 'Tokens',
    failures: 'Failures',
    last: ({ value, number }: Numbered & { readonly value: string }) => `${value}, run ${number}`,
    about: ({ title, from, to }: { readonly title: string; readonly from: number; readonly to: number }) =>
      `${title} of runs ${from} to ${to}`,
    failed: ({ count, total }: Counted & { readonly total: number }) => `${count} of ${total}`,
    nodes: ({ count }: Counted) =>
      plural(count, { one: 'Nodes in the newest run', other: `Nodes in the newest ${numberText(count)} runs` }),
    node: 'Node',
    ended: 'Ended',
    failing: 'What fails',
    noNode: 'no node',
    failedIn: ({ count }: Counted) =>
      plural(count, { one: 'failed in 1 run', other: `failed in ${numberText(count)} runs` }),
    since: ({ number, time, count }: Numbered & Counted & { readonly time: string }) =>
      plural(count, {
        one: `In the latest run, ${number} (${time})`,
        other: `In every run since ${number} (${time}), ${numberText(count)} in a row`,
      }),
    recently: ({ number, time }: Numbered & { readonly time: string }) => `Most recently in run ${number} (${time})`,
    unchanged: ({ number }: Numbered) => `The definition is the same as in run ${number}, which was fine.`,
    changed: ({ number }: Numbered) => `Changed since run ${number}, which was fine:`,
  },
});
