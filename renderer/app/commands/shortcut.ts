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

/** Signs that cannot be written in a shortcut: they go by the sign, whose key differs between layouts. */
const signKeys: Readonly<Record<string, readonly string[]>> = { Plus: ['+', '='], Minus: ['-', '_'] };

/**
 * Letters go by what is printed on the key, by its place where another script or Alt hides the letter; digits by the
 * place, as some layouts have them under Shift.
 */
function isKey(press: KeyPress, key: string): boolean {
  if (/^\d$/.test(key)) return press.code === `Digit${key}` || press.code === `Numpad${key}`;
  if (!isLatinLetter(key)) return signKeys[key]?.includes(press.key) ?? press.key === key;
  const typed = press.key.toUpperCase();
  return isLatinLetter(typed) ? typed === key : press.code === `Key${key}`;
}

/** Whether a key press is a shortcut's. */
export function matchesShortcut(press: KeyPress, text: string, isMac: boolean): boolean {
  const { key, hasMod, hasCtrl, hasShift, hasAlt } = parse(text);
  // A sign such as ? lies under Shift on some keyboards only.
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

/** A key press as a shortcut's text, for a person who chooses one; null while only modifiers are held. */
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

/** Whether typing text could mean the same keys: such a shortcut must not fire where text is typed. */
export function isPlainKey(text: string): boolean {
  const { hasMod, hasCtrl, hasAlt } = parse(text);
  const isFunctionKey = /(?:^|\+)F\d{1,2}$/.test(text);
  return !hasMod && !hasCtrl && !hasAlt && !isFunctionKey;
}

/** Whether it is a letter or digit without Ctrl, Cmd or Alt, which is easily pressed by mistake. */
export function isSingleCharacter(text: string): boolean {
  return isPlainKey(text) && /(?:^|\+)[A-Z0-9]$/i.test(text);
}

const macSigns: Readonly<Record<string, string>> = { Mod: '⌘', Ctrl: '⌃', Shift: '⇧', Alt: '⌥' };
const keySigns: Readonly<Record<string, string>> = {
  Enter: '⏎',
  Escape: 'Esc',
  Delete: 'Del',
  Backspace: '⌫',
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Plus: '+',
  Minus: '-',
};

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
