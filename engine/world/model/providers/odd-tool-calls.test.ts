import { describe, expect, test } from 'vitest';
import {
  a,
  b,
  call,
  called,
  checkAnswer,
  chunk,
  data,
  end,
  file,
  inputA,
  inputB,
  type Row,
  setUpOddServer,
} from '../../../testing/odd-model.ts';

setUpOddServer();

const deep = `{"path":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;

const calls: readonly Row[] = [
  [
    'arguments as a value',
    call({ index: 0, id: 'x', function: { name: file, arguments: inputA } }) + end('tool_calls'),
    called(inputA),
  ],
  ['no index', call({ id: 'x', function: a }, { id: 'y', function: b }) + end('tool_calls'), called(inputA, inputB)],
  [
    'no index and pieces',
    call({ id: 'x', function: { name: file, arguments: '{"path"' } }) +
      call({ function: { arguments: ':"a"}' } }) +
      end('tool_calls'),
    called(inputA),
  ],
  [
    'one index for all',
    call({ index: 0, id: 'x', function: a }) + call({ index: 0, id: 'y', function: b }) + end('tool_calls'),
    called(inputA, inputB),
  ],
  [
    'one id for all',
    call({ index: 0, id: 'x', function: a }, { index: 1, id: 'x', function: b }) + end('tool_calls'),
    called(inputA, inputB),
  ],
  ['no ids', call({ index: 0, function: a }, { index: 1, function: b }) + end('tool_calls'), called(inputA, inputB)],
  ['neither index nor id', call({ function: a }) + call({ function: b }) + end('tool_calls'), called(inputA, inputB)],
  ['an index as text', call({ index: '0', id: 7, function: a }) + end('tool_calls'), called(inputA)],
  [
    'an index that begins at 1, and nulls',
    call({ index: 1, id: 'x', function: { name: file, arguments: '' } }) +
      call({ index: 1, id: null, function: { name: null, arguments: '{"path":"a"}' } }) +
      end('tool_calls'),
    called(inputA),
  ],
  [
    'an id and name with each piece',
    call({ index: 0, id: 'x', function: { name: file, arguments: '{"path"' } }) +
      call({ index: 0, id: 'x', function: { name: file, arguments: ':"a"}' } }) +
      end('tool_calls'),
    called(inputA),
  ],
  [
    'another id with each piece',
    call({ index: 0, id: 'x', function: { name: file, arguments: '{"path"' } }) +
      call({ index: 0, id: 'y', function: { name: file, arguments: ':"a"}' } }) +
      end('tool_calls'),
    called(inputA),
  ],
  [
    'a name in pieces',
    call({ index: 0, id: 'x', function: { name: 'core__' } }) +
      call({ index: 0, function: { name: 'file_read', arguments: '{"path":"a"}' } }) +
      end('tool_calls'),
    called(inputA),
  ],
  [
    'a call that is sent twice',
    call({ index: 0, id: 'x', function: a }) + call({ index: 0, id: 'x', function: a }) + end('tool_calls'),
    called(inputA),
  ],
  [
    'JSON within JSON',
    call({ index: 0, id: 'x', function: { name: file, arguments: JSON.stringify(a.arguments) } }) + end('tool_calls'),
    called(inputA),
  ],
  [
    'empty arguments',
    call({ index: 0, id: 'x', function: { name: file, arguments: '' } }) + end('tool_calls'),
    called({}),
  ],
  [
    'arguments nested 100,000 levels deep',
    call({ index: 0, id: 'x', function: { name: file, arguments: deep } }) + end('tool_calls'),
    { calls: [expect.stringContaining('is nested more than')] },
  ],
  ...['{"__proto__":{"a":1}}', '{"b":[{"constructor":{"prototype":{}}}]}'].map(
    (text): Row => [
      `arguments that would change what all objects have: ${text}`,
      call({ index: 0, id: 'x', function: { name: file, arguments: text } }) + end('tool_calls'),
      { calls: [text] },
    ],
  ),
  [
    'an argument that is only called constructor',
    call({ index: 0, id: 'x', function: { name: file, arguments: '{"constructor":"Gaudí"}' } }) + end('tool_calls'),
    called({ constructor: 'Gaudí' }),
  ],
  ['no arguments', call({ index: 0, id: 'x', function: { name: file } }) + end('tool_calls'), called({})],
  ['name and arguments beside the id', call({ id: 'x', ...a }) + end('tool_calls'), called(inputA)],
  [
    'one call that is not in a list',
    data(chunk({ tool_calls: { id: 'x', function: a } })) + end('tool_calls'),
    called(inputA),
  ],
  ['the usual end', call({ index: 0, id: 'x', function: a }) + end('stop'), called(inputA)],
  [
    'the older field',
    data(chunk({ function_call: { name: file, arguments: '{"path"' } })) +
      data(chunk({ function_call: { arguments: ':"a"}' } })) +
      end('function_call'),
    called(inputA),
  ],
  [
    'a call without a name',
    call({ index: 0, id: 'x', function: a }, { index: 1, id: 'y', function: { arguments: '{}' } }) + end('tool_calls'),
    { ...called(inputA), warnings: ['1 part of'] },
  ],
];

describe('assembles tool calls in malformed streams', () => {
  test.each(calls)('%s', (_name, answer, expected) => checkAnswer(answer, expected));
});
