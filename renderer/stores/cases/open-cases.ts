/**
 * Actions for cases that are shown over their flows.
 */
import type { StoreApi } from 'zustand/vanilla';
import {
  acceptedChange,
  applyEdits,
  type CaseChange,
  type ListedCase,
  type RunId,
} from '../../../engine/isomorphic.ts';
import { kindOfPath } from '../text/paths.ts';
import { caseKey, nextFailure } from './case-list.ts';
import type { Cases, CasesContext } from './cases.ts';
import { text } from './text.ts';

type OpenCases = Pick<Cases, 'open' | 'runAgain' | 'close' | 'openNextFailure' | 'accept'>;

/** @param isReadable returns whether the engine still has the events of a run */
export function createOpenCases(
  context: CasesContext,
  store: StoreApi<Cases>,
  isReadable: (runId: RunId) => boolean,
): OpenCases {
  const { openFiles, notices, liveRuns, panes, runs } = context;
  const get = store.getState;

  const show = async (path: string, key: string): Promise<void> => {
    const result = get().results.get(key);
    if (result === undefined) return;
    store.setState({ opened: new Map(get().opened).set(path, key), shownCheck: null });
    if (result.runId === undefined || !isReadable(result.runId))
      await openFiles.getState().open(path, kindOfPath(path));
    else await runs.openRun(path, result.runId, kindOfPath(path) === 'agent' ? 'agent' : 'flow');
    panes.getState().showDock('checks');
  };

  return {
    async open(one) {
      const target = get().files?.find(({ path }) => path === one.file)?.target;
      if (target === undefined) return;
      const key = caseKey(one);
      const result = get().results.get(key);
      const isGone = result?.runId !== undefined && !isReadable(result.runId);
      if (result === undefined || isGone) await get().run([one]);
      await show(target, key);
    },
    async runAgain(path, record) {
      const one = openedCase(get(), path);
      if (one === undefined) return;
      const { activePath } = openFiles.getState();
      await get().run([one], record);
      // The person may have opened another file since then.
      if (openFiles.getState().activePath === activePath) await show(path, caseKey(one));
    },
    close(path) {
      const opened = new Map(get().opened);
      opened.delete(path);
      store.setState({ opened });
      liveRuns.getState().hide(path);
    },
    async openNextFailure(activePath) {
      if (get().files === null) await get().refresh();
      const current = activePath === null ? undefined : get().opened.get(activePath);
      const next = nextFailure(get().files ?? [], get(), current);
      if (next !== undefined) return await get().open(next);
      const detail = get().results.size === 0 ? text.notRun : text.noFailureDetail;
      notices.getState().add({ tone: 'info', title: text.noFailure, detail });
    },
    async accept(path, checks) {
      const one = openedCase(get(), path);
      const result = one === undefined ? undefined : get().results.get(caseKey(one));
      if (one === undefined || result === undefined) return;
      const changes = checks.flatMap((check) => acceptedChange({ ...result, entry: one.entry }, check) ?? []);
      if (changes.length === 0) return;
      try {
        await editTestFile(context, one.file, changes);
      } catch (error) {
        notices.getState().addError(text.acceptFailed, error);
        return;
      }
      await get().runAgain(path);
    },
  };
}

/** Returns the case that is open over a file, as it is listed now. */
export function openedCase({ files, opened }: Pick<Cases, 'files' | 'opened'>, path: string): ListedCase | undefined {
  const key = opened.get(path);
  return key === undefined ? undefined : files?.flatMap(({ cases }) => cases).find((one) => caseKey(one) === key);
}

/** Makes one edit of the test file. The file gets a tab, where the edit can be undone, but the active file stays. */
async function editTestFile(
  { engine, openFiles, edits }: CasesContext,
  path: string,
  changes: readonly CaseChange[],
): Promise<void> {
  const { activePath, open, activate, checked } = openFiles.getState();
  const opening = open(path, 'file');
  if (activePath !== null) activate(activePath);
  await opening;
  const file = await checked(path);
  if (file?.status !== 'ready') return;
  const made = await engine.call('editTest', { text: file.text, changes });
  edits.replace(path, applyEdits(file.text, made), text.acceptValue);
}
