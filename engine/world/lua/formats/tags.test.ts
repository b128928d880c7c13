import { describe, expect, test } from 'vitest';
import { extractTags } from './tags.ts';

const elements = (text: string, ...names: readonly string[]) => extractTags(text, names).elements;

describe('extractTags', () => {
  test('extracts elements and returns the remaining text', () => {
    expect(extractTags('Pre <A>one</A> mid <B>two</B> suf <A>three</A>', ['A', 'B'])).toEqual({
      elements: [
        { tag: 'A', content: 'one' },
        { tag: 'B', content: 'two' },
        { tag: 'A', content: 'three' },
      ],
      rest: 'Pre  mid  suf ',
      unclosed: [],
    });
    expect(extractTags('<A>1</A><A>2</A>', ['A'], 1)).toMatchObject({ elements: [{ content: '1' }], rest: '<A>2</A>' });
    expect(extractTags('plain', ['A'])).toEqual({ elements: [], rest: 'plain', unclosed: [] });
  });

  test('reads attributes of all kinds', () => {
    const [file] = elements(`<FILE \npath="a > b.txt"\n id=12/3 q = 'x y' flag data-x="">c</FILE>`, 'FILE');
    expect(file).toEqual({
      tag: 'FILE',
      attrs: { path: 'a > b.txt', id: '12/3', q: 'x y', flag: '', 'data-x': '' },
      content: 'c',
    });
  });

  test('extracts a self-closing element', () => {
    expect(elements('<A x="1" /> <A/> <A y=2/>b</A>', 'A')).toEqual([
      { tag: 'A', attrs: { x: '1' }, content: '' },
      { tag: 'A', content: '' },
      { tag: 'A', attrs: { y: '2' }, content: '' },
    ]);
  });

  test('keeps other elements inside unchanged', () => {
    expect(elements('<O>a <I>b</I></O>', 'O', 'I')).toEqual([{ tag: 'O', content: 'a <I>b</I>' }]);
    expect(elements('<O>a <O>b</O></O>', 'O')).toEqual([{ tag: 'O', content: 'a <O>b' }]);
  });

  test('matches whole names with exact case', () => {
    expect(elements('<TAG_X>a</TAG_X><tag>b</tag><TAG>c</TAG>', 'TAG')).toEqual([{ tag: 'TAG', content: 'c' }]);
    expect(elements('<a.b>c</a.b><aXb>d</aXb>', 'a.b')).toEqual([{ tag: 'a.b', content: 'c' }]);
  });

  test('skips unfinished elements and reports them', () => {
    expect(extractTags('<A oops </A> <A>x</A>', ['A']).elements).toEqual([{ tag: 'A', content: 'x' }]);
    expect(extractTags('<A x=1>a <B>b</B>', ['A', 'B'])).toEqual({
      elements: [{ tag: 'B', content: 'b' }],
      rest: '<A x=1>a ',
      unclosed: [{ tag: 'A', attrs: { x: '1' } }],
    });
  });

  test('stays fast on hostile text', () => {
    const many = 40_000;
    expect(elements('<A>'.repeat(many), 'A')).toEqual([]);
    expect(elements('<A x="'.repeat(many), 'A')).toEqual([]);
    expect(elements(`<A ${'x '.repeat(many)}`, 'A')).toEqual([]);
    expect(elements(`<A${' '.repeat(many)}`, 'A')).toEqual([]);
    expect(elements('<A/'.repeat(many), 'A')).toEqual([]);
  });

  test('keeps attributes that are special in JavaScript', () => {
    const [element] = elements('<A __proto__="x">c</A>', 'A');
    expect(Object.entries(element?.attrs ?? {})).toEqual([['__proto__', 'x']]);
  });
});
