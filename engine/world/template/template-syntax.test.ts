import { describe, expect, test } from 'vitest';
import { createTemplateRenderer } from './template-renderer.ts';
import { commonSyntax } from './template-syntax.ts';

const data = { x: 'X', data: { x: 'X', l: ['zero', { n: 'one' }, ['deep']] }, yes: true, '0': 'nil' };

describe.each(['flow', 'agent'] as const)('a template of dialect %s', (dialect) => {
  const { render } = createTemplateRenderer(dialect);

  test.each([
    ['{{data.x}}}', 'X}'],
    ['{{data.x}}}}', 'X}}'],
    ['{{{data.x}}}', 'X'],
    ['{{{x}}}}', 'X}'],
    ['{{{x}}}}}', 'X}}'],
    ['{"a":{"b":{{x}}}}', '{"a":{"b":X}}'],
    ['{"a":{"b":{{{x}}}}}', '{"a":{"b":X}}'],
    ['{ {{x}} }', '{ X }'],
    ['{{#if yes}}}a{{/if}}}', '}a}'],
    ['{{#each data.l}}}{{@index}}}{{/each}}', '}0}}1}}2}'],
    ['{{lookup data "x"}}}', 'X}'],
    ['{{x~}}} b', 'X} b'],
  ])('%s: a brace directly after a tag is text', (template, text) => {
    expect(render(template, data)).toBe(text);
  });

  test.each([
    ['{{data.l.0}}', 'zero'],
    ['{{data.l.0}}}', 'zero}'],
    ['{{data/l/0}}', 'zero'],
    ['{{data.l.1.n}}{{data.l.2.0}}', 'onedeep'],
    ['{{data.l.[1].n}}', 'one'],
    ['{{this.data.l.0}} {{@root.data.l.0}}', 'zero zero'],
    ['{{#each data.l}}{{@root.data.l.0}}{{../data.l.0}} {{/each}}', 'zerozero zerozero zerozero '],
    ['{{#with data.l}}{{this.0}}{{./0}}{{/with}}', 'zerozero'],
    ['{{#if data.l.7}}a{{else}}b{{/if}}', 'b'],
    ['{{lookup data.l 0}}', 'zero'],
    ['{{lookup data.l.1 "n"}}', 'one'],
    ['{{data.l.9}}', ''],
  ])('%s: a path segment may be a number', (template, text) => {
    expect(render(template, data)).toBe(text);
  });

  test.each([
    ['{{{{raw}}}}{{x}} {{#if}} } {{{{/raw}}}}{{x}}', '{{x}} {{#if}} } X'],
    ['a{{{{raw}}}}{{{{/raw}}}}b', 'ab'],
    ['{{{{raw}}}}{{data.l.0}}}{{{{/raw}}}}', '{{data.l.0}}}'],
    ['\\{{data.l.0}}} {{x}}', '{{data.l.0}}} X'],
    ['a{{! not }}} b', 'a} b'],
    ['a{{!-- {{data.l.0}} --}}} b', 'a} b'],
    ['{{data.[a.0]}}{{lookup this "b.0}}}"}}', ''],
  ])('%s: text is not changed', (template, text) => {
    expect(render(template, data)).toBe(text);
  });

  test('an invalid template is rejected with the original line', () => {
    for (const template of ['{{x', '{{#if x}}} {{/each}}', '{{x.0', '{{{x.0}}', '{{{{raw}}}} {{x.0}}']) {
      expect(() => render(template, data), template).toThrow(expect.objectContaining({ code: 'template.bad-syntax' }));
    }
    expect(() => render('{{x}}}\n{{x.0}}\n{{#if x', data)).toThrow(/line 3/);
  });
});

test('plain numbers, and numbers in strings and outside of tags, are unchanged', () => {
  for (const template of ['1.5 a.0 }}}', '{{gt a 1.5}} a.0', '{{eq a "b.0"}} }}}', "{{eq a 'b.0'}} .0"]) {
    expect(commonSyntax(template)).toBe(template);
  }
});

test('hostile templates are processed quickly', () => {
  const startedAt = performance.now();
  for (const part of ['{{', '{{"', '{{[', '{{{{raw}}}}', '{{a.0}}}', '{{!--', '\\{{', '{{a.0'])
    commonSyntax(part.repeat(100_000));
  expect(performance.now() - startedAt).toBeLessThan(5000);
});

test('problems are found without data, with their line', () => {
  const agent = createTemplateRenderer('agent');
  const flow = createTemplateRenderer('flow');
  expect(
    agent.problemOf(
      '{{data.x}}}\n{{#each a as |b|}}{{b.0}}{{else}}{{/each}}{{#if (eq a 1)}}{{lookup a b}}{{/if}}{{#a}}{{/a}}',
    ),
  ).toBeNull();
  expect(agent.problemOf('a\nb {{#if x}}\nc')).toEqual({
    line: 2,
    message: 'the block {{#if}} is not closed by {{/if}}',
  });
  expect(agent.problemOf('a\n{{x y= }}\nb')).toEqual({ line: 2, message: 'a tag is invalid at "}}"' });
  expect(agent.problemOf('a\n{{#if x}}\n{{/each}}')).toEqual({
    line: 2,
    message: expect.stringContaining("doesn't match"),
  });
  expect(agent.problemOf('a\n{{upper x}}\n{{other y}}')).toEqual({ line: 2, message: 'helper "upper" does not exist' });
  expect(agent.problemOf('{{#if (has x)}}{{/if}}')).toEqual({ line: 1, message: 'helper "has" does not exist' });
  expect(agent.problemOf('\n{{#every x}}{{/every}}{{join l sep=","}}')).toMatchObject({ line: 2 });
  expect(agent.problemOf('\n\n{{> part}}')).toEqual({ line: 3, message: expect.stringContaining('partials') });
  expect(agent.problemOf('{{json x}}')?.message).toBe('helper "json" does not exist');
  expect([flow.problemOf('{{json x}}'), flow.problemOf('{{len x}}')?.message]).toEqual([
    null,
    'helper "len" does not exist',
  ]);
  expect(agent.problemOf('{{a}}'.repeat(3000))?.message).toContain('more than');
});
