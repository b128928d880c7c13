import { describe, expect, test } from 'vitest';
import { findWireTarget, type WireCard } from './wire-target.ts';

function card(id: string, x: number, y: number): WireCard {
  return { id, x, y, width: 248, height: 60, port: { x: x - 4, y: y + 20 } };
}

const cards = [card('near', 300, 0), card('next', 300, 84), card('far', 900, 0)];
const refused =
  (...ids: string[]) =>
  (id: string) =>
    ids.includes(id) ? `not ${id}` : null;

describe('findWireTarget', () => {
  test('takes the card under the pointer, whether it may be or not', () => {
    expect(findWireTarget(cards, { at: { x: 500, y: 50 }, reach: 40 }, refused('near'))).toEqual({
      id: 'near',
      refusal: 'not near',
    });
  });

  test('takes the nearest port within reach', () => {
    expect(findWireTarget(cards, { at: { x: 280, y: 40 }, reach: 60 }, refused())?.id).toBe('near');
  });

  test('prefers a port that may be to one that is nearer', () => {
    expect(findWireTarget(cards, { at: { x: 280, y: 55 }, reach: 60 }, refused('near'))).toEqual({
      id: 'next',
      refusal: null,
    });
  });

  test('finds nothing out of reach, and asks for nothing there', () => {
    const asked: string[] = [];
    const found = findWireTarget(cards, { at: { x: 0, y: 400 }, reach: 60 }, (id) => {
      asked.push(id);
      return null;
    });
    expect([found, asked]).toEqual([null, []]);
  });
});
