/**
 * Deletes old runs by the rule that a person has set for the workspace: in `millrace/retention.json` in the base folder,
 * never in the workspace, because runs may write there.
 */
import { realpath } from 'node:fs/promises';
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import type { OldRunCount, OldRunQuery } from '../../history/store/retention-store.ts';
import type { RunStore } from '../../history/store/run-store.ts';
import type { RunSummary } from '../../runtime/kernel/events/run-state.ts';
import type { EngineNotice } from '../executor/notices.ts';
import { openPersonList } from '../http/person-list.ts';

/** Which runs a workspace keeps. Runs to which any part of the rule applies are deleted; none without parts. */
export interface RetentionRule {
  /** Deletes runs that ended more than this number of days ago. */
  readonly olderThanDays?: number;
  /** Deletes all but this number of the newest runs of each flow. */
  readonly keepPerFlow?: number;
}

/** The rule of a workspace, and the size of its history. */
export interface RetentionState {
  /** Absent until a person has decided. */
  readonly rule?: RetentionRule;
  readonly runs: number;
  /** Bytes of the file that are in use. */
  readonly bytes: number;
  /** Whether the history is so large that a person should decide, and the workspace can have a rule. */
  readonly isLarge: boolean;
}

export interface RetentionWorld {
  /** Absolute path. */
  readonly workspace: string;
  readonly baseFolder: string;
  readonly clock: Clock;
  readonly store: RunStore;
  /** Tells those who watch the history, and removes what is stored of deleted runs elsewhere. */
  readonly onDeleted: (runIds: readonly RunId[]) => Promise<void>;
  /** Applies the limits of the copies of changed files. */
  readonly prune: () => Promise<void>;
  readonly note: (notice: EngineNotice) => void;
}

/** A history with more runs or bytes than this is large. */
const largeRuns = 1_000;
const largeBytes = 200_000_000;

/** Number of runs that are deleted at once. Other work of the process waits for a batch. */
const batchRuns = 50;
/** Pauses in milliseconds after a full batch, and after the last one. */
const shortPauseMs = 1_000;
const longPauseMs = 600_000;

const dayMs = 86_400_000;

const count = () => z.exactOptional(z.int().min(1).max(1_000_000));
const ruleSchema = (): z.ZodType<RetentionRule> => z.object({ olderThanDays: count(), keepPerFlow: count() });

/** Creates the operations. `follow` applies the rule until the returned function is called. */
export function createRunRetention(world: RetentionWorld) {
  const { workspace, baseFolder, clock, store, onDeleted, prune } = world;
  const list = openPersonList({ baseFolder, name: 'retention.json', entry: ruleSchema, clock });

  const ruleNow = async (): Promise<RetentionRule | undefined> =>
    (await list.isIn(workspace)) ? undefined : (await list.read()).get(await realpath(workspace));

  const deleteBatch = async (rule: RetentionRule): Promise<number> => {
    const deleted = store.retention.delete(queryOf(rule, clock), batchRuns);
    if (deleted.length > 0) await onDeleted(deleted);
    return deleted.length;
  };

  return {
    async read(): Promise<RetentionState> {
      const [rule, size] = [await ruleNow(), store.retention.size()];
      const isLarge = size.runs > largeRuns || size.bytes > largeBytes;
      const canDecide = store.file !== null && !(await list.isIn(workspace));
      return { ...(rule === undefined ? {} : { rule }), ...size, isLarge: isLarge && canDecide };
    },
    async set(rule: RetentionRule): Promise<void> {
      if (await list.isIn(workspace)) throw listInside(workspace, list.file);
      const real = await realpath(workspace);
      await list.change((former) => new Map(former).set(real, ruleSchema().parse(rule)));
    },
    find: (rule: RetentionRule): readonly RunSummary[] =>
      store.readTogether(() => {
        const found = store.retention.find(queryOf(rule, clock), Number.MAX_SAFE_INTEGER);
        return found.flatMap((runId) => store.findSummary(runId) ?? []);
      }),
    count: (rule: RetentionRule): OldRunCount => store.retention.count(queryOf(rule, clock)),
    async deleteAll(rule: RetentionRule): Promise<number> {
      let deleted = 0;
      for (let batch = batchRuns; batch === batchRuns; deleted += batch) {
        batch = await deleteBatch(rule);
        await new Promise((resolve) => setImmediate(resolve));
      }
      return deleted;
    },
    follow(): () => void {
      let endTimer: (() => void) | undefined;
      let isEnded = false;
      const step = async (): Promise<void> => {
        const deleted = await deleteWhenIdle().catch((error: unknown) => noteFailure(error, world));
        if (!isEnded) endTimer = clock.setTimer(() => void step(), deleted === batchRuns ? shortPauseMs : longPauseMs);
      };
      const deleteWhenIdle = async (): Promise<number> => {
        const rule = await ruleNow();
        if (isEnded || isActive(store)) return 0;
        const deleted = rule === undefined ? 0 : await deleteBatch(rule);
        if (deleted < batchRuns) await prune();
        return deleted;
      };
      void step();
      return () => {
        isEnded = true;
        endTimer?.();
      };
    },
  };
}

function queryOf({ olderThanDays, keepPerFlow }: RetentionRule, clock: Clock): OldRunQuery {
  return {
    ...(olderThanDays === undefined ? {} : { endedBefore: clock.now() - olderThanDays * dayMs }),
    ...(keepPerFlow === undefined ? {} : { keepPerFlow }),
  };
}

/** Returns whether any process executes a run of this history. Interrupted runs are not active. */
function isActive(store: RunStore): boolean {
  const isListed = (status: 'queued' | 'running'): boolean =>
    store.listRuns({ status, limit: Number.MAX_SAFE_INTEGER }).some((run) => run.status === status);
  return isListed('running') || isListed('queued');
}

function noteFailure(error: unknown, { note }: RetentionWorld): number {
  if (!EngineError.is(error)) throw error;
  note({ code: error.code, message: `Old runs could not be deleted. ${error.message}` });
  return 0;
}

function listInside(workspace: string, file: string): EngineError {
  return new EngineError({
    code: 'retention.list-inside',
    message: `${workspace} contains ${file}, the list of rules for old runs, so it cannot have a rule. Open a smaller folder.`,
  });
}
