/**
 * Which keys run which command: the usual ones, unless the person chose others. Listens to the keyboard of the window.
 */
import { useEffect } from 'react';
import type { Command, CommandContext } from './command.ts';
import { commands, runCommand } from './commands.ts';
import { isPlainKey, isSingleCharacter, matchesShortcut } from './shortcut.ts';

/** `Mod` is Cmd there. */
export const isMac = navigator.platform.startsWith('Mac');

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

/** Keys that the text editor keeps for itself while it has the focus, although commands have them too. Undo and redo do the same there as everywhere, and put the cursor to what they changed. */
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

/** Whether a key of the text editor means the whole file: code in a form has no outline of its own. */
function isAboutFile(keys: string, target: Element): boolean {
  return keys === 'Mod+Shift+O' && target.closest('.code-editor') !== null;
}

const textPlaces = 'input, textarea, [role="combobox"], [contenteditable="true"], .monaco-editor';
/** While one of these has the focus, keys belong to it. */
const ownKeyboard = '[role="dialog"], [role="menu"], [role="listbox"]';

/** Whether a dialog lies over the window and the focus is nowhere, as after its focused button was disabled. */
function isBehindDialog(target: Element): boolean {
  const isNowhere = target === document.body || target === document.documentElement;
  return isNowhere && document.querySelector('.dialog[data-state="open"]') !== null;
}

/** Whether a key press is meant for a command, by its keys and by where the focus is. */
function isMeantFor(command: Command, event: KeyboardEvent, custom: CustomKeys): boolean {
  const keys = keysOf(command, custom).find((shortcut) => matchesShortcut(event, shortcut, isMac));
  if (keys === undefined) return false;
  const { target } = event;
  if (!(target instanceof Element)) return true;
  if (target.closest(ownKeyboard) !== null || isBehindDialog(target)) return false;
  if (isCommandPlace(command, target)) return true;
  if (ownKeysAt(target).includes(keys)) return false;
  if (isTextKey(keys) && target.closest('.monaco-editor') !== null && !isAboutFile(keys, target)) return false;
  if (command.where === 'canvas' && !isIn(canvasPlaces, target, event)) return false;
  if (command.where === 'outside-texts' && target.closest(textPlaces) !== null) return false;
  if (isSingleCharacter(keys) && !isIn(letterPlaces, target, event)) return false;
  return !isPlainKey(keys) || target.closest(textPlaces) === null;
}

/** Whether an element around the focus lists the command: its keys then work there, also in a text field. */
function isCommandPlace({ id }: Command, target: Element): boolean {
  return target.closest('[data-command-keys]')?.getAttribute('data-command-keys')?.split(' ').includes(id) === true;
}

/** Places whose focus is as good as that of the canvas. */
const canvasPlaces = '[data-keys="canvas"]';
/** Places where single letters and digits are keys. */
const letterPlaces = `${canvasPlaces}, [data-keys="letters"]`;

/** The keys that something on the way needs for itself: a tree, its arrow keys; a form, the one that sends it. */
function ownKeysAt(target: Element): readonly string[] {
  return target.closest('[data-own-keys]')?.getAttribute('data-own-keys')?.split(' ') ?? [];
}

function isOwnKey(target: Element, { key, shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  if (shiftKey || altKey || ctrlKey || metaKey) return false;
  return ownKeysAt(target).includes(key);
}

/** Whether the focus is in one of the places, or nowhere; Enter and Space on a button are for the button. */
function isIn(places: string, target: Element, event: KeyboardEvent): boolean {
  const { key } = event;
  if (target === document.body || target === document.documentElement) return true;
  if (target.closest(textPlaces) !== null || target.closest(places) === null) return false;
  if (isOwnKey(target, event)) return false;
  return !(target instanceof HTMLButtonElement && (key === 'Enter' || key === ' '));
}

/** Runs commands by their keys. Listens before anything else in the window: Monaco would take Ctrl+Enter for itself. */
export function useShortcuts(context: CommandContext): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.isComposing) return;
      const { keys } = context.stores.editorSettings.getState();
      const command: Command | undefined = commands.find((candidate) => isMeantFor(candidate, event, keys));
      if (command === undefined || (event.repeat && command.repeats !== true)) return;
      if (!runCommand(command, context) && command.holdsKeys !== true) return;
      event.preventDefault();
      event.stopPropagation();
    };
    addEventListener('keydown', onKeyDown, { capture: true });
    return () => removeEventListener('keydown', onKeyDown, { capture: true });
  }, [context]);
}
