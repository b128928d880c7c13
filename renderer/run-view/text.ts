/**
 * The text about runs: their history, the inbox, and the dock and bars that show one run.
 */
import { inLanguage, numberText, plural } from '../ui/language.ts';

interface Named {
  readonly name: string;
}

interface Counted {
  readonly count: number;
}

interface Timed {
  /** A formatted duration. */
  readonly duration: string;
}

interface At {
  /** A formatted point in time. */
  readonly time: string;
}

export const text = inLanguage('run-view', {
  header: {
    /** What has started a run. */
    starters: {
      person: 'a person',
      cli: 'command line',
      library: 'another program',
      trigger: 'trigger',
      http: 'request',
      mcp: 'MCP client',
      test: 'test',
      assistant: 'assistant',
    },
    namedStarters: {
      person: ({ name }: Named) => name,
      cli: ({ name }: Named) => `command line ${name}`,
      library: ({ name }: Named) => `program ${name}`,
      trigger: ({ name }: Named) => `trigger ${name}`,
      http: ({ name }: Named) => `request by ${name}`,
      mcp: ({ name }: Named) => `MCP client ${name}`,
      test: ({ name }: Named) => `test ${name}`,
      assistant: ({ name }: Named) => `assistant ${name}`,
    },
    label: 'Run',
    run: 'Run',
    runNumber: ({ number }: { readonly number: number }) => `Run ${number}`,
    runAt: ({ time }: At) => `Run ${time}`,
    queued: 'Run, waiting for other runs to end',
    queuedNumber: ({ number }: { readonly number: number }) => `Run ${number}, waiting for other runs to end`,
    only: ({ name }: Named) => `only ${name}`,
    upTo: ({ name }: Named) => `up to ${name}`,
    pinned: ({ count }: Counted) => `${numberText(count)} pinned`,
    pinnedNodes: ({ names }: { readonly names: string }) => `Pinned, not run: ${names}`,
    redo: 'redo',
    redoNumber: ({ number }: { readonly number: number }) => `redo ${number}`,
    rerunOf: ({ number }: { readonly number: number }) => `rerun of run ${number}`,
    rerunOfTime: ({ time }: At) => `rerun of ${time}`,
    rerunOfEarlier: 'rerun of an earlier run',
    showEarlier: 'Show the run that the reused results are from',
    withoutWaiting: ({ duration }: Timed) => `Without ${duration} of waiting`,
    nodes: ({ count }: Counted) => plural(count, { one: '{count} node', other: '{count} nodes' }),
    nodesOf: ({ total }: { readonly total: number }) =>
      plural(total, { one: '{count} of 1 node', other: `{count} of ${numberText(total)} nodes` }),
    inputsOf: ({ total }: { readonly total: number }) =>
      plural(total, { one: '{count} of 1 input', other: `{count} of ${numberText(total)} inputs` }),
    running: '{count} running',
    tokens: '{count} tokens',
    endReasons: { corrected: 'a value was corrected, and a new run began' },
  },
  crumbs: {
    label: 'Called by',
    back: ({ caller }: { readonly caller: string }) => `Back to the run of ${caller}`,
    backByKeys: ({ caller, keys }: { readonly caller: string; readonly keys: string }) =>
      `Back to the run of ${caller} (${keys})`,
  },
  banners: {
    ofConversation: 'This flow ran for the conversation. Millrace generated it from a policy.',
    changedSinceStart: 'The file has changed since this run began. The version that is running is shown here.',
    olderVersion: 'This run used an older version of the file, which is shown here.',
    showFile: 'Show the file',
    interrupted: 'The engine stopped during this run. Resume continues from there and keeps all finished work.',
    refused: 'Refused before it began:',
    showRule: 'Show the rule',
    failedNode: ({ name, message }: Named & { readonly message: string }) => `${name}: ${message}`,
    showNode: 'Show the node',
  },
  requests: {
    label: 'Waiting for you',
    list: 'Open requests',
    nodes: ({ count }: Counted) => `${numberText(count)} nodes wait for you`,
    inputs: ({ count }: Counted) => `${numberText(count)} inputs wait for you`,
    all: 'all',
    allNodes: ({ count }: Counted) => `all ${numberText(count)} nodes`,
    allInputs: ({ count }: Counted) => `all ${numberText(count)} inputs`,
    answer: 'Answer',
    review: 'Review',
    answerOf: ({ name }: Named) => `Answer: ${name}`,
    reviewOf: ({ name }: Named) => `Review: ${name}`,
    showInRun: 'Show in the run',
    more: ({ count }: Counted) => `and ${numberText(count)} more`,
  },
  suggestions: {
    label: 'Suggested, not done',
    title: ({ count }: Counted) =>
      plural(count, {
        one: '1 action suggested, not done:',
        other: `${numberText(count)} actions suggested, not done:`,
      }),
    showNode: 'Shows the node and everything that it suggested',
    more: ({ count }: Counted) => `and ${numberText(count)} more`,
  },
  whatIf: {
    label: 'What if',
    hint: 'Where the run would have paused, or only suggested an action, at another autonomy level',
    asItRan: 'as it ran',
    previous: 'Previous',
    next: 'Next',
    close: 'Close',
    position: ({ number, count }: Counted & { readonly number: number }) => `${number} of ${numberText(count)}`,
    beforeFirst: ({ count }: Counted) => `– of ${numberText(count)}`,
    pauses: ({ node }: { readonly node: string }) => `${node} pauses`,
    pausesBefore: ({ node, tool }: { readonly node: string; readonly tool: string }) =>
      `${node} pauses before it calls ${tool}`,
    pausesBeforeModel: ({ node, tool }: { readonly node: string; readonly tool: string }) =>
      `${node} pauses before its model calls ${tool}`,
    isSuggested: ({ node }: { readonly node: string }) => `${node} is only suggested`,
    suggests: ({ node, tool }: { readonly node: string; readonly tool: string }) => `${node} suggests ${tool}`,
  },
  dock: {
    label: 'Run details',
    close: 'Close the dock',
    changes: 'Changes',
    import: 'Import',
    timeline: 'Timeline',
    log: 'Log',
    outputs: 'Outputs',
    problems: 'Problems',
    outputOf: ({ node }: { readonly node: string }) => `Output of ${node}`,
    noOutputs: 'No outputs',
    noOutputsOfAgent: "The agent's results appear here when the run has completed.",
    noOutputsYet: 'The outputs of the last nodes appear here when the run ends.',
    noOutputsAtEnd: 'The last nodes produced no output.',
    noOutputsOnFailure: 'Only completed runs have outputs. Select a node to see what it produced.',
    noProblems: 'No problems',
    noProblemsIn: ({ path }: { readonly path: string }) => `No errors or warnings in ${path}.`,
    moreProblems: ({ count }: Counted) => `and ${numberText(count)} more`,
    fix: 'Fix this with Ask Millrace',
    severities: { error: 'error', warning: 'warning', info: 'info' },
    events: 'Events',
    omittedEvents: ({ count }: Counted) =>
      plural(count, {
        one: 'The first event is not shown. The history contains all events.',
        other: `The first ${numberText(count)} events are not shown. The history contains all events.`,
      }),
  },
  timeline: {
    label: 'Nodes and tool calls over time',
    node: 'Node',
    time: 'Time',
    tokens: 'Tokens',
    zero: '0 s',
    milliseconds: ({ count }: Counted) => `${count} ms`,
    attempts: ({ count }: Counted) => `${numberText(count)} attempts`,
    reused: 'reused from an earlier run',
    pinned: 'pinned output',
    skipped: {
      when: 'skipped: its condition was false',
      edge: 'skipped: none of its incoming edges was taken',
      directive: 'skipped: it skipped itself',
      autonomy: 'skipped: the run only makes suggestions',
      suggested: 'skipped: it depends on an action that was only suggested',
      disabled: 'skipped: it is disabled',
    },
  },
  firstRun: {
    about: 'Millrace draws and runs flows of models, files and scripts. Flows are plain files in your folder.',
    writes: ({ files }: { readonly files: string }) => `It writes ${files}.`,
    writesOffline: ({ files }: { readonly files: string }) => `It writes ${files}, and works offline.`,
    offline: 'It works offline.',
    noneShown: 'No run selected',
    noneShownHint: 'Run it, or select a past run, to see its log and outputs.',
    noneYet: 'No runs yet',
    noNodes: 'This flow has no nodes yet. Add a node to run it.',
    run: ({ name }: Named) => `Run ${name}`,
    changeInputs: 'Hold Shift to change its inputs first.',
    open: ({ file }: { readonly file: string }) => `Open ${file}`,
    hasRun: ({ name }: Named) => `${name} has run.`,
    made: ({ files }: { readonly files: string }) => `It made ${files}.`,
  },
  history: {
    startedBy: 'Started by',
    anyStarter: 'Started by anyone',
    starters: {
      person: 'People',
      cli: 'Command line',
      library: 'Other programs',
      trigger: 'Triggers',
      http: 'Requests',
      mcp: 'MCP clients',
      test: 'Tests',
      assistant: 'Assistant',
    },
    noneStarted: 'No such runs',
    noneStartedHint: 'No run was started this way. Choose another start above, or all.',
    scope: 'Runs of',
    thisFlow: 'This flow',
    thisAgent: 'This agent',
    all: 'All',
    list: 'Runs',
    runNumber: ({ number }: { readonly number: number }) => `Run ${number}`,
    runOf: ({ name, number }: Named & { readonly number: number }) => `${name} #${number}`,
    runOn: ({ name, time }: Named & At) => `${name}, ${time}`,
    damaged: ({ damage }: { readonly damage: string }) => `Damaged: ${damage}. Delete this run to remove it`,
    rerun: 'rerun',
    resume: 'Resume',
    interrupted: ({ count }: Counted) =>
      plural(count, {
        one: 'A run was interrupted when the engine stopped. Resume continues it from there.',
        other: `${numberText(count)} runs were interrupted when the engine stopped. Resume continues each from there.`,
      }),
    old: ({ count, size }: Counted & { readonly size: string }) =>
      `This workspace has ${numberText(count)} runs (${size}). Delete old runs automatically?`,
    keepAll: 'Keep all',
    deleteOlder: ({ count }: Counted) => `Older than ${count} days`,
    chooseOld: 'Choose…',
    noneYet: 'No runs yet',
    noneYetHint: 'Run a flow or an agent. Each run appears here with its time, cost and result.',
    newest: ({ count }: Counted) => `The newest ${numberText(count)} runs. {command} lists all runs.`,
    listCommand: 'millrace runs list',
    noFlow: 'Open a flow to see its runs.',
    menu: ({ number }: { readonly number: number }) => `Actions for run ${number}`,
    open: 'Open',
    compare: 'Compare with…',
    cancel: 'Cancel',
    copyId: 'Copy the run ID',
    export: 'Export…',
    exportTrace: 'Export as trace folder…',
    exportTelemetry: 'Export as OpenTelemetry…',
    delete: 'Delete…',
    afterEnd: 'after the run ends',
  },
  queue: {
    title: 'Queue',
    groups: {
      running: 'Running',
      waiting: 'Waiting for a person',
      queued: 'Queued',
      interrupted: 'Interrupted',
      failed: 'Failed',
      firings: 'Started no run',
    },
    heading: ({ group, count }: Counted & { readonly group: string }) => `${group} · ${numberText(count)}`,
    none: 'Nothing is running',
    noneHint:
      'Runs of all flows appear here while they run or wait, and those that failed. So do events of triggers that started no run.',
    firing: {
      waiting: 'waits for its turn',
      skipped: 'skipped',
      missed: 'missed',
      refused: 'refused',
      canceled: 'canceled',
      started: 'started',
    },
    priority: ({ priority }: { readonly priority: number }) => `priority ${priority}`,
    again: 'Start again',
  },
  inbox: {
    label: 'Waiting for you',
    none: 'No open requests',
    noneHint:
      'Approvals and questions from your runs appear here. If Millrace stops while a node or an agent is acting outside the run, such as during an HTTP request, you are asked here whether to run it again.',
    keys: 'Enter opens · A approves · R rejects · S snoozes · Space selects',
    selection: 'Selected requests',
    select: ({ name }: Named) => `Select ${name}`,
    selected: ({ count }: Counted) => `${numberText(count)} selected`,
    scope: ({ count }: Counted) => numberText(count),
    snooze: 'Snooze',
    snoozeSelected: ({ count }: Counted) =>
      plural(count, { one: 'Snooze 1 request', other: `Snooze ${numberText(count)} requests` }),
    oneHour: 'For an hour',
    fourHours: 'For four hours',
    tomorrow: 'Until tomorrow',
    monday: 'Until Monday',
    stopSnoozing: 'Stop snoozing',
    overdue: 'overdue',
    dueBy: ({ time }: At) => `by ${time}`,
    snoozedUntil: ({ time }: At) => `until ${time}`,
    waitingSince: ({ path, time }: At & { readonly path: string }) => `${path}, waiting since ${time}`,
    opensWindow: ({ folder, time }: At & { readonly folder: string }) =>
      `Opens the window of ${folder}, waiting since ${time}`,
    moreElsewhere: ({ name, count }: Named & Counted) =>
      plural(count, {
        one: `${name} has 1 more request. Open its window to see it.`,
        other: `${name} has ${numberText(count)} more requests. Open its window to see them.`,
      }),
    notSent: ({ problem }: { readonly problem: string }) => `Couldn't send a message about open requests: ${problem}`,
    settings: 'Settings',
  },
});
