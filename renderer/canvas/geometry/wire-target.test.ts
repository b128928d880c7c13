import { describe, expect, test } from 'vitest';
import { findWireTarget, type WireCard, type WireEnd } from './wire-target.ts';

function card(id: string, x: number, y: number): WireCard {
  return { id, x, y, width: 248, height: 60, ports: [{ route: null, x: x - 4, y: y + 20 }] };
}

const cards = [card('near', 300, 0), card('next', 300, 84), card('far', 900, 0)];
const refused =
  (...ids: string[]) =>
  ({ id }: WireEnd) =>
    ids.includes(id) ? `not ${id}` : null;

describe('findWireTarget', () => {
  test('selects the card under the pointer, even if it cannot be connected', () => {
    expect(findWireTarget(cards, { at: { x: 500, y: 50 }, reach: 40 }, refused('near'))).toEqual({
      id: 'near',
      route: null,
      refusal: 'not near',
    });
  });

  test('selects the nearest port within reach', () => {
    expect(findWireTarget(cards, { at: { x: 280, y: 40 }, reach: 60 }, refused())?.id).toBe('near');
  });

  test('prefers a valid port over a nearer invalid one', () => {
    expect(findWireTarget(cards, { at: { x: 280, y: 55 }, reach: 60 }, refused('near'))).toEqual({
      id: 'next',
      route: null,
      refusal: null,
    });
  });

  test('selects the branch with the port nearest to the pointer on the card', () => {
    const ports = [20, 80, 110].map((y, index) => ({ route: index === 0 ? null : `way${index}`, x: 252, y }));
    const [own, ...ways] = ports;
    const split: WireCard = { id: 'split', x: 0, y: 0, width: 248, height: 124, ports: [own!, ...ways] };
    const routeAt = (x: number, y: number) => findWireTarget([split], { at: { x, y }, reach: 30 }, () => null)?.route;
    expect([routeAt(30, 12), routeAt(30, 70), routeAt(270, 108)]).toEqual([null, 'way1', 'way2']);
  });

  test('finds nothing out of reach, and checks nothing there', () => {
    const asked: string[] = [];
    const found = findWireTarget(cards, { at: { x: 0, y: 400 }, reach: 60 }, ({ id }) => {
      asked.push(id);
      return null;
    });
    expect([found, asked]).toEqual([null, []]);
  });
});
