/**
 * The parts of the dock that come from other areas of the window: reviews, comparisons, imports, files and moments.
 */
import { ChevronLeft, ChevronRight, SkipForward } from 'lucide-react';
import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { RunId } from '../../../engine/isomorphic.ts';
import type { EngineResult } from '../../bridge/engine-client.ts';
import { MomentTime } from '../../run-view/time/moments.tsx';
import { isOver } from '../../stores/runs/live/live-runs.ts';
import { useStores } from '../../stores/stores-context.tsx';
import { useOpenResult } from '../../stores/use-case.ts';
import { useShownRunPart } from '../../stores/use-flow.ts';
import { useReview } from '../../stores/use-review.ts';
import { CommandIconButton } from '../commands/command-context.tsx';
import { text as words } from './text.ts';

// Most files are not under review, and most runs are not compared.
const ChangesView = lazy(() =>
  import('../../review/changes-view.tsx').then((loaded) => ({ default: loaded.ChangesView })),
);
const ChangeKeys = lazy(() =>
  import('../../review/changes-view.tsx').then((loaded) => ({ default: loaded.ChangeKeys })),
);
const CompareValues = lazy(() =>
  import('../../compare/compare-values.tsx').then((loaded) => ({ default: loaded.CompareValues })),
);
const ImportView = lazy(() =>
  import('../../review/import-view.tsx').then((loaded) => ({ default: loaded.ImportView })),
);

// Most runs change no files.
const RunFilesView = lazy(() =>
  import('../run/run-files-view.tsx').then((loaded) => ({ default: loaded.RunFilesView })),
);

// Most windows show no test.
const CaseChecks = lazy(() =>
  import('../../case-view/case-checks.tsx').then((loaded) => ({ default: loaded.CaseChecks })),
);

/** Returns the contents of the dock's tab for the checks of the open test, or null. */
export function useChecks(path: string) {
  const result = useOpenResult(path);
  if (result === undefined) return null;
  const content = (
    <Suspense>
      <CaseChecks path={path} />
    </Suspense>
  );
  // Follow-ups are not listed: another check reports their cause.
  const failed = result.checks.filter(({ isOk, isFollowUp }) => !isOk && isFollowUp !== true).length;
  return {
    count: failed === 0 ? undefined : failed,
    content,
    tone: failed > 0 ? ('error' as const) : undefined,
    keys: <CommandIconButton command="tests.nextFailure" icon={<SkipForward aria-hidden size={14} />} />,
  };
}

/** Returns the contents of the dock's tab for changes under review, or null. */
export function useChanges(path: string) {
  const count = useReview(path)?.differences.length ?? null;
  if (count === null) return null;
  const content = (
    <Suspense>
      <ChangesView path={path} />
    </Suspense>
  );
  const keys = (
    <Suspense>
      <ChangeKeys path={path} />
    </Suspense>
  );
  return { count, content, keys };
}

/** Returns the dock's tabs for the values of two compared runs. */
export function useCompared(path: string) {
  const isCompared = useShownRunPart(path, ({ comparison }) => comparison !== null) ?? false;
  if (!isCompared) return [];
  return (['input', 'prompt', 'output'] as const).map((value) => ({
    value: `compare-${value}` as const,
    text: words.compared[value],
    content: (
      <Suspense>
        <CompareValues path={path} value={value} />
      </Suspense>
    ),
  }));
}

/** Returns the contents of the dock's tab for the report of an import, or null. */
export function useImported(path: string) {
  const { imports } = useStores();
  const report = useStore(imports, ({ reports }) => reports.get(path));
  if (report === undefined) return null;
  const unfinished = report.lines.filter(({ status }) => status !== 'mapped').length;
  const content = (
    <Suspense>
      <ImportView path={path} />
    </Suspense>
  );
  return { count: unfinished === 0 ? undefined : unfinished, content };
}

/** The moment of the run on screen, between buttons that lead to the events before and after it. */
export function TimeButtons({ path }: { path: string }) {
  const hasRun = useShownRunPart(path, () => true) ?? false;
  if (!hasRun) return null;
  return (
    <>
      <CommandIconButton command="time.earlier" icon={<ChevronLeft aria-hidden size={16} />} />
      <MomentTime path={path} />
      <CommandIconButton command="time.later" icon={<ChevronRight aria-hidden size={16} />} />
    </>
  );
}

/** Returns the contents of the dock's tab for the files that the shown run has changed, or null before its end. */
export function useRunFiles(path: string) {
  const { engine, workspace, panes } = useStores();
  const isRemote = useStore(workspace, ({ remote }) => remote !== null);
  const isShown = useStore(panes, ({ dockTab }) => dockTab === 'files');
  const ended = useShownRunPart(path, ({ runId, caller, state }) => (caller === null && isOver(state) ? runId : null));
  const runId = isRemote ? null : (ended ?? null);
  const [read, setRead] = useState<{ readonly runId: RunId; readonly changes: EngineResult<'changedFiles'> }>();
  const load = useCallback(() => {
    if (runId === null) return;
    // A run that was deleted in the meantime has no list.
    engine.call('changedFiles', runId).then(
      (changes) => setRead({ runId, changes }),
      () => undefined,
    );
  }, [engine, runId]);
  // Files may change while another tab is shown.
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again when the tab is shown
  useEffect(load, [isShown, load]);
  if (read === undefined || read.runId !== runId) return null;
  const { files } = read.changes;
  const content = (
    <Suspense>
      <RunFilesView key={runId} runId={runId} changes={read.changes} reload={load} />
    </Suspense>
  );
  return { count: files.length === 0 ? undefined : files.length, content };
}
