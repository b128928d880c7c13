/**
 * Which keys run which command: the usual ones, unless the person chose others.
 */
import type { Command } from './command.ts';

/** By id of the command; null = it has no keys. */
export type CustomKeys = Readonly<Record<string, string | null>>;

/** All shortcuts of a command, the first to be shown; a chosen one takes the place of all usual ones. */
export function keysOf({ id, shortcut, aliases = [] }: Command, custom: CustomKeys): readonly string[] {
  const chosen = custom[id];
  if (chosen === null) return [];
  if (chosen !== undefined) return [chosen];
  return shortcut === undefined ? aliases : [shortcut, ...aliases];
}

/** Shortcuts that several commands have, with the ids of those; the first of them in the list would run. */
export function keyConflicts(commands: readonly Command[], custom: CustomKeys): ReadonlyMap<string, readonly string[]> {
  const users = new Map<string, string[]>();
  for (const command of commands) {
    for (const keys of keysOf(command, custom)) users.set(keys, [...(users.get(keys) ?? []), command.id]);
  }
  return new Map([...users].filter(([, ids]) => ids.length > 1));
}

/**
 * Keys that the text editor keeps for itself while it has the focus, although commands have them too.
 */

/** As in shortcuts. Undo and redo do the same there as everywhere, and put the cursor to what they changed. */
const textKeys: ReadonlySet<string> = new Set([
  ...[
    'Mod+Z',
    'Mod+Shift+Z',
    'Mod+Y',
    'Mod+A',
    'Mod+C',
    'Mod+X',
    'Mod+V',
    'Mod+Shift+V',
    'Mod+D',
    'Mod+U',
    'Mod+L',
    'Mod+I',
  ],
  ...['Mod+F', 'Mod+H', 'Mod+G', 'Mod+/', 'Mod+[', 'Mod+]', 'Mod+Space', 'Mod+Shift+K', 'Mod+Shift+L', 'Mod+Shift+O'],
  ...['Mod+Backspace', 'Mod+Delete', 'Mod+Home', 'Mod+End', 'Alt+F12', 'Mod+F2', 'Mod+F12', 'Mod+Shift+\\', 'Alt+Z'],
  ...['Left', 'Right', 'Up', 'Down'].flatMap((side) =>
    ['Mod+', 'Alt+', 'Mod+Shift+', 'Shift+Alt+', 'Mod+Alt+'].map((modifiers) => `${modifiers}Arrow${side}`),
  ),
]);

/** Whether the text editor keeps a shortcut while it has the focus. */
export function isTextKey(shortcut: string): boolean {
  return textKeys.has(shortcut);
}
