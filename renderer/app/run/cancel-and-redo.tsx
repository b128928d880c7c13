/**
 * The buttons of the shown run, in the line over the canvas.
 */
import { Play, RotateCw, SquareX } from 'lucide-react';
import { useStore } from 'zustand';
import { isOver, isUnfinished, type LiveRun } from '../../stores/runs/live-runs.ts';
import { useStores } from '../../stores/stores-context.tsx';
import { CommandButton } from '../commands/command-context.tsx';

/**
 * What fits how the run is. A suspended one is answered, below. What costs or destroys takes the place of something else only
 * after a moment without either.
 */
export function RunButtons({ run }: { run: LiveRun }) {
  const isSettling = useStore(useStores().recentSwitches, ({ runs }) => runs.has(run.runId));
  if (isUnfinished(run.state) || isSettling) {
    return (
      <CommandButton
        command="run.cancel"
        text={run.isCancelling ? 'Cancelling' : 'Cancel'}
        variant="danger"
        isDisabled={isSettling}
        icon={<SquareX aria-hidden size={14} />}
      />
    );
  }
  const isInterrupted = run.state.status === 'interrupted';
  return (
    <>
      {isOver(run.state) || isInterrupted ? (
        <CommandButton command="run.redo" text="Run again" icon={<RotateCw aria-hidden size={14} />} />
      ) : null}
      {isInterrupted ? (
        <CommandButton command="run.resume" text="Resume" variant="primary" icon={<Play aria-hidden size={12} />} />
      ) : null}
    </>
  );
}
