import { describe, expect, test } from 'vitest';
import { fence3, file } from '../../testing/agent-text.ts';
import { parseAgent } from './parse-agent.ts';

describe('options', () => {
  test('ignores unknown keys and their values', () => {
    const text = file(
      '# Options',
      `${fence3}toml`,
      'tools = ["a"]',
      'seed = 99999999999999999999999',
      'born = 1999-01-01',
      fence3,
    );
    expect(parseAgent(text)).toMatchObject({ doc: { options: {} }, diagnostics: [] });
  });

  test('rejects the file for invalid TOML, with the line in the file', () => {
    const { doc, diagnostics } = parseAgent(
      file('# Options', '', `${fence3}toml`, 'model = "m"', 'top_p = = 1', fence3),
    );
    expect(doc).toBeNull();
    expect(diagnostics).toMatchObject([
      { code: 'agent.options-syntax', severity: 'error', range: { line: 5, column: 9 } },
    ]);
  });

  test('reports each value of a wrong type at its key', () => {
    const { doc, diagnostics } = parseAgent(
      file(
        'Some words.',
        '# Options',
        `${fence3}toml`,
        '# model = 1',
        'about = """',
        'temperature = 1',
        '"""',
        '  "temperature" = "warm"',
        'input_concurrency = 1.5',
        'allow_run_on_task_fail = 1',
        'model = 1',
        'top_p = nan',
        '[model_aliases]',
        'a = "b"',
        "'c' = 1",
        fence3,
      ),
    );
    expect(doc).toBeNull();
    expect(diagnostics.map(({ code, range }) => [code, range.line, range.column, range.endColumn])).toEqual([
      ['agent.bad-option', 8, 3, 16],
      ['agent.bad-option', 9, 1, 18],
      ['agent.bad-option', 10, 1, 23],
      ['agent.bad-option', 11, 1, 6],
      ['agent.bad-option', 12, 1, 6],
      ['agent.bad-option', 15, 1, 4],
    ]);
    expect(diagnostics[0]?.message).toBe('The option "temperature" must be a number.');
  });

  test('reports a problem in an inline table at the table', () => {
    const { diagnostics } = parseAgent(file('# Options', `${fence3}toml`, '', 'model_aliases = { a = 1 }', fence3));
    expect(diagnostics).toMatchObject([{ code: 'agent.bad-option', range: { line: 4, column: 1 } }]);
  });

  test('warns about a key that looks like a typo and still runs the agent', () => {
    const { doc, diagnostics } = parseAgent(
      file('# Options', `${fence3}toml`, 'temprature = 1', 'max_tokens = 5', '[options]', 'model = "m"', fence3),
    );
    expect(doc?.options).toEqual({});
    expect(diagnostics.map(({ code, severity, range }) => [code, severity, range.line])).toEqual([
      ['agent.unknown-option', 'warning', 3],
      ['agent.unknown-option', 'warning', 5],
    ]);
  });
});
