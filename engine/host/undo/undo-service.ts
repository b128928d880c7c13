/**
 * Lists what runs have changed in the workspace, and puts it back. Whether to put back is a person's decision.
 */
import { z } from 'zod';
import { EngineError, toErrorRecord } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import { ignoreInGit } from '../../history/store/open-workspace-store.ts';
import type { ChangeList } from '../../world/files/undo/change-log.ts';
import { ChangeRecorder, type FileChange } from '../../world/files/undo/change-recorder.ts';
import { putBackFiles, readChangesOf } from '../../world/files/undo/put-back.ts';
import { withPathLock } from '../../world/script/path-locks.ts';
import { runNotFound } from '../executor/refusals.ts';
import { openPersonList, type PersonList } from '../http/person-list.ts';
import type {
  ChangedFiles,
  ChangedTexts,
  RecordChange,
  UndoEngine,
  UndoHistory,
  UndoLimitSettings,
  UndoLimitState,
  UndoneFiles,
  UndoWorld,
  UnlistedEffect,
} from './changed-files.ts';
import { changedFilesOf, changedTextsOf } from './list-changes.ts';
import { findUnlistedEffects } from './unlisted-effects.ts';

const dayMs = 86_400_000;
const mebibyte = 1024 * 1024;
const usualLimits: UndoLimitSettings = { megabytes: 256, days: 30 };

/** The entry of a workspace in `millrace/undo.json` in the base folder. */
const limitsSchema = (): z.ZodType<UndoLimitSettings> =>
  z.object({ megabytes: z.int().min(0).max(1_000_000), days: z.int().min(1).max(10_000) });

/** The copies of such runs stay, and their changes cannot be undone yet. */
const activeStates: ReadonlySet<string> = new Set(['queued', 'running', 'suspended']);

type UndoServiceWorld = UndoWorld & UndoHistory & { readonly root: string };

export class UndoService implements Omit<UndoEngine, 'readUndoLimits' | 'setUndoLimits'> {
  readonly recording: RecordChange;
  readonly #world: UndoServiceWorld;
  readonly #limits: PersonList<UndoLimitSettings>;
  readonly #recorder: ChangeRecorder;

