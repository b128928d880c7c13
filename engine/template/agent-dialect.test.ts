import { describe, expect, test } from 'vitest';
import { createTemplateRenderer } from './template-renderer.ts';

const { render } = createTemplateRenderer('agent');

/** What a condition decides. */
function holds(condition: string, data: Readonly<Record<string, unknown>> = {}): boolean {
  return render(`{{#if ${condition}}}yes{{else}}no{{/if}}`, data) === 'yes';
}

describe('what is printed', () => {
  test('a list is written in brackets and a map is a word', () => {
    const data = { list: ['a', 1, null, true, ['b', {}], { c: 1 }], map: { a: 1 }, none: [] };
    expect(render('{{list}} {{map}} {{none}}', data)).toBe('[a, 1, , true, [b, [object]], [object]] [object] []');
  });

  test('text is not escaped, and what is missing or null is empty', () => {
    expect(render('{{a}}[{{gone.deep}}][{{nil}}]{{zero}}{{no}}', { a: '<&">', nil: null, zero: 0, no: false })).toBe(
      '<&">[][]0false',
    );
  });

  test('lines that hold only a block tag are removed whole', () => {
    expect(render('a\n{{#if t}}\nb\n{{/if}}\nc\n', { t: true })).toBe('a\nb\nc\n');
  });
});

describe('what is empty', () => {
  test.each([['gone'], ['null'], ['no'], ['zero'], ['text'], ['list'], ['map']])('%s does not hold', (name) => {
    const data = { no: false, zero: 0, text: '', list: [], map: {} };
    expect(render(`{{#if ${name}}}a{{else}}b{{/if}}{{#unless ${name}}}c{{/unless}}`, data)).toBe('bc');
    expect(render(`{{#with ${name}}}a{{else}}b{{/with}}{{#each ${name}}}c{{else}}d{{/each}}`, data)).toBe('bd');
  });

  test('what has something in it holds, and zero on demand', () => {
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
  test('eq and ne compare deeply and convert nothing; missing equals null', () => {
    const data = { a: { x: [1, 2] }, b: { x: [1, 2] }, c: { x: [1, 3] }, nil: null };
    expect([holds('(eq a b)', data), holds('(eq a c)', data), holds('(ne a c)', data)]).toEqual([true, false, true]);
    expect([holds('(eq 1 "1")'), holds('(eq gone nil)', data), holds('(eq a.x c)', data)]).toEqual([
      false,
      true,
      false,
    ]);
  });

  test('gt, gte, lt and lte order numbers, text, and a number with text that is one', () => {
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

  test('and, or and not judge as if does', () => {
    const data = { map: {}, yes: 1 };
    expect([holds('(and yes map)', data), holds('(or yes map)', data), holds('(not map)', data)]).toEqual([
      false,
      true,
      true,
    ]);
    expect(holds('(and (eq yes 1) (not map) "x")', data)).toBe(true);
  });

  test('len counts members, and bytes of text', () => {
    expect(render('{{len list}} {{len map}} {{len text}} {{len 5}}', { list: [1, 2], map: { a: 1 }, text: 'é!' })).toBe(
      '2 1 3 0',
    );
  });

  test('each, lookup and log are there, an unknown helper is an error, and so is one without its values', () => {
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
  test('are walked in the order of their keys as text, whatever order they were written in', () => {
    const data = { map: { b: 1, 10: 2, a: 3, 9: 4, é: 5, Z: 6, '😀': 7, '\uFFEE': 8 } };
    expect(render('{{#each map}}{{@key}}={{this}} {{/each}}', data)).toBe('10=2 9=4 Z=6 a=3 b=1 é=5 \uFFEE=8 😀=7 ');
  });

  test('know place, ends and names as lists do', () => {
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
