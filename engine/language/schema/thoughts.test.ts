import { describe, expect, test } from 'vitest';
import { splitThoughts, ThoughtSplitter } from './thoughts.ts';

type Row = readonly [name: string, answer: string, text: string, thoughts: string];

const fenced = 'Write:\n```xml\n<think>\nhidden\n</think>\n```\nDone';

const rows: readonly Row[] = [
  ['no thoughts', 'Hello Ada', 'Hello Ada', ''],
  ['an empty answer', '', '', ''],
  ['blanks only', ' \n', ' \n', ''],
  ['a block at the start', '<think>I should greet.</think>\n\nHello Ada', 'Hello Ada', 'I should greet.'],
  ['an empty block', '<think>\n\n</think>\n\nHello', 'Hello', ''],
  ['blanks before the tag', '\n\n <think>a</think>Hello', 'Hello', 'a'],
  ['lines inside of the block', '<think>\na\n\nb\n</think>\nHello', 'Hello', 'a\n\nb'],
  ['a block on a later line', 'One.\n<think>hm</think>\nTwo.', 'One.\nTwo.', 'hm'],
  ['an indented block on a later line', 'One.\n  <think>hm</think>\nTwo.', 'One.\nTwo.', 'hm'],
  ['two blocks', '<think>a</think>\n<think>b</think>\nHello', 'Hello', 'a\n\nb'],
  ['a block at the end', 'Hello\n<think>was that right?</think>', 'Hello', 'was that right?'],
  ['a block that is not closed', 'Hello\n<think>was that', 'Hello', 'was that'],
  ['nothing but an unclosed block', '<think>long thoughts', '', 'long thoughts'],
  ['a closing tag that is cut', '<think>long thoughts</thi', '', 'long thoughts'],
  ['an opening tag that is cut', 'Hello\n<thi', 'Hello\n<thi', ''],
  ['a missing opening tag', 'I should greet.\n</think>\n\nHello Ada', 'Hello Ada', 'I should greet.'],
  ['a missing opening tag and no blank after it', 'Greet.</think>Hello', 'Hello', 'Greet.'],
  ['a missing opening tag and JSON after it', 'Or {"a": 0}?</think>{"a": 1}', '{"a": 1}', 'Or {"a": 0}?'],
  ['a closing tag at the very start', '</think>\n\nHello', 'Hello', ''],
  ['capitals', '<THINK>a</Think>Hello', 'Hello', 'a'],
  ['<thinking>', '<thinking>a</thinking>\nHello', 'Hello', 'a'],
  ['<thought>', '<thought>a</thought>Hello', 'Hello', 'a'],
  ['<reasoning>', '<reasoning>a</reasoning>Hello', 'Hello', 'a'],
  ['Seed-OSS', '<seed:think>a</seed:think>Hello', 'Hello', 'a'],
  ['Mistral', '[THINK]a[/THINK]Hello', 'Hello', 'a'],
  ['Kimi', '◁think▷a◁/think▷Hello', 'Hello', 'a'],
  ['Cohere', '<|START_THINKING|>a<|END_THINKING|>Hello', 'Hello', 'a'],
  ['OpenThinker', '<|begin_of_thought|>a<|end_of_thought|>Hello', 'Hello', 'a'],
  [
    'another tag inside of thoughts',
    '<think>is it </thinking> or </b>?</think>Hello',
    'Hello',
    'is it </thinking> or </b>?',
  ],
  ['a block inside of a block', '<think>a <think>b</think> c</think>Hello', 'Hello', 'a <think>b\n\nc'],
  ['a tag within a line', 'Put <think> and </think> around it.', 'Put <think> and </think> around it.', ''],
  [
    'a code block that mentions it',
    '```\nx = "<think>"\n```\nand `</think>`',
    '```\nx = "<think>"\n```\nand `</think>`',
    '',
  ],
  ['a code block with it on a line', fenced, fenced, ''],
  ['thoughts after a code block', '```\na\n```\n<think>b</think>c', '```\na\n```\nc', 'b'],
  ['a closing tag in quotation marks', '{"html": "a</think>b"}', '{"html": "a</think>b"}', ''],
  ['a closing tag in backticks', 'End it with `</think>`.', 'End it with `</think>`.', ''],
  ['a mention in an answer with thoughts', '<think>a</think>Use </think> to end.', 'Use </think> to end.', 'a'],
  ['XML elements of the answer', '<a>\n<reasoning>b</reasoning>\n</a>', '<a>\n<reasoning>b</reasoning>\n</a>', ''],
  ['a longer name', '<thinker>a</thinker>', '<thinker>a</thinker>', ''],
  ['other characters than ASCII', '<think>Grüße 👩‍🚀</think>日本 İ', '日本 İ', 'Grüße 👩‍🚀'],
  ['a less-than sign', 'a < b and <b>c</b> [1]', 'a < b and <b>c</b> [1]', ''],
];

describe('13.4 thinking between tags is not part of the text', () => {
  test.each(rows)('%s', (_name, answer, text, thoughts) => {
    expect(splitThoughts(answer)).toMatchObject({ text, thoughts });
  });

  test.each(rows)('%s, however the text is split into pieces', (_name, answer, text, thoughts) => {
    for (const size of [1, 2, 3, 5, 7]) {
      const heard: string[] = [];
      const splitter = new ThoughtSplitter({ onThoughts: (piece) => heard.push(piece) });
      for (let at = 0; at < answer.length; at += size) splitter.push(answer.slice(at, at + size));
      expect(splitter.end()).toMatchObject({ text, thoughts });
      expect(heard.join('')).toBe(thoughts);
    }
  });
});

test('13.4 passes on text and thinking separately, each as soon as it is certain', () => {
  const heard: string[] = [];
  const splitter = new ThoughtSplitter({
    onText: (piece) => heard.push(piece),
    onThoughts: (piece) => heard.push(`(${piece})`),
  });
  const after = (piece: string): readonly string[] => {
    splitter.push(piece);
    return heard.splice(0);
  };
  expect(after('<thi')).toEqual([]);
  expect(after('nk>I sh')).toEqual(['(I sh)']);
  expect(after('ould </th')).toEqual(['(ould)']);
  expect(after('ink>\n\nHel')).toEqual(['Hel']);
  expect(after('lo <')).toEqual(['lo ']);
  expect(after('b>')).toEqual(['<b>']);
});

test('13.4 reports the ranges of thinking, so that a text keeps its lines and columns', () => {
  const { ranges } = splitThoughts('<think>a</think> b\n<think>c');
  expect(ranges).toEqual([
    { start: 0, end: 16 },
    { start: 19, end: 27 },
  ]);
});

test('a long response with many mentions of tags takes linear time', () => {
  const answer = 'a <think> b </think> '.repeat(20_000);
  expect(splitThoughts(answer).text).toBe(answer);
});
