import { expect, test } from 'vitest';
import { runSingleNode } from '../../../testing/run-single-node.ts';
import { templateNode } from './template-node.ts';

test('fills its template with its input and leaves the template itself unchanged', async () => {
  const { output } = await runSingleNode(
    {
      type: 'template',
      input: { items: '{{flow.input.items}}', title: 'List' },
      config: { template: '{{title}}:{{#each items}} {{this.name}}{{/each}}' },
    },
    { inputs: { items: [{ name: 'one' }, { name: 'two' }] } },
  );
  expect(output).toEqual({ text: 'List: one two' });
});

test('fails with a code if the template is invalid', async () => {
  const { error } = await runSingleNode({ type: 'template', config: { template: '{{#each}}' } });
  expect(error).toMatchObject({ code: 'template.bad-syntax', nodeId: 'node' });
});

test('its card names its inputs', () => {
  expect(templateNode.summary?.({}, { a: 1, b: 2 })).toEqual(['Writes text from ', { chip: 'a' }, ', ', { chip: 'b' }]);
  expect(templateNode.summary?.({}, {})).toEqual(['Writes fixed text']);
});
