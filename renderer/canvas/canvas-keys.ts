/**
 * Which key does what on the canvas.
 */
import type { Direction } from './neighbours.ts';

export type CanvasCommand =
  | { readonly do: 'zoom-in' | 'zoom-out' | 'zoom-100' | 'fit' | 'fit-selection' | 'toggle-minimap' }
  | { readonly do: 'select-all' | 'select-none' | 'inspect' }
  | { readonly do: 'move'; readonly direction: Direction }
  | { readonly do: 'select-way'; readonly direction: 'left' | 'right' };

/** The part of a keyboard event that matters. */
export interface KeyPress {
  /** Place of the key, whatever the layout prints on it. */
  readonly code: string;
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

/** With or without Ctrl or Cmd, so that the keys of other editors work too. */
const zoomCodes: Readonly<Record<string, CanvasCommand>> = {
  NumpadAdd: { do: 'zoom-in' },
  NumpadSubtract: { do: 'zoom-out' },
  Digit0: { do: 'zoom-100' },
  Numpad0: { do: 'zoom-100' },
  Digit1: { do: 'fit' },
  Numpad1: { do: 'fit' },
  Digit2: { do: 'fit-selection' },
  Numpad2: { do: 'fit-selection' },
};

/** By sign: the place of plus and minus differs between layouts. */
const zoomKeys: Readonly<Record<string, CanvasCommand>> = {
  '+': { do: 'zoom-in' },
  '=': { do: 'zoom-in' },
  '-': { do: 'zoom-out' },
  _: { do: 'zoom-out' },
};

const plainKeys: Readonly<Record<string, CanvasCommand>> = {
  ArrowLeft: { do: 'move', direction: 'left' },
  ArrowRight: { do: 'move', direction: 'right' },
  ArrowUp: { do: 'move', direction: 'up' },
  ArrowDown: { do: 'move', direction: 'down' },
  Enter: { do: 'inspect' },
  Escape: { do: 'select-none' },
  KeyM: { do: 'toggle-minimap' },
  Period: { do: 'fit-selection' },
};

const shiftKeys: Readonly<Record<string, CanvasCommand>> = {
  ArrowLeft: { do: 'select-way', direction: 'left' },
  ArrowRight: { do: 'select-way', direction: 'right' },
  Digit1: { do: 'fit' },
};

/** The command of a key press; null when the canvas leaves the key to others. */
export function canvasCommand(press: KeyPress): CanvasCommand | null {
  if (press.altKey) return null;
  const hasMod = press.ctrlKey || press.metaKey;
  if (hasMod && press.code === 'KeyA') return { do: 'select-all' };
  const zoom = zoomKeys[press.key] ?? (press.shiftKey ? undefined : zoomCodes[press.code]);
  if (zoom !== undefined) return zoom;
  if (hasMod) return null;
  return (press.shiftKey ? shiftKeys : plainKeys)[press.code] ?? null;
}
