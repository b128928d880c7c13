import { describe, expect, test } from 'vitest';
import { fence3, fence4, file } from '../../testing/agent-text.ts';
import { parseAgent } from './parse-agent.ts';

function codesOf(text: string): string[] {
  return parseAgent(text).diagnostics.map(({ code }) => code);
}

function docOf(text: string) {
  const { doc, diagnostics } = parseAgent(text);
  expect(diagnostics).toEqual([]);
  if (doc === null) throw new Error('The file was refused');
  return doc;
}

describe('sections', () => {
  test('parses the options, scripts and prompts of a complete file', () => {
    const doc = docOf(
      file(
        'Words before the first heading mean nothing.',
        '# Options',
        `${fence3}toml`,
        'model = "small-low"',
        'temperature = 0',
        fence3,
        '# Before All',
        'Prose beside the code.',
        `${fence3}lua`,
        'return nil',
        fence3,
        'More prose.',
        '# Data',
        `${fence3}lua title="data"`,
        'return input',
        fence3,
        '# System `Cache = TRUE`',
        'Be brief.',
        '# Instruction',
        '',
        'Say {{data}}.',
        '## Not a section',
        '# Output',
        `${fence3}luau`,
        'return ai_response.content',
        fence3,
        '# After All',
        `${fence3}lua`,
        'return #outputs',
        fence3,
      ),
    );
    expect(doc).toEqual({
      options: { model: 'small-low', temperature: 0 },
      scripts: {
        beforeAll: { code: `${'\n'.repeat(9)}return nil\n`, line: 10 },
        data: { code: `${'\n'.repeat(14)}return input\n`, line: 15 },
        output: { code: `${'\n'.repeat(24)}return ai_response.content\n`, line: 25 },
        afterAll: { code: `${'\n'.repeat(28)}return #outputs\n`, line: 29 },
      },
      prompts: [
        { role: 'system', optionText: 'cache = true', content: 'Be brief.\n', line: 17 },
        { role: 'user', optionText: null, content: '\nSay {{data}}.\n## Not a section\n', line: 19 },
      ],
    });
  });

  test('accepts headings without a space, in any case, and with alternative names', () => {
    const { prompts } = docOf(
      file(
        '#user',
        'a',
        '#  INST',
        'b',
        '# instruction ',
        'c',
        '# Model',
        'd',
        '# Mind Trick',
        'e',
        '# jedi trick',
        'f',
      ),
    );
    expect(prompts.map(({ role, content }) => role + content)).toEqual([
      'usera\n',
      'userb\n',
      'userc\n',
      'assistantd\n',
      'assistante\n',
      'assistantf\n',
    ]);
  });

  test('creates one message per prompt heading, in file order', () => {
    const { prompts } = docOf(file('# User', 'one', '# System', 'two', '# User', '# System', 'three'));
    expect(prompts.map(({ role, content, line }) => [role, content, line])).toEqual([
      ['user', 'one\n', 1],
      ['system', 'two\n', 3],
      ['user', '', 5],
      ['system', 'three\n', 6],
    ]);
  });

  test('joins the code of repeated script headings and keeps line numbers', () => {
    const text = file('# Data', `${fence3}lua`, 'local a = 1', fence3, '# Data', `${fence3}lua`, 'return a', fence3);
    expect(docOf(text).scripts.data).toEqual({ code: '\n\nlocal a = 1\n\n\n\nreturn a\n', line: 3 });
  });

  test('parses repeated options as one text', () => {
    const text = file(
      '# Options',
      `${fence3}toml`,
      'model = "m"',
      fence3,
      '# Options',
      `${fence4}toml`,
      'top_p = 1',
      fence4,
    );
    expect(docOf(text).options).toEqual({ model: 'm', top_p: 1 });
  });

  test('an empty fence is not a script, but a fence with a blank line is', () => {
    expect(docOf(file('# Data', `${fence3}lua`, fence3)).scripts).toEqual({});
    expect(docOf(file('# Data', `${fence3}lua`, '', fence3)).scripts.data?.line).toBe(3);
  });

  test('an empty file is an agent that does nothing', () => {
    const { doc, diagnostics } = parseAgent('');
    expect(doc).toEqual({ options: {}, scripts: {}, prompts: [] });
    expect(diagnostics).toMatchObject([{ code: 'agent.empty', severity: 'warning', range: { line: 1, column: 1 } }]);
    expect(diagnostics[0]?.message).toContain('Add a line "# Instruction"');
    expect(codesOf('Just some words.\n')).toEqual(['agent.empty']);
    expect(codesOf('# Notes\n')).toEqual([]);
  });

  test.each([
    ['flow', 'flow: { name: a }\nnodes: []\nedges: []\n', '.flow.yaml'],
    ['flow', '{\n"flow": {},\n"nodes": []}', '.flow.yaml'],
    ['step flow', 'id: refund\nsteps:\n  - { id: a, type: tool }\n', 'not an agent'],
  ])('reports that a %s is not an agent', (kind, text, mending) => {
    const { doc, diagnostics } = parseAgent(text);
    expect([doc, codesOf(text)]).toEqual([null, ['agent.other-format']]);
    expect(diagnostics[0]?.message).toContain(`looks like a ${kind}`);
    expect(diagnostics[0]?.message).toContain(mending);
    // A prompt may contain any text.
    expect(codesOf(`# Instruction\n\n${text}`)).toEqual([]);
  });

  test('Windows line endings, a byte order mark and a missing final line feed change nothing', () => {
    const text = file(
      '# Options',
      `${fence3}toml`,
      'model = "m"',
      fence3,
      '# Data',
      `${fence3}lua`,
      'x()',
      fence3,
      '# User',
    );
    const expected = docOf(`${text}Hello\n`);
    expect(docOf(`\uFEFF${text.replaceAll('\n', '\r\n')}Hello`)).toEqual(expected);
  });
});

