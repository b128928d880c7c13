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
