/**
 * Everything that can be done, as one list: buttons, the application menu and the keyboard all read it.
 */
import type { StoreApi } from 'zustand/vanilla';
import { hasErrors } from '../../engine/isomorphic.ts';
import type { RerunTarget } from '../stores/further-runs.ts';
import { isOver, isUnfinished, type LiveRun } from '../stores/live-runs.ts';
import { loopsAround } from '../stores/loop-nesting.ts';
import type { OpenFlow } from '../stores/open-flows.ts';
import type { ViewMode } from '../stores/selection.ts';
import type { ThemeChoice } from '../stores/settings.ts';
import type { Stores } from '../stores/stores.ts';
import { flowOnScreen, selectShownRun } from '../stores/use-flow.ts';
import type { Dialogs } from './dialogs.ts';

export interface CommandContext {
  readonly stores: Stores;
  readonly dialogs: StoreApi<Dialogs>;
}

export interface Command {
  /** Stable: the application menu sends it. */
  readonly id: string;
  readonly title: string;
  /** Heading in the list of shortcuts. */
  readonly group: 'Run' | 'View' | 'Files' | 'Help';
  /** As `shortcut.ts` reads it. */
  readonly shortcut?: string;
  /** Whether it makes sense now; absent = always. */
  isAvailable?(context: CommandContext): boolean;
  run(context: CommandContext): void;
}

function activeFlow({ stores }: CommandContext): OpenFlow | undefined {
  const { flows, activePath } = stores.openFlows.getState();
  return activePath === null ? undefined : flows.get(activePath);
}

function activeRun(context: CommandContext): LiveRun | undefined {
  const path = activeFlow(context)?.path;
  return path === undefined ? undefined : selectShownRun(context.stores.liveRuns.getState(), path);
}

function isRunning(context: CommandContext): boolean {
  const run = activeRun(context);
  return run !== undefined && isUnfinished(run.state);
}

/** Not while the engine has given up: the wish would wait, and be carried out when nobody expects it any more. */
function canStart(context: CommandContext): boolean {
  const { engine } = context.stores.workspace.getState();
  return activeFlow(context)?.status === 'ready' && engine.state !== 'failed';
}

/** Runs at once, or asks for inputs first when the flow has any. A flow with errors shows them instead. */
function startRun(context: CommandContext): void {
  const flow = activeFlow(context);
  if (flow === undefined) return;
  if (hasErrors(flow.diagnostics) && !flow.isOldVersion) {
    context.stores.panes.getState().showDock('problems');
    const detail = 'The problems list says what to mend, and where.';
    context.stores.notices.getState().add({ tone: 'error', title: 'This flow has errors and cannot run', detail });
    return;
  }
  const hasInputs = Object.keys(flow.doc?.flow.input ?? {}).length > 0;
  if (hasInputs) context.dialogs.getState().show('run-inputs');
  else void context.stores.runs.start(flow.path, {});
}

function cancelRun(context: CommandContext): void {
  const run = activeRun(context);
  if (run !== undefined) void context.stores.runs.cancel(run.runId);
}

/** From the selected node, once its run is over; from the whole loop when the node stands in one. */
function rerunTarget(context: CommandContext): RerunTarget | null {
  const run = activeRun(context);
  const flow = flowOnScreen(activeFlow(context), run?.definition ?? null);
  if (run === undefined || flow === undefined || !isOver(run.state)) return null;
  const nodeId = context.stores.selection.getState().views.get(flow.path)?.nodeId ?? null;
  if (nodeId === null || flow.doc?.nodes.every(({ id }) => id !== nodeId) !== false) return null;
  const [loopId = nodeId] = loopsAround(flow.nesting, nodeId);
  return { path: flow.path, runId: run.runId, nodeId: loopId };
}

/** Puts the keyboard where the run's questions are answered. */
function focusQuestions(): void {
  document.querySelector<HTMLElement>('.waiting-panel input')?.focus();
}

function moveTab({ stores }: CommandContext, step: 1 | -1): void {
  const { tabs, activePath, activate } = stores.openFlows.getState();
  if (activePath === null) return;
  const next = tabs.at((tabs.indexOf(activePath) + step) % tabs.length);
  if (next !== undefined) activate(next);
}

function setTheme({ stores }: CommandContext, theme: ThemeChoice): void {
  stores.main
    .call('settings.setTheme', { theme })
    .catch((error: unknown) => stores.notices.getState().addError('The theme could not be changed', error));
}

function viewCommand(mode: ViewMode, title: string): Command {
  return {
    id: `view.${mode}`,
    title,
    group: 'View',
    isAvailable: (context) => activeFlow(context) !== undefined,
    run(context) {
      const path = activeFlow(context)?.path;
      if (path !== undefined) context.stores.selection.getState().setMode(path, mode);
    },
  };
}

function themeCommand(theme: ThemeChoice, title: string): Command {
  return { id: `theme.${theme}`, title, group: 'View', run: (context) => setTheme(context, theme) };
}

