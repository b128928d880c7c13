import { act } from 'react';
import { afterEach, describe, expect, test } from 'vitest';
import { applyEdits, checkFlow, editFlow, parseFlow } from '../../engine/isomorphic.ts';
import { openTestWindow, type TestWindow } from '../app/testing/test-window.tsx';
import { loopNesting } from '../stores/flow/loop-bodies.ts';
import { nodeTypes } from '../stores/flow/node-types.ts';
import { useSettledFlow } from '../stores/use-flow.ts';
import { FlowHint, findSideBySide } from './flow-hint.tsx';

const get = (id: string, more = ''): string =>
  `  - { id: ${id}, type: http.request, input: { url: "https://example.com/${id}"${more} } }\n`;
const join = '  - { id: join, type: echo, input: { text: "{{a.body}} {{b.body}} {{c.body}} {{d.body}}" } }\n';
const edge = (names: string): string => {
  const ids = names.split(' ');
  return ids
    .slice(1)
    .map((id, index) => `  - { from: ${ids[index]}, to: ${id} }\n`)
    .join('');
};
const flowOf = (nodes: string, edges: string, header = '{ name: Four }'): string =>
  `flow: ${header}\nnodes:\n${nodes}edges:\n${edges}`;

const four = get('a') + get('b') + get('c') + get('d');
const chain = flowOf(four + join, edge('a b c d join'));

/** Returns the nodes of the hint, and the flow after its change. */
function hintIn(text: string) {
  const { doc } = parseFlow(text);
  const found = doc === null ? null : findSideBySide(doc, loopNesting(doc));
  if (found === null) return null;
  const edit = editFlow(text, found.change);
  if (!edit.ok) throw new Error(edit.error.message);
  const changed = applyEdits(text, edit.edits);
  const next = parseFlow(changed).doc;
  expect(checkFlow(changed, nodeTypes).diagnostics).toEqual([]);
  return {
    ids: found.ids.join(' '),
    flow: next?.flow,
    edges: next?.edges.map(({ from, to }) => `${from} ${to}`),
  };
}

describe('a hint to run nodes side by side', () => {
  test('is given for nodes in a row that do not use each other', () => {
    expect(hintIn(chain)).toMatchObject({
      ids: 'a b c d',
      flow: { policy: { maxParallel: 4 } },
      edges: expect.arrayContaining(['a join', 'b join', 'c join', 'd join']),
    });
    expect(hintIn(chain)?.edges).toHaveLength(4);
  });

  test('connects each node with what is before the row', () => {
    const start = '  - { id: start, type: echo, input: { text: hi } }\n';
    const text = flowOf(start + four + join, edge('start a b c d join'), '{ name: F, policy: { maxParallel: 2 } }');
    expect(hintIn(text)).toMatchObject({ ids: 'start a b c d', flow: { policy: { maxParallel: 2 } } });
    const used = text.replace('example.com/b', '{{start.text}}');
    expect(hintIn(used)?.edges?.toSorted()).toEqual(
      ['start a', 'a b', 'a c', 'a d', 'b join', 'c join', 'd join'].toSorted(),
    );
  });

  test('is given for nodes that only the limit keeps apart', () => {
    const edges = ['a', 'b', 'c', 'd'].map((id) => edge(`${id} join`)).join('');
    const text = flowOf(four + join, edges);
    expect(hintIn(text)).toMatchObject({ ids: 'a b c d', flow: { policy: { maxParallel: 4 } } });
    expect(hintIn(text.replace('{ name: Four }', '{ name: Four, policy: { maxParallel: 2 } }'))).toBeNull();
  });

  test.each([
    [
      'each uses the one before',
      chain.replaceAll(
        /example\.com\/([bcd])/g,
        (_, id: string) => `{{${String.fromCharCode(id.charCodeAt(0) - 1)}.text}}`,
      ),
    ],
    ['they send something', chain.replaceAll('" } }', '", method: POST } }')],
    ['their outputs are the output of the flow', flowOf(four, edge('a b c d'))],
    ['their edges have conditions', chain.replaceAll(/(to: [bcd]|to: join) }/g, '$1, when: { exists: a.text } }')],
    [
      'only one of them takes time',
      chain.replaceAll(
        /type: http.request, input: { url: "https:\/\/example.com\/[bcd]"/g,
        'type: echo, input: { text: hi',
      ),
    ],
    [
      'another node acts at any time',
      chain.replace('edges:', '  - { id: save, type: file.write, input: { path: x, text: y } }\nedges:'),
    ],
  ])('is not given if %s', (_why, text) => {
    expect(hintIn(text)).toBeNull();
  });
});

const path = 'a.flow.yaml';
let window: TestWindow | undefined;
afterEach(() => {
  window?.close();
  window = undefined;
  localStorage.clear();
});

function Hint() {
  const flow = useSettledFlow(path);
  return flow === undefined ? null : <FlowHint flow={flow} />;
}

test('opens a review, changes nothing by itself, and is dismissed for the file', async () => {
  const opened = openTestWindow({ listFlows: () => [], readNotices: () => [], readFlow: () => ({ text: chain }) });
  window = opened;
  opened.engine.connect();
  await act(() => opened.stores.openFiles.getState().open(path));
  const element = opened.draw(<Hint />);
  const press = async (name: string): Promise<void> => {
    const button = [...element.querySelectorAll('button')].find(({ textContent }) => textContent === name);
    await act(async () => button?.click());
  };
  expect(element.textContent).toContain("These 4 nodes don't depend on each other: a, b, c, d.");
  await press('Review the change');
  await opened.until(() => expect(opened.stores.reviews.getState().reviews.get(path)?.differences).not.toEqual([]));
  expect(opened.stores.openFiles.getState().files.get(path)?.text).toBe(chain);
  expect(element.textContent).toBe('');
  act(() => opened.stores.reviews.getState().end(path));
  await press("Don't suggest this");
  expect(element.textContent).toBe('');
  expect(opened.draw(<Hint />).textContent).toBe('');
});
