/**
 * Records what runs change in the workspace, and offers to put it back. The code is loaded with the first change.
 */
import { realpathSync } from 'node:fs';
import { toErrorRecord } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import type { RecordChange, UndoEngine, UndoHistory, UndoWorld } from './changed-files.ts';
import type { UndoService } from './undo-service.ts';

/** Creates the records. Nothing is recorded before `open` is called. */
export function createUndo(world: UndoWorld) {
  let service: (() => Promise<UndoService>) | undefined;
  let loading: Promise<UndoService> | undefined;
  let isOff = true;
  const loaded = (): Promise<UndoService> => {
    if (service === undefined) throw new Error('The history is not open.');
    loading ??= service();
    return loading;
  };
  const recording: RecordChange = async (change, work) =>
    isOff || change.rootRunId === undefined ? await work() : await (await loaded()).recording(change, work);
  const engine: UndoEngine = {
    changedFiles: async (runId) => (await loaded()).changedFiles(runId),
    unlistedEffects: async (runId) => (await loaded()).unlistedEffects(runId),
    readChangedFile: async (request) => (await loaded()).readChangedFile(request),
    undoFiles: async (request) => (await loaded()).undoFiles(request),
    readUndoLimits: async () => (await loaded()).readLimits(),
    setUndoLimits: async (limits) => (await loaded()).setLimits(limits),
  };
  return {
    recording,
    engine,
    /** Starts to record. A history in memory ends with its engine, so its runs have no copies. */
    open(more: UndoHistory) {
      isOff = more.store.file === null;
      const root = (): string => realpathSync.native(world.workspace);
      service = async () => new (await import('./undo-service.ts')).UndoService({ ...world, ...more, root: root() });
      const unlessOff = async (work: (service: UndoService) => Promise<void>): Promise<void> => {
        if (!isOff)
          await loaded()
            .then(work)
            .catch((error: unknown) => more.note(toErrorRecord(error)));
      };
      return {
        /** Removes what is stored of deleted runs. */
        async onDeleted(runIds: readonly RunId[]): Promise<void> {
          more.tell();
          await unlessOff((service) => service.forget(runIds));
        },
        /** Applies the limits. */
        prune: () => unlessOff((service) => service.prune()),
      };
    },
    async close(): Promise<void> {
      await (await loading)?.close();
    },
  };
}
