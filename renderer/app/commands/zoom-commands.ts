/**
 * Commands about how large the whole interface is drawn. Apart from the zoom of a canvas, which has the plain keys.
 */
import type { Command, CommandContext } from './command.ts';

function zoom({ stores }: CommandContext, change: 'in' | 'out' | 'reset'): void {
  stores.main
    .call('zoom.set', { change })
    .catch((error: unknown) => stores.notices.getState().addError('The size could not be changed', error));
}

export const zoomCommands = [
  {
    id: 'zoom.in',
    title: 'Draw everything larger',
    group: 'View',
    shortcut: 'Mod+Alt+=',
    run: (context) => zoom(context, 'in'),
  },
  {
    id: 'zoom.out',
    title: 'Draw everything smaller',
    group: 'View',
    shortcut: 'Mod+Alt+-',
    run: (context) => zoom(context, 'out'),
  },
  {
    id: 'zoom.reset',
    title: 'Draw everything in its usual size',
    group: 'View',
    shortcut: 'Mod+Alt+0',
    run: (context) => zoom(context, 'reset'),
  },
] as const satisfies readonly Command[];