export const commands = [
  {
    id: 'run.toggle',
    title: 'Run, or cancel the run',
    group: 'Run',
    shortcut: 'Mod+Enter',
    isAvailable: canStart,
    run: (context) => (isRunning(context) ? cancelRun(context) : startRun(context)),
  },
  { id: 'run.start', title: 'Run', group: 'Run', isAvailable: canStart, run: startRun },
  {
    id: 'run.startWithInputs',
    title: 'Run with inputs…',
    group: 'Run',
    isAvailable: canStart,
    run: ({ dialogs }) => dialogs.getState().show('run-inputs'),
  },
  {
    id: 'run.redo',
    title: 'Redo the last run',
    group: 'Run',
    shortcut: 'R',
    isAvailable: (context) => canStart(context) && !isRunning(context),
    run(context) {
      const path = activeFlow(context)?.path;
      if (path !== undefined) void context.stores.runs.redo(path, activeRun(context)?.runId);
    },
  },
  {
    id: 'run.fromHere',
    title: 'Run again from the selected node…',
    group: 'Run',
    shortcut: 'Mod+Shift+Enter',
    isAvailable: (context) => canStart(context) && rerunTarget(context) !== null,
    run(context) {
      const target = rerunTarget(context);
      if (target !== null) context.dialogs.getState().showRerun(target);
    },
  },
  {
    id: 'run.resume',
    title: 'Resume the interrupted run',
    group: 'Run',
    isAvailable: (context) => canStart(context) && activeRun(context)?.state.status === 'interrupted',
    run(context) {
      const run = activeRun(context);
      if (run !== undefined) void context.stores.runs.resume(run.runId);
    },
  },
  {
    id: 'run.answer',
    title: 'Go to what waits for you',
    group: 'Run',
    shortcut: 'W',
    isAvailable: (context) => activeRun(context)?.state.status === 'suspended',
    run: focusQuestions,
  },
  {
    id: 'run.cancel',
    title: 'Cancel the run',
    group: 'Run',
    isAvailable: (context) => isRunning(context) && activeRun(context)?.isCancelling === false,
    run: cancelRun,
  },
  {
    id: 'run.hide',
    title: 'Back to the file alone',
    group: 'Run',
    isAvailable: (context) => activeRun(context) !== undefined,
    run(context) {
      const path = activeFlow(context)?.path;
      if (path !== undefined) context.stores.liveRuns.getState().hide(path);
    },
  },
  viewCommand('canvas', 'Canvas'),
  viewCommand('split', 'Canvas and text'),
  viewCommand('text', 'Text'),
  {
    id: 'view.toggleSide',
    title: 'Show or hide the side panel',
    group: 'View',
    shortcut: 'Mod+B',
    run: ({ stores }) => stores.panes.getState().toggle('side'),
  },
  {
    id: 'view.toggleInspector',
    title: 'Show or hide the inspector',
    group: 'View',
    shortcut: 'Mod+Alt+B',
    run: ({ stores }) => stores.panes.getState().toggle('inspector'),
  },
  {
    id: 'view.toggleDock',
    title: 'Show or hide the dock',
    group: 'View',
    shortcut: 'Mod+J',
    run: ({ stores }) => stores.panes.getState().toggle('dock'),
  },
  {
    id: 'view.problems',
    title: 'Show the problems',
    group: 'View',
    shortcut: 'Mod+Shift+M',
    run: ({ stores }) => stores.panes.getState().showDock('problems'),
  },
  themeCommand('system', 'Theme: like the system'),
  themeCommand('light', 'Theme: light'),
  themeCommand('dark', 'Theme: dark'),
  {
    id: 'workspace.open',
    title: 'Open folder…',
    group: 'Files',
    shortcut: 'Mod+O',
    run({ stores }) {
      stores.main
        .call('workspace.choose', {})
        .catch((error: unknown) => stores.notices.getState().addError('The folder could not be opened', error));
    },
  },
  {
    id: 'window.new',
    title: 'New window',
    group: 'Files',
    shortcut: 'Mod+Shift+N',
    run({ stores }) {
      stores.main
        .call('window.openNew', {})
        .catch((error: unknown) => stores.notices.getState().addError('No window could be opened', error));
    },
  },
  {
    id: 'tab.close',
    title: 'Close the tab',
    group: 'Files',
    shortcut: 'Mod+W',
    isAvailable: (context) => activeFlow(context) !== undefined,
    run(context) {
      const path = activeFlow(context)?.path;
      if (path !== undefined) context.stores.openFlows.getState().close(path);
    },
  },
  {
    id: 'tab.next',
    title: 'Next tab',
    group: 'Files',
    shortcut: 'Ctrl+Tab',
    run: (context) => moveTab(context, 1),
  },
  {
    id: 'tab.previous',
    title: 'Previous tab',
    group: 'Files',
    shortcut: 'Ctrl+Shift+Tab',
    run: (context) => moveTab(context, -1),
  },
  {
    id: 'help.shortcuts',
    title: 'Keyboard shortcuts',
    group: 'Help',
    shortcut: '?',
    run: ({ dialogs }) => dialogs.getState().show('shortcuts'),
  },
] as const satisfies readonly Command[];

export type CommandId = (typeof commands)[number]['id'];

const byId: ReadonlyMap<string, Command> = new Map(commands.map((command) => [command.id, command]));

/** The command of an id; undefined for one that this version does not know. */
export function findCommand(id: string): Command | undefined {
  return byId.get(id);
}

/** Runs a command if it is available; tells whether it was. */
export function runCommand(command: Command, context: CommandContext): boolean {
  if (command.isAvailable?.(context) === false) return false;
  command.run(context);
  return true;
}
