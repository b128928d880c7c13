import { afterEach, expect, test } from 'vitest';
import { callKeyOf, type SchemaFile } from '../../../engine/isomorphic.ts';
import { openTestWindow, type TestWindow } from '../../app/testing/test-window.tsx';
import { bindingCandidates } from '../../stores/flow/binding-candidates.ts';
import { nodeTypes } from '../../stores/flow/node-types.ts';
import { completeFlow } from './complete-flow.ts';
import { indexFlow } from './flow-index.ts';
import { flowKnowledge } from './flow-language.ts';

const path = 'flows/a.flow.yaml';
const text = `flow: { name: A }
nodes:
  - { id: call, type: flow, input: { flow: sub.flow.yaml } }
  - { id: after, type: echo, input: { text: "{{call.outputs.}}" } }
edges:
  - { from: call, to: after }
`;

let window: TestWindow;
afterEach(() => window.close());

/** Returns a flow that declares these outputs, or that has a final node if there are none. */
function calledFlow(outputs: string): SchemaFile {
  const called = `flow: { name: Sub${outputs} }\nnodes:\n  - { id: say, type: echo, input: { text: hi } }\nedges: []\n`;
  return { flow: { path: 'flows/sub.flow.yaml', text: called, files: [] } };
}

const file = () => window.stores.openFiles.getState().files.get(path);

/** Returns the completions after `call.outputs.`, in the text and in forms. */
function offered(): { readonly text: readonly string[]; readonly forms: readonly string[] } {
  const { doc, schemas: files } = file() ?? {};
  const offset = text.indexOf('{{call.outputs.') + '{{call.outputs.'.length;
  const knowledge = Object.assign(flowKnowledge(nodeTypes), { files });
  const found = completeFlow(indexFlow(text), offset, knowledge).map(({ label }) => label);
  const forms = doc == null ? [] : bindingCandidates(doc, { node: 'after' }, nodeTypes, { files })('call.outputs.');
  return {
    text: found.filter((label) => !label.includes('|')),
    forms: forms.flatMap((one) => (one.path.startsWith('call.outputs.') ? [one.path] : [])),
  };
}

test('BB-34 completes the outputs of a called flow in text and forms, and updates them when that flow changes', async () => {
  let held = calledFlow(', outputs: { words: "{{say.text}}", count: 3 }');
  window = openTestWindow({
    readFlow: () => ({ text }),
    readSchemas: ({ names }) =>
      names.map((name) => [name, name === callKeyOf('sub.flow.yaml') ? held : { problem: '?' }]),
  });
  window.engine.connect();
  await window.stores.openFiles.getState().open(path);
  await window.until(() => expect(offered().text).toEqual(['words', 'count']));
  expect(offered().forms).toEqual(['call.outputs.words', 'call.outputs.count']);

  held = calledFlow(', outputs: { letters: "{{say.text}}" }');
  window.engine.push('watchFiles', { paths: ['flows/sub.flow.yaml'], isTree: false });
  await window.until(() => expect(offered()).toEqual({ text: ['letters'], forms: ['call.outputs.letters'] }));

  held = calledFlow('');
  window.engine.push('watchFiles', { paths: ['flows/sub.flow.yaml'], isTree: false });
  await window.until(() => expect(offered().forms).toEqual(['call.outputs.say']));

  held = { problem: 'There is no flow flows/sub.flow.yaml.' };
  window.engine.push('watchFiles', { paths: ['flows/sub.flow.yaml'], isTree: false });
  await window.until(() => expect(offered()).toEqual({ text: [], forms: [] }));
});
