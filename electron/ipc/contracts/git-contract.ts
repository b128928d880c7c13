/**
 * Calls from a window to its engine host about Git. Part of `engine-contract.ts`.
 */
import { z } from 'zod';
import { call } from '../rpc.ts';
import { askedPath, workspacePath } from './file-contract.ts';

export const gitContract = {
  /** `text` is null if the commit does not contain the file. Fails with `git.*` or `files.*`. */
  readCommitted: call(
    [z.strictObject({ path: askedPath, ref: z.string().min(1).max(10_000) })],
    z.object({ text: z.string().nullable(), commit: z.string() }),
  ),
  readMergeBase: call([askedPath], z.object({ text: z.string().nullable() })),
  /** Lists branches and tags, and the latest commits that changed a file. */
  listGitVersions: call(
    [askedPath],
    z.object({
      branches: z.array(z.object({ name: z.string(), isCurrent: z.boolean() })).readonly(),
      tags: z.array(z.string()).readonly(),
      commits: z
        .array(z.object({ commit: z.string(), at: z.number(), author: z.string(), subject: z.string() }))
        .readonly(),
    }),
  ),
  listCommittable: call(
    [],
    z.object({
      branch: z.string().nullable(),
      files: z.array(z.object({ path: z.string(), change: z.enum(['modified', 'untracked']) })).readonly(),
      runsPrograms: z.boolean(),
    }),
  ),
  /** Commits the saved content of files. Fails with `git.*` or `files.*`. */
  commitFiles: call(
    [
      z.strictObject({
        paths: z.array(workspacePath).min(1).max(1_000),
        message: z.string().min(1).max(20_000),
      }),
    ],
    z.object({ commit: z.string() }),
  ),
} as const;
