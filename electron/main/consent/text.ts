/**
 * The text of the system dialogs that ask for consent. Names and paths in it are already escaped.
 */
import { inLanguage, plural } from '../language.ts';

interface Counted {
  readonly count: number;
}
interface Named {
  readonly name: string;
}
interface Flowing {
  readonly flow: string;
}
interface Addressed {
  readonly address: string;
}
interface Lowered extends Counted {
  readonly former: number;
}
interface Hosted {
  readonly host: string;
}

const english = {
  cancel: 'Cancel',
  allow: 'Allow',
  /** The end of a text that is too long to show. */
  cut: ({ count }: Counted) => `… (${count} more)`,
  trust: {
    message: 'Trust this folder?',
    detail:
      'Agents in it will be able to do everything that you can do: run commands and git, call web servers, and read and write files anywhere. Allow it only if you have read them or know who wrote them.',
    allow: 'Trust This Folder',
  },
  folder: {
    message: 'Open this folder?',
    detail:
      'This window, and the flows and agents that it starts, will be able to read and change the files in the folder.',
    allow: 'Open Folder',
    linked: 'Open the folder that a link names?',
    linkedDetail:
      'A web page, an email or another program requests this. Flows and agents in its window will be able to read and change the files in the folder. Open it only if you have just followed a link from someone you know.',
    home: 'Open a folder that contains your home folder?',
    homeDetail:
      'Flows and agents in this window will be able to read and change nearly all of your files. Choose a separate folder for them instead. Names in your home folder that begin with a dot, such as .ssh, remain inaccessible to their file names.',
    openAnyway: 'Open Anyway',
  },
  host: {
    message: ({ host }: Hosted) => `Send model requests to ${host}?`,
    detail: ({ name, host }: Named & Hosted) => `Requests to models of "${name}" will go to ${host}.`,
    detailWithKey: ({ name, host, key }: Named & Hosted & { readonly key: string }) =>
      `Requests to models of "${name}" will go to ${host}, and with them the key ${key}.`,
    former: ({ host }: Hosted) => `Up to now, they went to ${host}.`,
    warning: 'Allow it only if you know this host and have just requested this.',
    allow: 'Allow This Host',
    allowWithKey: 'Allow This Host and Key',
  },
  remote: {
    message: ({ server }: { readonly server: string }) => `Connect to ${server}?`,
    detail: ({ database, user }: { readonly database: string; readonly user: string }) =>
      `Millrace will connect to the database "${database}" as ${user}.`,
    password: 'The password that you have just entered is stored in the vault and sent to this server.',
    unencrypted: 'The connection is not encrypted.',
    warning: 'Allow it only if you know this server and have just entered it.',
    allow: 'Connect to This Server',
  },
  pack: {
    message: 'Install this pack?',
    detail:
      "A pack is somebody else's code. It replaces an older pack of the same name in all workspaces. In workspaces that you trust, its agents can do everything that you can do.",
    allow: 'Install Pack',
  },
  key: {
    replace: ({ name }: Named) => `Replace the key ${name}?`,
    replaceDetail:
      'From now on, models are called, and paid for, with the new key. The current key is deleted, or is no longer used if it comes from the environment.',
    allow: 'Replace Key',
  },
  secret: {
    replace: ({ name }: Named) => `Replace the secret ${name}?`,
    replaceDetail: 'From now on, flows send the new value. The current value is deleted.',
    replaceOne: 'Replace Secret',
    replaceMany: ({ count }: Counted) => `Replace ${count} secrets?`,
    replaceManyDetail: 'From now on, flows send the new values. The current values are deleted.',
    replaceAll: 'Replace Secrets',
    remove: ({ name }: Named) => `Remove the secret ${name}?`,
    removeDetail: "Its value is deleted. Flows that use it can't run until you enter it again.",
    removeButton: 'Remove Secret',
    send: ({ name, host }: Named & Hosted) => `Send the secret ${name} to ${host}?`,
    sendDetail:
      'Flows of this workspace will be able to send it there whenever they run. Flows of other workspaces will not. Allow it only if the secret belongs to this host.',
    allowHost: 'Allow This Host',
    use: ({ names }: { readonly names: string }) => `Let this flow use ${names}?`,
    useDetail:
      'The flow comes from a pack, or this workspace is not trusted, so somebody else may have written it. Allow it only if you have checked where it sends these secrets. This applies until the text of the flow or the version of its pack changes.',
    allowUse: ({ count }: Counted) => plural(count, { one: 'Allow This Secret', other: 'Allow These Secrets' }),
  },
  permission: {
    message: ({ count }: Counted) =>
      plural(count, { one: 'Give this permission?', other: `Give these ${count} permissions?` }),
    more: ({ count }: Counted) => `… and ${count} more`,
    kept: ({ count, workspace }: Counted & { readonly workspace: string }) =>
      plural(count, {
        one: `It also applies to later runs in ${workspace}.`,
        other: `They also apply to later runs in ${workspace}.`,
      }),
    trust:
      'In a workspace that you trust, flows and agents can do everything that you can do: run commands, reach any address, and read and write files anywhere.',
    warning: 'Allow it only if you know what the flow does.',
    allow: ({ count }: Counted) => plural(count, { one: 'Allow', other: `Allow ${count}` }),
    allowAll: 'Allow All',
  },
  written: {
    message: ({ path }: { readonly path: string }) => `Allow the change to ${path}?`,
    runs: 'A run wrote this file. If you allow the change, the file works as in a trusted workspace, so it decides what later runs may do. These lines changed:',
    decides: ({ what }: { readonly what: string }) =>
      `A run wrote this file. It is ${what}, so it decides what later runs may do. These lines changed:`,
    more: ({ count }: Counted) => `… and ${count} more lines`,
    warning: 'Allow it only if you have read the whole change.',
  },
  trigger: {
    switchOn: ({ name, flow }: Named & Flowing) => `Switch on the trigger ${name} of ${flow}?`,
    confirm: ({ name, flow }: Named & Flowing) => `Keep the trigger ${name} on after the changes to ${flow}?`,
    cron: ({ cron, zone }: { readonly cron: string; readonly zone: string }) => `Starts at: ${cron} (${zone})`,
    every: ({ every }: { readonly every: string }) => `Starts every ${every}`,
    files: ({ glob }: { readonly glob: string }) => `Starts when files change: ${glob}`,
    webhook: ({ request }: { readonly request: string }) => `Starts for requests: ${request}`,
    open: 'Anyone who can reach this address can start it.',
    secrets: ({ names }: { readonly names: string }) => `Checks requests with secrets: ${names}`,
    after: ({ flow }: Flowing) => `Starts after runs of ${flow}`,
    next: ({ time }: { readonly time: string }) => `Next: ${time}`,
    /** For dates and times. */
    locale: 'en-GB',
    hosts: ({ hosts }: { readonly hosts: string }) => `Sends requests to: ${hosts}`,
    missing: 'Missing permissions, which its runs will wait for:',
    more: ({ count }: Counted) => `… and ${count} more`,
    starts:
      'Millrace will then start runs without asking you. If the flow or anything that it calls changes, the trigger waits until you confirm it.',
    background: 'Keep Millrace running in the background?',
    backgroundDetail:
      'Triggers start runs only while Millrace runs in the background, or while "millrace serve" runs for this workspace. You can change this in the settings.',
    keepRunning: 'Keep Running',
    allowOn: 'Switch On',
    allowConfirm: 'Keep On',
  },
  session: {
    message: 'Start the triggers of this folder with your session?',
    detail:
      'systemd then runs "millrace serve" for this folder whenever you are logged in, also while Millrace is closed. It reads keys from the environment and from .millrace/.env, not from the settings.',
    allow: 'Start With My Session',
    onlyLinux: 'Only an installed Millrace on Linux can start with your session, because this needs systemd.',
    noWorkspace: 'Open a folder first: each has its own service.',
  },
  publish: {
    publish: ({ flow }: Flowing) => `Publish ${flow}?`,
    confirm: ({ flow }: Flowing) => `Keep ${flow} published after its changes?`,
    change: ({ flow }: Flowing) => `Change how ${flow} is published?`,
    address: ({ address }: Addressed) => `For programs with a key: ${address}`,
    pageWithKey: ({ address }: Addressed) => `Form page for people with a key: ${address}`,
    pageForAll: ({ address }: Addressed) => `Form page for anyone who can reach it: ${address}`,
    progress: 'The form page shows the steps and outputs of its runs.',
    noPage: 'No form page',
    limits: ({
      runsAtOnce,
      perHour,
      megabytes,
    }: {
      readonly runsAtOnce: number;
      readonly perHour: number;
      readonly megabytes: number;
    }) => `Limits: ${runsAtOnce} unfinished runs, ${perHour} runs an hour, ${megabytes} MB a request`,
    starts:
      'Others can then start runs without you. If the flow or anything that it calls changes, calls are refused until you confirm it.',
    backgroundDetail:
      'A published flow can be called only while Millrace runs in the background, or while "millrace serve" runs for this workspace. You can change this in the settings.',
    allow: { publish: 'Publish', confirm: 'Keep Published', change: 'Change' },
    key: ({ name }: Named) => `Create the key ${name}?`,
    keyDetail: ({ address }: Addressed) =>
      `Programs with this key can start runs at ${address}, read their outputs and answer their questions until you revoke it. The key is shown once.`,
    allowKey: 'Create Key',
  },
  tool: {
    message: ({ name }: Named) => `Call the tool ${name}?`,
    detail:
      'Each call may change things outside of this workspace or send data to the outside. Allow it only if you have just requested this.',
    allow: 'Call Tool',
  },
  messages: {
    command: 'Run this program whenever a run waits for you?',
    commandDetail:
      'It receives the requests of all workspaces and can do everything that you can do. Allow it only if you have just chosen it.',
    allowCommand: 'Run This Program',
    request: 'Send a message to this address whenever a run waits for you?',
    requestDetail: 'It receives the requests of all workspaces.',
    requestDetailWithSecrets: ({ names }: { readonly names: string }) =>
      `It receives the requests of all workspaces, and with them ${names}.`,
    warning: 'Allow it only if you know this address and have just entered it.',
    allowRequest: 'Send Messages',
  },
  processes: {
    message: ({ count }: Counted) =>
      plural(count, {
        one: 'End the process that this run left running?',
        other: `End ${count} processes that this run left running?`,
      }),
    more: ({ count }: Counted) => `and ${count} more`,
    detail: ({ count }: Counted) =>
      plural(count, {
        one: 'Commands of the run started it before the run was interrupted. Its unsaved data is lost.',
        other: 'Commands of the run started them before the run was interrupted. Their unsaved data is lost.',
      }),
    end: ({ count }: Counted) => plural(count, { one: 'End Process', other: 'End Processes' }),
  },
  run: {
    delete: ({ number, name }: Named & { readonly number: number }) => `Delete run ${number} of ${name}?`,
    deleteDetail:
      "Its inputs, events and outputs are removed from the history. This can't be undone. Files that the run wrote stay.",
    deleteButton: 'Delete Run',
  },
  oldRuns: {
    message: 'Delete old runs of this workspace automatically?',
    age: ({ count }: Counted) =>
      plural(count, {
        one: '• Runs that ended more than 1 day ago',
        other: `• Runs that ended more than ${count} days ago`,
      }),
    number: ({ count }: Counted) =>
      plural(count, {
        one: '• All but the newest run of each flow',
        other: `• All but the newest ${count} runs of each flow`,
      }),
    none: 'This deletes no runs now.',
    now: ({ count, date }: Counted & { readonly date: string }) =>
      plural(count, {
        one: `This deletes 1 run now, from ${date}.`,
        other: `This deletes ${count} runs now, the oldest from ${date}.`,
      }),
    warning: "Deleted runs can't be restored. Files that they wrote stay.",
    allow: 'Delete Old Runs',
  },
  copies: {
    message: 'Delete old copies of changed files?',
    size: ({ count, former }: Lowered) => `• Maximum size: ${count} MiB (now ${former} MiB)`,
    age: ({ count, former }: Lowered) => `• Maximum age in days: ${count} (now ${former})`,
    used: ({ count }: Counted) => `The copies use ${count} MiB now.`,
    warning:
      "Copies beyond these limits are deleted and can't be restored, so these changes of runs can't be undone anymore. The changed files stay.",
    allow: 'Delete Old Copies',
  },
  recording: {
    message: 'Call models and services now, and record the responses?',
    only: ({ name, file }: { readonly name: string; readonly file: string }) => `Test "${name}" in ${file}`,
    model: ({ name }: { readonly name: string }) => `• Model of all nodes and agents: ${name}`,
    ownModels: '• Models: those of the flows and agents',
    version: ({ name }: { readonly name: string }) => `• Version of the files: ${name} (Git)`,
    run: ({ number }: { readonly number: string }) => `• Version of the flow: as run ${number} executed it`,
    currentVersion: '• Version of the files: the current one, with unsaved changes',
    missing: ({ count }: Counted) =>
      count === 1 ? '• Calls of 1 test without a recording' : `• Calls of ${count} tests without a recording`,
    all: ({ count }: Counted) => `• All calls of ${count} ${count === 1 ? 'test' : 'tests'}`,
    cost: ({ low, high }: { readonly low: string; readonly high: string }) =>
      low === high ? `• Estimated cost: ${low}` : `• Estimated cost: ${low} to ${high}`,
    mostCost: ({ high }: { readonly high: string }) => `• Estimated cost: at most ${high}`,
    unknownCost: '• Cost: unknown, because these flows have not run yet',
    warning:
      'Recording sends data to the models, services and tools that the flows use, and their effects outside are real. Files that the tests write are discarded.',
    allow: 'Call and Record',
  },
  team: {
    apply: ({ team }: { readonly team: string }) => `Let ${team} manage settings on this computer?`,
    applyOlder: ({ team, former, version }: Readonly<Record<'team' | 'former' | 'version', string>>) =>
      `Replace version ${former} of ${team} with the older version ${version}?`,
    signed: ({ version, fingerprint }: { readonly version: string; readonly fingerprint: string }) =>
      `Version ${version}, signed by the key\n${fingerprint}`,
    newer: ({ version }: { readonly version: string }) => `Updates the installed version ${version}.`,
    same: ({ version }: { readonly version: string }) =>
      `Version ${version} is installed already, with the same content.`,
    changed: ({ version }: { readonly version: string }) =>
      `Version ${version} is installed with other content. This package replaces it under the same version.`,
    older: ({ version, former }: { readonly version: string; readonly former: string }) =>
      `Goes back to version ${version}: the installed version ${former} is newer.`,
    none: 'none',
    packs: ({ names }: { readonly names: string }) => `Packs: ${names}`,
    providers: ({ names }: { readonly names: string }) => `Model providers: ${names}`,
    workspaces: ({ names }: { readonly names: string }) => `Trusted workspaces: ${names}`,
    warning: 'Allow it only if your team has given you this exact key.',
    allow: 'Apply Settings',
    allowOlder: 'Replace with Older Version',
    remove: "Remove the team's package?",
    removeDetail:
      'Its rules, models and trusted workspaces no longer apply on this computer. Your own settings apply again. Packs that it installed stay installed.',
    removeButton: 'Remove Package',
  },
};

export type ConsentText = typeof english;

/** Returns the text in the current language. */
export const text = inLanguage<ConsentText>('consent', english);
