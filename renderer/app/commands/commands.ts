/**
 * All commands in one list, used by buttons, the application menu and the keyboard.
 */
import { sendTyped } from '../../inspector/fields/typed-text.ts';
import { text as tableText } from '../../run-view/table/text.ts';
import { openDocs } from '../../stores/window/docs.ts';
import { sentRunOf } from '../../stores/workspace/workspace.ts';
import { isRunning } from './active-run.ts';
import { assistantCommands } from './assistant/assistant-commands.ts';
import { canvasCommands } from './canvas-commands.ts';
import type { Command, CommandContext } from './command.ts';
import { editCommands, textCommands } from './edit-commands.ts';
import { exportCommands } from './export-commands.ts';
import { fileCommands, tabCommands } from './file-commands.ts';
import { agentCommands, callCommands, nodeCommands } from './node-commands.ts';
import { partCommands } from './part-commands.ts';
import { pasteCommands } from './paste-commands.ts';
import { reviewCommands } from './review-commands.ts';
import { runCommands } from './run-commands.ts';
import { caseCommands } from './runs/case-commands.ts';
import { compareCommands } from './runs/compare-commands.ts';
import { pauseCommands } from './runs/pause-commands.ts';
import { sendCommands } from './runs/send-commands.ts';
import { runViewCommands, timeCommands } from './runs/time-commands.ts';
import { settingsCommands, themeCommands, zoomCommands } from './settings-commands.ts';
import { text } from './text.ts';
import { paneCommands, viewCommands } from './view-commands.ts';

/** Commands in display order. */
export const commands = [
  ...runCommands,
  ...pauseCommands,
  ...timeCommands,
  ...runViewCommands,
  ...compareCommands,
  ...caseCommands,
  ...sendCommands,
  ...partCommands,
  ...agentCommands,
  ...callCommands,
  ...viewCommands,
  ...assistantCommands,
  ...themeCommands,
  ...tabCommands,
  ...fileCommands,
  ...editCommands,
  ...canvasCommands,
  ...pasteCommands,
  ...exportCommands,
  ...reviewCommands,
  ...zoomCommands,
  ...nodeCommands,
  ...paneCommands,
  ...settingsCommands,
  ...textCommands,
  {
    id: 'go.anything',
    title: text.go.anything,
    group: text.groups.files,
    shortcut: 'Mod+P',
    run: ({ dialogs }) => dialogs.getState().show('go'),
  },
  {
    id: 'go.command',
    title: text.go.command,
    group: text.groups.help,
    shortcut: 'Mod+Shift+P',
    aliases: ['Mod+K'],
    run: ({ dialogs }) => dialogs.getState().show('commands'),
  },
  {
    id: 'help.documentation',
    title: text.go.documentation,
    group: text.groups.help,
    shortcut: 'F1',
    run: ({ stores }) => openDocs(stores),
  },
  {
    id: 'help.shortcuts',
    title: text.go.shortcuts,
    group: text.groups.help,
    shortcut: '?',
    run: ({ dialogs }) => dialogs.getState().show('shortcuts'),
  },
] as const satisfies readonly Command[];

export type CommandId = (typeof commands)[number]['id'];

const byId: ReadonlyMap<string, Command> = new Map(commands.map((command) => [command.id, command]));

/** Returns the command with an id; undefined if this version does not have it. */
export function findCommand(id: string): Command | undefined {
  return byId.get(id);
}

/** What a window can do with runs of others that are still going on. A sent run has ended, or is somewhere else. */
const toUnfinished: ReadonlySet<string> = new Set([
  'run.cancel',
  'run.toggle',
  'run.pause',
  'run.continue',
  'run.step',
]);

/**
 * In a window that shows a remote history, runs can be watched, answered, paused and canceled. Commands for anything else
 * stay disabled and show the reason.
 */
const localOnly: ReadonlySet<string> = new Set([
  ...[
    'run.start',
    'run.startWithInputs',
    'run.redo',
    'run.fromHere',
    'run.planFromHere',
    'run.fromMoment',
    'compare.models',
    'run.anyway',
    'run.resume',
  ],
  ...['run.raiseBudget', 'run.skipNode', 'run.editInput', 'run.breakpoint'],
  ...['run.node', 'run.item', 'run.toHere', 'run.planToHere', 'run.pin', 'run.editPin'],
  ...[
    'file.new',
    'file.newFlow',
    'file.describe',
    'file.newSteps',
    'file.newDialogue',
    'file.newAgent',
    'file.newPack',
  ],
  ...[
    'file.import',
    'file.convert',
    'file.rename',
    'file.duplicate',
    'file.trash',
    'file.save',
    'file.saveAll',
    'file.history',
  ],
  ...['examples.gallery', 'run.send', 'run.undoFiles', 'packs.install', 'view.search', 'view.packs', 'view.tests'],
  ...['tests.runAll', 'tests.runOfFlow', 'tests.runAffected', 'tests.nextFailure', 'tests.saveRun'],
  ...['review.proposal', 'review.head', 'review.version', 'git.commit'],
  ...['assistant.ask', 'assistant.fix', 'assistant.selection'],
  ...['settings.models', 'settings.secrets', 'settings.trust', 'settings.tools', 'settings.servers'],
  ...['settings.policies', 'settings.team', 'settings.history'],
]);

/** Returns why a command is not available in the window. Null if it is. */
function remoteObstacle({ id }: Pick<Command, 'id'>, context: CommandContext): string | null {
  const { remote } = context.stores.workspace.getState();
  if (remote === null) return null;
  const isSent = sentRunOf({ remote }) !== null;
  const isLocal = localOnly.has(id) || (id === 'run.toggle' && !isRunning(context));
  if (isSent) return isLocal || toUnfinished.has(id) ? tableText.sendCommands.onlyRead : null;
  return isLocal ? text.go.onlyLocal : null;
}

/** Returns why a command cannot run now although it applies. Null if it can. */
export function obstacleOf(command: Command, context: CommandContext): string | null {
  return remoteObstacle(command, context) ?? command.obstacle?.(context) ?? null;
}

/** Whether a command applies now and can run. */
export function isUsable(command: Command, context: CommandContext): boolean {
  return command.isAvailable?.(context) !== false && obstacleOf(command, context) === null;
}

/** Runs a command if it is available, or reports why it cannot run. Returns whether it did either. */
export function runCommand(command: Command, context: CommandContext): boolean {
  if (command.runInField?.() === true) return true;
  sendTyped();
  if (command.isAvailable?.(context) === false) return false;
  const obstacle = obstacleOf(command, context);
  if (obstacle === null) command.run(context);
  else context.stores.notices.getState().add({ tone: 'info', title: text.go.notAvailable, detail: obstacle });
  return true;
}
