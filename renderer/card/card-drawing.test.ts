import { expect, test } from 'vitest';
import { nodeTypes } from '../stores/flow/node-types.ts';
import { cardContent } from './card-content.ts';
import { drawCard } from './card-drawing.ts';

/** Each letter is seven pixels wide. */
const measure = (text: string): number => 7 * text.length;

function headerTexts(name: string, words: string): string[] {
  const node = { id: 'n', type: 'echo', name, input: {} };
  const content = cardContent({
    ...{ node, spec: nodeTypes.get('echo'), problems: [], branches: [], edgesOut: 0 },
    ...{ isStart: false, isTolerated: false, bodySize: null },
  });
  const shown = { state: 'reused', item: '', pin: '', words, cause: null, taken: null } as const;
  const { marks } = drawCard({ content, shown, width: 248, height: 80, outerHeight: 80 }, 'right', measure);
  return marks.flatMap((mark) => (mark.kind === 'text' && ['title', 'meta'].includes(mark.letters) ? [mark.text] : []));
}

test.each([
  ['Read notes', 'done', ['Read notes', 'done']],
  ['Read the notes', 'reused from run 41', ['Read the notes', 'reused f…']],
  ['Collect the notes of', 'reused from run 41', ['Collect the notes of', 're…']],
  ['Collect notes of a week', 'reused from run 41', ['Collect notes of a week', '']],
])('the state of a card never shrinks its name: %s, %s', (name, words, shown) => {
  const [title, state] = headerTexts(name, words);
  expect([title, state?.startsWith(shown[1]?.slice(0, 2) ?? '')]).toEqual([name, true]);
});