describe('fences', () => {
  test('AP-14 three backticks inside four are text, and an unknown heading cuts a prompt but not a fence', () => {
    const text = file(
      '# Data',
      `${fence4}lua`,
      'local sample = [[',
      `${fence3}lua`,
      '# User',
      fence3,
      ']]',
      fence4,
      '# User',
      fence3,
      '# Foo',
      fence3,
      'kept',
      '# Foo',
      'lost',
    );
    const { doc, diagnostics } = parseAgent(text);
    expect(doc?.scripts.data?.code.trim()).toBe(`local sample = [[\n${fence3}lua\n# User\n${fence3}\n]]`);
    expect(doc?.prompts).toEqual([
      { role: 'user', optionText: null, content: `${fence3}\n# Foo\n${fence3}\nkept\n`, line: 9 },
    ]);
    expect(diagnostics.map(({ code, range }) => [code, range.line])).toEqual([['agent.prompt-cut', 14]]);
  });

  test('three backticks are closed by any line that starts with three, but not by four or by indented ones', () => {
    const text = file('# Data', `${fence3}lua`, 'a()', ` ${fence3}`, fence4, 'b()', `${fence3}lua`, 'never()');
    const { doc, diagnostics } = parseAgent(text);
    expect(doc?.scripts.data?.code.trim()).toBe(`a()\n ${fence3}\n${fence4}\nb()`);
    expect(diagnostics.map(({ code, range }) => [code, range.line])).toEqual([['agent.fence-closed-early', 7]]);
  });

  test('skips fences of other languages and reads only the first matching one', () => {
    const text = file(
      '# Data',
      `${fence4}md`,
      `${fence3}lua`,
      'not_this()',
      fence3,
      fence4,
      `${fence3}lua`,
      'this()',
      fence3,
      `${fence3}lua`,
      'nor_this()',
      fence3,
    );
    const { doc, diagnostics } = parseAgent(text);
    expect(doc?.scripts.data).toEqual({ code: `${'\n'.repeat(7)}this()\n`, line: 8 });
    expect(diagnostics.map(({ code, range }) => [code, range.line])).toEqual([['agent.extra-fence', 10]]);
  });
});

describe('options of a prompt heading', () => {
  test('are the text in the first pair of backticks, in lower case', () => {
    const { prompts } = docOf(
      file('# User `Cache = {{Data.C}}` and `more`', '# User ``', '# System `{ cache = false }`'),
    );
    expect(prompts.map(({ optionText }) => optionText)).toEqual(['cache = {{data.c}}', null, '{ cache = false }']);
  });

  test('a single backtick, or an option on a script, makes the heading unknown', () => {
    expect(parseAgent(file('# User `cache = true', 'x', '# Data `cache = true`')).doc?.prompts).toEqual([]);
  });
});
