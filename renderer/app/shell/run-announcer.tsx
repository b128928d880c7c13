import { useShownRun } from '../../stores/use-flow.ts';
import { durationText } from '../../ui/quantity-text.ts';
import { stateWords } from '../../ui/state-icon.tsx';

/** Tells screen readers how the run of the flow in front goes: its begin, its end, nothing in between. */
export function RunAnnouncer({ path }: { path: string }) {
  const run = useShownRun(path);
  const text = run === undefined ? '' : announcement(run.state);
  return (
    <div role="status" className="visually-hidden">
      {text}
    </div>
  );
}

function announcement({ status, durationMs, error }: NonNullable<ReturnType<typeof useShownRun>>['state']): string {
  const time = durationMs === null ? '' : ` after ${durationText(durationMs)}`;
  const cause = error === undefined ? '' : `: ${error.message}`;
  return `Run ${stateWords[status]}${time}${cause}`;
}
