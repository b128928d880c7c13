import type { RunId } from '../../engine/isomorphic.ts';
import { useEarlierRun } from '../stores/use-run.ts';
import { clockText } from '../ui/quantity-text.ts';

/** Says which run this one took results over from, and leads there. */
export function EarlierRun({ path, runId }: { path: string; runId: RunId }) {
  const { startedAt, open } = useEarlierRun(path, runId);
  return (
    <button type="button" className="run-header-link" title="Show the run whose results it reuses" onClick={open}>
      rerun of {startedAt === null ? 'an earlier run' : clockText(startedAt)}
    </button>
  );
}
