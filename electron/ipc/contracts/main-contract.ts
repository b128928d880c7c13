/**
 * Calls from a window to the main process, and pushes from main to a window. `engine-contract.ts` explains how
 * contracts are used.
 */

import { z } from 'zod';
import { call } from '../rpc.ts';
import { exportFormat, runId } from '../run-summary.ts';
import { backgroundContract, backgroundPushes } from './background-contract.ts';
import { deliveryContract, deliveryPushes } from './delivery-contract.ts';
import { draftContract, draftPushes } from './draft-contract.ts';
import { mainEvaluation } from './evaluation-contract.ts';
import { mainRetention, mainSending } from './history-contract.ts';
import { inboxContract, inboxPushes, waitingPlace } from './inbox-contract.ts';
import { selectedPermissions } from './permission-contract.ts';
import {
  envText,
  packChange,
  packSource,
  providerEntry,
  providerName,
  secretHost,
  secretName,
  secretValue,
  secretWish,
} from './person-contract.ts';
import { mainPublishing } from './publish-contract.ts';
import { remoteContract, shownRemote } from './remote-contract.ts';
import { toolResult, toolTrial } from './tool-contract.ts';
import { namedTrigger } from './trigger-contract.ts';
import { updateContract, updatePushes } from './update-contract.ts';

const done = z.void();

/** The themes to choose from. */
export const themeSchema = z.enum(['system', 'light', 'dark']);
export type Theme = z.output<typeof themeSchema>;

/** Name of the environment variable with which settings refer to a key. */
const variable = z
  .string()
  .regex(/^[A-Za-z_]\w*$/)
  .max(200);

/** Editor preferences, stored by main for all windows. */
export const preferencesSchema = z.strictObject({
  /** Action of the mouse wheel on the canvas. */
  wheel: z.enum(['pan', 'zoom']).default('pan'),
  /** Whether moved nodes snap to the grid. */
  snap: z.boolean().default(true),
  /** Whether lines show how moved nodes align with others. */
  guides: z.boolean().default(true),
  density: z.enum(['comfortable', 'compact']).default('comfortable'),
  contrast: z.enum(['normal', 'high']).default('normal'),
  /** The language of the window; a change reloads all windows. */
  language: z.enum(['en', 'de']).default('en'),
  /** Whether a system notification reports long runs that end or wait while no window is focused. */
  runNotices: z.boolean().default(true),
  /** Custom shortcuts by command id; null removes the shortcut. */
  keys: z.record(z.string().min(1).max(100), z.string().min(1).max(100).nullable()).default({}),
});

export type Preferences = z.output<typeof preferencesSchema>;

