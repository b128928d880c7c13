/**
 * The text of the dialogs and buttons that run files, and of the explanations of a run.
 */
import { type Counted, inLanguage, type Named, numberText, plural } from '../../ui/language.ts';

interface FilePath {
  readonly path: string;
}

interface Nodes {
  /** The names of nodes, or an agent's name. */
  readonly nodes: string;
}

export const text = inLanguage('app/run', {
  agentRun: {
    title: ({ name }: Named) => `Run ${name}`,
    about: 'The agent processes each input, or each matching file, separately. Without inputs or files, it runs once.',
    source: 'Works on',
    inputs: 'Inputs',
    files: 'Files',
    input: ({ number }: { readonly number: number }) => `Input ${numberText(number)}`,
    inputNote: 'text',
    addInput: 'Add input',
    removeInput: ({ number }: { readonly number: number }) => `Remove input ${numberText(number)}`,
    filesNote: 'one path or glob per line',
    filesExample: 'notes/**/*.md',
    filesMissing: 'Enter at least one file, or a glob such as notes/*.md.',
    model: 'Model',
    modelNote: "leave empty to use the agent's model",
    preview: 'Preview prompts',
    previewHint: 'Render the prompts without calling a model or writing files',
    run: 'Run',
  },
  agentWork: {
    title: ({ name }: Named) => `Install ${name}?`,
    about:
      "The agent needs this pack, which isn't installed. A pack contains code: install it only if you trust its source.",
    failed: ({ name, problem }: Named & { readonly problem: string }) => `Couldn't install ${name}: ${problem}`,
    isWorking: ({ name }: Named) => `Installing ${name}… The agent starts when this is done.`,
    working: 'Installing…',
    install: 'Install',
    cancel: 'Cancel',
    close: 'Close',
  },
  errorHelp: {
    enterSecrets: 'Enter secrets',
    modelSettings: 'Open model settings',
    trustSettings: 'Open trust settings',
    allowHost: ({ host }: { readonly host: string }) => `Allow ${host}…`,
    hostAllowed: ({ name, host }: Named & { readonly host: string }) =>
      `${name} can now be sent to ${host}. Run again to use it.`,
  },
  estimate: {
    label: ({ amount }: { readonly amount: string }) => `Estimate of a run: ${amount}`,
    title: ({ amount }: { readonly amount: string }) => `Estimate: ${amount}`,
    about: ({ count }: Counted) =>
      plural(count, {
        zero: 'What a run will probably take. This flow has not run yet.',
        one: 'What a run will probably take and cost, from 1 earlier run.',
        other: `What a run will probably take and cost, from ${numberText(count)} earlier runs.`,
      }),
    rerun: ({ amount }: { readonly amount: string }) => `Estimate of what runs again: ${amount}.`,
    roughly: ({ amount }: { readonly amount: string }) => `about ${amount}`,
    atLeast: ({ amount }: { readonly amount: string }) => `at least ${amount}`,
    tokens: ({ count }: { readonly count: string }) => `${count} tokens`,
    node: 'Node',
    time: 'Time',
    tokenCount: 'Tokens',
    cost: 'Cost',
    items: ({ count }: { readonly count: string }) => `${count} items`,
    similar: 'from similar nodes',
    noHistory: 'No history',
    mostUncertain: ({ node }: { readonly node: string }) => `Most uncertain: ${node}.`,
    notIncluded: ({ nodes }: Nodes) => `Not included, because there is no history: ${nodes}.`,
    unpriced: ({ nodes }: Nodes) => `Cost not included, because the price is not known: ${nodes}.`,
    waits: ({ nodes }: Nodes) => `Waits for people, which is not included: ${nodes}.`,
    waited: ({ time }: { readonly time: string }) => `People took ${time} in earlier runs.`,
  },
  nodeRun: {
    title: ({ name }: Named) => `Run ${name} alone`,
    titleInLoop: ({ name }: Named) => `${name} is in a loop`,
    aboutInLoop: "It can't run by itself.",
    about:
      'Earlier nodes do not run. This node receives their pinned outputs or, failing that, their outputs from the latest run.',
    aboutMissing:
      'Earlier nodes do not run, and no run has all the values that this node needs. The values you enter apply to this run only.',
    outside: '{node} has effects outside the flow. It will do this now: {effects}',
    input: 'Input',
    inLoop: ({ node, loop }: { readonly node: string; readonly loop: string }) =>
      `${node} runs for each item of ${loop}, which provides its input. You can run ${loop} alone, with all of its nodes.`,
    runLoop: ({ name }: Named) => `Run ${name}`,
    run: 'Run this node',
    notNow: 'Not now',
  },
  nodeWhy: {
    label: ({ name }: Named) => `Why: ${name}`,
    skipped: 'Why did this not run?',
    failed: 'Why did this fail?',
    close: 'Close',
    line: ({ line }: { readonly line: number }) => `Line ${numberText(line)}`,
    runAnyway: 'Run it anyway',
    runAnywayForAll: 'Run it anyway, for all items',
    runItem: 'Run this item again',
    runFromHere: 'Run again from here',
    goToFailed: ({ name }: Named) => `Go to ${name}, which failed`,
    goToSkipped: ({ name }: Named) => `Go to ${name}, which was skipped`,
  },
  permissions: {
    title: {
      flow: 'This flow needs your permission',
      agent: 'This agent needs your permission',
      conversation: 'This conversation needs your permission',
    },
    about:
      "Decide now, so that the run doesn't stop halfway. You are asked again when the flow changes or needs more permissions.",
    list: 'Missing permissions',
    nodes: ({ count }: Counted) => plural(count, { one: '1 node', other: `${numberText(count)} nodes` }),
    namesAndMore: ({ names, count }: Counted & { readonly names: string }) =>
      plural(count, { one: `${names} and 1 more`, other: `${names} and ${numberText(count)} more` }),
    secretsSelected: 'Millrace never gives their values to a model or writes them to a file.',
    secretsNotSelected: 'Not selected: the run asks about them when it starts.',
    needed: ({ nodes }: Nodes) => `Needed by ${nodes}.`,
    notSelectedAgent: ({ nodes }: Nodes) => `Not selected: scripts of ${nodes} will fail without it.`,
    notSelected: ({ nodes }: Nodes) => `Not selected: the run pauses at ${nodes}.`,
    trust: 'Trust covers the whole workspace: its flows and agents can then do anything that you can do.',
    hosts: ({ hosts }: { readonly hosts: string }) => `Sends requests to ${hosts}.`,
    scope:
      'Permissions apply to this workspace on this computer. Your operating system asks you to confirm them once. You can revoke trust and hosts in Settings.',
    notNow: 'Not now',
    runWithout: 'Run without',
    startWithout: 'Start without',
    allowAndRun: ({ count }: Counted) => `Allow ${numberText(count)} and run`,
    allowAndStart: ({ count }: Counted) => `Allow ${numberText(count)} and start`,
  },
  pin: {
    title: ({ name }: Named) => `Pin the output of ${name}`,
    about: "Runs from this window use this as the node's output and don't run the node. The file doesn't change.",
    output: 'Output',
    outputNote: 'JSON',
    /** Subject of a sentence by the engine, which is in English. */
    subject: 'The output',
    empty: 'Enter the output as JSON, for example { "text": "…" }.',
    problemAt: ({
      line,
      column,
      problem,
    }: {
      readonly line: number;
      readonly column: number;
      readonly problem: string;
    }) => `Line ${numberText(line)}, column ${numberText(column)}: ${problem}`,
    noLatest: 'None of the latest runs has an output of this node. Run the node, or enter an output.',
    tooLong: 'This output is too long to edit here. It stays unchanged.',
    unpin: 'Unpin',
    takeLatest: 'Use the latest output',
    pin: 'Pin',
  },
  breakpoints: {
    skip: 'Skip…',
    edit: 'Edit…',
  },
  raise: {
    open: 'Raise to…',
    title: 'Raise the budget',
    about: 'The run continues with the higher limit. What it has used so far still counts.',
    parts: { usd: 'New limit in US dollars', tokens: 'New limit in tokens', seconds: 'New limit in seconds of work' },
    used: ({ used, limit }: { readonly used: string; readonly limit: string }) => `${used} of ${limit} used`,
    tooLow: ({ limit }: { readonly limit: string }) => `Enter a number above ${limit}.`,
    notWhole: ({ limit }: { readonly limit: string }) => `Enter a whole number above ${limit}.`,
    unchanged: 'Raise at least one limit.',
    raise: 'Raise and continue',
    cancel: 'Keep paused',
  },
  rerun: {
    title: 'Run again?',
    titleFrom: ({ name }: Named) => `Run again from ${name}?`,
    titleMoment: 'Run again from this moment?',
    titleUpTo: ({ name }: Named) => `Run up to ${name}?`,
    titleItem: ({ item }: { readonly item: string }) => `Run ${item} again?`,
    about: 'Starts a new run. Unaffected nodes reuse their earlier results.',
    loading: 'Comparing with the earlier run…',
    list: 'What would happen',
    fates: {
      reused: 'reused',
      runs: 'runs again',
      maybe: 'reused if its inputs stay the same',
      skipped: 'skipped again',
      pinned: 'uses its pinned output',
      given: 'gets the changed output',
    },
    reusedFromOther: 'reused from another run',
    countRuns: ({ count }: Counted) =>
      plural(count, { one: '1 node runs again.', other: `${numberText(count)} nodes run again.` }),
    countReused: ({ count }: Counted) =>
      plural(count, { one: '1 is reused.', other: `${numberText(count)} are reused.` }),
    countPinned: ({ count }: Counted) =>
      plural(count, { one: '1 is pinned.', other: `${numberText(count)} are pinned.` }),
    countGiven: ({ count }: Counted) =>
      plural(count, { one: '1 gets another output.', other: `${numberText(count)} get other outputs.` }),
    countMaybe: ({ count }: Counted) => `${numberText(count)} may be reused.`,
    countSkipped: ({ count }: Counted) =>
      plural(count, { one: '1 stays skipped.', other: `${numberText(count)} stay skipped.` }),
    oneOutside:
      '{nodes} has effects outside the flow, such as a request, an agent run or an addition to a file. These effects would happen a second time.',
    moreOutside:
      '{nodes} have effects outside the flow, such as a request, an agent run or an addition to a file. These effects would happen a second time.',
    askedAgain: 'These questions are asked again. Answers in the earlier run:',
    answers: 'Earlier answers',
    answer: '{node}: {answer}, {time}',
    moreAnswers: ({ count }: Counted) => plural(count, { one: 'and 1 more', other: `and ${numberText(count)} more` }),
    keep: 'Keep as is',
    run: 'Run again',
  },
  runButton: {
    run: 'Run',
    more: 'More ways to run',
  },
  runFiles: {
    list: 'Files that the run has changed',
    select: ({ path }: FilePath) => `Put back ${path}`,
    states: { 'changed-since': 'changed since the run', 'put-back': 'as before the run' },
    noCopy: 'no copy',
    folder: 'folder',
    movedFrom: ({ path }: FilePath) => `from ${path}`,
    more: ({ count }: Counted) => `and ${numberText(count)} more`,
    none: 'No files changed',
    noneWhy: 'Files that a run writes, moves or deletes in the workspace are listed here.',
    expired: 'The list has been removed',
    expiredWhy: 'Copies of changed files, and lists of them, are removed after some time.',
    unlisted: ({ list }: { readonly list: string }) => `Not listed: what ${list} may have changed`,
    commands: ({ count }: Counted) =>
      plural(count, { zero: '', one: '1 command', other: `${numberText(count)} commands` }),
    requests: ({ count }: Counted) =>
      plural(count, { zero: '', one: '1 web request', other: `${numberText(count)} web requests` }),
    tools: ({ count }: Counted) =>
      plural(count, { zero: '', one: '1 tool call', other: `${numberText(count)} tool calls` }),
    outside: ({ count }: Counted) =>
      plural(count, { zero: '', one: '1 file elsewhere', other: `${numberText(count)} files elsewhere` }),
    diff: ({ path }: FilePath) => `${path} before the run and now`,
    diffBack: ({ path }: FilePath) => `${path} now and before the run`,
    notText: "This content can't be compared: it is not text, is too large or has no copy.",
    putBack: ({ count }: Counted) =>
      plural(count, { zero: 'Put back…', one: 'Put back 1 file…', other: `Put back ${numberText(count)} files…` }),
    title: ({ count }: Counted) =>
      plural(count, { one: 'Put back 1 file?', other: `Put back ${numberText(count)} files?` }),
    about:
      'Files become as they were before the run, and files that the run created are deleted. You can take this back.',
    askedSince: ({ count }: Counted) =>
      plural(count, {
        one: '1 file has changed since the run. You will see its changes first.',
        other: `${numberText(count)} files have changed since the run. You will see the changes of each one first.`,
      }),
    unsaved: ({ paths }: { readonly paths: string }) =>
      `Unsaved changes stay in the editor, which then asks what to keep: ${paths}`,
    keep: 'Keep as is',
    agree: 'Put back',
    sinceTitle: ({ path }: FilePath) => `${path} has changed since the run`,
    sinceAbout: ({ number, count }: { readonly number: number; readonly count: number }) =>
      `Left: now. Right: before the run. File ${numberText(number)} of ${numberText(count)}.`,
    leave: 'Leave as it is',
    replace: 'Replace',
    takeBack: 'Take back the last undo…',
    failed: 'The files could not be put back',
    changedAgain: ({ path }: FilePath) => `${path} has changed in the meantime.`,
    done: ({ count }: Counted) =>
      plural(count, {
        zero: 'No files put back',
        one: '1 file put back',
        other: `${numberText(count)} files put back`,
      }),
    doneHint: 'To take this back, use the list of files of the run.',
  },
  runInputs: {
    title: ({ name }: Named) => `Run ${name}`,
    about: "These values apply to this run only. The file doesn't change.",
    autonomy: 'Autonomy',
    declared: ({ level }: { readonly level: string }) => `As declared: ${level}`,
    declaredNone: 'As declared: no level',
    levels: {
      suggest_only: 'only suggests effects',
      semi_auto: 'asks before effects',
      full_auto: 'does not ask before effects',
    },
    reset: 'Restore defaults',
    run: 'Run',
  },
  shownRun: {
    cancel: 'Cancel',
    canceling: 'Canceling',
    continue: 'Continue',
    step: 'Step',
    runAgain: 'Run again',
    resume: 'Resume',
    backToNow: 'Back to now',
    runAgainFromHere: 'Run again from here…',
  },
});
