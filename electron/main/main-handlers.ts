/**
 * Answers all calls from a page to the main process.
 */
import { homedir } from 'node:os';
import { app, dialog, shell } from 'electron';
import { type mainContract, type Preferences, preferencesSchema, type Theme } from '../ipc/contracts/main-contract.ts';
import type { personContract } from '../ipc/contracts/person-contract.ts';
import type { updateContract } from '../ipc/contracts/update-contract.ts';
import type { ArgsOf, ResultOf, RpcHandlers } from '../ipc/rpc.ts';
import type { Background } from './background/background.ts';
import { backgroundHandlers } from './background/background-handlers.ts';
import {
  type AskConsent,
  createConsent,
  folderQuestion,
  homeQuestion,
  hostQuestion,
  newKeyQuestion,
  packQuestion,
  trustQuestion,
} from './consent/consent.ts';
import { evaluationHandlers } from './consent/evaluation-handlers.ts';
import { permissionHandlers } from './consent/permission-handlers.ts';
import { policyHandlers } from './consent/policy-handlers.ts';
import { publishHandlers } from './consent/publish-handlers.ts';
import { retentionHandlers } from './consent/retention-handlers.ts';
import { secretHandlers } from './consent/secret-handlers.ts';
import type { SecretVault } from './consent/secret-vault.ts';
import { teamQuestion, teamRemovalQuestion } from './consent/team-consent.ts';
import { toolHandlers } from './consent/tool-handlers.ts';
import { triggerHandlers } from './consent/trigger-handlers.ts';
import { writtenHandlers } from './consent/written-handlers.ts';
import { createDeliveryHandlers, type Delivery } from './delivery/delivery.ts';
import { createInboxHandlers, type DesktopInbox } from './desktop-inbox.ts';
import { createDraftHandlers, type Drafts } from './drafts/drafts.ts';
import type { PersonClient } from './engine/engine-supervisor.ts';
import type { RemoteConnections, RemoteFolder } from './remote/remote-connections.ts';
import { remoteHandlers } from './remote/remote-handlers.ts';
import { sentHandlers } from './remote/sent-runs.ts';
import { runHandlers } from './run-handlers.ts';
import type { SettingsStore } from './settings-store.ts';
import { text } from './text.ts';
import type { Updater } from './updates/updater.ts';
import type { AppWindow } from './windows/app-window.ts';
import { saveImage } from './windows/save-image.ts';
import type { ZoomAction } from './windows/zoom.ts';
import { holdsHome, type WindowWorkspace } from './workspace-folder.ts';

/** Actions of a page that affect the whole program. */
export interface ProgramActions {
  readonly settings: SettingsStore;
  readonly vault: SecretVault;
  readonly drafts: Drafts;
  readonly updater: Updater;
  readonly inbox: DesktopInbox;
  readonly delivery: Delivery;
  readonly remotes: RemoteConnections;
  readonly background: Background;
  /** Sends the vault's keys to all engine hosts. Resolves when they have them. */
  deliverKeys(): Promise<void>;
  /** Called when a window is usable. */
  onUsable(): void;
  /** Creates a folder with the examples, or restores missing files in an existing one. @returns its path */
  makeExamples(): Promise<string>;
  openWindow(content: WindowWorkspace): AppWindow;
  findWindow(workspace: string): AppWindow | undefined;
  openWorkspace(window: AppWindow, folder: string, mayOpen?: (folder: string) => Promise<boolean>): Promise<boolean>;
  setTheme(theme: Theme): void;
  setPreferences(preferences: Preferences): void;
  openDocs(page?: string): void;
  /** Sets and stores the zoom of all windows. @returns the new factor; 1 = 100 % */
  setZoom(wish: ZoomAction): number;
}

type NewHostChange = ArgsOf<(typeof personContract)['findNewHost']>[0];

