/**
 * Calls from a window to the main process, and what main tells a window. See `engine-contract.ts` for how it is used.
 */
import { z } from 'zod';
import { draftContract, draftPushes } from './draft-contract.ts';
import { imageContract } from './image-contract.ts';

const theme = z.enum(['system', 'light', 'dark']);

/** Of an environment variable that stands for a key in settings. */
const variable = z
  .string()
  .regex(/^[A-Za-z_]\w*$/)
  .max(200);

export const mainContract = {
  ...draftContract,
  ...imageContract,
  'app.info': {
    params: z.strictObject({}),
    result: z.object({
      version: z.string(),
      /** The open workspace, absolute; null = none yet. */
      workspace: z.string().nullable(),
      /** Why the workspace that was asked for is not open, in a sentence for the user. */
      workspaceProblem: z.string().optional(),
      theme,
      recentWorkspaces: z.array(z.string()),
    }),
  },
  /** Shows the system's folder dialog, then opens the choice in this window (the page reloads). */
  'workspace.choose': { params: z.strictObject({}), result: z.object({ opened: z.boolean() }) },
  /**
   * Opens a folder in this window (the page reloads), unless the user rather lets the window's runs go on. Fails with
   * `workspace.not-found` or `workspace.not-a-folder`.
   */
  'workspace.open': {
    params: z.strictObject({ path: z.string().min(1).max(4096) }),
    result: z.object({ opened: z.boolean() }),
  },
  'settings.setTheme': { params: z.strictObject({ theme }), result: z.object({}) },
  /** The page listens now: send it a port to its engine host (again after each restart of the host). */
  'engine.connect': { params: z.strictObject({}), result: z.object({}) },
  /** Which variables have a key in the vault, and why it can keep none. The keys themselves are never given to a page. */
  'vault.list': {
    params: z.strictObject({}),
    result: z.object({ variables: z.array(z.string()), problem: z.string().nullable() }),
  },
  /**
   * Keeps a key; when it is answered, all engine hosts use it. Fails with `vault.unavailable` or `vault.not-writable`. What
   * a request for a model can carry has no control characters and no other than ASCII.
   */
  'vault.set': {
    params: z.strictObject({
      variable,
      value: z
        .string()
        .regex(/^[\x21-\x7e]+$/)
        .max(10_000),
    }),
    result: z.object({}),
  },
  /** Forgets a key. Fails with `vault.not-writable`. */
  'vault.remove': { params: z.strictObject({ variable }), result: z.object({}) },
  /** Opens a second window on the same workspace. */
  'window.openNew': { params: z.strictObject({}), result: z.object({}) },
} as const;

export const mainPushes = {
  ...draftPushes,
  /** `restarting`: the host ended by itself; a new one is on its way and the page will get a new port. */
  'engine.state': z.object({ state: z.enum(['starting', 'ready', 'restarting', 'failed']), message: z.string() }),
  /** A menu entry was chosen; the page runs the command of that id. */
  'command.invoke': z.object({ id: z.string() }),
  'settings.changed': z.object({ theme }),
} as const;
