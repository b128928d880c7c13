/**
 * The text of menus, dialogs, notifications and windows, except for consent and updates.
 */
import { inLanguage, plural } from './language.ts';

interface Counted {
  readonly count: number;
}
interface InFolder {
  readonly folder: string;
}
interface Reasoned {
  readonly reason: string;
}

/** An ampersand marks the letter that opens a menu together with Alt. */
const english = {
  menu: {
    about: 'About Millrace',
    services: 'Services',
    hide: 'Hide Millrace',
    hideOthers: 'Hide Others',
    showAll: 'Show All',
    quit: 'Quit',
    file: '&File',
    new: 'New…',
    open: 'Open…',
    save: 'Save',
    saveAll: 'Save All',
    closeTab: 'Close Tab',
    savePng: 'Save Picture as PNG…',
    saveSvg: 'Save Picture as SVG…',
    newWindow: 'New Window',
    openFolder: 'Open Folder…',
    openRecent: 'Open Recent',
    gallery: 'Start from an Example…',
    openSentRun: 'Open Sent Run…',
    import: 'Import Flows…',
    installPack: 'Install Pack…',
    settings: 'Settings',
    keepRunning: 'Keep Running in the Background',
    closeWindow: 'Close Window',
    edit: '&Edit',
    undo: 'Undo',
    redo: 'Redo',
    cut: 'Cut',
    copy: 'Copy',
    paste: 'Paste',
    selectAll: 'Select All',
    search: 'Search in All Files',
    format: 'Format File',
    view: '&View',
    theme: 'Theme',
    themeSystem: 'Same as System',
    themeLight: 'Light',
    themeDark: 'Dark',
    zoomIn: 'Zoom In',
    zoomOut: 'Zoom Out',
    actualSize: 'Actual Size',
    fullScreen: 'Toggle Full Screen',
    reload: 'Reload Window',
    developerTools: 'Toggle Developer Tools',
    run: '&Run',
    runFlow: 'Run Flow',
    pauseRun: 'Pause or Continue Run',
    stepRun: 'Run Next Node of Paused Run',
    breakpoint: 'Add or Remove Breakpoint',
    cancelRun: 'Cancel Run',
    runAgain: 'Run Again',
    runFromHere: 'Run Again from Selected or First Stale Node',
    resume: 'Resume Interrupted Run',
    window: '&Window',
    minimize: 'Minimize',
    zoomWindow: 'Zoom',
    bringToFront: 'Bring All to Front',
    close: 'Close',
    help: '&Help',
    documentation: 'Documentation',
    shortcuts: 'Keyboard Shortcuts',
    copyDiagnostics: 'Copy Diagnostics',
    showLogs: 'Show Logs',
    resetSettings: 'Reset Settings…',
    restartInSafeMode: 'Restart in Safe Mode',
    licenses: 'Third-Party Licenses',
  },
  window: {
    safeMode: ({ title }: { readonly title: string }) => `${title} (safe mode)`,
    remote: ({ name }: { readonly name: string }) => `${name} (remote)`,
    sentRun: ({ name }: { readonly name: string }) => `${name} (sent run)`,
    crashed: 'The page of this window ended unexpectedly.',
    crashedDetail: ({ reason }: Reasoned) =>
      `Reason: ${reason}. Runs continue in the engine and are kept. Reload the page to see them.`,
    reload: 'Reload',
    close: 'Close Window',
  },
  leave: {
    runs: ({ count }: Counted) =>
      plural(count, { one: 'A run is still under way.', other: `${count} runs are still under way.` }),
    closeWindow: ({ count }: Counted) =>
      plural(count, {
        one: 'Closing this window cancels it. What was done until then is kept in the history.',
        other: 'Closing this window cancels them. What was done until then is kept in the history.',
      }),
    cancelAndClose: ({ count }: Counted) =>
      plural(count, { one: 'Cancel Run and Close', other: 'Cancel Runs and Close' }),
    openFolder: ({ count }: Counted) =>
      plural(count, {
        one: 'Opening another folder in this window cancels it. What was done until then is kept in the history.',
        other: 'Opening another folder in this window cancels them. What was done until then is kept in the history.',
      }),
    cancelAndOpen: ({ count }: Counted) => plural(count, { one: 'Cancel Run and Open', other: 'Cancel Runs and Open' }),
    quit: ({ count }: Counted) =>
      plural(count, {
        one: 'Quitting cancels it. What was done until then is kept in the history.',
        other: 'Quitting cancels them. What was done until then is kept in the history.',
      }),
    cancelAndQuit: ({ count }: Counted) => plural(count, { one: 'Cancel Run and Quit', other: 'Cancel Runs and Quit' }),
    keepRunning: 'Keep Running',
  },
  unsaved: {
    files: ({ count }: Counted) =>
      plural(count, { one: 'A file is not saved.', other: `${count} files are not saved.` }),
    detail: "If you don't save, the files go back to their saved text. Undo in a file brings your changes back.",
    saveAll: 'Save All',
    dontSave: "Don't Save",
    cancel: 'Cancel',
    failed: ({ count }: Counted) =>
      plural(count, { one: 'A file could not be saved.', other: `${count} files could not be saved.` }),
    failedDetail: 'The window stays open and shows the reason.',
    ok: 'OK',
    more: ({ count }: Counted) => `and ${count} more`,
  },
  files: {
    openFolder: 'Open Folder',
    openFailed: "Couldn't open the folder",
    openSentRun: 'Open Sent Run',
    sendRun: 'Send Run',
    pages: 'Web pages',
    exportRun: 'Export Run',
    exportSpans: 'Export Spans of Run',
    exportTrace: 'Export Trace to Folder',
    exportHere: 'Export Here',
    json: 'JSON',
    installTeam: "Install a Team's Package",
    teamPackages: 'Team packages',
    savePicture: 'Save Picture',
    png: 'PNG image',
    svg: 'SVG image',
  },
  workspace: {
    missing: ({ folder }: InFolder) =>
      `Couldn't open the folder ${folder}. It doesn't exist, or you may not read it. Choose another folder with File > Open Folder.`,
    brokenLink: ({ folder }: InFolder) =>
      `Couldn't open the folder ${folder}. It is a link to something that doesn't exist or that you may not read. Fix or remove the link, or choose another folder with File > Open Folder.`,
    isFile: ({ folder }: InFolder) =>
      `${folder} is a file. A workspace is the folder that contains your flows. Choose it with File > Open Folder.`,
    isLinkToFile: ({ folder }: InFolder) =>
      `${folder} is a link to a file. A workspace is the folder that contains your flows. Choose it with File > Open Folder.`,
    noExamples: ({ reason }: Reasoned) =>
      `The examples could not be copied to your folder. ${reason} Choose a folder with File > Open Folder.`,
    notOpened: ({ what, reason }: Reasoned & { readonly what: string }) =>
      `Couldn't open ${what}: ${reason}. Choose a folder with File > Open Folder.`,
  },
  runNotices: {
    completed: ({ name }: { readonly name: string }) => `${name} has completed`,
    failed: ({ name }: { readonly name: string }) => `${name} has failed`,
    paused: ({ name }: { readonly name: string }) => `${name} is paused`,
    many: ({ count }: Counted) => `${count} runs have ended or wait`,
    names: ({ names, count }: Counted & { readonly names: string }) => `${names} and ${count} more`,
  },
  requests: {
    one: ({ title }: { readonly title: string }) => `${title} waits for you`,
    many: ({ count }: Counted) => `${count} requests wait for you`,
    names: ({ names, count }: Counted & { readonly names: string }) => `${names} and ${count} more`,
    overdue: ({ text }: { readonly text: string }) => `Its deadline has passed. ${text}`,
    test: 'A test from Millrace',
    testText: 'You get a message like this one when a run waits for you.',
    none: 'none',
    notSet: 'No messages are sent at the moment. Choose a program or a server, and save it.',
  },
  engine: {
    starting: 'The engine is starting.',
    ready: 'The engine is ready.',
    silent: 'The engine does not answer.',
    refused: ({ reason }: Reasoned) =>
      `The engine cannot open this folder: ${reason} Stored data is kept. Try again, here or with View > Reload Window.`,
    replaced: ({ count }: Counted) =>
      count === 0
        ? 'You ended the engine. It is restarting.'
        : plural(count, {
            one: 'You ended the engine. It is restarting and will resume its run.',
            other: `You ended the engine. It is restarting and will resume its ${count} runs.`,
          }),
    crashed: ({ code }: { readonly code: number }) =>
      `The engine ended unexpectedly (exit code ${code}) and is restarting.`,
    gaveUp: ({ count, code }: Counted & { readonly code: number }) =>
      `The engine ended ${count} times within a minute (last exit code: ${code}) and is not started again. Stored data is kept. Try again, here or with View > Reload Window.`,
  },
  background: {
    exited: ({ code }: { readonly code: number }) => `The service ended unexpectedly (exit code ${code}).`,
    open: 'Open Millrace',
    quit: 'Quit',
    next: ({ trigger, time }: { readonly trigger: string; readonly time: string }) => `Next: ${trigger}, ${time}`,
    noNext: 'No trigger is scheduled',
    active: ({ count }: Counted) =>
      count === 0 ? 'No active runs' : plural(count, { one: '1 active run', other: `${count} active runs` }),
    failed: 'The service is not running',
  },
  help: {
    showFailed: "Couldn't open the file or folder",
    showFailedDetail: ({ problem, place }: { readonly problem: string; readonly place: string }) =>
      `${problem}\n\nIts path is ${place}`,
    copied: 'The diagnostics are copied.',
    copiedDetail: ({ folder }: InFolder) =>
      `They contain versions, the system, settings and the last lines of the log, without keys and without the name of your home folder. Review them before you share them: the log may contain private text that flows and agents wrote.\n\nNothing was sent. Logs and crash reports are in ${folder}`,
    reset: 'Reset all settings of the program?',
    resetDetail:
      'Theme, size, keyboard shortcuts, editor settings and the list of recent folders go back to their defaults. Flows, packs, models, keys of models and trusted folders stay. A copy of the settings is kept.',
    resetButton: 'Reset Settings',
    cancel: 'Cancel',
    resetDone: 'The settings are reset.',
    resetCopy: ({ file }: { readonly file: string }) => `A copy of the old settings is ${file}`,
    resetFailed: "Couldn't reset the settings",
    safeMode: 'Millrace failed to start several times. Start in safe mode?',
    safeModeDetail:
      'In safe mode, Millrace ignores your packs, trusted folders, models and settings, and changes none of them. If it starts, one of them is the cause.',
    safeModeButton: 'Start in Safe Mode',
    startNormally: 'Start Normally',
    startFailed: "Millrace can't start",
  },
};

export type ProgramText = typeof english;

/** Returns the text in the current language. */
export const text = inLanguage<ProgramText>('main', english);
