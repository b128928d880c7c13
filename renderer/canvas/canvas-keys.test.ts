import { describe, expect, test } from 'vitest';
import { canvasCommand, type KeyPress } from './canvas-keys.ts';

function press(code: string, change: Partial<KeyPress> = {}): KeyPress {
  return { code, key: '', ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...change };
}

describe('canvasCommand', () => {
  test.each([
    ['Digit0', 'zoom-100'],
    ['Digit1', 'fit'],
    ['Digit2', 'fit-selection'],
    ['NumpadAdd', 'zoom-in'],
    ['NumpadSubtract', 'zoom-out'],
  ])('%s means %s, with Ctrl or Cmd too', (code, command) => {
    expect(canvasCommand(press(code))).toEqual({ do: command });
    expect(canvasCommand(press(code, { ctrlKey: true }))).toEqual({ do: command });
    expect(canvasCommand(press(code, { metaKey: true }))).toEqual({ do: command });
  });

  test('plus and minus go by their sign, wherever the layout has them', () => {
    expect(canvasCommand(press('BracketRight', { key: '+' }))).toEqual({ do: 'zoom-in' });
    expect(canvasCommand(press('Equal', { key: '=', ctrlKey: true }))).toEqual({ do: 'zoom-in' });
    expect(canvasCommand(press('Slash', { key: '-' }))).toEqual({ do: 'zoom-out' });
  });

  test('arrows move along, with Shift they select the way', () => {
    expect(canvasCommand(press('ArrowRight'))).toEqual({ do: 'move', direction: 'right' });
    expect(canvasCommand(press('ArrowLeft', { shiftKey: true }))).toEqual({ do: 'select-way', direction: 'left' });
    expect(canvasCommand(press('ArrowUp', { shiftKey: true }))).toBeNull();
  });

  test('leaves the shortcuts of the window alone', () => {
    expect(canvasCommand(press('Enter', { ctrlKey: true }))).toBeNull();
    expect(canvasCommand(press('KeyM', { ctrlKey: true }))).toBeNull();
    expect(canvasCommand(press('ArrowLeft', { altKey: true }))).toBeNull();
  });
});
