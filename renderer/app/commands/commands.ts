/**
 * Everything that can be done, as one list: buttons, the application menu and the keyboard all read it.
 */
import { sendTyped } from '../../inspector/typed-text.ts';
import type { ViewMode } from '../../stores/window/selection.ts';
import type { ThemeChoice } from '../../stores/window/settings.ts';
import {
  activeFile,
  activeRun,
  askForInputs,
  cancelRun,
  canStart,
  isRunning,
  rerunTarget,
  selectedAgent,
  startRun,
} from './active-file.ts';
import { canvasCommands } from './canvas-commands.ts';
import { closeFile, fileCommands } from './file-commands.ts';
import type { Command, CommandContext } from './command.ts';
import { editCommands, textCommands } from './edit-commands.ts';

import { outlineCommands } from './node-commands.ts';
import { settingsCommands, zoomCommands } from './settings-commands.ts';
import { sideCommands } from './view-commands.ts';



/** Puts the keyboard where the run's questions are answered. */
function focusQuestions(): void {
  document.querySelector<HTMLElement>('.waiting-panel input')?.focus();
}

function moveTab({ stores }: CommandContext, step: 1 | -1): void {
  const { tabs, activePath, activate } = stores.openFiles.getState();
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
    isAvailable: (context) => activeFile(context) !== undefined,
    run(context) {
      const path = activeFile(context)?.path;
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
    run: (context) => (isRunning(context) ? cancelRun(context) : void startRun(context)),
  },
  { id: 'run.start', title: 'Run', group: 'Run', isAvailable: canStart, run: (context) => void startRun(context) },
  {
    id: 'run.startWithInputs',
    title: 'Run with inputs…',
    group: 'Run',
    isAvailable: canStart,
    run: askForInputs,
  },
  {
    id: 'run.redo',
    title: 'Redo the last run',
    group: 'Run',
    shortcut: 'R',
    isAvailable: (context) => canStart(context) && !isRunning(context),
    run(context) {
      const path = activeFile(context)?.path;
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
      const path = activeFile(context)?.path;
      if (path !== undefined) context.stores.liveRuns.getState().hide(path);
    },
  },
  {
    id: 'agent.open',
    title: 'Open the agent of the selected node',
    group: 'Files',
    isAvailable: (context) => selectedAgent(context) !== undefined,
    run(context) {
      const agent = selectedAgent(context);
      if (agent !== undefined) void context.stores.agents.open(agent);
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
    isAvailable: (context) => activeFile(context) !== undefined,
    run(context) {
      const path = activeFile(context)?.path;
      if (path !== undefined) closeFile(context, path);
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
  ...fileCommands,
  ...editCommands,
  ...canvasCommands,
  ...zoomCommands,
  ...outlineCommands,
  ...sideCommands,
  ...settingsCommands,
  ...textCommands,
  {
    id: 'go.anything',
    title: 'Go to a file, node or agent…',
    group: 'Files',
    shortcut: 'Mod+P',
    run: ({ dialogs }) => dialogs.getState().show('go'),
  },
  {
    id: 'go.command',
    title: 'All commands…',
    group: 'Help',
    shortcut: 'Mod+Shift+P',
    aliases: ['Mod+K'],
    run: ({ dialogs }) => dialogs.getState().show('commands'),
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
  sendTyped();
  if (command.isAvailable?.(context) === false) return false;
  command.run(context);
  return true;
}
