/**
 * The text of tests: their panel, the bar of an open test, and its checks.
 */
import { type Counted, inLanguage, type Named, numberText, plural } from '../ui/language.ts';

interface InFile {
  readonly file: string;
  readonly line: number;
}

interface OfTotal {
  readonly passed: number;
  readonly total: number;
}

export const text = inLanguage('case-view', {
  commands: {
    show: 'Show the tests',
    runAll: 'Run all tests',
    runOfFlow: 'Run tests of this flow',
    runAffected: 'Run affected tests',
    nextFailure: 'Next failed test',
    saveRun: 'Save run as test…',
    runAgain: 'Run the open test again',
    accept: 'Accept new values of the open test',
    close: 'Close the open test',
    addColumn: 'Add a version or model to the table of a dataset…',
    addColumnWords: 'compare models versions test column dataset',
    closeTable: 'Close the table of a dataset',
    searchWords: 'test case check regression evaluation',
    saveWords: 'test case regression record cassette',
    saveFailed: "Couldn't save the run as a test",
    noTests: 'No tests of this file',
    noTestsHelp: 'Save one of its runs as a test first.',
  },
  panel: {
    title: 'Tests',
    tree: 'Tests of this workspace',
    runAll: 'Run all',
    stop: 'Stop',
    affected: 'Affected',
    affectedHint: ({ count }: Counted) =>
      plural(count, {
        zero: 'No edit since the last run affects a test',
        one: 'Run the test that edits since its last run may affect',
        other: `Run the ${numberText(count)} tests that edits since their last run may affect`,
      }),
    passed: ({ passed, total }: OfTotal) => `${numberText(passed)} of ${numberText(total)} pass`,
    notRun: ({ total }: { readonly total: number }) =>
      plural(total, { one: '1 test, not run yet', other: `${numberText(total)} tests, not run yet` }),
    running: ({ done, total }: { readonly done: number; readonly total: number }) =>
      `Running ${numberText(done)} of ${numberText(total)}…`,
    spent: ({ time, cost }: { readonly time: string; readonly cost: string }) => `${time}, ${cost}`,
    rows: ({ name, count }: Named & Counted) =>
      plural(count, { zero: `${name}, no rows`, one: `${name}, 1 row`, other: `${name}, ${numberText(count)} rows` }),
    share: ({ passed, total }: OfTotal) => `${numberText(passed)}/${numberText(total)}`,
    problemAt: ({ place, message }: { readonly place: string; readonly message: string }) => `${place}  ${message}`,
    rowLabel: ({ name, state }: Named & { readonly state: string }) => `${name}, ${state}`,
    states: { idle: 'not run', queued: 'queued', running: 'running', completed: 'passed', failed: 'failed' },
    invalid: 'not valid',
    footer: 'Tests call nothing outside. Models, HTTP and tools answer from recordings.',
    none: 'No tests yet',
    noneHelp:
      'Save a run as a test, or write a file that ends in .test.yaml. Tests replay recorded calls and report what changes.',
    loading: 'Looking for tests…',
  },
  header: {
    label: 'Open test',
    failed: 'Failed',
    passed: 'Passed',
    running: 'Running',
    recording: 'Recording',
    place: ({ file, line }: InFile) => `${file}, line ${line}`,
    openPlace: 'Open the test file at this line',
    accept: 'Accept new value',
    runAgain: 'Run again',
    close: 'Close test',
  },
  checks: {
    list: 'Checks of this test',
    expected: 'Expected',
    got: 'Got',
    holds: 'This check holds.',
    notRun: 'The test could not run.',
    noChecks: 'This test checks only that the run completes.',
    score: ({ score }: { readonly score: string }) => `Score ${score} of 5`,
    record: 'Record this call',
    recordHint: 'Makes calls without a recording, after you confirm, and adds the responses to the recording',
    acceptOne: 'Accept this value',
    followUps: ({ count }: Counted) =>
      plural(count, {
        one: '1 more check fails because of that',
        other: `${numberText(count)} more checks fail because of that`,
      }),
    state: ({ isOk }: { readonly isOk: boolean }) => (isOk ? 'holds' : 'fails'),
  },
  dataset: {
    label: ({ name }: Named) => `Table of ${name}`,
    grid: 'Results of the rows',
    rows: ({ count }: Counted) => plural(count, { zero: 'no rows', one: '1 row', other: `${numberText(count)} rows` }),
    filter: 'Shown rows',
    all: 'All',
    failing: 'Failing',
    differ: 'Differ',
    add: 'Add version or model',
    addModel: 'Add a model for this version…',
    remove: 'Remove column',
    columnMenu: ({ name }: Named) => `Column ${name}`,
    runColumns: ({ count }: Counted) =>
      plural(count, { one: 'Run 1 column', other: `Run ${numberText(count)} columns` }),
    runHint: 'Replays recorded calls. Calls without a recording are made only after you confirm.',
    stop: 'Stop',
    copy: 'Copy as CSV',
    close: 'Close table',
    row: 'Row',
    now: 'Now',
    run: ({ number }: { readonly number: number }) => `Run ${number}`,
    unsaved: 'unsaved edits',
    ownModels: 'its own models',
    defaultModel: 'default model',
    noModel: 'no model',
    manyModels: ({ count }: Counted) => plural(count, { one: '1 model', other: `${numberText(count)} models` }),
    column: ({ version, model }: { readonly version: string; readonly model: string }) => `${version}, ${model}`,
    share: ({ passed, total }: OfTotal) => `${numberText(passed)}/${numberText(total)}`,
    score: ({ score }: { readonly score: string }) => `score ${score}`,
    notRun: 'not run',
    cell: ({ state, score }: { readonly state: string; readonly score: string | null }) =>
      score === null ? state : `${state}, score ${score} of 5`,
    noRows: 'No rows match this filter.',
    total: 'Total',
    tokens: ({ count }: { readonly count: string }) => `${count} tokens`,
    spent: ({ amount, time }: { readonly amount: string; readonly time: string }) => `${amount}, ${time}`,
    progress: ({ name, done, total }: Named & { readonly done: number; readonly total: number }) =>
      `Running ${name}: ${numberText(done)} of ${numberText(total)}`,
    best: ({ name }: Named) => `Best: ${name}.`,
    equal: ({ names }: { readonly names: string }) => `Equal: ${names}.`,
    bestHelp: 'By score, then by passed rows, then by cost.',
    noBest: 'Run at least two columns to compare them.',
    take: ({ model, node }: { readonly model: string; readonly node: string }) => `Use ${model} in ${node}`,
    takeInNodes: ({ model, count }: { readonly model: string } & Counted) =>
      plural(count, { one: `Use ${model} in 1 node`, other: `Use ${model} in ${numberText(count)} nodes` }),
    takeHint: 'Nothing is written until you save.',
    better: ({ score }: { readonly score: string }) => `${score} better`,
    morePassed: ({ count }: Counted) =>
      plural(count, { one: '1 more row passes', other: `${numberText(count)} more rows pass` }),
    times: ({ factor }: { readonly factor: string }) => `${factor} × the cost`,
    side: 'Result of the selected cell',
    choose: 'Select a cell to see its result.',
    place: ({ number, column }: { readonly number: number; readonly column: string }) => `Row ${number}, ${column}`,
    line: ({ line }: { readonly line: number }) => `Line ${line}`,
    passed: 'Passed',
    failed: 'Failed',
    error: 'Error',
    hasColumn: 'The table already has this column',
    scoreOf: ({ score }: { readonly score: string }) => `${score} of 5`,
    judge: 'Judge',
    checks: 'Checks',
    failCount: ({ count, total }: Counted & { readonly total: number }) =>
      plural(count, {
        one: `1 of ${numberText(total)} fails`,
        other: `${numberText(count)} of ${numberText(total)} fail`,
      }),
    got: 'Got',
    output: 'Output',
    elsewhere: 'The same row in other columns',
    canvas: 'Open on the canvas',
    canvasGone: 'Only runs of the column that ran last can be opened.',
    csv: {
      state: ({ name }: Named) => `${name}: result`,
      score: ({ name }: Named) => `${name}: score`,
      tokens: ({ name }: Named) => `${name}: tokens`,
      cost: ({ name }: Named) => `${name}: US dollars`,
    },
    pick: {
      title: ({ name }: Named) => `Add a column to ${name}`,
      titleOf: ({ version }: { readonly version: string }) => `Add a model for ${version}`,
      placeholder: 'A model, branch, tag, commit or run',
      modelPlaceholder: 'Name of a model',
      models: 'Models',
      typedModel: 'model',
      typedVersion: 'branch, tag or commit',
      empty: 'No models, versions or runs. Enter a name.',
    },
  },
  save: {
    title: 'Save run as a test',
    titleOf: ({ number }: { readonly number: number }) => `Save run ${number} as a test`,
    description: 'The test replays the calls of this run and checks the results. It calls nothing outside.',
    name: 'Name',
    file: 'Test file',
    fileNote: 'Ends in .test.yaml. The recording is saved beside it.',
    added: 'The file exists. The test is added to it.',
    checks: 'Checks',
    reading: 'Reading the run…',
    recording: ({ calls, masked }: { readonly calls: number; readonly masked: number }) => {
      const recorded = plural(calls, {
        zero: 'No calls to record',
        one: '1 recorded call',
        other: `${numberText(calls)} recorded calls`,
      });
      if (masked === 0) return recorded;
      const hidden = plural(masked, {
        one: '1 private value masked',
        other: `${numberText(masked)} private values masked`,
      });
      return `${recorded}, ${hidden}`;
    },
    missing: ({ count }: Counted) =>
      plural(count, {
        one: '1 call is not in the history. Record it when you run the test:',
        other: `${numberText(count)} calls are not in the history. Record them when you run the test:`,
      }),
    cancel: 'Cancel',
    save: 'Save test',
    saving: 'Saving…',
  },
});
