/**
 * The text of the title bar, the status bar, the tabs and the rail, and the announcements for screen readers.
 */
import { type Counted, inLanguage, numberText, plural } from '../../ui/language.ts';

interface Counts {
  readonly errors: number;
  readonly warnings: number;
}

interface RunState {
  readonly state: string;
}

interface Time {
  readonly time: string;
}

interface Problem {
  readonly problem: string;
}

export const text = inLanguage('app/shell', {
  announcements: {
    run: ({ state }: RunState) => `Run ${state}`,
    runAfter: ({ state, time }: RunState & Time) => `Run ${state} after ${time}`,
    runFailed: ({ state, problem }: RunState & Problem) => `Run ${state}: ${problem}`,
    runFailedAfter: ({ state, time, problem }: RunState & Time & Problem) => `Run ${state} after ${time}: ${problem}`,
    undone: ({ label }: { readonly label: string }) => `Undone: ${label}`,
    redone: ({ label }: { readonly label: string }) => `Redone: ${label}`,
  },
  titleBar: {
    app: 'Millrace',
    noFolder: 'No folder',
    remote: ({ name }: { readonly name: string }) => `${name} (remote)`,
    sentRun: ({ name }: { readonly name: string }) => `${name} (sent run)`,
    remotePlace: ({ connection, host }: { readonly connection: string; readonly host: string }) =>
      `Remote history: ${connection} (${host})`,
    recent: 'Recent',
    openFolderFailed: "Couldn't open the folder",
    theme: 'Theme',
    themeSystem: 'System',
    themeLight: 'Light',
    themeDark: 'Dark',
    go: 'Go to file, node, model, run or command',
  },
  noWorkspace: {
    title: 'Open a folder to begin',
    about:
      'A workspace is any folder with flows, such as a git repository. Flows, and the files they read and write, remain plain files in it.',
    recentFolders: 'Recent folders',
    openFolderFailed: "Couldn't open the folder",
  },
  remote: {
    title: 'No runs yet',
    about: 'Runs appear here as soon as workers have started them. You can watch, answer, pause and cancel them.',
    noFile: 'Select a run to watch it.',
  },
  start: {
    title: 'What do you want to build?',
    about: ({ folder }: { readonly folder: string }) =>
      `${folder} has no flows yet. Everything you create here is a plain file in that folder.`,
    describe: 'Describe your flow',
    describeAbout: 'A model proposes it, and you review it.',
    describeHint: 'The file is written when you save it',
    noModel: 'Set up a model…',
    draw: 'Draw it',
    drawAbout: 'An empty canvas and the list of nodes.',
    drawHint: 'Drag nodes in, or press N on the canvas to find one',
    example: 'Start from an example',
    exampleAbout: 'Complete flows that run without a key.',
    exampleHint: 'You get a copy that you can change',
  },
  noFile: {
    title: 'No file is open',
    about: 'Select a file in the side panel, or create one.',
    tryAgain: 'Try again',
  },
  inspector: {
    label: 'Inspector',
    /** Subject of a sentence. */
    subject: 'The inspector',
    openAgent: 'Open agent',
    runFromHere: 'Run again from here',
    /** Subject of a sentence. */
    assistant: 'The assistant',
    setUpModel: 'Set up a model…',
  },
  tabs: {
    table: 'Table',
    list: 'Open files',
    all: ({ count }: Counted) =>
      plural(count, { one: 'All open files (1)', other: `All ${numberText(count)} open files` }),
    close: ({ name }: { readonly name: string }) => `Close ${name}`,
    closeUnsaved: ({ name }: { readonly name: string }) => `Close ${name}, which has unsaved changes`,
    deleted: 'deleted',
    hasErrors: 'has errors',
    view: 'View',
    canvas: 'Canvas',
    split: 'Split',
    text: 'Text',
    chat: 'Chat',
    run: 'Run',
    runs: 'Runs',
    runsCounted: ({ count }: { readonly count: string }) => `Runs, ${count}`,
  },
  rail: {
    label: 'Side panel',
    files: 'Files',
    search: 'Search',
    runs: 'Runs',
    runsInterrupted: ({ count }: Counted) => `Runs, ${numberText(count)} interrupted`,
    waiting: 'Waiting for you',
    waitingCounted: ({ count }: Counted) => `Waiting for you: ${numberText(count)}`,
    tests: 'Tests',
    packs: 'Packs',
  },
  sidePanel: {
    runs: 'RUNS',
    waiting: 'WAITING FOR YOU',
    packs: 'PACKS',
  },
  statusBar: {
    tests: ({ failed, total }: { readonly failed: number; readonly total: number }) =>
      plural(total, { one: '1 test fails', other: `${numberText(failed)} of ${numberText(total)} tests fail` }),
    testsPass: ({ count }: Counted) =>
      plural(count, { one: '1 test passes', other: `${numberText(count)} tests pass` }),
    affected: ({ count }: Counted) => `${numberText(count)} affected by edits`,
    showTests: 'Show the tests',
    engine: {
      starting: 'Engine starting',
      ready: 'Engine ready',
      silent: 'Engine not responding',
      restarting: 'Engine restarting',
      failed: 'Engine stopped',
    },
    branch: ({ name }: { readonly name: string }) => `Branch ${name}`,
    changed: ({ count }: Counted) => `${numberText(count)} changed`,
    proposals: ({ count }: Counted) => plural(count, { one: '1 proposal', other: `${numberText(count)} proposals` }),
    changedHint: 'Files that differ from the last commit',
    problems: ({ errors, warnings }: Counts) =>
      `${plural(errors, { one: '1 error', other: `${numberText(errors)} errors` })}, ${plural(warnings, { one: '1 warning', other: `${numberText(warnings)} warnings` })}`,
    errors: {
      file: ({ count }: Counted) =>
        plural(count, { one: '1 error in this file', other: `${numberText(count)} errors in this file` }),
      flow: ({ count }: Counted) =>
        plural(count, {
          one: '1 error prevents this flow from running',
          other: `${numberText(count)} errors prevent this flow from running`,
        }),
      agent: ({ count }: Counted) =>
        plural(count, {
          one: '1 error prevents this agent from running',
          other: `${numberText(count)} errors prevent this agent from running`,
        }),
      dialogue: ({ count }: Counted) =>
        plural(count, {
          one: '1 error prevents conversations with this catalog',
          other: `${numberText(count)} errors prevent conversations with this catalog`,
        }),
    },
    cursor: ({ line, column }: { readonly line: number; readonly column: number }) => `Ln ${line}, Col ${column}`,
    encodings: {
      utf8: 'UTF-8',
      utf8WithBom: 'UTF-8 with BOM',
    },
    mixedLineEnds: 'mixed line endings',
    readOnly: 'Read-only',
    deleted: 'Deleted on disk',
    saved: 'Saved',
    unsaved: 'Unsaved',
    unsavedWithBackup: ({ time }: Time) => `Unsaved, backed up at ${time}`,
    steps: ({ count }: Counted) => plural(count, { one: '1 step', other: `${numberText(count)} steps` }),
    nodes: ({ nodes, edges }: { readonly nodes: number; readonly edges: number }) =>
      `${plural(nodes, { one: '1 node', other: `${numberText(nodes)} nodes` })}, ${plural(edges, { one: '1 edge', other: `${numberText(edges)} edges` })}`,
    flows: ({ count }: Counted) => plural(count, { one: '1 flow', other: `${numberText(count)} flows` }),
    published: ({ address }: { readonly address: string }) => `Published on ${address}`,
    background: 'Keeps running in the background',
    backgroundFailed: 'Triggers are not running',
    updateDownloaded: ({ version }: { readonly version: string }) => `Millrace ${version} is downloaded`,
    updateAvailable: ({ version }: { readonly version: string }) => `Millrace ${version} is available`,
  },
});
