/**
 * The dock below the canvas: the timeline, log and outputs of a run, and the problems of the text.
 */
import { ChevronDown, PackageOpen } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useStore } from 'zustand';
import { isJsonMap, type JsonValue } from '../../engine/isomorphic.ts';
import { LoopListsOfFlow } from '../inspector/values/loop-lists-of-flow.tsx';
import { useKeptValue } from '../inspector/values/use-kept-value.ts';
import { ValueView } from '../inspector/values/value-view.tsx';
import { isUnfinished, type LiveRun } from '../stores/runs/live/live-runs.ts';
import { useReadValue, useStores } from '../stores/stores-context.tsx';
import { type SettledFlow, useShownRun } from '../stores/use-flow.ts';
import type { DockTab } from '../stores/window/panes.ts';
import { IconButton } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { TabSet } from '../ui/tab-set.tsx';
import { BreakpointList } from './breakpoints/breakpoint-list.tsx';
import { text as breakpointWords } from './breakpoints/text.ts';
import { BeforeRun } from './first-run.tsx';
import { ProblemsView } from './problems-view.tsx';
import { LogFilter, logFilterKeys, RunLogView } from './run-log-view.tsx';
import { text } from './text.ts';
import { Timeline } from './timeline.tsx';
import './run-dock.css';

function whyEmpty(run: LiveRun): string {
  if (run.state.kind === 'agent') return text.dock.noOutputsOfAgent;
  if (isUnfinished(run.state)) return text.dock.noOutputsYet;
  if (run.state.status === 'completed') return text.dock.noOutputsAtEnd;
  return text.dock.noOutputsOnFailure;
}

/** The outputs of the final nodes, by node. */
function OutputsView({ run }: { run: LiveRun }) {
  const readLarge = useReadValue();
  const kept = useKeptValue(run.state.output);
  const output = (kept as JsonValue | undefined) ?? run.state.output;
  const isEmpty =
    output === undefined || output === null || (typeof output === 'object' && Object.keys(output).length === 0);
  if (isEmpty) {
    return (
      <EmptyState icon={<PackageOpen aria-hidden size={20} />} title={text.dock.noOutputs}>
        {whyEmpty(run)}
      </EmptyState>
    );
  }
  if (!isJsonMap(output) || '$value' in output) {
    return (
      <div className="outputs-view">
        <ValueView label={text.dock.outputs} value={output} readLarge={readLarge} />
      </div>
    );
  }
  return (
    <div className="outputs-view">
      {Object.entries(output).map(([nodeId, value]) => (
        <section key={nodeId}>
          <h3 className="outputs-node">{nodeId}</h3>
          <ValueView
            label={text.dock.outputOf({ node: nodeId })}
            value={value}
            readLarge={readLarge}
            of={`${run.state.sourcePath} ${nodeId}:output`}
            binding={nodeId}
          />
        </section>
      ))}
    </div>
  );
}

function lineCount({ omittedCount, events, later }: LiveRun['log']): number {
  return omittedCount + events.length + later.length;
}

/** The tabs that show the moment of a run. */
const timedTabs: ReadonlySet<DockTab> = new Set(['timeline', 'log', 'outputs']);

interface RunDockProps {
  readonly flow: SettledFlow;
  /** Shown before the first run. */
  readonly runAction: ReactNode;
  /** The changes under review, or null. Shown in the first tab. */
  readonly changes: { readonly count: number; readonly content: ReactNode; readonly keys: ReactNode } | null;
  /** The checks of the open test, or null. Shown before the runs' tabs. `count` is the number of those that fail. */
  readonly checks: {
    readonly count: number | undefined;
    readonly content: ReactNode;
    readonly keys: ReactNode;
    readonly tone: 'error' | undefined;
  } | null;
  /** The report of an import, or null. `count` is the number of nodes that need work. */
  readonly imported: { readonly count: number | undefined; readonly content: ReactNode } | null;
  /** Buttons that lead to the earlier and later events of a run. */
  readonly timeButtons: ReactNode;
  /** What the shown run has changed in files, or null. `count` is the number of files. */
  readonly files: { readonly count: number | undefined; readonly content: ReactNode } | null;
  /** Tabs for the values of two compared runs. Empty if none are compared. */
  readonly compared: readonly { readonly value: DockTab; readonly text: string; readonly content: ReactNode }[];
  /** Shortcut of the dock, for the tooltip of its close button. */
  readonly closeHint: string;
}

