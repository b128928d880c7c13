import { describe, expect, test } from 'vitest';
import { createTemplateRenderer } from './template-renderer.ts';

const { render } = createTemplateRenderer('agent');

/** Returns the result of a condition. */
function holds(condition: string, data: Readonly<Record<string, unknown>> = {}): boolean {
  return render(`{{#if ${condition}}}yes{{else}}no{{/if}}`, data) === 'yes';
}

describe('output of values', () => {
  test('prints a list in brackets and a map as a word', () => {
    const data = { list: ['a', 1, null, true, ['b', {}], { c: 1 }], map: { a: 1 }, none: [] };
    expect(render('{{list}} {{map}} {{none}}', data)).toBe('[a, 1, , true, [b, [object]], [object]] [object] []');
  });

  test('does not escape text and prints nothing for missing values and null', () => {
    expect(render('{{a}}[{{gone.deep}}][{{nil}}]{{zero}}{{no}}', { a: '<&">', nil: null, zero: 0, no: false })).toBe(
      '<&">[][]0false',
    );
  });

  test('removes lines that contain only a block tag', () => {
    expect(render('a\n{{#if t}}\nb\n{{/if}}\nc\n', { t: true })).toBe('a\nb\nc\n');
  });
});

describe('empty values', () => {
  test.each([['gone'], ['null'], ['no'], ['zero'], ['text'], ['list'], ['map']])('%s is false', (name) => {
    const data = { no: false, zero: 0, text: '', list: [], map: {} };
    expect(render(`{{#if ${name}}}a{{else}}b{{/if}}{{#unless ${name}}}c{{/unless}}`, data)).toBe('bc');
    expect(render(`{{#with ${name}}}a{{else}}b{{/with}}{{#each ${name}}}c{{else}}d{{/each}}`, data)).toBe('bd');
  });

  test('values with content are true, and zero is true on request', () => {
    const data = { list: [0], map: { a: null }, text: ' ', zero: 0 };
    expect([
      holds('list', data),
      holds('map', data),
      holds('text', data),
      holds('zero includeZero=true', data),
    ]).toEqual([true, true, true, true]);
    expect(render('{{#with map as |m|}}{{len m}}{{/with}}', data)).toBe('1');
  });
});

describe('helpers', () => {
  test('eq and ne compare deeply without conversion, and missing values equal null', () => {
    const data = { a: { x: [1, 2] }, b: { x: [1, 2] }, c: { x: [1, 3] }, nil: null };
    expect([holds('(eq a b)', data), holds('(eq a c)', data), holds('(ne a c)', data)]).toEqual([true, false, true]);
    expect([holds('(eq 1 "1")'), holds('(eq gone nil)', data), holds('(eq a.x c)', data)]).toEqual([
      false,
      true,
      false,
    ]);
  });

  test('gt, gte, lt and lte order numbers, text, and a number with numeric text', () => {
    expect([holds('(gt 2 1)'), holds('(gte 2 2)'), holds('(lt "a" "b")'), holds('(lte "b" "a")')]).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect([holds('(gt 10 "9")'), holds('(lt "9" 10)'), holds('(lt "nine" 10)'), holds('(gt true false)')]).toEqual([
      true,
      true,
      false,
      true,
    ]);
    expect([holds('(lt list 1)', { list: [] }), holds('(gt gone 1)')]).toEqual([false, false]);
  });

  test('and, or and not evaluate values like if', () => {
    const data = { map: {}, yes: 1 };
    expect([holds('(and yes map)', data), holds('(or yes map)', data), holds('(not map)', data)]).toEqual([
      false,
      true,
      true,
    ]);
    expect(holds('(and (eq yes 1) (not map) "x")', data)).toBe(true);
  });

  test('len counts items, and the bytes of text', () => {
    expect(render('{{len list}} {{len map}} {{len text}} {{len 5}}', { list: [1, 2], map: { a: 1 }, text: 'é!' })).toBe(
      '2 1 3 0',
    );
  });

  test('each, lookup and log exist, and unknown helpers and missing arguments are errors', () => {
    expect(
      render('{{#each rows}}{{@index}}{{lookup ../names this}} {{/each}}{{log "x"}}', {
        rows: ['a', 'b'],
        names: { a: 1, b: 2 },
      }),
    ).toBe('01 12 ');
    for (const template of ['{{json data}}', '{{upper "x"}}', '{{eq 1}}', '{{#if (len)}}{{/if}}', '{{> part}}']) {
      expect(() => render(template, {}), template).toThrow(expect.objectContaining({ code: 'template.failed' }));
    }
  });
});

describe('maps in a loop', () => {
  test('maps are iterated in the order of their keys as text, whatever order they were written in', () => {
    const data = { map: { b: 1, 10: 2, a: 3, 9: 4, é: 5, Z: 6, '😀': 7, '\uFFEE': 8 } };
    expect(render('{{#each map}}{{@key}}={{this}} {{/each}}', data)).toBe('10=2 9=4 Z=6 a=3 b=1 é=5 \uFFEE=8 😀=7 ');
  });

  test('maps have @index, @first and @last like lists', () => {
    const data = { map: { b: { n: 1 }, a: { n: 2 } }, top: 't' };
    const each = '{{#each map as |value key|}}{{@index}}{{key}}{{value.n}}{{n}}{{../top}}{{@root.top}}';
    const ends = '{{#if @first}}<{{/if}}{{#if @last}}>{{/if}} {{/each}}';
    expect(render(each + ends, data)).toBe('0a22tt< 1b11tt> ');
    expect(render('{{#each map}}{{#each this}}{{@../key}}{{@key}}{{/each}}{{/each}}', data)).toBe('anbn');
    expect(render('{{#each none}}a{{else}}b{{/each}}', { none: {} })).toBe('b');
  });
});

test('the dialect of flows has none of this', () => {
  const flow = createTemplateRenderer();
  expect(flow.render('{{list}} {{map}}{{#if map}}!{{/if}} {{len}}', { list: [1], map: {}, len: 'field' })).toBe(
    '[1] {}! field',
  );
});
