/**
 * The dock below the canvas: a run over time, line by line, what came out of it, and the problems of the text.
 */
import { ChevronDown, Play } from 'lucide-react';
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import { useStores } from '../stores/stores-context.tsx';
import type { SettledFlow } from '../stores/use-flow.ts';
import { useShownRun } from '../stores/use-flow.ts';
import type { DockTab } from '../stores/window/panes.ts';
import { IconButton } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { TabSet } from '../ui/tab-set.tsx';
import { OutputsView } from './outputs-view.tsx';
import { ProblemsView } from './problems-view.tsx';
import { RunLogView } from './run-log-view.tsx';
import { Timeline } from './timeline.tsx';
import './run-dock.css';

export interface RunDockProps {
  readonly flow: SettledFlow;
  /** Offered where there is no run yet. */
  readonly runAction: ReactNode;
  /** Shortcut of the dock itself, for the tooltip of its closing button. */
  readonly closeHint: string;
}

export function RunDock({ flow, runAction, closeHint }: RunDockProps) {
  const { panes } = useStores();
  const tab = useStore(panes, ({ dockTab }) => dockTab);
  const run = useShownRun(flow.path);
  const noRun = (
    <EmptyState icon={<Play aria-hidden size={20} />} title="No run is shown" actions={runAction}>
      Run it, or choose one of its past runs: here stands what worked when, and what came out.
    </EmptyState>
  );
  const errors = flow.diagnostics.filter(({ severity }) => severity === 'error').length;
  return (
    <section className="run-dock" aria-label="Run details">
      <TabSet<DockTab>
        label="Run details"
        value={flow.kind === 'agent' && tab === 'timeline' ? 'log' : tab}
        onChange={(next) => panes.getState().showDock(next)}
        tabs={[
          ...(flow.kind === 'agent'
            ? []
            : [
                {
                  value: 'timeline' as const,
                  text: 'Timeline',
                  content: run === undefined ? noRun : <Timeline flow={flow} />,
                },
              ]),
          {
            value: 'log',
            text: 'Log',
            count: run === undefined ? undefined : run.log.omittedCount + run.log.events.length,
            content: run === undefined ? noRun : <RunLogView path={flow.path} run={run} />,
          },
          { value: 'outputs', text: 'Outputs', content: run === undefined ? noRun : <OutputsView run={run} /> },
          {
            value: 'problems',
            text: 'Problems',
            count: flow.diagnostics.length === 0 ? undefined : flow.diagnostics.length,
            tone: errors > 0 ? 'error' : undefined,
            content: <ProblemsView flow={flow} />,
          },
        ]}
        actions={
          <IconButton label="Close the dock" hint={closeHint} onClick={() => panes.getState().setOpen('dock', false)}>
            <ChevronDown aria-hidden size={16} />
          </IconButton>
        }
      />
    </section>
  );
}
