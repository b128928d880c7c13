/**
 * Keyboard shortcuts as text (`Mod+Shift+M`): matches key presses and prints shortcuts. `Mod` is Cmd on a Mac and Ctrl
 * elsewhere.
 */
import { text } from './text.ts';

/** The properties of a keyboard event that are used. */
export interface KeyPress {
  readonly key: string;
  /** Physical key, independent of the keyboard layout. */
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

interface Shortcut {
  readonly key: string;
  readonly hasMod: boolean;
  readonly hasCtrl: boolean;
  readonly hasShift: boolean;
  readonly hasAlt: boolean;
}

function parse(shortcut: string): Shortcut {
  const parts = shortcut.split('+');
  return {
    key: parts.at(-1) ?? '',
    hasMod: parts.includes('Mod'),
    hasCtrl: parts.includes('Ctrl'),
    hasShift: parts.includes('Shift'),
    hasAlt: parts.includes('Alt'),
  };
}

function isLatinLetter(character: string): boolean {
  return /^[A-Z]$/.test(character);
}

/**
 * Symbols that cannot be written in a shortcut. They are matched by character, because their key differs between
 * layouts.
 */
const signKeys: Readonly<Record<string, readonly string[]>> = { Plus: ['+', '='], Minus: ['-', '_'] };

/**
 * Letters match by the printed character, or by the physical key if another script or Alt hides the letter. Digits
 * match by the physical key, because some layouts put them under Shift.
 */
function isKey(press: KeyPress, key: string): boolean {
  if (/^\d$/.test(key)) return press.code === `Digit${key}` || press.code === `Numpad${key}`;
  if (!isLatinLetter(key)) return signKeys[key]?.includes(press.key) ?? press.key === key;
  const typed = press.key.toUpperCase();
  return isLatinLetter(typed) ? typed === key : press.code === `Key${key}`;
}

/** Returns whether a key press matches a shortcut. */
export function matchesShortcut(press: KeyPress, shortcut: string, isMac: boolean): boolean {
  const { key, hasMod, hasCtrl, hasShift, hasAlt } = parse(shortcut);
  // Some keyboards require Shift for a symbol such as ?.
  const isSign = (key.length === 1 && !isLatinLetter(key)) || Object.hasOwn(signKeys, key);
  const hasControlKey = hasCtrl || (hasMod && !isMac);
  return (
    isKey(press, key) &&
    press.ctrlKey === hasControlKey &&
    press.metaKey === (hasMod && isMac) &&
    press.altKey === hasAlt &&
    (isSign || press.shiftKey === hasShift)
  );
}

const modifierKeys: ReadonlySet<string> = new Set(['Control', 'Meta', 'Shift', 'Alt', 'AltGraph', 'OS', 'Dead']);

/**
 * Returns the shortcut text for a key press, for a user who is choosing a shortcut. Null while only modifiers are held.
 */
export function shortcutOf(press: KeyPress, isMac: boolean): string | null {
  if (modifierKeys.has(press.key)) return null;
  const isLetterPlace = /^Key[A-Z]$/.test(press.code);
  const typed = press.key.toUpperCase();
  const key = isLetterPlace && !isLatinLetter(typed) ? press.code.slice(3) : press.key.length === 1 ? typed : press.key;
  const isSign = (key.length === 1 && !isLatinLetter(key)) || Object.hasOwn(signKeys, key);
  const parts = [
    ...(press.ctrlKey ? [isMac ? 'Ctrl' : 'Mod'] : []),
    ...(press.metaKey && isMac ? ['Mod'] : []),
    ...(press.altKey ? ['Alt'] : []),
    ...(press.shiftKey && !isSign ? ['Shift'] : []),
  ];
  return [...parts, key].join('+');
}

/** Returns whether the shortcut's keys also type text. Such a shortcut must not fire in text fields. */
export function isPlainKey(shortcut: string): boolean {
  const { hasMod, hasCtrl, hasAlt } = parse(shortcut);
  const isFunctionKey = /(?:^|\+)F\d{1,2}$/.test(shortcut);
  return !hasMod && !hasCtrl && !hasAlt && !isFunctionKey;
}

/** Returns whether the shortcut is a letter or digit without Ctrl, Cmd or Alt, which is easily pressed by accident. */
export function isSingleCharacter(shortcut: string): boolean {
  return isPlainKey(shortcut) && /(?:^|\+)[A-Z0-9]$/i.test(shortcut);
}

/** Names of keys in the language of the window. Macs show signs for the modifiers. */
const modifierNames: Readonly<Record<string, string>> = {
  Mod: text.keys.ctrl,
  Ctrl: text.keys.ctrl,
  Shift: text.keys.shift,
};
const macSigns: Readonly<Record<string, string>> = { Mod: '⌘', Ctrl: '⌃', Shift: '⇧', Alt: '⌥' };
const keySigns: Readonly<Record<string, string>> = {
  Enter: '⏎',
  Escape: text.keys.escape,
  Delete: text.keys.delete,
  Backspace: '⌫',
  PageUp: text.keys.pageUp,
  PageDown: text.keys.pageDown,
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Plus: '+',
  Minus: '-',
};

/** Returns a shortcut as it is displayed: `Ctrl Shift M`, or `⇧⌘M` on a Mac. */
export function printShortcut(shortcut: string, isMac: boolean): string {
  const parts = shortcut.split('+');
  const key = parts.at(-1) ?? '';
  const modifiers = parts.slice(0, -1);
  const printedKey = keySigns[key] ?? key;
  if (!isMac) return [...modifiers.map((part) => modifierNames[part] ?? part), printedKey].join(' ');
  const order = ['Ctrl', 'Alt', 'Shift', 'Mod'].filter((part) => modifiers.includes(part));
  return `${order.map((part) => macSigns[part]).join('')}${printedKey}`;
}
