import { describe, expect, test } from 'vitest';
import { parseAgent } from '../../language/agent/parse-agent.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import { file } from '../../testing/agent-text.ts';
import { createTemplates } from '../../world/template/templates.ts';
import { renderMessages } from './prompt-messages.ts';

const templates = createTemplates();

/** Returns the messages of a file's prompts, and whether they request caching. */
async function render(lines: readonly string[], data: JsonValue = {}) {
  const { doc } = parseAgent(file(...lines));
  return await renderMessages(doc?.prompts ?? [], { data, input: 'in', before_all: { lang: 'fr' } }, templates);
}

describe('messages', () => {
  test('keep file order and are filled only with data, input and before_all', async () => {
    const lines = [
      '# User',
      '{{data.a}} {{input}}',
      '# System',
      '{{before_all.lang}}[{{CTX}}{{options}}{{outputs}}]',
      '# Assistant',
      'ok',
    ];
    expect(await render(lines, { a: '<1>' })).toEqual({
      messages: [
        { role: 'user', content: '<1> in\n' },
        { role: 'system', content: 'fr[]\n' },
        { role: 'assistant', content: 'ok\n' },
      ],
      hasCache: false,
    });
  });

  test('AP-16 omit a part that contains only white space', async () => {
    const lines = ['# System', '{{#if data.rules}}', '{{data.rules}}', '{{/if}}', '  ', '# User', 'Go'];
    expect((await render(lines)).messages).toEqual([{ role: 'user', content: 'Go\n' }]);
    expect(await render(['# System', '', '# User'])).toEqual({ messages: [], hasCache: false });
  });
});

describe('options of a heading', () => {
  test('AP-15 request caching if the option, filled with data, is set', async () => {
    const lines = ['# System', 'Rules', '# User `cache = {{data.c}}`', 'Hello'];
    expect(await render(lines, { c: true })).toEqual({
      messages: [
        { role: 'system', content: 'Rules\n' },
        { role: 'user', content: 'Hello\n', cache: true },
      ],
      hasCache: true,
    });
    expect(await render(lines, { c: false })).toEqual({
      messages: [
        { role: 'system', content: 'Rules\n' },
        { role: 'user', content: 'Hello\n' },
      ],
      hasCache: false,
    });
  });

  test('may have braces and unknown keys', async () => {
    expect((await render(['# User `{ cache = true, ttl = 5 }`', 'x'])).hasCache).toBe(true);
    expect((await render(['# User `ttl = "1h"`', 'x'])).messages).toEqual([{ role: 'user', content: 'x\n' }]);
    expect((await render(['# User `{{data.gone}}`', 'x'])).messages).toEqual([{ role: 'user', content: 'x\n' }]);
  });

  test('report invalid options and what is allowed', async () => {
    for (const option of ['cache', 'cache = {{data.gone}}', 'cache = 1', 'cache: true']) {
      await expect(render(['', `# User \`${option}\``, 'x']), option).rejects.toMatchObject({
        code: 'agent.bad-prompt-option',
        message: expect.stringContaining('only `cache = true|false` is allowed there'),
        line: 2,
      });
    }
  });

  test('are ignored for a part without text', async () => {
    expect((await render(['# User `cache = 1`', ''])).messages).toEqual([]);
  });
});

test('a template error contains the line of its heading', async () => {
  await expect(render(['# System', 'x', '# User', '{{#if data}}'])).rejects.toMatchObject({
    code: 'template.bad-syntax',
    message: expect.stringMatching(/^The prompt in line 3: /),
    line: 3,
  });
  await expect(render(['# User', '{{json data}}'])).rejects.toMatchObject({ code: 'template.failed', line: 1 });
});
