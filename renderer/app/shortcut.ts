/**
 * Keyboard shortcuts as text (`Mod+Shift+M`): matching a key press, and printing them as keyboards do. `Mod` is Cmd on a
 * Mac and Ctrl elsewhere.
 */

/** The part of a keyboard event that matters. */
export interface KeyPress {
  readonly key: string;
  /** Place of the key, whatever the layout prints on it. */
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

function parse(text: string): Shortcut {
  const parts = text.split('+');
  return {
    key: parts.at(-1) ?? '',
    hasMod: parts.includes('Mod'),
    hasCtrl: parts.includes('Ctrl'),
    hasShift: parts.includes('Shift'),
    hasAlt: parts.includes('Alt'),
  };
}

function isLatinLetter(text: string): boolean {
  return /^[A-Z]$/.test(text);
}

/** Letters go by what is printed on the key, by its place where another script or Alt hides the letter. */
function isKey(press: KeyPress, key: string): boolean {
  if (!isLatinLetter(key)) return press.key === key;
  const typed = press.key.toUpperCase();
  return isLatinLetter(typed) ? typed === key : press.code === `Key${key}`;
}

/** Whether a key press is a shortcut's. */
export function matchesShortcut(press: KeyPress, text: string, isMac: boolean): boolean {
  const { key, hasMod, hasCtrl, hasShift, hasAlt } = parse(text);
  // A sign such as ? lies under Shift on some keyboards only.
  const isSign = key.length === 1 && !isLatinLetter(key);
  const hasControlKey = hasCtrl || (hasMod && !isMac);
  return (
    isKey(press, key) &&
    press.ctrlKey === hasControlKey &&
    press.metaKey === (hasMod && isMac) &&
    press.altKey === hasAlt &&
    (isSign || press.shiftKey === hasShift)
  );
}

/** Whether typing text could mean the same keys: such a shortcut must not fire where text is typed. */
export function isPlainKey(text: string): boolean {
  const { hasMod, hasCtrl, hasAlt } = parse(text);
  return !hasMod && !hasCtrl && !hasAlt;
}

const macSigns: Readonly<Record<string, string>> = { Mod: '⌘', Ctrl: '⌃', Shift: '⇧', Alt: '⌥' };
const keySigns: Readonly<Record<string, string>> = { Enter: '⏎' };

/** A shortcut as people read it: `Ctrl Shift M`, on a Mac `⇧⌘M`. */
export function printShortcut(text: string, isMac: boolean): string {
  const parts = text.split('+');
  const key = parts.at(-1) ?? '';
  const modifiers = parts.slice(0, -1);
  const printedKey = keySigns[key] ?? key;
  if (!isMac) return [...modifiers.map((part) => (part === 'Mod' ? 'Ctrl' : part)), printedKey].join(' ');
  const order = ['Ctrl', 'Alt', 'Shift', 'Mod'].filter((part) => modifiers.includes(part));
  return `${order.map((part) => macSigns[part]).join('')}${printedKey}`;
}
