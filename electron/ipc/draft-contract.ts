/**
 * Calls about unsaved text, older versions of files, pinned outputs and what a window had open; part of `main-contract.ts`. Main is the
 * owner of unsaved text: what it has answered survives the end of the program, however sudden.
 */
import { z } from 'zod';
import type { JsonValue } from '../../engine/isomorphic.ts';
import { editStep } from './edit-log.ts';
import { pinnedOutputs } from './pinned-outputs.ts';
import { call } from './rpc.ts';

/** The longest text that can be edited and kept, in UTF-16 units. */
export const maxDraftLength = 16 * 1024 * 1024;
/** The most steps in one call of `draft.step`. */
const maxStepsAtOnce = 1_000;
/** The longest state of a window in JSON, in UTF-16 units. */
const maxSessionLength = 1024 * 1024;

const done = z.void();
const text = z.string().max(maxDraftLength, 'The text is longer than 16 Mi characters.');

/** Inside the workspace, relative to it, with `/`. */
const filePath = z
  .string()
  .min(1)
  .max(4096)
  .refine(isInnerPath, 'Name a file by its path inside the workspace, with "/" and without "." and "..".');

function isInnerPath(path: string): boolean {
  const hasOddParts = path.split('/').some((part) => part === '' || part === '.' || part === '..');
  return !hasOddParts && !/[\\\0]/.test(path) && !/^[A-Za-z]:/.test(path);
}

const version = z.number().int().min(0);
const steps = z.array(editStep).readonly();
const sentSteps = z
  .array(editStep)
  .min(1)
  .max(maxStepsAtOnce)
  .readonly()
  .refine(haveBearableLength, 'The steps hold more than 16 Mi characters.');

function haveBearableLength(sent: readonly z.output<typeof editStep>[]): boolean {
  const lengths = sent.map((step) => {
    if (step.do === 'disk' || step.do === 'saved') return step.text?.length ?? 0;
    return step.do === 'edit' ? step.edits.reduce((sum, edit) => sum + edit.text.length, 0) : 0;
  });
  return lengths.reduce((sum, length) => sum + length, 0) <= maxDraftLength;
}

const state = z.json() as z.ZodType<JsonValue>;
/** What a window keeps of itself; only windows know what it means. */
export type SessionState = z.output<typeof state>;

/** Where the text of a version comes from: as it was before the first edit, as saved, or as others wrote it. */
const versionReason = z.enum(['opened', 'saved', 'changed elsewhere']);
export type VersionReason = z.output<typeof versionReason>;

/** Without a workspace in the window, all fail with `workspace.not-open`. */
export const draftContract = {
  /**
   * Makes the window a user of the file until `draft.close`; the page's end counts as that, too. The text of the file on
   * disk counts for the first user only: if it is not what was last saved, the steps end with one that says so, and a file
   * without unsaved text is on screen as it is on disk. Without a text on disk (null: the file was deleted) it fails with
   * `draft.nothing-kept`, unless there is unsaved text of the file.
   */
  'draft.open': call(
    [z.strictObject({ path: filePath, diskText: text.nullable() })],
    z.object({
      /** Taken one after the other on `newEditLog(baseText)`, they give the log. */
      steps,
      baseText: z.string(),
      /** Of main's log, for `base` of the next step. While other windows edit the file it is more than the number of steps. */
      version,
      /** A sentence for the person: what of the edits could not be read, and where it lies. */
      notice: z.exactOptional(z.string()),
    }),
  ),
  /**
   * Takes all steps or none; taken ones are on disk when this is answered. Not `accepted` when others were taken since `base`:
   * these are given back, for the window to carry its own over. Fails with `draft.not-open`, `draft.bad-step` (an edit
   * outside the text, or a text that becomes too long), `draft.out-of-step` (open the file again) or `draft.not-written`;
   * nothing was taken then.
   *
   * A window that does not wait for the answer before it sends more says which `attempt` a message is of. When one was not
   * accepted or failed, those of the same attempt behind it are not accepted either, without steps: they count on it. The window
   * then sends all of them anew, as the next attempt.
   */
  'draft.step': call(
    [z.strictObject({ path: filePath, base: version, steps: sentSteps, attempt: z.exactOptional(version) })],
    z.discriminatedUnion('accepted', [
      z.object({ accepted: z.literal(true), version }),
      z.object({ accepted: z.literal(false), version, steps }),
    ]),
  ),
  /**
   * All files with unsaved text that the window could not hand over, because `draft.step` or `draft.open` failed: before the
   * window ends, it is asked about them as about any other.
   */
  'draft.unkept': call([z.strictObject({ paths: z.array(z.string().min(1).max(4096)).max(1_000).readonly() })], done),
  /** The window does not show the file any more; unsaved text stays. */
  'draft.close': call([z.strictObject({ path: filePath })], done),
  /** Files of the workspace with text that was not saved, whether a window shows them or not; the latest edit first. */
  'draft.unsaved': call(
    [],
    z.object({
      files: z
        .array(
          z.object({
            path: z.string(),
            /** Of the latest step, epoch milliseconds. */
            at: z.number(),
          }),
        )
        .readonly(),
    }),
  ),
  /**
   * A file or folder has another name: its text, undo and versions go with it. Windows keep their files open. `notices`:
   * unsaved text that had to make room, and where it is, in sentences for the person. Fails with `draft.in-use` when another window
   * shows the file that would have to make room.
   */
  'draft.move': call(
    [z.strictObject({ from: filePath, to: filePath })],
    z.object({ notices: z.array(z.string()).readonly() }),
  ),
  /** Drops the unsaved text, undo and redo of a file, or of all below a folder. The versions stay. */
  'draft.forget': call([z.strictObject({ path: filePath })], done),
  /** Older texts of a file, the newest first. */
  'versions.list': call(
    [z.strictObject({ path: filePath })],
    z.object({
      versions: z
        .array(z.object({ id: z.string(), at: z.number(), why: versionReason, sizeBytes: z.number() }))
        .readonly(),
    }),
  ),
  /** Fails with `version.not-found`. */
  'versions.read': call([z.strictObject({ path: filePath, id: z.string().max(100) })], z.object({ text: z.string() })),
  /** Outputs that the person has pinned to nodes of a file, by id of the node. */
  'pins.read': call([z.strictObject({ path: filePath })], z.object({ pins: pinnedOutputs })),
  /** Keeps them in place of those before. Fails with `pins.not-written`. */
  'pins.write': call([z.strictObject({ path: filePath, pins: pinnedOutputs })], done),
  /** What a window on this workspace last kept: its tabs, panes and viewports. Null = nothing. */
  'session.read': call([], z.object({ workspace: z.string(), state: state.nullable() })),
  /**
   * Keeps it, for the next window on this workspace; the last one to write wins. The page names the workspace that it read the
   * session of: what a page writes as it ends arrives when its window already shows another folder. Fails with
   * `session.not-read` for a workspace that this window has not read.
   */
  'session.write': call(
    [
      z.strictObject({
        workspace: z.string().min(1).max(4096),
        state: state.refine((value) => JSON.stringify(value).length <= maxSessionLength, 'The state is over 1 MiB.'),
      }),
    ],
    done,
  ),
} as const;

export const draftPushes = {
  /** Another window, or main itself, changed a file that this window shows: steps to take at version `base`. */
  'draft.stepped': z.object({ path: z.string(), base: version, steps }),
  /** Another window gave a file or folder a new name; what this window shows of it goes by that name from now on. */
  'draft.moved': z.object({ from: z.string(), to: z.string() }),
} as const;
