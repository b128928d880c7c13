/**
 * Calls from a window to the main process, and what main tells a window. See `engine-contract.ts` for how it is used.
 */
import { z } from 'zod';
import { deliveryContract, deliveryPushes } from './delivery-contract.ts';
import { draftContract, draftPushes } from './draft-contract.ts';
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
import { call } from './rpc.ts';
import { exportFormat, runId } from './run-summary.ts';
import { toolResult, toolTrial } from './tool-contract.ts';
import { updateContract, updatePushes } from './update-contract.ts';

const done = z.void();
const theme = z.enum(['system', 'light', 'dark']);

/** Of an environment variable that stands for a key in settings. */
const variable = z
  .string()
  .regex(/^[A-Za-z_]\w*$/)
  .max(200);

/** How a person likes the editor to behave; kept by main for all windows. */
export const preferencesSchema = z.strictObject({
  /** What the mouse wheel does on the canvas. */
  wheel: z.enum(['pan', 'zoom']).default('pan'),
  /** Whether moved nodes snap to the grid. */
  snap: z.boolean().default(true),
  /** Whether lines show where moved nodes align with others. */
  guides: z.boolean().default(true),
  density: z.enum(['comfortable', 'compact']).default('comfortable'),
  contrast: z.enum(['normal', 'high']).default('normal'),
  /** The language of the window; a change reloads all windows. */
  language: z.enum(['en', 'de']).default('en'),
  /** Shortcuts other than the usual ones, by the id of the command; null = none. */
  keys: z.record(z.string().min(1).max(100), z.string().min(1).max(100).nullable()).default({}),
});

export type Preferences = z.output<typeof preferencesSchema>;

const zoom = z.strictObject({
  /** 1 = 100 %. */
  factor: z.exactOptional(z.number().min(0.5).max(2)),
  change: z.exactOptional(z.enum(['in', 'out', 'reset'])),
});

/** Bytes; a picture of the largest flow stays far below. */
export const maxImageSize = 64 * 1024 * 1024;

/** What became of a wish that the person may be asked about first: false = they said no, and nothing has changed. */
const decided = z.object({ isDone: z.boolean() });

/** `path`: where it was written; null = the person closed the dialog. */
const savedFile = z.object({ path: z.string().nullable() });

/** What the page is to open because the system or a link asked for it. */
const thingToOpen = z.discriminatedUnion('kind', [
  /** Relative to the workspace, with `/`. */
  z.object({ kind: z.literal('file'), path: z.string() }),
  /** The dialog for installing a pack, with this in its field. */
  z.object({ kind: z.literal('pack'), uri: z.string() }),
  /** What waits for the person, in its run; null = the list of all. */
  z.object({ kind: z.literal('waiting'), place: waitingPlace.nullable() }),
  /** A run of the history at a node, as a link names it; null = the run itself. */
  z.object({ kind: z.literal('run'), runId, nodeId: z.string().nullable() }),
]);

export type ThingToOpen = z.output<typeof thingToOpen>;

