import { describe, expect, test } from 'vitest';
import { contentOf } from '../../card/testing/test-content.ts';
import type { SceneCard } from '../overview/overview-scene.ts';
import { stepPageCards } from './page-cards.ts';

/** A row of cards, 300 pixels apart. */
const cards: SceneCard[] = Array.from({ length: 100 }, (_, index) => ({
  id: `n${index}`,
  content: contentOf(`n${index}`),
  isSelected: false,
  left: 300 * index,
  top: 0,
  right: 300 * index + 248,
  bottom: 60,
}));
const camera = { x: 0, y: 100, zoom: 1, width: 900, height: 600 };
const none: ReadonlySet<string> = new Set();

function step(before: ReadonlySet<string>, change: Partial<typeof camera> = {}, budget = 100): ReadonlySet<string> {
  return stepPageCards({ scene: { cards }, camera: { ...camera, ...change }, before, budget });
}

describe('stepPageCards', () => {
  test('adds the cards in view, and those slightly outside of it', () => {
    expect([...step(none)].sort()).toEqual(['n0', 'n1', 'n2', 'n3', 'n4']);
  });

  test('adds at most as many cards as the budget allows, from the middle outward', () => {
    expect([...step(none, {}, 1)]).toEqual(['n1']);
    expect(step(none, {}, 0)).toBe(none);
  });

  test('returns the same object if nothing changes', () => {
    const all = step(none);
    expect(step(all)).toBe(all);
  });

  test('keeps cards slightly outside the view, and removes those far away', () => {
    const all = step(none);
    expect(step(all, { x: -900 }).has('n1')).toBe(true);
    expect(step(all, { x: -9_000 }).has('n1')).toBe(false);
  });

  test('removes all cards if they are too small to read', () => {
    expect(step(step(none), { zoom: 0.3 }).size).toBe(0);
  });
});
