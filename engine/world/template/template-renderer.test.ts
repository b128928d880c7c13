import { describe, expect, test } from 'vitest';
import { EngineError } from '../../base/engine-error.ts';
import { createTemplateRenderer } from './template-renderer.ts';

const { render } = createTemplateRenderer();

function codeOf(template: string): string | undefined {
  try {
    render(template, {});
    return undefined;
  } catch (error) {
    return EngineError.is(error) ? error.code : String(error);
  }
}

describe('values', () => {
  test('does not escape text regardless of the number of braces', () => {
    expect(render('{{a}} {{{a}}}', { a: '<b> & "c"' })).toBe('<b> & "c" <b> & "c"');
  });

  test('prints nothing for missing values and null', () => {
    expect(render('[{{gone}}][{{gone.deeper}}][{{nil}}]', { nil: null })).toBe('[][][]');
  });

  test('prints numbers and booleans as JSON, including zero and false', () => {
    expect(render('{{n}} {{z}} {{t}} {{f}}', { n: 1.5, z: 0, t: true, f: false })).toBe('1.5 0 true false');
  });

  test('prints lists and maps as JSON, alone, inside of a block and in each', () => {
    const data = { map: { a: [1, { b: null }] }, rows: [{ c: 1 }, { c: 2 }] };
    expect(render('{{map}}', data)).toBe('{"a":[1,{"b":null}]}');
    expect(render('is {{{map.a}}}', data)).toBe('is [1,{"b":null}]');
    expect(render('{{#if map}}{{map}}{{/if}}', data)).toBe('{"a":[1,{"b":null}]}');
    expect(render('{{#each rows}}{{this}};{{/each}}', data)).toBe('{"c":1};{"c":2};');
  });

  test('the json helper prints any value as JSON, optionally indented', () => {
    expect(render('{{json a}} {{json gone}}', { a: 'x"y' })).toBe('"x\\"y" null');
    expect(() => render('{{json}}', { json: 1 })).toThrow(/takes one value/);
    expect(render('{{this.json}}', { json: 1 })).toBe('1');
    expect(render('{{json a indent=2}}', { a: { b: 1 } })).toBe('{\n  "b": 1\n}');
  });

  test('blocks iterate over lists and maps by their own keys', () => {
    const data = { rows: [{ name: 'x' }, { name: 'y' }], map: { k: 'v' }, none: [] };
    expect(render('{{#each rows}}{{@index}}{{name}} {{/each}}', data)).toBe('0x 1y ');
    expect(render('{{#each map}}{{@key}}={{this}}{{/each}}', data)).toBe('k=v');
    expect(render('{{#each none}}x{{else}}empty{{/each}} {{rows.length}}', data)).toBe('empty 2');
  });
});

describe('limits', () => {
  test('a template cannot access prototypes', () => {
    const data = { map: { a: 1 }, text: 'abc', rows: [1] };
    expect(render('[{{map.constructor}}][{{text.toUpperCase}}][{{rows.push}}][{{map.__proto__}}]', data)).toBe(
      '[][][][]',
    );
  });

  test('keys that look like prototype members are plain data', () => {
    expect(render('{{map.constructor}} {{map.toString}}', { map: { constructor: 'c', toString: 't' } })).toBe('c t');
  });

  test('renderers do not share helpers, and log is not available', () => {
    expect(codeOf('{{log "x"}}')).toBe('template.failed');
  });

  test('distinguishes syntax errors from failing helpers, with messages of one line', () => {
    expect(codeOf('{{#if a}}')).toBe('template.bad-syntax');
    expect(codeOf('{{a')).toBe('template.bad-syntax');
    expect(codeOf('{{#if a}}{{/each}}')).toBe('template.bad-syntax');
    expect(codeOf('{{unknown "x"}}')).toBe('template.failed');
    expect(() => render('one\n{{a', {})).toThrow(/^The template has a syntax error: [^\n]*line 2[^\n]*$/);
  });

  test('does not modify the data', () => {
    const data = { map: { a: [1] } };
    render('{{map}}', data);
    expect(Reflect.ownKeys(data.map)).toEqual(['a']);
    expect(Reflect.ownKeys(data.map.a)).toEqual(['0', 'length']);
  });
});
