/**
 * Calls about unsaved text, earlier versions of files, pinned outputs, breakpoints and window sessions. Part of `main-contract.ts`.
 * Main owns unsaved text: every step that it has acknowledged survives a program crash.
 */
import { z } from 'zod';
import type { JsonValue } from '../../../engine/isomorphic.ts';
import { editStep } from '../edit-log.ts';
import { pinnedOutputs } from '../pinned-outputs.ts';
import { call } from '../rpc.ts';

/** Maximum length of text that can be edited and stored, in UTF-16 units. */
export const maxDraftLength = 16 * 1024 * 1024;
/** Maximum number of steps in one `draft.step` call. */
const maxStepsAtOnce = 1_000;
/** Maximum length of a window's state as JSON, in UTF-16 units. */
const maxSessionLength = 1024 * 1024;

const done = z.void();
const text = z.string().max(maxDraftLength, 'The text is longer than 16 Mi characters.');

/** Path inside the workspace, relative to it, with `/`. */
const filePath = z
  .string()
  .min(1)
  .max(4096)
  .refine(isInnerPath, 'Use a path inside the workspace, with "/" and without "." and "..".');

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
  .refine(haveBearableLength, 'The steps contain more than 16 Mi characters.');

function haveBearableLength(sent: readonly z.output<typeof editStep>[]): boolean {
  const lengths = sent.map((step) => {
    if (step.do === 'disk' || step.do === 'saved') return step.text?.length ?? 0;
    return step.do === 'edit' ? step.edits.reduce((sum, edit) => sum + edit.text.length, 0) : 0;
  });
  return lengths.reduce((sum, length) => sum + length, 0) <= maxDraftLength;
}

const state = z.json() as z.ZodType<JsonValue>;
/** State that a window stores. Only windows interpret it. */
export type SessionState = z.output<typeof state>;

/** What a person wants to stop before; see `Breakpoint` of the engine. */
export const breakpoints = z
  .array(
    z.strictObject({
      node: z.string().min(1).max(1000),
      when: z.exactOptional(z.string().min(1).max(10_000)),
      item: z.exactOptional(z.number().int().min(1)),
      isOff: z.exactOptional(z.boolean()),
    }),
  )
  .max(1_000)
  .readonly();
/** Breakpoints by path of the flow. */
export const breakpointsOfFlows = z.record(filePath, breakpoints);

/** Origin of a version: the text before the first edit, saved text, or a change made by another program. */
const versionReason = z.enum(['opened', 'saved', 'changed elsewhere']);
export type VersionReason = z.output<typeof versionReason>;

