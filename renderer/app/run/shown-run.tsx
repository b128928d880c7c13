/**
 * The bar of the run that is shown over a file, with its status.
 */
import { ChevronsUp, Pause, PencilLine, Play, RotateCw, SkipForward, SquareX, StepForward } from 'lucide-react';
import { lazy, type ReactNode, Suspense } from 'react';
import { useStore } from 'zustand';
import { FirstResult } from '../../run-view/first-run.tsx';
import { RunBanners } from '../../run-view/run-banners.tsx';
import { RunCrumbs } from '../../run-view/run-crumbs.tsx';
import { RunHeader } from '../../run-view/run-header.tsx';
import { SuggestionsPanel } from '../../run-view/suggestions-panel.tsx';
import { PastHeader } from '../../run-view/time/moments.tsx';
import { WhatIfBar, WhatIfMenu } from '../../run-view/what-if.tsx';
import { rootRunOf } from '../../stores/runs/called-runs.ts';
import { isCancellable, isOver, isPaused, isUnfinished, type LiveRun } from '../../stores/runs/live/live-runs.ts';
import { selectRunNow } from '../../stores/runs/shown-run.ts';
import { useStores } from '../../stores/stores-context.tsx';
import { type SettledFlow, useShownRunFacts } from '../../stores/use-flow.ts';
import { sentRunOf } from '../../stores/workspace/workspace.ts';
import { CommandButton, CommandIconButton, useCommand } from '../commands/command-context.tsx';
import { openPath } from '../commands/open-file.ts';
import { ErrorHelp } from './error-help.tsx';
import { ExplainButton } from './node-why.tsx';
import { RaiseBudgetDialog } from './raise-budget.tsx';
import { text } from './text.ts';

// Most runs are not compared.
const CompareHeader = lazy(() =>
  import('../../compare/compare-header.tsx').then((loaded) => ({ default: loaded.CompareHeader })),
);

export function ShownRun({ flow }: { flow: SettledFlow }) {
  const stores = useStores();
  const run = useShownRunFacts(flow.path);
  const root = useStore(stores.liveRuns, (state) => (run?.caller == null ? undefined : rootRunOf(state, run)));
  const whole = run?.caller == null ? run : root;
  const { keys } = useCommand('flow.back');
  const crumbs = <RunCrumbs path={flow.path} backKeys={keys} />;
  // The worker's files and policies are on another machine.
  const isRemote = useStore(stores.workspace, ({ remote }) => remote !== null);
  if (run === undefined || whole === undefined) return null;
  if (run.comparison !== null) {
    return (
      <Suspense>
        <CompareHeader path={flow.path} comparison={run.comparison} lead={crumbs} />
      </Suspense>
    );
  }
  if (run.moment !== null) return <ShownMoment path={flow.path} run={run} lead={crumbs} />;
  return (
    <>
      <RunHeader flow={flow} run={run} lead={crumbs}>
        {isRemote ? null : <WhatIfMenu run={run} />}
        {/* The inspector says why a paused run waits. */}
        {flow.kind === 'flow' && !isPaused(whole.state) ? <ExplainButton /> : null}
        <RunButtons run={whole} />
      </RunHeader>
      <WhatIfBar flow={flow} run={run} />
      <SuggestionsPanel flow={flow} run={run} />
      <RunBanners flow={flow} run={run} errorHelp={(error) => <ErrorHelp error={error} />} />
      {isRemote ? null : <FirstResult flow={flow} run={run} onOpen={(path) => void openPath(stores, path)} />}
    </>
  );
}

interface ShownMomentProps {
  readonly path: string;
  readonly run: LiveRun;
  readonly lead: ReactNode;
}

