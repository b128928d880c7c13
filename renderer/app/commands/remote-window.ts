/**
 * In a window that shows a remote history, runs can be watched, answered and canceled. Commands for anything else stay
 * disabled and show the reason.
 */
import { isRunning } from './active-run.ts';
import type { Command, CommandContext } from './command.ts';
import { text } from './text.ts';

/** Commands that need files, packs or runs of this computer. */
const localOnly: ReadonlySet<string> = new Set([
  ...['run.start', 'run.startWithInputs', 'run.redo', 'run.fromHere', 'run.planFromHere', 'run.anyway', 'run.resume'],
  ...['run.pause', 'run.continue', 'run.step'],
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
  ...['examples.gallery', 'packs.install', 'view.search', 'view.packs'],
  ...['review.proposal', 'review.head', 'review.version', 'git.commit'],
  ...['assistant.ask', 'assistant.fix', 'assistant.selection'],
  ...['settings.models', 'settings.secrets', 'settings.trust', 'settings.tools', 'settings.servers'],
  ...['settings.policies', 'settings.team', 'settings.history'],
]);

/** Returns why a command is not available in the window. Null if it is. */
export function remoteObstacle({ id }: Pick<Command, 'id'>, context: CommandContext): string | null {
  if (context.stores.workspace.getState().remote === null) return null;
  const isLocal = localOnly.has(id) || (id === 'run.toggle' && !isRunning(context));
  return isLocal ? text.go.onlyLocal : null;
}