/** Creates a window's handlers. */
export function createMainHandlers(program: ProgramActions, window: AppWindow): RpcHandlers<typeof mainContract> {
  const consent = createConsent((options) => dialog.showMessageBox(window.browserWindow, options));
  return {
    ...{ ...settingsHandlers(window, consent), ...evaluationHandlers(window, consent) },
    ...vaultHandlers(program, consent),
    ...secretHandlers(program, window, consent),
    ...{ ...runHandlers(window, consent), ...retentionHandlers(window, consent) },
    ...{ ...evaluationHandlers(window, consent), ...toolHandlers(window, consent) },
    ...writtenHandlers(window, consent),
    ...triggerHandlers(window, consent, program.background),
    ...publishHandlers(window, consent, program.background, (url) => shell.openExternal(url)),
    ...policyHandlers(window, (path) => shell.openPath(path)),
    ...permissionHandlers(window, consent),
    ...updateHandlers(program.updater),
    ...remoteHandlers(
      { remotes: program.remotes, openWorkspace: (shown, folder) => program.openWorkspace(shown, folder) },
      window,
      consent,
    ),
    ...sentHandlers(program, (options) => dialog.showOpenDialog(window.browserWindow, options)),
    ...createInboxHandlers(program.inbox, window),
    ...createDeliveryHandlers(program.delivery, consent),
    ...createDraftHandlers(program.drafts, { workspace: () => window.content.workspace, user: window.draftUser }),
    ...backgroundHandlers(window, consent, program.background),
    'app.info': () => {
      // Without a folder, the page makes no more calls.
      if (window.content.workspace === null) program.onUsable();
      return infoOf(program, window);
    },
    'image.save': (picture) => saveImage(picture, (options) => dialog.showSaveDialog(window.browserWindow, options)),
    'open.take': () => {
      program.onUsable();
      return { things: window.takeOffer() };
    },
    'engine.connect': () => window.connectEngine(),
    'engine.replaceSilent': () => window.replaceSilentEngine(),
    'preferences.read': () => ({ preferences: program.settings.settings.preferences ?? preferencesSchema.parse({}) }),
    'preferences.write': ({ preferences }) => program.setPreferences(preferences),
    'zoom.set': (wish) => ({ factor: program.setZoom(wish) }),
    'settings.setTheme': ({ theme }) => program.setTheme(theme),
    'docs.open': ({ page }) => program.openDocs(page),
    'window.openNew': () => void program.openWindow(window.content),
    'workspace.choose': async () => {
      const folder = await chooseFolder(window);
      const mayOpen = async (real: string): Promise<boolean> =>
        !holdsHome(real, homedir()) || consent(homeQuestion(real));
      return { opened: folder !== undefined && (await program.openWorkspace(window, folder, mayOpen)) };
    },
    'workspace.openExamples': async ({ showsGallery }) => {
      const opened = await program.openWorkspace(window, await program.makeExamples());
      if (opened && showsGallery) window.offer([{ kind: 'gallery' }], 'next');
      return { opened };
    },
    'workspace.open': async ({ path }) => ({
      opened: await program.openWorkspace(window, path, (folder) =>
        consent(holdsHome(folder, homedir()) ? homeQuestion(folder) : folderQuestion(folder)),
      ),
    }),
  };
}

type MainHandlers = RpcHandlers<typeof mainContract>;
type SettingsHandlers = Pick<
  MainHandlers,
  | 'trust.set'
  | 'models.saveProvider'
  | 'models.removeProvider'
  | 'models.allowKey'
  | 'packs.install'
  | 'team.install'
  | 'team.remove'
>;

/**
 * The host determines what a request would change, the user decides whether to allow it, and the host then performs it.
 */
