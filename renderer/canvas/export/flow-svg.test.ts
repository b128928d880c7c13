import { describe, expect, test } from 'vitest';
import type { NodeState } from '../../../engine/isomorphic.ts';
import { cardState } from '../../card/card-state.ts';
import { contentOf } from '../../card/testing/test-content.ts';
import type { RoutedEdge } from '../state/canvas-elements.ts';
import { testStyle } from '../testing/test-style.ts';
import type { PlacedCard } from './card-svg.ts';
import type { FlowPicture } from './flow-picture.ts';
import { flowSvg } from './flow-svg.ts';

const odd = 'Tom & "Jerry" <b>';

function card(id: string, more: Partial<PlacedCard> = {}): PlacedCard {
  const content = more.content ?? contentOf(id);
  return {
    content,
    x: 0,
    y: 0,
    width: 248,
    height: 60,
    outerHeight: more.height ?? 60,
    shown: cardState(content, undefined),
    ...more,
  };
}

function picture(more: Partial<FlowPicture> = {}): FlowPicture {
  const area = { left: -32, top: -32, right: 400, bottom: 200 };
  const nothing = { cards: [], edges: [], frames: [], groups: [], notes: [], triggers: [] };
  const wires = { lines: [], heads: new Map<string, string>() };
  return { title: 'Flow', area, direction: 'right', ...nothing, wires, ...more };
}

function edge(id: string, label: string | null): RoutedEdge {
  const ends = { sourceX: 252, sourceY: 20, targetX: 300, targetY: 20 };
  const labels = label === null ? null : { lines: [label], title: label };
  const data = { route: [], routedEnds: ends, label: labels, labelSide: 'source' } as const;
  return { id, source: 'a', target: 'b', type: 'routed', data };
}

/** Throws if the SVG is not well-formed XML. */
function parse(svg: string): Document {
  const document = new DOMParser().parseFromString(svg, 'application/xml');
  expect(document.querySelector('parsererror')).toBeNull();
  return document;
}

function wordsIn(svg: string): (string | null)[] {
  return [...parse(svg).querySelectorAll('text')].map(({ textContent }) => textContent);
}