/** Nothing can be answered or canceled at an earlier moment. */
function ShownMoment({ path, run, lead }: ShownMomentProps) {
  const { liveRuns, workspace } = useStores();
  const now = useStore(liveRuns, (state) => selectRunNow(state, path)) ?? run;
  const isRemote = useStore(workspace, ({ remote }) => remote !== null);
  return (
    <PastHeader run={run} now={now} lead={lead}>
      {isRemote ? null : (
        <CommandButton
          command="run.fromMoment"
          text={text.shownRun.runAgainFromHere}
          icon={<RotateCw aria-hidden size={14} />}
        />
      )}
      <CommandButton command="time.now" text={text.shownRun.backToNow} variant="primary" icon={null} />
    </PastHeader>
  );
}

/**
 * The buttons of the shown run, depending on its state. A button that costs money or discards work replaces another one
 * only after a short pause without either.
 */
export function RunButtons({ run }: { run: LiveRun }) {
  const stores = useStores();
  const isSettling = useStore(stores.recentSwitches, ({ runs }) => runs.has(run.runId));
  const isRemote = useStore(stores.workspace, ({ remote }) => remote !== null);
  const isSent = useStore(stores.workspace, (state) => sentRunOf(state) !== null);
  if (isSent) return null;
  if (isCancellable(run.state) || isSettling) {
    return (
      <>
        <PauseButtons run={run} isSettling={isSettling} />
        {/* With a key, because it must not take over the element and the focus of Resume. */}
        <CommandButton
          key="cancel"
          command="run.cancel"
          text={run.isCancelling ? text.shownRun.canceling : text.shownRun.cancel}
          variant="danger"
          isDisabled={isSettling}
          icon={<SquareX aria-hidden size={14} />}
        />
      </>
    );
  }
  if (isRemote) return null;
  const isInterrupted = run.state.status === 'interrupted';
  return (
    <>
      {isOver(run.state) || isInterrupted ? (
        <CommandButton command="run.redo" text={text.shownRun.runAgain} icon={<RotateCw aria-hidden size={14} />} />
      ) : null}
      {isInterrupted ? (
        <CommandButton
          command="run.resume"
          text={text.shownRun.resume}
          variant="primary"
          icon={<Play aria-hidden size={12} />}
        />
      ) : null}
    </>
  );
}

/** The buttons for the node before which the run is held. Renders nothing if there is none. */
function HeldButtons({ isSettling }: { readonly isSettling: boolean }) {
  const { isAvailable } = useCommand('run.editInput');
  const isRemote = useStore(useStores().workspace, ({ remote }) => remote !== null);
  const words = text.breakpoints;
  if (!isAvailable || isRemote) return null;
  return (
    <>
      <CommandButton
        command="run.skipNode"
        text={words.skip}
        icon={<SkipForward aria-hidden size={13} />}
        isDisabled={isSettling}
      />
      <CommandButton
        command="run.editInput"
        text={words.edit}
        icon={<PencilLine aria-hidden size={13} />}
        isDisabled={isSettling}
      />
    </>
  );
}

/** The buttons that pause a run, or let a paused one continue. */
function PauseButtons({ run, isSettling }: { readonly run: LiveRun; readonly isSettling: boolean }) {
  if (isPaused(run.state) && run.state.pause?.reason === 'budget') {
    return (
      <>
        <CommandButton
          command="run.raiseBudget"
          text={text.raise.open}
          variant="primary"
          isDisabled={isSettling}
          icon={<ChevronsUp aria-hidden size={14} />}
        />
        <HeldButtons isSettling={isSettling} />
        <RaiseBudgetDialog run={run} />
      </>
    );
  }
  if (run.state.pause !== undefined) {
    return (
      <>
        <CommandButton
          command="run.pause"
          text={text.shownRun.continue}
          variant="primary"
          isDisabled={isSettling}
          icon={<Play aria-hidden size={12} />}
        />
        <CommandButton
          command="run.step"
          text={text.shownRun.step}
          isDisabled={isSettling}
          icon={<StepForward aria-hidden size={14} />}
        />
        <HeldButtons isSettling={isSettling} />
      </>
    );
  }
  return isUnfinished(run.state) ? (
    <CommandIconButton command="run.pause" icon={<Pause aria-hidden size={14} fill="currentColor" />} />
  ) : null;
}
