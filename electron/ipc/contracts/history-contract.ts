/**
 * Calls about recorded runs: the rule by which old ones are deleted, the limits of the copies that undo needs, runs that
 * are sent to other people, and those that were received. Part of `engine-contract.ts`, `main-contract.ts` and `person-contract.ts`.
 */
import { z } from 'zod';
import { call } from '../rpc.ts';
import { runId } from '../run-summary.ts';

const count = z.exactOptional(z.int().min(1).max(1_000_000));

/** Without parts, all runs are kept. */
const rule = z.strictObject({
  olderThanDays: count,
  keepPerFlow: count,
});

const undoLimits = { megabytes: z.int().min(0).max(1_000_000), days: z.int().min(1).max(10_000) };

/** The calls of pages. */
export const retentionContract = {
  readRetention: call(
    [],
    z.object({ rule: z.exactOptional(rule), runs: z.number(), bytes: z.number(), isLarge: z.boolean() }),
  ),
  /** Returns how many runs a rule selects now, and when the first of them started. */
  countOldRuns: call([rule], z.object({ runs: z.number(), oldestAt: z.exactOptional(z.number()) })),
  readUndoLimits: call([], z.object({ ...undoLimits, bytes: z.number() })),
} as const;

/** The calls of main. Those of pages return the details for the consent dialogs. */
export const personRetention = {
  ...retentionContract,
  setRetention: call([rule], z.void()),
  setUndoLimits: call([z.strictObject(undoLimits)], z.void()),
} as const;

/** The calls of pages to main. */
export const mainRetention = {
  /**
   * Asks the user, then sets the rule. A rule that keeps all runs is set without a question, because it deletes
   * nothing. Fails with the errors of the engine's `setRetention`.
   */
  'runs.setRetention': call([rule], z.object({ isDone: z.boolean() })),
  /**
   * Sets the limits of the copies of changed files. Asks the user first if one is lower than before, because this deletes
   * copies. Fails with the errors of the engine's `setUndoLimits`.
   */
  'runs.setUndoLimits': call([z.strictObject(undoLimits)], z.object({ isDone: z.boolean() })),
} as const;

const word = z.string().min(1).max(1000);
const ids = z.array(z.string().min(1).max(100)).max(10_000).readonly();

const finding = z.object({
  id: z.string(),
  kind: z.enum(['known', 'secret', 'key', 'word', 'email', 'phone', 'card', 'home']),
  count: z.number(),
  places: z
    .array(z.object({ part: z.enum(['run', 'flow', 'called', 'input', 'node']), name: z.exactOptional(z.string()) }))
    .readonly(),
  placeCount: z.number(),
  sample: z.string(),
});

/** What is written, and what is replaced in it. */
const choice = {
  runId,
  /** Further texts to replace. */
  words: z.array(word).max(100).readonly(),
  /** Ids of values that stay. */
  keep: ids,
  /** Whether to write a page for browsers. */
  isPage: z.boolean(),
};

export const engineSending = {
  /** Lists the private values of a run, never the values themselves. Words are replaced in addition. */
  listPrivateValues: call(
    [runId, z.array(word).max(100).readonly()],
    z.object({ values: z.array(finding).readonly(), bytes: z.number() }),
  ),
  /** Replays the sent run that the window shows. */
  replayRun: call([], z.object({ runId: z.string() })),
} as const;

/** `to` is the absolute path of a file that the user has chosen. */
export const personSending = {
  sendRun: call([z.strictObject({ ...choice, to: z.string().min(1).max(4096) })], z.string()),
} as const;

export const mainSending = {
  /**
   * Shows the system's dialog for a file, and writes the run there without its private values. Null if the user chose no
   * file. Fails with the errors of the engine's `sendRun`.
   */
  'runs.send': call([z.strictObject(choice)], z.object({ path: z.string().nullable() })),
  /** Shows the system's dialog for the file of a sent run, and opens the run in a separate window. */
  'sent.choose': call([], z.object({ opened: z.boolean() })),
  /** Opens the run in the file that someone sent in a separate window. Nothing of it is run. */
  'sent.open': call([z.strictObject({ path: z.string().min(1).max(4096) })], z.void()),
} as const;
