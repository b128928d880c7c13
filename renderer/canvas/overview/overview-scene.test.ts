import { describe, expect, test } from 'vitest';
import { contentOf } from '../../card/testing/test-content.ts';
import { areaOf, cardAt, cardsIn, type SceneCard } from './overview-scene.ts';

function cardOf(id: string, left: number, top: number): SceneCard {
  return { id, content: contentOf(id), isSelected: false, left, top, right: left + 248, bottom: top + 60 };
}

const scene = { cards: [cardOf('a', 0, 0), cardOf('b', 300, 0), cardOf('c', 0, 100)] };

describe('cardAt', () => {
  test('finds the card under a point, its border included', () => {
    expect(cardAt(scene, { x: 248, y: 60 }, 0)?.id).toBe('a');
    expect(cardAt(scene, { x: 310, y: 30 }, 0)?.id).toBe('b');
    expect(cardAt(scene, { x: 260, y: 30 }, 0)).toBeNull();
  });

  test('takes the nearest card within reach', () => {
    expect(cardAt(scene, { x: 280, y: 30 }, 30)?.id).toBe('b');
    expect(cardAt(scene, { x: 10, y: 75 }, 30)?.id).toBe('a');
    expect(cardAt(scene, { x: 10, y: 90 }, 30)?.id).toBe('c');
    expect(cardAt(scene, { x: 900, y: 900 }, 30)).toBeNull();
  });
});

test('cardsIn gives all cards that an area touches', () => {
  const area = { left: 200, top: 40, right: 320, bottom: 90 };
  expect(cardsIn(scene, area).map(({ id }) => id)).toEqual(['a', 'b']);
  expect(cardsIn(scene, { ...area, bottom: 110 }).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
});

test('areaOf tells what a camera shows', () => {
  expect(areaOf({ x: -100, y: 50, zoom: 0.5, width: 400, height: 300 })).toEqual({
    left: 200,
    top: -100,
    right: 1000,
    bottom: 500,
  });
});
