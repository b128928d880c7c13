/**
 * The path from the root run to the child run that is shown, with links back.
 */
import { ChevronRight } from 'lucide-react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import { callersOf } from '../stores/runs/called-runs.ts';
import { useStores } from '../stores/stores-context.tsx';
import { flowNameOf } from '../stores/text/paths.ts';
import { text } from './text.ts';
import './run-crumbs.css';

interface RunCrumbsProps {
  readonly path: string;
  /** Shortcut that leads one level back, for the tooltip. */
  readonly backKeys: string | undefined;
}

/** Renders nothing for a root run. */
export function RunCrumbs({ path, backKeys }: RunCrumbsProps) {
  const { liveRuns, runs } = useStores();
  const callers = useStore(
    liveRuns,
    useShallow((state) => callersOf(state, path)),
  );
  if (callers.length === 0) return null;
  const goTo = (index: number): void => {
    // Goes back level by level, so that each flow shows the run that it showed before.
    for (const from of [path, ...callers.slice(index + 1).reverse()]) runs.goBack(from);
  };
  return (
    <nav className="run-crumbs" aria-label={text.crumbs.label}>
      <ol>
        {callers.map((caller, index) => (
          <li key={caller}>
            <button
              type="button"
              className="run-crumb"
              title={index === callers.length - 1 ? backTitle(caller, backKeys) : caller}
              onClick={() => goTo(index)}
            >
              {flowNameOf(caller)}
            </button>
            <ChevronRight aria-hidden size={12} />
          </li>
        ))}
        <li aria-current="page">{flowNameOf(path)}</li>
      </ol>
    </nav>
  );
}

function backTitle(caller: string, keys: string | undefined): string {
  return keys === undefined ? text.crumbs.back({ caller }) : text.crumbs.backByKeys({ caller, keys });
}