/** All calls fail with `workspace.not-open` if the window has no workspace. */
export const draftContract = {
  /**
   * Registers the window as a user of the file until `draft.close` is called or the page ends. The text on disk is used
   * only for the first user: if it differs from the last saved text, the last step records it, and a file without
   * unsaved text is shown as it is on disk. Without text on disk (null: the file was deleted), the call fails with
   * `draft.nothing-kept` unless the file has unsaved text.
   */
  'draft.open': call(
    [z.strictObject({ path: filePath, diskText: text.nullable() })],
    z.object({
      /** Applying these steps to `newEditLog(baseText)` in order produces the log. */
      steps,
      baseText: z.string(),
      /**
       * Version of main's log, used as `base` of the next step. It can exceed the number of steps while other windows
       * edit the file.
       */
      version,
      /** A message for the user: which edits could not be read, and where they are stored. */
      notice: z.exactOptional(z.string()),
    }),
  ),
  /**
   * Accepts all steps or none. Steps are on disk before the call returns. If other steps have been accepted since
   * `base`, `accepted` is false and the call returns those steps, so that the window can rebase its own. Fails with
   * `draft.not-open`, `draft.bad-step` (an edit outside the text, or an edit that makes it too long),
   * `draft.out-of-step` (open the file again) or `draft.not-written`, without accepting any step.
   *
   * A window that sends more steps before it receives the reply numbers its messages with `attempt`. If a message is
   * not accepted or fails, later messages of the same attempt are also rejected, without returned steps, because they
   * depend on it. The window then sends all of them again as the next attempt.
   */
  'draft.step': call(
    [z.strictObject({ path: filePath, base: version, steps: sentSteps, attempt: z.exactOptional(version) })],
    z.discriminatedUnion('accepted', [
      z.object({ accepted: z.literal(true), version }),
      z.object({ accepted: z.literal(false), version, steps }),
    ]),
  ),
  /**
   * Reports all files with unsaved text that the window could not send because `draft.step` or `draft.open` failed.
   * Closing the window asks the user about them, as it does about other unsaved files.
   */
  'draft.unkept': call([z.strictObject({ paths: z.array(z.string().min(1).max(4096)).max(1_000).readonly() })], done),
  /** Reports that the window no longer shows the file. Unsaved text is kept. */
  'draft.close': call([z.strictObject({ path: filePath })], done),
  /** Lists the workspace files with unsaved text, whether or not a window shows them, most recently edited first. */
  'draft.unsaved': call(
    [],
    z.object({
      files: z
        .array(
          z.object({
            path: z.string(),
            /** Time of the latest step, in epoch milliseconds. */
            at: z.number(),
          }),
        )
        .readonly(),
    }),
  ),
  /**
   * Renames a file or folder together with its unsaved text, undo history and versions. Windows keep their files open.
   * `notices` are messages for the user about unsaved text that was moved to make room, and its new location. Fails
   * with `draft.in-use` if another window shows the file that would have to be moved.
   */
  'draft.move': call(
    [z.strictObject({ from: filePath, to: filePath })],
    z.object({ notices: z.array(z.string()).readonly() }),
  ),
  /** Deletes the unsaved text, undo and redo of a file, or of all files in a folder. The versions are kept. */
  'draft.forget': call([z.strictObject({ path: filePath })], done),
  /** Lists a file's earlier versions, newest first. */
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
  /** Returns the outputs that the user has pinned to a file's nodes, by node id. */
  'pins.read': call([z.strictObject({ path: filePath })], z.object({ pins: pinnedOutputs })),
  /** Replaces the pinned outputs. Fails with `pins.not-written`. */
  'pins.write': call([z.strictObject({ path: filePath, pins: pinnedOutputs })], done),
  /** Returns the breakpoints of all flows of the workspace. */
  'breakpoints.read': call([], z.object({ flows: breakpointsOfFlows })),
  /** Replaces the breakpoints of a flow. Fails with `breakpoints.not-written`. */
  'breakpoints.write': call([z.strictObject({ path: filePath, breakpoints })], done),
  /**
   * Returns the state that a window on this workspace last stored: its tabs, panes and viewports. Null if there is
   * none.
   */
  'session.read': call([], z.object({ workspace: z.string(), state: state.nullable() })),
  /**
   * Stores the state for the next window that opens this workspace. The last write wins. The page names the workspace
   * of the session it has read, because a write from a closing page can arrive when its window already shows another
   * folder. Fails with `session.not-read` for a workspace that this window has not read.
   */
  'session.write': call(
    [
      z.strictObject({
        workspace: z.string().min(1).max(4096),
        state: state.refine(
          (value) => JSON.stringify(value).length <= maxSessionLength,
          'The state is larger than 1 MiB.',
        ),
      }),
    ],
    done,
  ),
} as const;

export const draftPushes = {
  /**
   * Steps with which another window, or main itself, changed a file that this window shows. Apply them at version
   * `base`.
   */
  'draft.stepped': z.object({ path: z.string(), base: version, steps }),
  /** Another window renamed a file or folder. This window uses the new name from now on. */
  'draft.moved': z.object({ from: z.string(), to: z.string() }),
} as const;
