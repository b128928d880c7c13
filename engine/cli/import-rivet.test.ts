/** Tests that nodes of Rivet compute the same values as nodes of a flow. */
import { expect, test } from 'vitest';
import { setUpCli } from '../testing/cli-fixture.ts';

const cli = setUpCli();

interface SampleNode {
  readonly type: string;
  readonly data?: object;
  /** Inputs, as `port: node/port`. */
  readonly from?: Readonly<Record<string, string>>;
}

/** Writes a graph in format 1. An output is the value of a port, written as `node/port`. */
function projectOf(nodes: Readonly<Record<string, SampleNode>>, outputs: Readonly<Record<string, string>>): string {
  const ends = Object.entries(outputs).map(([id, source]): [string, SampleNode] => [
    `out-${id}`,
    { type: 'graphOutput', data: { id, dataType: 'any' }, from: { value: source } },
  ]);
  const all = [...Object.entries(nodes), ...ends];
  return JSON.stringify({
    metadata: { id: 'p', title: 'Values' },
    graphs: {
      g: {
        metadata: { id: 'g', name: 'Values' },
        nodes: all.map(([id, { type, data = {} }]) => ({ id, type, title: id, data })),
        connections: all.flatMap(([inputNodeId, { from = {} }]) =>
          Object.entries(from).map(([inputId, source]) => {
            const [outputNodeId, outputId] = source.split('/');
            return { outputNodeId, outputId, inputNodeId, inputId };
          }),
        ),
      },
    },
  });
}

const order = { name: 'Ada', 'the items': [{ id: 1 }, { id: 2 }], open: null };
const text = (value: string): SampleNode => ({ type: 'text', data: { text: value } });

const nodes: Readonly<Record<string, SampleNode>> = {
  order: { type: 'object', data: { jsonTemplate: JSON.stringify(order) } },
  parts: {
    type: 'destructure',
    data: { paths: ['$.name', "$['the items'][1].id", '$.open.at', '$'] },
    from: { object: 'order/output' },
  },
  ids: { type: 'extractObjectPath', data: { path: '$..id' }, from: { object: 'order/output' } },
  name: { type: 'extractObjectPath', data: { path: '$.name' }, from: { object: 'order/output' } },
  list: {
    type: 'array',
    data: { flatten: true },
    from: { input1: 'ids/all_matches', input2: 'name/match' },
  },
  words: text('one, two ;three'),
  split: { type: 'split', data: { delimiter: ' ?[,;] ?', regex: true }, from: { string: 'words/output' } },
  include: { type: 'object', data: { jsonTemplate: '[true, false, true]' } },
  filter: { type: 'filter', from: { array: 'split/splitString', include: 'include/output' } },
  shuffle: { type: 'shuffle', from: { array: 'filter/filtered' } },
  number: { type: 'randomNumber', data: { min: 4, max: 4, integers: true, maxInclusive: true } },
  answer: text('Here:\n```js\nconst a = 1;\n```\nand\n```\nplain\n```'),
  blocks: { type: 'extractMarkdownCodeBlocks', from: { input: 'answer/output' } },
  table: { type: 'toMarkdownTable', data: { includeHeaders: true }, from: { data: 'order/output' } },
  race: { type: 'raceInputs', from: { input1: 'parts/match_2', input2: 'name/match' } },
  later: { type: 'delay', data: { delay: 1 }, from: { input1: 'name/match' } },
};

test('values that Rivet nodes create, select and rearrange are the same', async () => {
  const outputs = {
    name: 'parts/match_0',
    second: 'parts/match_1',
    nothing: 'parts/match_2',
    whole: 'parts/match_3',
    first: 'ids/match',
    list: 'list/output',
    length: 'list/length',
    filtered: 'filter/filtered',
    number: 'number/value',
    block: 'blocks/firstBlock',
    languages: 'blocks/languages',
    table: 'table/markdown',
    race: 'race/result',
    later: 'later/output1',
  };
  cli.write('values.rivet-project', projectOf(nodes, outputs));
  const { stdout } = await cli.call(['import', 'values.rivet-project', '--json']);
  expect(JSON.parse(stdout).counts).toEqual({ mapped: 29, partly: 1, placeholder: 0, missing: 0 });
  const run = await cli.call(['run', 'values.flow.yaml', '--json']);
  expect(run.code).toBe(0);
  const last = JSON.parse(run.stdout.trim().split('\n').at(-1) ?? '');
  expect(last.event.output).toEqual({
    name: 'Ada',
    second: 2,
    nothing: '',
    whole: order,
    first: 1,
    list: [1, 2, 'Ada'],
    length: 3,
    filtered: ['one', 'three'],
    number: 4,
    block: 'const a = 1;\n',
    languages: ['js', ''],
    table: '| name | the items | open |\n| - | - | - |\n| Ada | [object Object],[object Object] | null |',
    race: 'Ada',
    later: 'Ada',
  });
});
