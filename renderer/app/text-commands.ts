/**
 * Commands of the text editor that have to be in the list of shortcuts.
 */
import { switchTabKey } from '../text-view/tab-key.ts';
import type { Command, CommandContext } from './command.ts';
import { activeFlow } from './in-front.ts';

function showsText({ stores }: CommandContext, path: string): boolean {
  return (stores.selection.getState().views.get(path)?.mode ?? 'canvas') !== 'canvas';
}

export const textCommands = [
  {
    id: 'text.tabKey',
    title: 'Tab key in texts: indent, or move on',
    group: 'Edit',
    shortcut: 'Ctrl+M',
    isAvailable(context) {
      const file = activeFlow(context);
      return file !== undefined && (file.kind !== 'flow' || showsText(context, file.path));
    },
    run: () => void switchTabKey(),
  },
] as const satisfies readonly Command[];
