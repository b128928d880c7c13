/**
 * The firings of a trigger, newest first, with their runs.
 */
import { useStore } from 'zustand';
import type { RunSummary } from '../../../engine/isomorphic.ts';
import { shownRunState } from '../../stores/runs/shown-run.ts';
import { useStores } from '../../stores/stores-context.tsx';
import type { ListedFiring } from '../../stores/workspace/triggers.ts';
import { Button } from '../../ui/button.tsx';
import { numberText } from '../../ui/language.ts';
import { fullDateTimeText, shortTimeText } from '../../ui/quantity-text.ts';
import { StateIcon, visualStateLabels } from '../../ui/state-icon.tsx';
import { useNow } from '../../ui/use-now.ts';
import { text } from './text.ts';
import { outcomeIcons } from './trigger-times.tsx';

interface FiringListProps {
  readonly path: string;
  readonly firings: readonly ListedFiring[];
  /** Whether the trigger is on, so that firings can start again. */
  readonly isOn: boolean;
}

const tickMs = 60_000;

/** Statuses of runs that have ended without their result. */
const failures: ReadonlySet<string> = new Set(['failed', 'cancelled', 'interrupted']);

export function FiringList({ path, firings, isOn }: FiringListProps) {
  const runs = useStore(useStores().runHistory, ({ lists }) => lists.get(path)?.runs);
  const now = useNow(true, tickMs);
  if (firings.length === 0) return <p className="inspector-quiet inspector-body">{text.list.empty}</p>;
  return (
    <ul className="trigger-firings" aria-label={text.list.label}>
      {firings.map((firing) => {
        const run = runs?.find(({ runId }) => runId === firing.runId);
        return <FiringRow key={firing.id} path={path} firing={firing} run={run} now={now} mayStart={isOn} />;
      })}
    </ul>
  );
}

interface FiringRowProps {
  readonly path: string;
  readonly firing: ListedFiring;
  /** Undefined if it started none, or an old one. */
  readonly run: RunSummary | undefined;
  readonly now: number;
  readonly mayStart: boolean;
}

function FiringRow({ path, firing, run, now, mayStart }: FiringRowProps) {
  const { runs, triggers } = useStores();
  const { id, createdAt, state, reason, runId } = firing;
  const runState = run && shownRunState(run);
  const icon = runState ?? outcomeIcons[state];
  const isOver = state === 'started' ? run !== undefined && failures.has(run.status) : state !== 'waiting';
  const words = runState === undefined ? text.outcomes[state] : visualStateLabels[runState];
  return (
    <li className="trigger-firing">
      <StateIcon state={icon} isDecorative />
      <span className="trigger-firing-words">
        <span>
          {words}
          {runId === undefined ? null : (
            <>
              {', '}
              <button type="button" className="trigger-link" onClick={() => void runs.openRun(path, runId)}>
                {run === undefined ? text.list.open : text.list.run({ number: numberText(run.number) })}
              </button>
            </>
          )}
        </span>
        {reason === undefined ? null : <small>{reason}</small>}
      </span>
      <time title={fullDateTimeText(createdAt)}>{shortTimeText(createdAt, now)}</time>
      {isOver && mayStart ? (
        <Button
          size="small"
          variant="ghost"
          aria-label={text.list.againLabel({ time: fullDateTimeText(createdAt) })}
          onClick={() => void triggers.getState().fireAgain(id)}
        >
          {text.list.again}
        </Button>
      ) : null}
    </li>
  );
}
