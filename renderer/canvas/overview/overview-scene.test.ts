import { describe, expect, test } from 'vitest';
import { contentOf } from '../../card/testing/test-content.ts';
import { areaOf, cardAt, cardsIn, mapCards, type SceneCard } from './overview-scene.ts';

function cardOf(id: string, left: number, top: number): SceneCard {
  return { id, content: contentOf(id), isSelected: false, left, top, right: left + 248, bottom: top + 60 };
}

const scene = { cards: [cardOf('a', 0, 0), cardOf('b', 300, 0), cardOf('c', 0, 100)] };

describe('cardAt', () => {
  test('finds the card under a point, including its border', () => {
    expect(cardAt(scene, { x: 248, y: 60 }, 0)?.id).toBe('a');
    expect(cardAt(scene, { x: 310, y: 30 }, 0)?.id).toBe('b');
    expect(cardAt(scene, { x: 260, y: 30 }, 0)).toBeNull();
  });

  test('selects the nearest card within reach', () => {
    expect(cardAt(scene, { x: 280, y: 30 }, 30)?.id).toBe('b');
    expect(cardAt(scene, { x: 10, y: 75 }, 30)?.id).toBe('a');
    expect(cardAt(scene, { x: 10, y: 90 }, 30)?.id).toBe('c');
    expect(cardAt(scene, { x: 900, y: 900 }, 30)).toBeNull();
  });
});

test('cardsIn returns all cards that overlap an area', () => {
  const area = { left: 200, top: 40, right: 320, bottom: 90 };
  expect(cardsIn(scene, area).map(({ id }) => id)).toEqual(['a', 'b']);
  expect(cardsIn(scene, { ...area, bottom: 110 }).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
});

test('areaOf returns the area that a camera shows', () => {
  expect(areaOf({ x: -100, y: 50, zoom: 0.5, width: 400, height: 300 })).toEqual({
    left: 200,
    top: -100,
    right: 1000,
    bottom: 500,
  });
});

test('the map keeps its cards if only their text changes', () => {
  const { cards } = scene;
  const withFirst = (change: Partial<SceneCard>): SceneCard[] =>
    cards.map((card, index) => (index === 0 ? { ...card, ...change } : card));
  expect(mapCards(withFirst({ content: contentOf('a', { sentence: ['new'] }) }), cards)).toBe(cards);
  const changes: Partial<SceneCard>[] = [
    { isSelected: true },
    { right: 300 },
    { bottom: 90 },
    { left: 8 },
    { top: 8 },
    { content: contentOf('a', { isDisabled: true }) },
    { content: contentOf('a', { isTolerated: true }) },
    { content: contentOf('a', { error: { word: 'bad', message: 'It is bad' } }) },
    { content: contentOf('a', { bodySize: 0 }) },
  ];
  for (const change of changes) {
    const changed = withFirst(change);
    expect(mapCards(changed, cards)).toBe(changed);
  }
  expect(mapCards(cards.slice(1), cards)).toHaveLength(2);
});