  /** @param world `root`: real path of the workspace */
  constructor(world: UndoServiceWorld) {
    const { root, clock, baseFolder, note } = world;
    this.#world = world;
    this.#limits = openPersonList({ baseFolder, name: 'undo.json', entry: limitsSchema, clock });
    this.#recorder = new ChangeRecorder({
      ...{ root, clock, hideFromGit: ignoreInGit },
      limits: async () => {
        const { megabytes, days } = await this.#limitsNow();
        return { bytes: megabytes * mebibyte, ms: days * dayMs };
      },
      isActive: (id) => this.#isActive(id),
      onFailure(error) {
        const message = `A change of a file was not recorded, so it cannot be undone. ${toErrorRecord(error).message}`;
        note({ code: 'undo.not-recorded', message });
      },
    });
    this.recording = (change, work) => this.#recorder.recording(change, work);
  }

  async changedFiles(runId: RunId): Promise<ChangedFiles> {
    const { root, store, clock } = this.#world;
    const { changes, outside, undoOf, undos } = await this.#changesOf(runId);
    const startedAt = store.findSummary(runId)?.startedAt ?? clock.now();
    return {
      files: await changedFilesOf({ root, runId }, changes),
      ...{ outside, undos, ...(undoOf === undefined ? {} : { undoOf }) },
      isExpired: changes.length === 0 && startedAt < clock.now() - (await this.#limitsNow()).days * dayMs,
    };
  }

  async unlistedEffects(runId: RunId): Promise<readonly UnlistedEffect[]> {
    const { undoOf } = await this.#changesOf(runId);
    return undoOf === undefined ? await findUnlistedEffects(this.#world.history, runId) : [];
  }

  async readChangedFile({ runId, path }: Parameters<UndoEngine['readChangedFile']>[0]): Promise<ChangedTexts> {
    const { changes } = await this.#changesOf(runId);
    const change = changes.find((one) => one.path === path);
    if (change === undefined) {
      throw new EngineError({ code: 'files.not-found', message: `The run did not change ${path}.` });
    }
    return await changedTextsOf({ root: this.#world.root, runId }, change);
  }

  async undoFiles({ runId, files }: Parameters<UndoEngine['undoFiles']>[0]): Promise<UndoneFiles> {
    const { root, ids, clock, changing } = this.#world;
    const list = await this.#changesOf(runId);
    if (this.#isActive(runId)) throw notEnded(runId);
    const undoId = ids.runId();
    let hasChanged = false;
    /** The undo is known to the run before it changes anything, so that it can be found after a crash. */
    const note = async (): Promise<void> => {
      if (hasChanged) return;
      hasChanged = true;
      await this.#recorder.note(undoId, [{ undoOf: runId, at: clock.now() }]);
      await this.#recorder.note(runId, [{ undoneBy: undoId, at: clock.now() }]);
    };
    const world = {
      ...{ root, runId, list, locked },
      changing: async (change: Omit<FileChange, 'rootRunId'>, work: () => Promise<void>) => {
        await note();
        await changing({ ...change, rootRunId: undoId }, work);
      },
    };
    const putBack = () => putBackFiles(world, files);
    const undone = list.changes.length === 0 ? await putBack() : await this.#recorder.keeping(runId, putBack);
    return { ...(hasChanged ? { undoId } : {}), files: undone };
  }

  async readLimits(): Promise<UndoLimitState> {
    return { ...(await this.#limitsNow()), bytes: await this.#recorder.size() };
  }

  async setLimits(limits: UndoLimitSettings): Promise<void> {
    const { root } = this.#world;
    if (await this.#limits.isIn(root)) throw listInside(root, this.#limits.file);
    await this.#limits.change((former) => new Map(former).set(root, limitsSchema().parse(limits)));
    await this.prune();
  }

  /** Applies the limits. */
  async prune(): Promise<void> {
    await this.#recorder.prune();
  }

  /** Removes what is stored of runs, with what is stored of their undos. */
  async forget(runIds: readonly RunId[]): Promise<void> {
    for (const runId of runIds) {
      const changes = await readChangesOf(this.#world.root, runId);
      for (const { id } of changes?.undos ?? []) await this.#recorder.forget(id);
      await this.#recorder.forget(runId);
    }
  }

  async close(): Promise<void> {
    await this.#recorder.close();
  }

  /** A list in the workspace does not count, because runs could write it. */
  async #limitsNow(): Promise<UndoLimitSettings> {
    const { root } = this.#world;
    return (await this.#limits.isIn(root)) ? usualLimits : ((await this.#limits.read()).get(root) ?? usualLimits);
  }

  #isActive(id: string): boolean {
    return activeStates.has(this.#world.store.findSummary(id as RunId)?.status ?? '');
  }

  /** @throws EngineError `run.not-found` if there is neither a run nor an undo with this id */
  async #changesOf(runId: RunId): Promise<ChangeList> {
    const changes = await readChangesOf(this.#world.root, runId);
    if (changes?.undoOf === undefined && this.#world.store.findSummary(runId) === undefined) throw runNotFound(runId);
    return changes ?? { changes: [], outside: [], undoOf: undefined, undos: [] };
  }
}

const locked = <T>(real: string, work: () => Promise<T>): Promise<T> => withPathLock([real], work);

function notEnded(runId: RunId): EngineError {
  return new EngineError({
    code: 'run.invalid-state',
    message: `Run ${runId} has not ended. Cancel it or wait for its end, then undo its changes.`,
  });
}

function listInside(workspace: string, file: string): EngineError {
  return new EngineError({
    code: 'retention.list-inside',
    message: `${workspace} contains ${file}, the list of limits, so it cannot have limits of its own. Open a smaller folder.`,
  });
}
