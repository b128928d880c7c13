/**
 * Files that runs have changed: putting them back, and the review of written files. Part of `engine-contract.ts` and
 * `person-contract.ts`.
 */
import { z } from 'zod';
import { call } from '../rpc.ts';
import { runId } from '../run-summary.ts';

const filePath = z.string().min(1).max(8192);

const changedFile = z.object({
  path: z.string(),
  change: z.enum(['created', 'changed', 'deleted']),
  kind: z.enum(['file', 'folder', 'link', 'other']),
  movedFrom: z.exactOptional(z.string()),
  bytesBefore: z.exactOptional(z.number()),
  bytesAfter: z.exactOptional(z.number()),
  state: z.enum(['as-left', 'changed-since', 'put-back']),
  isLost: z.exactOptional(z.literal(true)),
  now: z.string(),
});

export const undoContract = {
  changedFiles: call(
    [runId],
    z.object({
      files: z.array(changedFile).readonly(),
      outside: z.array(z.string()).readonly(),
      undos: z.array(z.object({ id: runId, at: z.number() })).readonly(),
      undoOf: z.exactOptional(runId),
      isExpired: z.boolean(),
    }),
  ),
  unlistedEffects: call(
    [runId],
    z.array(z.object({ kind: z.enum(['command', 'web', 'tool']), target: z.string(), count: z.number() })).readonly(),
  ),
  readChangedFile: call(
    [z.strictObject({ runId, path: filePath })],
    z.object({ before: z.string().nullable(), now: z.string().nullable(), isText: z.boolean() }),
  ),
  /** Called after the user has agreed. `over` names the content that the user has agreed to replace. */
  undoFiles: call(
    [
      z.strictObject({
        runId,
        files: z
          .array(z.strictObject({ path: filePath, over: z.exactOptional(z.string().max(300)) }))
          .max(100_000)
          .readonly(),
      }),
    ],
    z.object({
      undoId: z.exactOptional(runId),
      files: z
        .array(
          z.object({
            path: z.string(),
            outcome: z.enum(['restored', 'removed', 'unchanged', 'changed-since', 'failed']),
            message: z.exactOptional(z.string()),
          }),
        )
        .readonly(),
    }),
  ),
} as const;

const writtenFile = z.object({
  path: z.string(),
  decides: z.exactOptional(z.string()),
  before: z.exactOptional(z.string().nullable()),
  text: z.string(),
  changes: z.array(z.string()).readonly(),
});

/** Main also uses this call to show the user what they agree to. */
export const listWritten = call([], z.array(writtenFile).readonly());

/** @see `WrittenEngine.acceptWritten` */
export const acceptWritten = call(
  [z.strictObject({ path: z.string().min(1).max(4096), text: z.string() })],
  z.boolean(),
);