function settingsHandlers(window: AppWindow, consent: AskConsent): SettingsHandlers {
  const mayReachHost = async (change: NewHostChange): Promise<boolean> => {
    const newHost = await window.asPerson((person) => person.call('findNewHost', change));
    return newHost === null || (await consent(hostQuestion(newHost)));
  };
  const doneIf = async (isAllowed: boolean, act: (person: PersonClient) => Promise<void>) => {
    if (isAllowed) await window.asPerson(act);
    return { isDone: isAllowed };
  };
  return {
    'trust.set': async ({ isTrusted }) => {
      const { workspace } = window.content;
      const isAllowed = !isTrusted || workspace === null || (await consent(trustQuestion(workspace)));
      // By now the window may show another folder that the user was not asked about.
      return doneIf(isAllowed && workspace === window.content.workspace, (person) =>
        person.call('setTrust', isTrusted),
      );
    },
    'models.saveProvider': async (entry) =>
      doneIf(await mayReachHost({ save: entry }), (person) => person.call('saveProvider', entry)),
    'models.removeProvider': async ({ name }) =>
      doneIf(await mayReachHost({ remove: name }), (person) => person.call('removeProvider', name)),
    'packs.install': async (source) => {
      if (!(await consent(packQuestion(source.uri)))) return { change: null };
      // Waits without a limit: the engine itself aborts a stalled download.
      return { change: await window.asPerson((person) => person.call('installPack', source), null) };
    },
    'team.install': async () => {
      const file = await chooseTeamPackage(window);
      if (file === undefined) return { isDone: false };
      const team = await window.asPerson((person) => person.call('inspectTeamPackage', file), null);
      if (!(await consent(teamQuestion(team)))) return { isDone: false };
      const { fingerprint, contents, replaces } = team;
      const agreed = { file, fingerprint, contents, ...(replaces === undefined ? {} : { replaces }) };
      await window.asPerson((person) => person.call('installTeamPackage', agreed), null);
      return { isDone: true };
    },
    'team.remove': async () => {
      if (!(await consent(teamRemovalQuestion()))) return { isDone: false };
      return { isDone: await window.asPerson((person) => person.call('removeTeamPackage')) };
    },
    'models.allowKey': async ({ name }) =>
      doneIf(await mayReachHost({ use: name }), (person) => person.call('allowKey', name)),
  };
}

type VaultHandlers = Pick<MainHandlers, 'vault.list' | 'vault.set' | 'vault.remove'>;

function vaultHandlers({ vault, deliverKeys }: ProgramActions, consent: AskConsent): VaultHandlers {
  // A key in the vault overrides one in the environment. Removing a key first does not avoid the question.
  const replaces = (variable: string): boolean => vault.hasHad(variable) || Boolean(process.env[variable]);
  return {
    'vault.list': () => ({ variables: vault.variables(), problem: vault.problem() }),
    'vault.set': async ({ variable, value }) => {
      if (replaces(variable) && !(await consent(newKeyQuestion(variable)))) return { isDone: false };
      vault.set(variable, value);
      await deliverKeys();
      return { isDone: true };
    },
    'vault.remove': async ({ variable }) => {
      vault.remove(variable);
      await deliverKeys();
    },
  };
}

type UpdateHandlers = Pick<MainHandlers, keyof typeof updateContract>;

/** Steps run in the background, and pages are notified of their progress. */
function updateHandlers(updater: Updater): UpdateHandlers {
  return {
    'updates.read': () => updater.read(),
    'updates.set': (change) => updater.set(change),
    'updates.check': () => void updater.check(),
    'updates.download': () => void updater.download(),
    'updates.cancel': () => updater.cancel(),
    'updates.install': () => void updater.install(),
  };
}

function infoOf({ settings, remotes }: ProgramActions, { content: { workspace, problem } }: AppWindow) {
  const sentRun = remotes.sent.find(workspace);
  return {
    version: app.getVersion(),
    workspace,
    ...shownRemote(remotes.find(workspace)),
    ...(sentRun === undefined ? {} : { sentRun }),
    ...(problem === undefined ? {} : { workspaceProblem: problem }),
    theme: settings.settings.theme,
    recentWorkspaces: settings.recentWorkspaces(),
  };
}

function shownRemote(remote: RemoteFolder | undefined): Pick<ResultOf<(typeof mainContract)['app.info']>, 'remote'> {
  if (remote === undefined) return {};
  const { connection, workspace } = remote;
  return { remote: { workspace, connection: connection.name, host: connection.place.host } };
}

/** Returns undefined if the dialog was closed without a choice. */
async function chooseFolder({ browserWindow, content: { workspace } }: AppWindow): Promise<string | undefined> {
  const { filePaths } = await dialog.showOpenDialog(browserWindow, {
    title: text().files.openFolder,
    properties: ['openDirectory', 'createDirectory'],
    ...(workspace === null ? {} : { defaultPath: workspace }),
  });
  return filePaths[0];
}

/** Returns undefined if the dialog was closed without a choice. */
async function chooseTeamPackage({ browserWindow }: AppWindow): Promise<string | undefined> {
  const { filePaths } = await dialog.showOpenDialog(browserWindow, {
    title: text().files.installTeam,
    properties: ['openFile'],
    filters: [{ name: text().files.teamPackages, extensions: ['zip'] }],
  });
  return filePaths[0];
}
