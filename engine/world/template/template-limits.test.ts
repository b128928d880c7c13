import { describe, expect, test } from 'vitest';
import { hasTooManyTags, MAX_STEPS, MAX_TAGS } from './template-limits.ts';
import { createTemplateRenderer } from './template-renderer.ts';

const rows = Array.from({ length: 1000 }, (_, index) => index);
const loops = '{{#each rows}}{{#each @root.rows}}{{#each @root.rows}}{{this}}{{/each}}{{/each}}{{/each}}';

describe.each(['flow', 'agent'] as const)('a template of dialect %s', (dialect) => {
  const { render } = createTemplateRenderer(dialect);

  test('limits the number of steps, counting nested loops and starting over for each rendering', () => {
    expect(() => render(loops, { rows })).toThrow(`it takes more than ${MAX_STEPS} steps`);
    expect(render(loops, { rows: [1, 2] })).toBe('12'.repeat(4));
    const mostOfThem = '{{#each rows}}{{#each @root.half}}{{/each}}{{/each}}';
    const half = rows.slice(500);
    expect(render(mostOfThem, { rows, half }) + render(mostOfThem, { rows, half })).toBe('');
  });

  test('limits the length of the output', () => {
    const text = 'x'.repeat(100_000);
    expect(() => render('{{#each rows}}{{../text}}{{/each}}', { rows, text })).toThrow('the result has more than');
  });

  test('limits the number of tags regardless of the text', () => {
    expect(() => render('{{#if a}}'.repeat(MAX_TAGS) + '{{/if}}'.repeat(MAX_TAGS), {})).toThrow(
      expect.objectContaining({ code: 'template.bad-syntax' }),
    );
    expect(render('some (text) { } '.repeat(50_000), {})).toHaveLength(800_000);
  });

  test('rendering the template again has the same result', () => {
    expect(render('{{#if a}}{{a}}{{/if}}', { a: 1 }) + render('{{#if a}}{{a}}{{/if}}', { a: 2 })).toBe('12');
  });
});

test('work inside helpers counts as steps', () => {
  const agent = createTemplateRenderer('agent');
  const flow = createTemplateRenderer('flow');
  const big = { list: rows };
  const same = { list: [...rows] };
  expect(() =>
    agent.render('{{#each rows}}{{#each @root.rows}}{{eq @root.big @root.same}}{{/each}}{{/each}}', {
      rows,
      big,
      same,
    }),
  ).toThrow('steps');
  expect(() =>
    flow.render('{{#each rows}}{{#each @root.rows}}{{json @root.big}}{{/each}}{{/each}}', { rows, big }),
  ).toThrow('steps');
});

test('weights tags by the work of the parser: comments less, parentheses and length more', () => {
  expect(hasTooManyTags(`{{!-- ${'comment '.repeat(20_000)} --}}`)).toBe(false);
  expect(hasTooManyTags(`{{or ${'(or '.repeat(3000)}`)).toBe(true);
  expect(hasTooManyTags(`{{or ${'a '.repeat(30_000)}}}`)).toBe(true);
  expect(hasTooManyTags('{{data.name}} '.repeat(1000))).toBe(false);
});