export const mainContract = {
  ...deliveryContract,
  ...draftContract,
  ...inboxContract,
  ...updateContract,
  'app.info': call(
    [],
    z.object({
      version: z.string(),
      /** The open workspace, absolute; null = none yet. */
      workspace: z.string().nullable(),
      /** Why the workspace that was asked for is not open, in a sentence for the user. */
      workspaceProblem: z.string().optional(),
      theme,
      recentWorkspaces: z.array(z.string()).readonly(),
    }),
  ),
  /** Shows the system's folder dialog, then opens the choice in this window (the page reloads). */
  'workspace.choose': call([], z.object({ opened: z.boolean() })),
  /**
   * Opens the person's copy of the examples in this window (the page reloads), made anew where there is none. Fails with the
   * system's code, or as `workspace.open` does.
   */
  'workspace.openExamples': call([], z.object({ opened: z.boolean() })),
  /**
   * Asks the person, then opens a folder in this window (the page reloads), unless they rather let the window's runs go on.
   * Fails with `workspace.not-found` or `workspace.not-a-folder`.
   */
  'workspace.open': call([z.strictObject({ path: z.string().min(1).max(4096) })], z.object({ opened: z.boolean() })),
  /** What the page is to open, that it has not taken yet. */
  'open.take': call([], z.object({ things: z.array(thingToOpen).readonly() })),
  'settings.setTheme': call([z.strictObject({ theme })], done),
  /** The page listens now: send it a port to its engine host (again after each restart of the host). */
  'engine.connect': call([], done),
  /** Ends an engine host that does not answer, and lets its runs go on in another. Does nothing to one that answers. */
  'engine.replaceSilent': call([], done),
  /** Which variables have a key in the vault, and why it can keep none. The keys themselves are never given to a page. */
  'vault.list': call([], z.object({ variables: z.array(z.string()).readonly(), problem: z.string().nullable() })),
  /**
   * Keeps a key, after a question when the variable has or had one; when it is answered, all engine hosts use it. Fails with
   * `vault.unavailable` or `vault.not-writable`. What a request for a model can carry has no control characters and no other
   * than ASCII.
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
  /** Forgets a key. Fails with `vault.not-writable`. */
  'vault.remove': call([z.strictObject({ variable })], done),
  /**
   * Keeps a secret in the vault, or where there is none in `.millrace/.env` of the workspace, after a question when there is or was
   * one of that name. Fails as `vault.set` or `setSecret` of the engine do.
   */
  'secrets.set': call([secretValue], z.object({ isDone: z.boolean(), keptIn: z.enum(['vault', 'file']) })),
  /** Which secrets a `.env` has, by name, and which other names in it can be none. Keeps nothing. */
  'secrets.readEnv': call(
    [z.strictObject({ text: envText })],
    z.object({ names: z.array(z.string()).readonly(), others: z.array(z.string()).readonly() }),
  ),
  /** Keeps those of a `.env` with these names, as `secrets.set` does, after one question for all that are replaced. */
  'secrets.setEnv': call(
    [z.strictObject({ text: envText, names: z.array(secretName).min(1).max(500).readonly() })],
    z.object({ isDone: z.boolean(), keptIn: z.enum(['vault', 'file']) }),
  ),
  /** Forgets a secret, in the vault and in the file of the workspace, after a question. */
  'secrets.remove': call([z.strictObject({ name: secretName })], decided),
  /** Asks whether a secret may go to a host. */
  'secrets.allowHost': call([secretHost], decided),
  /** Takes a host away again from those that a secret may go to. */
  'secrets.forgetHost': call([secretHost], done),
  /** Asks whether a flow of a workspace that is not trusted may use secrets. */
  'secrets.allowFlow': call([secretWish], decided),
  /** Asks for the permissions that nodes of a run wait for, all in one dialog. The workspace keeps them, and the run continues. */
  'permissions.allow': call(
    [z.strictObject({ runId, nodeId: z.exactOptional(z.string().min(1).max(10_000)) })],
    decided,
  ),
  /** Asks for the selected permissions of those that a flow lacks, all in one dialog, before it runs. */
  'permissions.grant': call([selectedPermissions], decided),
  /** Asks whether what a run has written may hold. */
  'written.accept': call([z.strictObject({ path: z.string().min(1).max(4096) })], decided),
  /**
   * Creates the person's own policy where there is none, and opens it in the program that the system has for it. Fails with
   * `files.not-writable`.
   */
  'policy.openPersonal': call(
    [],
    /** `isOpen`: false = the system has no program for it. */
    z.object({ path: z.string(), isNew: z.boolean(), isOpen: z.boolean() }),
  ),
  /** Trusts the window's workspace once the person has agreed, or takes it back at once. */
  'trust.set': call([z.strictObject({ isTrusted: z.boolean() })], decided),
  /** Saves a provider in the person's settings; asks when it would send something, or a key, to a new host. */
  'models.saveProvider': call([providerEntry], decided),
  /** Removes it; asks when the provider that is known by that name has another host. */
  'models.removeProvider': call([z.strictObject({ name: providerName })], decided),
  /**
   * Calls a tool once because the person wants to see what it gives; asks first where it acts outside. Null = they said no. What a
   * tool does wrong is part of the result.
   */
  'tools.try': call([toolTrial], z.object({ result: toolResult.nullable() })),
  /** Asks whether the key of a provider may be sent to the host that the workspace's settings name for it. */
  'models.allowKey': call([z.strictObject({ name: providerName })], decided),
  /**
   * Asks the person, then installs a pack; it may take the place of one that agents of other workspaces use. Null = they said
   * no. Fails as `installPack` of the engine does.
   */
  'packs.install': call([packSource], z.object({ change: packChange.nullable() })),
  /**
   * Asks the person, then takes a run out of the history. Fails as `deleteRun` of the engine does.
   */
  'runs.delete': call([z.strictObject({ runId })], decided),
  /**
   * Asks the person whether to end what the commands of an interrupted run have left running. Done as well when there is nothing.
   */
  'runs.endLeft': call([z.strictObject({ runId })], decided),
  /**
   * Shows the system's dialog for a file, or for a folder in which the trace comes, and writes the run where the person chooses. Fails as
   * `exportRun` of the engine does.
   */
  'runs.export': call([z.strictObject({ runId, format: exportFormat })], savedFile),
  /**
   * Shows the system's dialog for a team's package, asks the person, and lets it hold. False = they said no. Fails as
   * `installTeamPackage` of the engine does.
   */
  'team.install': call([], decided),
  /** Asks the person, and removes the package of a team that is installed. False = they said no, or there is none. */
  'team.remove': call([], decided),
  /** Opens a second window on the same workspace. */
  'window.openNew': call([], done),
  /**
   * Shows the system's dialog for saving, and writes the picture where the person chooses. Fails with `image.not-writable`.
   */
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
          .refine(({ byteLength }) => byteLength <= maxImageSize, 'must not be over 64 MiB'),
      }),
    ],
    savedFile,
  ),
  'preferences.read': call([], z.object({ preferences: preferencesSchema })),
  /** Replaces all preferences; what is left out gets its default. */
  'preferences.write': call([z.strictObject({ preferences: preferencesSchema })], done),
  /** Sets or changes how large all windows are drawn, from 50 to 200 %; with neither, only tells it. */
  'zoom.set': call([zoom], z.object({ factor: z.number() })),
} as const;

export const mainPushes = {
  ...deliveryPushes,
  ...draftPushes,
  ...inboxPushes,
  ...updatePushes,
  /**
   * `restarting`: the host ended by itself, or the person ended it; a new one is on its way and the page will get a new port.
   * `silent`: it is there and does not answer; `since` is when it was heard last, in milliseconds since 1970.
   */
  'engine.state': z.object({
    state: z.enum(['starting', 'ready', 'silent', 'restarting', 'failed']),
    message: z.string(),
    since: z.exactOptional(z.number()),
  }),
  /** A menu entry was chosen; the page runs the command of that id. */
  'command.invoke': z.object({ id: z.string() }),
  /** There is something to open. */
  'open.offered': z.object({}),
  'settings.changed': z.object({ theme }),
  'preferences.changed': z.object({ preferences: preferencesSchema }),
} as const;
