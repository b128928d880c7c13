import { expect, test } from 'vitest';
import { cutTexts } from './cut-texts.ts';

const long = Array.from({ length: 400 }, (_, index) => `word${index}`).join(' ');

test('names the text of the input of which a text of the output is a part, regardless of the first letter', () => {
  const cut = `W${long.slice(1, 1000)}`;
  expect(cutTexts({ text: long, sender: 'x' }, { sender: 'x', text: cut })).toEqual([
    { from: 'input.text', path: 'text', length: 1000, total: long.length },
  ]);
  expect(cutTexts({ mail: { body: long } }, cut)).toEqual([
    { from: 'input.mail.body', path: '', length: 1000, total: long.length },
  ]);
});

test('texts that are whole, short, new, or hardly shorter are not cut', () => {
  expect(cutTexts({ text: long }, { text: long })).toEqual([]);
  expect(cutTexts({ text: long }, { text: long.slice(0, 99) })).toEqual([]);
  expect(cutTexts({ text: long }, { text: `${long.slice(0, 500)}!` })).toEqual([]);
  expect(cutTexts({ text: long }, { text: long.slice(0, -99) })).toEqual([]);
  expect(cutTexts({ text: long, short: long.slice(0, 500) }, { text: long.slice(0, 500) })).toEqual([]);
  expect(cutTexts(undefined, null)).toEqual([]);
});