function optionalTab<Part extends object>(value: DockTab, label: string, part: Part | null) {
  return part === null ? [] : [{ value, text: label, ...part }];
}

/** Returns the buttons of a tab that leads through a list. */
function keysOf(tab: DockTab, { changes, checks }: Pick<RunDockProps, 'changes' | 'checks'>): ReactNode {
  if (tab === 'changes') return changes?.keys;
  return tab === 'checks' ? checks?.keys : null;
}

/** A tab shows no count of zero. */
function shownCount(count: number): number | undefined {
  return count === 0 ? undefined : count;
}

export function RunDock({
  flow,
  runAction,
  changes,
  checks,
  imported,
  files,
  compared,
  timeButtons,
  closeHint,
}: RunDockProps) {
  const { panes, breakpoints: ofPerson } = useStores();
  const breakpointCount = useStore(ofPerson, ({ flows }) => flows.get(flow.path)?.length ?? 0);
  const tab = useStore(panes, ({ dockTab }) => dockTab);
  const run = useShownRun(flow.path);
  const [logQuery, setLogQuery] = useState('');
  const noRun = <BeforeRun flow={flow} runAction={runAction} />;
  const errors = flow.diagnostics.filter(({ severity }) => severity === 'error').length;
  const timeline = {
    value: 'timeline' as const,
    text: text.dock.timeline,
    content: run === undefined ? noRun : <Timeline flow={flow} />,
  };
  const ofRun = [
    {
      value: 'log' as const,
      text: text.dock.log,
      count: run && lineCount(run.log),
      content: run === undefined ? noRun : <RunLogView path={flow.path} run={run} query={logQuery} />,
    },
    {
      value: 'outputs' as const,
      text: text.dock.outputs,
      content:
        run === undefined ? (
          noRun
        ) : (
          <LoopListsOfFlow flow={flow}>
            <OutputsView run={run} />
          </LoopListsOfFlow>
        ),
    },
  ];
  const problems = {
    value: 'problems' as const,
    text: text.dock.problems,
    count: shownCount(flow.diagnostics.length),
    tone: errors > 0 ? ('error' as const) : undefined,
    content: <ProblemsView flow={flow} />,
  };
  const breakpoints = {
    value: 'breakpoints' as const,
    text: breakpointWords.title,
    count: shownCount(breakpointCount),
    content: <BreakpointList flow={flow} />,
  };
  const tabs = [
    ...compared,
    ...optionalTab('changes', text.dock.changes, changes),
    ...optionalTab('import', text.dock.import, imported),
    ...optionalTab('checks', text.dock.checks, checks),
    ...(flow.kind === 'flow' ? [timeline] : []),
    ...(flow.kind === 'flow' || flow.kind === 'agent' ? ofRun : []),
    ...(flow.kind === 'flow' ? [breakpoints] : []),
    ...optionalTab('files', text.dock.files, files),
    problems,
  ];
  const shown = tabs.some(({ value }) => value === tab) ? tab : (tabs[0]?.value ?? 'problems');
  const hasLog = shown === 'log' && run !== undefined;
  return (
    <section className="run-dock" aria-label={text.dock.label} {...logFilterKeys(hasLog)}>
      <TabSet<DockTab>
        label={text.dock.label}
        value={shown}
        onChange={(next) => panes.getState().showDock(next)}
        tabs={tabs}
        actions={
          <>
            {keysOf(shown, { changes, checks })}
            {hasLog ? <LogFilter query={logQuery} onChange={setLogQuery} /> : null}
            {timedTabs.has(shown) ? timeButtons : null}
            <IconButton
              label={text.dock.close}
              hint={closeHint}
              onClick={() => panes.getState().setOpen('dock', false)}
            >
              <ChevronDown aria-hidden size={16} />
            </IconButton>
          </>
        }
      />
    </section>
  );
}
