/**
 * The text of comparisons of runs.
 */
import { type Counted, inLanguage, type Named, type Numbered, numberText, plural } from '../ui/language.ts';

interface Totaled extends Counted {
  readonly total: number;
}

interface Sided {
  /** The letter of a run. */
  readonly side: string;
}

export const text = inLanguage('compare', {
  header: {
    label: 'Comparison of two runs',
    run: ({ number }: Numbered) => `Run ${number}`,
    against: 'compared with',
    noDifference: 'No difference',
    count: ({ count }: Counted) => plural(count, { one: '1 difference', other: `${numberText(count)} differences` }),
    position: ({ number, total }: Numbered & { readonly total: number }) =>
      plural(total, { one: '1 of 1 difference', other: `${numberText(number)} of ${numberText(total)} differences` }),
    previous: 'Previous difference',
    next: 'Next difference',
    swap: 'Swap',
    swapHint: 'Swap A and B',
    close: 'End the comparison',
    tokens: ({ a, b }: { readonly a: string; readonly b: string }) => `${a} → ${b} tokens`,
  },
  commands: {
    previousRun: 'Compare with the previous run',
    choose: 'Compare with another run',
    searchWords: 'diff difference two runs',
    models: 'Try other models…',
    modelsSearchWords: 'compare models evaluate prompt cheaper faster',
    next: 'Next difference of the runs',
    previous: 'Previous difference of the runs',
    end: 'End the comparison of runs',
    noPrevious: 'No earlier run',
    noPreviousHelp: 'Run the flow again to compare two runs.',
  },
  tryModels: {
    title: ({ name }: Named) => `Try other models for ${name}`,
    about:
      'Only this node runs, once with each model and with its input of this run. A table then compares the runs. The file does not change.',
    search: 'Find a model, or enter its name',
    run: ({ count }: Counted) =>
      plural(count, { one: 'Run with 1 model', other: `Run with ${numberText(count)} models` }),
    failed: "Couldn't try the models",
  },
  picks: {
    label: 'Runs to compare',
    choose: ({ number }: Numbered) => `Choose the run to compare with run ${number}.`,
    one: ({ number }: Numbered) => `Run ${number} is selected. Ctrl+click another run to compare them.`,
    two: 'Ctrl+click more runs to see them in a table.',
    more: ({ count }: Counted) => `${numberText(count)} runs in the table.`,
    cancel: 'Cancel',
    end: 'End',
  },
  table: {
    label: 'Runs of the flow',
    count: ({ count }: Counted) => plural(count, { one: '1 run', other: `${numberText(count)} runs` }),
    hint: ({ number }: Numbered) => `Each row opens on the canvas, compared with run ${number}.`,
    base: 'A',
    close: 'Close the table',
    run: 'Run',
    state: 'State',
    started: 'Started',
    labels: 'Labels',
    output: ({ name }: Named) => `Output of ${name}`,
    version: 'Flow',
    sameVersion: 'as in A',
    otherVersion: 'changed',
    choose: ({ number }: Numbered) => `Compare the others with run ${number}`,
    compare: 'Compare',
    compareRuns: ({ a, b }: { readonly a: number; readonly b: number }) => `Compare run ${a} with run ${b}`,
  },
  values: {
    view: 'View',
    previousItem: 'Previous item',
    nextItem: 'Next item',
    words: 'Words',
    lines: 'Lines',
    sides: 'Side by side',
    choose: 'Select a node to compare its values.',
    loading: 'Loading…',
    same: 'The same in both runs.',
    none: 'Neither run has this value.',
    noPrompt: 'This node sends no prompt to a model.',
    failed: ({ message }: { readonly message: string }) => `Failed: ${message}`,
    row: ({ number }: Numbered) => `Row ${number}`,
    moreRows: ({ count }: Counted) =>
      plural(count, { one: '1 more value differs', other: `${numberText(count)} more values differ` }),
    readFailed: "Couldn't read the values",
    onlyIn: ({ side }: Sided) => `only in ${side}`,
  },
  strip: {
    same: 'same',
    output: 'output differs',
    error: 'error differs',
    state: 'state differs',
  },
  tab: {
    allItems: 'All items',
    thisNode: 'This node',
    change: 'Change',
    time: 'Time',
    first: 'First token',
    prompt: 'Prompt tokens',
    response: 'Response tokens',
    cost: 'Cost',
    model: 'Model',
    why: 'Why they differ',
    same: 'No difference: state and output are the same.',
    definition: 'Definition',
    input: 'Input',
    outside: 'Same definition and input. Something outside the run has changed.',
    outsideModel: 'Same definition, input and model. A model can respond differently each time.',
    notBoth: ({ side }: Sided) => `Only run ${side} executed this node. Its condition or an edge to it decided so.`,
    onlyInFlow: ({ side }: Sided) => `Only the flow of run ${side} has this node.`,
    items: 'Items that differ',
    itemCount: ({ count, total }: Totaled) => `${numberText(count)} of ${numberText(total)}`,
    itemsOnly: ({ count, side }: Counted & Sided) => `${numberText(count)} only in ${side}`,
    itemHint: 'Filled: differs. Dashed: only in one run. Arrow keys go from item to item.',
    itemLabel: ({ number, difference }: Numbered & { readonly difference: string }) => `Item ${number}, ${difference}`,
    shownItems: ({ count, total }: Totaled) => `${numberText(count)} of ${numberText(total)} items.`,
    openCalled: 'Compare the called flow',
    agent: 'An agent is compared as a whole: its state, time, cost and output, not its stages.',
    again: ({ field }: { readonly field: string }) => `Use ${field} of A again`,
    takeOverHint: 'This changes the file. You can undo it.',
  },
});
