/**
 * The main process. No code here may wait for anything before the app is ready, because the page's scheme must be
 * registered by then.
 */

import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { app, dialog, MessageChannelMain, session } from 'electron';
import { z } from 'zod';
import { pageUrl } from '../ipc/channels.ts';
import type { DeliveryState } from '../ipc/contracts/delivery-contract.ts';
import type { Preferences } from '../ipc/contracts/main-contract.ts';
import { systemClock } from '../ipc/engine-base.ts';
import { type Background, createBackground } from './background/background.ts';
import { type CommandLine, readCommandLine } from './command-line.ts';
import { commandLineArguments, runCommandLine, takeOwnProfile } from './command-line-mode.ts';
import { createConsent } from './consent/consent.ts';
import { currentTeam } from './consent/current-team.ts';
import { createKeyDelivery, type KeyDelivery } from './consent/key-delivery.ts';
import { openSecretVault, type SecretVault } from './consent/secret-vault.ts';
import { createSystemEncryptor } from './consent/system-encryptor.ts';
import { Delivery } from './delivery/delivery.ts';
import { messageOf } from './delivery/message.ts';
import { createHelp, offerSafeMode, safeModeFlag } from './diagnostics/help.ts';
import { type DiagnosticLog, openLog } from './diagnostics/log-file.ts';
import { keepCrashDumps, recordProgram } from './diagnostics/record.ts';
import { createRedactor, secretsIn } from './diagnostics/redact.ts';
import { watchStart } from './diagnostics/start-watch.ts';
import { Drafts } from './drafts/drafts.ts';
import { forkEngineHost } from './engine/engine-process.ts';
import { createEngineProcesses, type EngineProcesses } from './engine/engine-processes.ts';
import { forcedLanguage, isDebuggingAllowed, npmStartFolder } from './environment.ts';
import { serveIpc } from './ipc-server.ts';
import { followLanguage, loadLanguage, type Translations } from './language.ts';
import { DesktopProgram } from './program.ts';
import { pageFolder, shippedExamples, userExamples } from './program-paths.ts';
import { RemoteConnections } from './remote/remote-connections.ts';
import { openSettingsStore, type SettingsStore } from './settings-store.ts';
import { openInbox } from './system-notices.ts';
import { text } from './text.ts';
import { createUpdater, offerRollback } from './updates/program-updates.ts';
import { registerPageScheme, servePage } from './windows/app-protocol.ts';
import { lockDownChromium, lockDownPages, lockDownSession } from './windows/lock-down.ts';
import { createOpener, type Opener } from './windows/opener.ts';
import { chooseStartWorkspace, copyExamples, usableFolder } from './workspace-folder.ts';

/** Data that a second start of the program sends to the first. */
const secondStart = z.object({ workspace: z.string().nullable(), open: z.array(z.string()).default([]) });

/** Update checks are delayed so that they do not slow down the start. */
const updateCheckDelayMs = 5_000;

function languageIn({ settings }: SettingsStore): Preferences['language'] {
  return settings.preferences?.language ?? 'en';
}

async function loadGerman(): Promise<Translations> {
  return (await import('./german.ts')).german;
}