describe('flowSvg', () => {
  test('is as large as its contents, in pixels at 100 %', () => {
    const { svg, width, height } = flowSvg(picture(), testStyle);
    expect([width, height]).toEqual([432, 232]);
    const root = parse(svg).documentElement;
    expect(root.getAttribute('viewBox')).toBe('-32 -32 432 232');
    expect([root.getAttribute('width'), root.getAttribute('height')]).toEqual(['432', '232']);
  });

  test('BB-50 shows the failure branch with its port, its row and its line', () => {
    const branches = [{ route: 'failed', edges: ['x'], targets: ['note'] }];
    const content = contentOf('fetch', { branches });
    const failure = { ...edge('x', null), sourceHandle: 'failed' };
    const { svg } = flowSvg(
      picture({ cards: [card('fetch', { content })], edges: [{ edge: failure, state: 'idle' }] }),
      testStyle,
    );
    expect(wordsIn(svg)).toEqual(expect.arrayContaining(['failed', 'note']));
    expect(svg).toContain('stroke-dasharray="8 4"');
    expect(svg.match(/fill="#f00"/g)).toHaveLength(2);
  });

  test('contains each name, type and summary of a card, with any characters in them', () => {
    const sentence = ['Writes ', { chip: 'a<b' }, ' & stops.'];
    const content = contentOf('a', {
      title: odd,
      sentence,
      sentenceLines: 1,
      rows: [{ label: 'Model', value: '<x>', isCode: true }],
    });
    const { svg } = flowSvg(picture({ title: odd, cards: [card('a', { content, height: 120 })] }), testStyle);
    expect(wordsIn(svg)).toEqual([odd, 'echo', 'Writes', 'a<b', '&', 'stops.', 'Model', '<x>']);
    expect(svg).toContain('Tom &amp; &quot;Jerry&quot; &lt;b&gt;');
    expect(parse(svg).querySelector('title')?.textContent).toBe(odd);
  });

  test('contains each branch of a card and its target, with a port for each', () => {
    const branches = [
      { route: 'minor', edges: ['a->b'], targets: ['b'] },
      { route: 'default', edges: [], targets: [] },
    ];
    const content = contentOf('a', { branches, leavesByRows: true });
    const { svg } = flowSvg(picture({ cards: [card('a', { content, height: 99 })] }), testStyle);
    expect(wordsIn(svg)).toEqual(['a', 'echo', 'minor', 'b', 'default', 'ends here']);
    const ports = [...parse(svg).querySelectorAll('rect[rx="2.5"]')].map((port) => port.getAttribute('y'));
    expect(ports).toEqual(['14', '50', '78']);
  });

  test('draws a loop as a container with its name, in the color of its state', () => {
    const content = contentOf('each', {
      bodySize: 1,
      restWords: 'each note',
      rows: [{ label: 'x', value: 'y', isCode: false }],
    });
    const look = card('each', { content, width: 296, height: 40, outerHeight: 200 });
    const frame = { loopId: 'each', left: 0, top: 0, right: 296, bottom: 200, state: 'running' } as const;
    const { svg } = flowSvg(picture({ cards: [look], frames: [frame] }), testStyle);
    expect(wordsIn(svg)).toEqual(['each', 'each note']);
    const box = parse(svg).querySelector('rect[rx="16"]');
    expect([box?.getAttribute('stroke'), box?.getAttribute('height')]).toEqual([testStyle.states.running, '199']);
    const ports = [...parse(svg).querySelectorAll('rect[rx="2.5"]')].map((port) => port.getAttribute('x'));
    expect(ports).toEqual(['-4', '295']);
  });

  test('cuts the corners of a card that waits for an answer', () => {
    const node = { nodeId: 'a', status: 'suspended', attempts: 1 } as NodeState;
    const shown = cardState(contentOf('a'), { shown: 'suspended', node, progress: null, taken: null, stale: null });
    const outline = parse(flowSvg(picture({ cards: [card('a', { shown })] }), testStyle).svg).querySelector('path');
    expect(outline?.getAttribute('d')).toContain('M13 0.5H235L247.5 13');
  });

  test('contains no characters that XML forbids', () => {
    const { svg } = flowSvg(
      picture({ cards: [card('a', { content: contentOf('a', { title: 'a\u0000b\ud800c' }) })] }),
      testStyle,
    );
    expect(wordsIn(svg)[0]).toBe('a\ufffdb\ufffdc');
  });

  test('draws the lines and conditions of edges', () => {
    const edges = [
      { edge: edge('one', null), state: 'idle' as const },
      { edge: edge('two', 'x > 1'), state: 'not-taken' as const },
    ];
    const { svg } = flowSvg(picture({ edges }), testStyle);
    expect(wordsIn(svg)).toEqual(['x > 1']);
    const lines = [...parse(svg).querySelectorAll('path[stroke]')];
    expect(lines.map((line) => line.getAttribute('d'))).toEqual(['M252 20L293 20', 'M252 20L293 20']);
    expect(lines.map((line) => line.getAttribute('stroke-dasharray'))).toEqual([null, '3 4']);
  });

  test('shows the state of a run in words and color', () => {
    const content = contentOf('a');
    const node = { nodeId: 'a', status: 'completed', durationMs: 1200, attempts: 1 } as NodeState;
    const shown = cardState(content, { shown: 'completed', node, progress: null, taken: null, stale: null });
    const { svg } = flowSvg(picture({ cards: [card('a', { content, shown })] }), testStyle);
    expect(wordsIn(svg)).toEqual(['a', '1.2 s']);
    expect(parse(svg).querySelector('path')?.getAttribute('stroke')).toBe(testStyle.states.completed);
  });

  test('shows groups with their titles, and notes without markdown syntax', () => {
    const groups = [
      { x: 0, y: 0, width: 300, height: 200, group: { title: 'First half', nodes: ['a'], color: 'blue' as const } },
    ];
    const notes = [{ x: 0, y: 0, width: 300, height: 100, text: '# Head\n- **one**\n\ntwo `three`' }];
    const { svg } = flowSvg(picture({ groups, notes }), testStyle);
    expect(wordsIn(svg)).toEqual(['First half', 'Head', '• one', 'two three']);
  });

  test('contains no external references', () => {
    const { svg } = flowSvg(picture({ cards: [card('a')] }), testStyle);
    expect(svg.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/url\(|href|var\(|color-mix|script/);
  });
});