/** Path of a page in the documentation, with an optional anchor. */
const docsPage = z
  .string()
  .regex(/^[\w./-]+\.html(#[\w-]+)?$/)
  .max(200);

const zoom = z.strictObject({
  /** 1 = 100 %. */
  factor: z.exactOptional(z.number().min(0.5).max(2)),
  change: z.exactOptional(z.enum(['in', 'out', 'reset'])),
});

/** Maximum image size in bytes. An image of the largest flow is far smaller. */
export const maxImageSize = 64 * 1024 * 1024;

/** Result of a request that may need consent: `isDone` is false if the user declined and nothing changed. */
const decided = z.object({ isDone: z.boolean() });

/** `path` of the written file; null if the user closed the dialog. */
const savedFile = z.object({ path: z.string().nullable() });

/** An item for the page to open because the system or a link requested it. */
const thingToOpen = z.discriminatedUnion('kind', [
  /** Path relative to the workspace, with `/`. */
  z.object({ kind: z.literal('file'), path: z.string() }),
  /** The dialog that installs a pack, with `uri` in its field. */
  z.object({ kind: z.literal('pack'), uri: z.string() }),
  /** An open request, shown in its run; null for the list of all requests. */
  z.object({ kind: z.literal('waiting'), place: waitingPlace.nullable() }),
  /** A run in the history, and the node that a link names; null for the run itself. */
  z.object({ kind: z.literal('run'), runId, nodeId: z.string().nullable() }),
  /** The gallery of examples. */
  z.object({ kind: z.literal('gallery') }),
]);

export type ThingToOpen = z.output<typeof thingToOpen>;

export const mainContract = {
  ...backgroundContract,
  ...deliveryContract,
  ...draftContract,
  ...inboxContract,
  ...mainPublishing,
  ...mainRetention,
  ...mainEvaluation,
  ...remoteContract,
  ...mainSending,
  ...updateContract,
  'app.info': call(
    [],
    z.object({
      version: z.string(),
      /** Absolute path of the open workspace; null if there is none. */
      workspace: z.string().nullable(),
      /** Set if the workspace is a remote history; its folder is then empty. */
      remote: z.exactOptional(shownRemote),
      /** Set if the window shows a sent run: the path of its file. The workspace is then an empty folder. */
      sentRun: z.exactOptional(z.string()),
      /** Message for the user: why the requested workspace is not open. */
      workspaceProblem: z.string().optional(),
      theme: themeSchema,
      recentWorkspaces: z.array(z.string()).readonly(),
    }),
  ),
  /** Shows the system's folder dialog, then opens the chosen folder in this window (the page reloads). */
  'workspace.choose': call([], z.object({ opened: z.boolean() })),
  /**
   * Opens the user's copy of the examples in this window (the page reloads), creating it if it does not exist. Fails
   * with the system's error code or an error of `workspace.open`. With `showsGallery`, the page then opens the gallery.
   */
  'workspace.openExamples': call([z.strictObject({ showsGallery: z.boolean() })], z.object({ opened: z.boolean() })),
  /**
   * Asks the user, then opens a folder in this window (the page reloads), unless the user chooses to keep the window's
   * runs. Fails with `workspace.not-found` or `workspace.not-a-folder`.
   */
  'workspace.open': call([z.strictObject({ path: z.string().min(1).max(4096) })], z.object({ opened: z.boolean() })),
  /** Returns the items that the page has not opened yet, and clears them. */
  'open.take': call([], z.object({ things: z.array(thingToOpen).readonly() })),
  /** Shows a page of the documentation in its window; the index without a page. */
  'docs.open': call([z.strictObject({ page: z.exactOptional(docsPage) })], done),
  'settings.setTheme': call([z.strictObject({ theme: themeSchema })], done),
  /**
   * Reports that the page is listening. Main sends it a port to its engine host, and another after each restart of the
   * host.
   */
  'engine.connect': call([], done),
  /**
   * Ends an engine host that does not respond and resumes its runs in another. Has no effect on a host that responds.
   */
  'engine.replaceSilent': call([], done),
  /**
   * Lists the variables that have a key in the vault, and the reason if the vault cannot store keys. Keys are never
   * sent to a page.
   */
  'vault.list': call([], z.object({ variables: z.array(z.string()).readonly(), problem: z.string().nullable() })),
  /**
   * Stores a key. Asks the user first if the variable has or had one. When the call returns, all engine hosts use the
   * key. Fails with `vault.unavailable` or `vault.not-writable`. Keys are limited to ASCII without control characters,
   * because model requests cannot contain others.
   */
  'vault.set': call(
    [
      z.strictObject({
        variable,
        value: z
          .string()
          .regex(/^[\x21-\x7e]+$/)
          .max(10_000),
      }),
    ],
    decided,
  ),
  /** Deletes a key. Fails with `vault.not-writable`. */
  'vault.remove': call([z.strictObject({ variable })], done),
  /**
   * Stores a secret in the vault, or in `.millrace/.env` of the workspace if the vault is unavailable. Asks the user
   * first if a secret of that name exists or existed. Fails with the errors of `vault.set` or the engine's `setSecret`.
   */
  'secrets.set': call([secretValue], z.object({ isDone: z.boolean(), keptIn: z.enum(['vault', 'file']) })),
  /** Returns the names of the secrets in `.env` text, and the names that are not valid for secrets. Stores nothing. */
  'secrets.readEnv': call(
    [z.strictObject({ text: envText })],
    z.object({ names: z.array(z.string()).readonly(), others: z.array(z.string()).readonly() }),
  ),
  /**
   * Stores the named secrets in `.env` text like `secrets.set`, with one question for all secrets that are replaced.
   */
  'secrets.setEnv': call(
    [z.strictObject({ text: envText, names: z.array(secretName).min(1).max(500).readonly() })],
    z.object({ isDone: z.boolean(), keptIn: z.enum(['vault', 'file']) }),
  ),
  /** Deletes a secret in the vault and in the workspace file, after asking the user. */
  'secrets.remove': call([z.strictObject({ name: secretName })], decided),
  /** Asks whether a secret may be sent to a host. */
  'secrets.allowHost': call([secretHost], decided),
  /** Removes a host from those allowed to receive a secret. */
  'secrets.forgetHost': call([secretHost], done),
  /** Asks whether a flow of an untrusted workspace may use secrets. */
  'secrets.allowFlow': call([secretWish], decided),
  /**
   * Asks the user, in a single dialog, for the permissions that a run's nodes wait for. The workspace stores them, and
   * the run continues.
   */
  'permissions.allow': call(
    [z.strictObject({ runId, nodeId: z.exactOptional(z.string().min(1).max(10_000)) })],
    decided,
  ),
  /** Asks the user, in a single dialog, for a flow's selected missing permissions before it runs. */
  'permissions.grant': call([selectedPermissions], decided),
  /** Asks whether to accept a file that a run has written. */
  'written.accept': call([z.strictObject({ path: z.string().min(1).max(4096) })], decided),
  /**
   * Asks the user, then switches a trigger on, or confirms it after a change. Fails with the errors of the engine's
   * `switchTriggers`.
   */
  'triggers.switchOn': call([namedTrigger], decided),
  /**
   * Creates the user's personal policy if it does not exist, and opens it in the system's default program. Fails with
   * `files.not-writable`.
   */
  'policy.openPersonal': call(
    [],
    /** `isOpen` is false if the system has no program for the file. */
    z.object({ path: z.string(), isNew: z.boolean(), isOpen: z.boolean() }),
  ),
  /** Trusts the window's workspace after the user agrees, or revokes trust immediately. */
  'trust.set': call([z.strictObject({ isTrusted: z.boolean() })], decided),
  /** Saves a provider in the user's settings. Asks the user first if this would send data or a key to a new host. */
  'models.saveProvider': call([providerEntry], decided),
  /** Removes a provider. Asks the user first if the bundled provider of the same name uses another host. */
  'models.removeProvider': call([z.strictObject({ name: providerName })], decided),
  /**
   * Calls a tool once to show its result. Asks the user first if the tool has effects. Null if the user declined.
   * Errors of the tool are part of the result.
   */
  'tools.try': call([toolTrial], z.object({ result: toolResult.nullable() })),
  /** Asks whether a provider's key may be sent to the host that the workspace's settings name for it. */
  'models.allowKey': call([z.strictObject({ name: providerName })], decided),
  /**
   * Asks the user, then installs a pack. This may replace a pack that agents in other workspaces use. Null if the user
   * declined. Fails with the errors of the engine's `installPack`.
   */
  'packs.install': call([packSource], z.object({ change: packChange.nullable() })),
  /** Asks the user, then deletes a run from the history. Fails with the errors of the engine's `deleteRun`. */
  'runs.delete': call([z.strictObject({ runId })], decided),
  /**
   * Asks whether to end the processes that the commands of an interrupted run have left running. Also succeeds if there
   * are no such processes.
   */
  'runs.endLeft': call([z.strictObject({ runId })], decided),
  /**
   * Shows the system's dialog for a file, or for a folder that receives the trace, and exports the run there. Fails
   * with the errors of the engine's `exportRun`.
   */
  'runs.export': call([z.strictObject({ runId, format: exportFormat })], savedFile),
  /**
   * Shows the system's dialog for a team package, asks the user, and installs it. `isDone` is false if the user
   * declined. Fails with the errors of the engine's `installTeamPackage`.
   */
  'team.install': call([], decided),
  /**
   * Asks the user, then removes the installed team package. `isDone` is false if the user declined or no package is
   * installed.
   */
  'team.remove': call([], decided),
  /** Opens a second window on the same workspace. */
  'window.openNew': call([], done),
  /** Shows the system's save dialog and writes the image to the chosen file. Fails with `image.not-writable`. */
  'image.save': call(
    [
      z.strictObject({
        /** A file name without a folder. */
        suggestedName: z
          .string()
          .min(1)
          .max(200)
          .regex(/^[^\\/\0]+$/),
        format: z.enum(['png', 'svg']),
        data: z
          .instanceof(Uint8Array)
          .refine(({ byteLength }) => byteLength <= maxImageSize, 'must not be larger than 64 MiB'),
      }),
    ],
    savedFile,
  ),
  'preferences.read': call([], z.object({ preferences: preferencesSchema })),
  /** Replaces all preferences. Omitted preferences are reset to their defaults. */
  'preferences.write': call([z.strictObject({ preferences: preferencesSchema })], done),
  /** Sets or changes the zoom of all windows, from 50 to 200 %. Without arguments, only returns the zoom. */
  'zoom.set': call([zoom], z.object({ factor: z.number() })),
} as const;

export const mainPushes = {
  ...backgroundPushes,
  ...deliveryPushes,
  ...draftPushes,
  ...inboxPushes,
  ...updatePushes,
  /**
   * `restarting`: the host exited or the user ended it. A new one is starting, and the page will receive a new port.
   * `silent`: the host does not respond; `since` is the time of its last message in epoch milliseconds.
   */
  'engine.state': z.object({
    state: z.enum(['starting', 'ready', 'silent', 'restarting', 'failed']),
    message: z.string(),
    since: z.exactOptional(z.number()),
  }),
  /** A menu entry was chosen. The page runs the command with that id. */
  'command.invoke': z.object({ id: z.string() }),
  /** There are items to open. */
  'open.offered': z.object({}),
  'settings.changed': z.object({ theme: themeSchema }),
  'preferences.changed': z.object({ preferences: preferencesSchema }),
} as const;