async function start(commandLine: CommandLine): Promise<void> {
  const userData = app.getPath('userData');
  const home = await realpath(homedir());
  const startWatch = watchStart(userData);
  if (startWatch.hasFailedOften && (await offerRollback())) return startWatch.succeed();
  const isSafe = process.argv.includes(safeModeFlag) || (startWatch.hasFailedOften && (await offerSafeMode()));
  const settings = openSettingsStore(isSafe ? null : path.join(userData, 'settings.json'));
  followLanguage({ read: () => languageIn(settings), loadGerman });
  await loadLanguage();
  const { vault, remotes, redact } = openSecrets(userData, home);
  const log = openLog({ folder: path.join(userData, 'logs'), clock: systemClock, redact });
  recordProgram(log);
  const delivery = createKeyDelivery(vault.keys, systemClock);
  const baseFolder = isSafe ? emptyBaseFolder() : undefined;
  const fork = hostStarter({ delivery, remotes, log, baseFolder });
  const engines = createEngineProcesses({ clock: systemClock, fork, createChannel });
  const drafts = new Drafts(userData, systemClock);
  const makeExamples = async (): Promise<string> => prepareExamples(await usableFolder(userExamples()));
  const help = createHelp({ log, redact, settings, vault, isSafe, applyDefaults: () => program.applyDefaults() });
  const updater = createUpdater(settings, (updates) => program.showUpdates(updates));
  const background = createBackground({
    ...{ settings, delivery, log, baseFolder },
    onChange: (state) => program.showBackground(state),
  });
  const program: DesktopProgram = new DesktopProgram({
    ...{ settings, engines, vault, drafts, makeExamples, help, isSafe, updater, remotes, background },
    ...openMessages(isSafe ? null : userData, {
      settings,
      vault,
      redact,
      onChange: (state) => program.showDelivery(state),
    }),
    deliverKeys: delivery.deliver,
    onUsable: startWatch.succeed,
  });
  servePage(pageFolder, () => forcedLanguage ?? languageIn(settings));
  lockDownSession(session.defaultSession);
  serveIpc((webContentsId) => program.dispatcherOf(webContentsId));
  endEnginesBeforeQuitting(engines, background);
  const opener = openerOf(program, settings, home);
  // Uses the arguments that the second start has parsed (the fourth parameter), because Chromium reorders the raw ones.
  app.on('second-instance', (...told: unknown[]) => void opener.begin(secondStart.parse(told[3])));
  app.on('activate', (_event, hasVisibleWindows) => {
    if (!hasVisibleWindows) void opener.begin({ workspace: null, open: [] });
  });
  openAsked = opener.open;
  await opener.begin({ ...commandLine, open: [...commandLine.open, ...askedBySystem] });
  drafts.tidy();
  background.start();
  if (!isSafe) systemClock.setTimer(() => void updater.checkDaily(), updateCheckDelayMs);
  app.on('browser-window-blur', () => void drafts.store());
  app.on('will-quit', () => {
    drafts.storeNow();
    startWatch.succeed();
  });
}

/** @param home the user's home folder, with symbolic links resolved */
function openerOf(program: DesktopProgram, settings: SettingsStore, home: string): Opener {
  return createOpener({
    home,
    hasWindows: () => program.hasWindows,
    findWindow: (workspace) => program.findWindow(workspace),
    openWindow: (content) => program.openWindow(content),
    chooseStart: (requested) => chooseWorkspace(requested, settings),
    consent: createConsent((options) => dialog.showMessageBox(options)),
  });
}

/** Opens the vaults. @param home the user's home folder, which logs do not contain */
function openSecrets(userData: string, home: string) {
  const encryptor = createSystemEncryptor();
  const vault = openSecretVault(path.join(userData, 'keys.json'), encryptor);
  const remotes = new RemoteConnections(userData, { encryptor, clock: systemClock });
  const redact = createRedactor({
    home,
    secrets: () => [...secretsIn(process.env), ...Object.values(vault.keys()), ...remotes.passwords],
  });
  return { vault, remotes, redact };
}

interface HostParts {
  readonly delivery: KeyDelivery;
  readonly remotes: RemoteConnections;
  readonly log: DiagnosticLog;
  readonly baseFolder: string | undefined;
}

/**
 * Returns the function that starts the engine host of a folder. The host of a remote history gets only its password, and
 * that of a sent run no keys.
 */
function hostStarter({ delivery, remotes, log, baseFolder }: HostParts) {
  return (workspace: string) => {
    const remote = remotes.find(workspace);
    const sentRun = remotes.sent.find(workspace);
    const own = sentRun === undefined ? delivery : createKeyDelivery(() => ({}), systemClock);
    const keys = remote === undefined ? own : remotes.deliveryOf(remote.connection.id);
    const host = forkEngineHost(workspace, { delivery: keys, log, baseFolder, remote, sentRun });
    // If trust cannot be stored, the folder is untrusted and the window shows that.
    if (ownCopies.delete(workspace)) host.person.call('setTrust', true).catch(() => undefined);
    return host;
  };
}

interface MessageParts {
  readonly settings: SettingsStore;
  readonly vault: SecretVault;
  /** Removes secrets from text. */
  readonly redact: (text: string) => string;
  readonly onChange: (delivery: DeliveryState) => void;
}

/**
 * Creates the objects that notify the user of requests, inside and outside the program. @param folder null to store
 * nothing
 */
