/**
 * Maps keys to commands: the default ones, unless the user chose others. Listens to the keyboard of the window.
 */
import { useEffect } from 'react';
import type { Command, CommandContext } from './command.ts';
import { commands, runCommand } from './commands.ts';
import { isPlainKey, isSingleCharacter, matchesShortcut } from './shortcut.ts';

/** On macOS, `Mod` is Cmd. */
export const isMac = navigator.platform.startsWith('Mac');

/** By command id; null if it has no keys. */
export type CustomKeys = Readonly<Record<string, string | null>>;

/** Returns all shortcuts of a command, with the one to display first. A custom shortcut replaces all default ones. */
export function keysOf({ id, shortcut, aliases = [] }: Command, custom: CustomKeys): readonly string[] {
  const chosen = custom[id];
  if (chosen === null) return [];
  if (chosen !== undefined) return [chosen];
  return shortcut === undefined ? aliases : [shortcut, ...aliases];
}

/** Returns shortcuts shared by several commands with their ids; the first one in the list would run. */
export function keyConflicts(commands: readonly Command[], custom: CustomKeys): ReadonlyMap<string, readonly string[]> {
  const users = new Map<string, string[]>();
  for (const command of commands) {
    for (const keys of keysOf(command, custom)) users.set(keys, [...(users.get(keys) ?? []), command.id]);
  }
  return new Map([...users].filter(([, ids]) => ids.length > 1));
}

/**
 * Keys that the text editor handles while it has the focus, although commands use them too. Its undo and redo have the
 * same effect as elsewhere and also move the cursor to the change.
 */
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

/** Whether the text editor handles a shortcut while it has the focus. */
export function isTextKey(shortcut: string): boolean {
  return textKeys.has(shortcut);
}

/** Whether a key of the text editor refers to the whole file; code in a form has no outline. */
function isAboutFile(keys: string, target: Element): boolean {
  return keys === 'Mod+Shift+O' && target.closest('.code-editor') !== null;
}

const textPlaces = 'input, textarea, [role="combobox"], [contenteditable="true"], .monaco-editor';
/** While one of these has the focus, it receives the keys. */
const ownKeyboard = '[role="dialog"], [role="menu"], [role="listbox"]';

/** Whether a dialog covers the window and nothing has the focus, as after its focused button was disabled. */
function isBehindDialog(target: Element): boolean {
  const isNowhere = target === document.body || target === document.documentElement;
  return isNowhere && document.querySelector('.dialog[data-state="open"]') !== null;
}

/** Whether a key press triggers a command, by its keys and by the focus. */
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

/** Whether an element around the focus lists the command; its keys then work there even in a text field. */
function isCommandPlace({ id }: Command, target: Element): boolean {
  return target.closest('[data-command-keys]')?.getAttribute('data-command-keys')?.split(' ').includes(id) === true;
}

/** Places in which the focus counts as being on the canvas. */
const canvasPlaces = '[data-keys="canvas"]';
/** Places where single letters and digits are shortcuts. */
const letterPlaces = `${canvasPlaces}, [data-keys="letters"]`;

/**
 * Returns the keys that an element around the target needs: a tree, its arrow keys; a form, the one that submits it.
 */
function ownKeysAt(target: Element): readonly string[] {
  return target.closest('[data-own-keys]')?.getAttribute('data-own-keys')?.split(' ') ?? [];
}

function isOwnKey(target: Element, { key, shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  if (shiftKey || altKey || ctrlKey || metaKey) return false;
  return ownKeysAt(target).includes(key);
}

/** Whether the focus is in one of the places, or nowhere. Enter and Space on a button are left to the button. */
function isIn(places: string, target: Element, event: KeyboardEvent): boolean {
  const { key } = event;
  if (target === document.body || target === document.documentElement) return true;
  if (target.closest(textPlaces) !== null || target.closest(places) === null) return false;
  if (isOwnKey(target, event)) return false;
  return !(target instanceof HTMLButtonElement && (key === 'Enter' || key === ' '));
}

/** Runs commands by their keys. Listens in the capture phase, because Monaco would handle Ctrl+Enter itself. */
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