function openMessages(folder: string | null, { settings, vault, redact, onChange }: MessageParts) {
  const fileOf = (name: string): string | null => (folder === null ? null : path.join(folder, name));
  // Looks up secrets in the same order as engines do.
  const secrets = (name: string): string | undefined =>
    process.env[`MILLRACE_SECRET_${name}`] ?? vault.keys()[`MILLRACE_SECRET_${name}`];
  const delivery = new Delivery({ file: fileOf('delivery.json'), clock: systemClock, secrets, onChange });
  const inbox = openInbox({
    file: fileOf('inbox.json'),
    showsRuns: () => settings.settings.preferences?.runNotices !== false,
    deliver: (workspace, requests) => delivery.send(requests.map((one) => messageOf(workspace, one, redact))),
  });
  return { inbox, delivery };
}

/** Creates an empty replacement for the user's packs, trust and models, for this start only. */
function emptyBaseFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace-safe-'));
  app.on('quit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function createChannel(): [MessageChannelMain['port1'], MessageChannelMain['port2']] {
  const { port1, port2 } = new MessageChannelMain();
  return [port1, port2];
}

/**
 * Paths, with symbolic links resolved, of new folders into which the examples were just copied. The program wrote all
 * their files, so they are trusted.
 */
const ownCopies = new Set<string>();

function chooseWorkspace(requested: string | null, settings: SettingsStore): ReturnType<typeof chooseStartWorkspace> {
  return chooseStartWorkspace({
    requested,
    recent: settings.recentWorkspaces(),
    prepareExamples: () => prepareExamples(userExamples()),
  });
}

async function prepareExamples(folder: string): Promise<string> {
  const ofTeam = await teamExamples();
  const isNew = await copyExamples(ofTeam ?? shippedExamples(), folder);
  if (isNew && ofTeam === undefined) ownCopies.add(await realpath(folder));
  return folder;
}

/**
 * Returns the absolute path of the examples folder that this machine's team provides; undefined if it provides none.
 */
async function teamExamples(): Promise<string | undefined> {
  const team = await currentTeam();
  const examples = team?.rules.examples;
  if (team === undefined || examples === undefined) return undefined;
  const folder = path.join(team.resources, examples);
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true ? folder : undefined;
}

/** Delays quitting until every engine has stored its state. Closing the last window quits if nothing keeps running. */
function endEnginesBeforeQuitting(engines: EngineProcesses<MessageChannelMain['port1']>, background: Background): void {
  let haveEnded = false;
  const quit = (): void => {
    haveEnded = true;
    app.quit();
  };
  app.on('will-quit', (event) => {
    if (haveEnded) return;
    event.preventDefault();
    // Deferred until this event has ended, because Electron still considers itself to be quitting and would ignore the
    // call.
    void Promise.all([engines.endAll(), background.close()]).then(() => setImmediate(quit));
  });
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin' && !background.state.isOn) app.quit();
  });
}

function failToStart(error: unknown): void {
  dialog.showErrorBox(text().help.startFailed, error instanceof Error ? (error.stack ?? error.message) : String(error));
  app.exit(1);
}

/** On macOS, files and links arrive as events, some of them before the program is ready. */
const askedBySystem: string[] = [];
let openAsked = async (argument: string): Promise<void> => void askedBySystem.push(argument);

function listenForSystem(): void {
  app.on('open-file', (event, file) => {
    event.preventDefault();
    void openAsked(file);
  });
  app.on('open-url', (event, url) => {
    event.preventDefault();
    void openAsked(url);
  });
}

/** Opens a window here, or in an instance that is already running. */
function openProgram(): void {
  const commandLine = readCommandLine(process.argv.slice(1), {
    cwd: process.cwd(),
    initCwd: npmStartFolder,
    ownFolder: app.isPackaged ? undefined : app.getAppPath(),
    isFolder: (file) => statSync(file, { throwIfNoEntry: false })?.isDirectory() === true,
  });
  // The copy is needed only for the type: Electron expects a record.
  if (app.requestSingleInstanceLock({ ...commandLine }))
    app
      .whenReady()
      .then(() => start(commandLine))
      .catch(failToStart);
  else app.quit();
}

registerPageScheme();
// Every window already enables its sandbox; this covers other pages. It is skipped with `no-sandbox`, because it would
// remove the switch that Chromium needs to start as root.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
lockDownChromium();
lockDownPages(pageUrl);
if (!isDebuggingAllowed) app.commandLine.removeSwitch('remote-debugging-port');

const commandArguments = commandLineArguments(process.argv);
if (commandArguments === undefined) {
  keepCrashDumps();
  listenForSystem();
  openProgram();
} else {
  takeOwnProfile();
  void app.whenReady().then(() => runCommandLine(commandArguments));
}
