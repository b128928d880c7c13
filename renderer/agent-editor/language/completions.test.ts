import { describe, expect, test } from 'vitest';
import { completeAgent } from './completions.ts';
import { hoverAgent } from './hovers.ts';
import { parameterHint } from './parameter-hints.ts';
import { slot } from './proposal.ts';

/** Returns a text and the offset of the `|` in it, which marks the cursor. */
function at(marked: string): [text: string, offset: number] {
  return [marked.replace('|', ''), marked.indexOf('|')];
}

const labels = (marked: string): string[] => completeAgent(...at(marked)).map(({ label }) => label);

/** Returns the text around the cursor after accepting a completion. */
function accepted(marked: string, label: string): string | undefined {
  const [text, offset] = at(marked);
  const found = completeAgent(text, offset).find((one) => one.label === label);
  return found === undefined ? undefined : text.slice(0, found.start) + found.insert + text.slice(found.end);
}

const lua = (stage: string, code: string): string => `# ${stage}\n\`\`\`lua\n${code}\n\`\`\`\n`;

describe('completions in a script', () => {
  test('proposes modules of aip, and members of a module with signature and description', () => {
    expect(labels(lua('Data', 'local a = aip.|'))).toContain('file');
    const found = completeAgent(...at(lua('Data', 'local a = aip.md.ex|'))).find(
      ({ label }) => label === 'extract_blocks',
    );
    expect(found).toMatchObject({
      kind: 'function',
      insert: 'extract_blocks($0)',
      detail: expect.stringMatching(/^\(.*\) ->/),
    });
    expect(found?.doc).toMatch(/block/);
    expect(accepted(lua('Data', 'x = aip.file.lo|'), 'load')).toBe(lua('Data', 'x = aip.file.load($0)'));
  });

  test('BB-12 proposes aip.secret, which is a function itself', () => {
    expect(accepted(lua('Data', 'x = aip.sec|'), 'secret')).toBe(lua('Data', 'x = aip.secret($0)'));
    expect(labels(lua('Data', 'x = aip.secret.|'))).toEqual([]);
    expect(hoverAgent(...at(lua('Data', 'aip.se|cret("A")')))).toMatchObject({
      signature: 'aip.secret(name: string) -> string',
    });
  });

  test('proposes CTX, and the input, response and data that a stage can use', () => {
    expect(labels(lua('Data', 'print(CTX.|)'))).toContain('WORKSPACE_DIR');
    expect(labels(lua('Data', 'local p = input.|'))).toEqual(expect.arrayContaining(['path', 'stem']));
    expect(labels(lua('Output', 'return ai_response.|'))).toContain('content');
    expect(labels(lua('Data', 'return ai_response.|'))).toEqual([]);
    expect(labels(`${lua('Data', 'return { note = 1, list = {} }')}${lua('Output', 'return data.|')}`)).toEqual([
      'note',
      'list',
    ]);
  });

  test('proposes variables of the stage and of the script, global functions, and Lua keywords', () => {
    const found = labels(lua('Output', 'local rows = 1\nlocal function tidy(one) return one end\nx = |'));
    expect(found).toEqual(expect.arrayContaining(['rows', 'tidy', 'ai_response', 'aip', 'CTX', 'is_table', 'local']));
    expect(labels(lua('After All', '|'))).toEqual(expect.arrayContaining(['outputs']));
    expect(labels(lua('After All', '|'))).not.toContain('input');
  });

  test('proposes directives of the stage after return', () => {
    const first = (marked: string): string[] =>
      completeAgent(...at(marked)).flatMap(({ label, isFirst }) => (isFirst ? [label] : []));
    expect(first(lua('Data', 'return |'))).toEqual(['aip.flow.data_response', 'aip.flow.skip']);
    expect(first(lua('After All', 'return |'))).toEqual(['aip.flow.redo_run']);
    expect(first(lua('Data', 'x = |'))).toEqual([]);
  });

  test('proposes nothing in comments, strings and numbers, and after unknown values', () => {
    for (const code of ['-- aip.|', 'x = "aip.|"', 'x = "aip.|', 'x = 12|', 'f().|', 'a[1].|', 'x:|', '--[[ aip.|']) {
      expect(labels(lua('Data', code)), code).toEqual([]);
    }
    expect(labels(lua('Data', '-- a comment\naip.|'))).toContain('file');
    expect(labels(lua('Data', 'x = "text" .. aip.|'))).toContain('file');
  });
});

describe('completions elsewhere', () => {
  test('proposes options that are not set yet, and their values', () => {
    const options = '# Options\n```toml\nmodel = "m"\n|\n```\n';
    expect(labels(options)).toContain('temperature');
    expect(labels(options)).not.toContain('model');
    expect(labels('# Options\n```toml\nallow_run_on_task_fail = |\n```\n')).toEqual(['true', 'false']);
  });

  test('proposes headings of missing stages with initial content', () => {
    const found = labels(`${lua('Data', 'return 1')}\n# |`);
    expect(found).toContain('# Before All');
    expect(found).toContain('# System');
    expect(found).not.toContain('# Data');
    expect(accepted('# Out|', '# Output')).toBe('# Output\n\n```lua\nreturn ai_response.content\n```$0');
    expect(labels('## |')).toEqual([]);
  });

  test('proposes names in prompts: roots, fields that Data returns, and blocks that can be closed', () => {
    const data = lua('Data', 'return { note = 1 }');
    expect(labels(`${data}# User\n{{|`)).toEqual(
      expect.arrayContaining(['data', 'input', 'before_all', '#each', 'else']),
    );
    expect(labels(`${data}# User\n{{data.|}}`)).toEqual(['note']);
    expect(labels(`${data}# User\n{{#if (|`)).toContain('gt');
    expect(labels(`${data}# User\nno {{data.note}} here |`)).toEqual([]);
    expect(accepted('# User\n{{#ea|}}', '#each')).toBe(`# User\n{{#each ${slot('data')}\\}\\}$0{{/each}}`);
    expect(accepted('# User\n{{#ea|', '#each')).toMatch(/each\\}\\}$/);
  });

  test('proposes nothing in text that is not read', () => {
    expect(labels('# Description\nSome aip.| text\n')).toEqual([]);
    expect(labels('|')).toEqual([]);
  });
});

describe('a hover', () => {
  const of = (marked: string) => hoverAgent(...at(marked));

  test('describes functions, modules, CTX and variables of the stage', () => {
    expect(of(lua('Data', 'aip.file.lo|ad("x")'))).toMatchObject({
      signature: expect.stringMatching(/^aip\.file\.load\(path: string/),
      doc: expect.stringMatching(/text file/),
    });
    expect(of(lua('Data', 'aip.fi|le.load("x")'))).toMatchObject({ signature: 'aip.file' });
    expect(of(lua('Data', 'print(CTX.PW|D)'))).toMatchObject({ signature: 'CTX.PWD: string' });
    expect(of(lua('Data', 'return inp|ut'))).toMatchObject({ signature: 'input: any' });
    expect(of(lua('Data', 'return out|puts'))).toBeNull();
  });

  test('describes options, headings and names in prompts', () => {
    expect(of('# Options\n```toml\ntempera|ture = 1\n```\n')).toMatchObject({ signature: 'temperature: number' });
    expect(of('# Da|ta\n')).toMatchObject({ start: 0, end: 6, doc: expect.stringMatching(/for each input/) });
    expect(of('# User\n{{data.no|te}}\n')).toMatchObject({ signature: 'data.note' });
    expect(of('# User\ndata here| {{data.note}}\n')).toBeNull();
  });
});

describe('a parameter hint', () => {
  test('follows the argument at the cursor through nested tables and calls', () => {
    const hint = (code: string) => parameterHint(...at(lua('Data', code)));
    expect(hint('aip.file.load(|')).toMatchObject({ active: 0, parameters: ['path: string', expect.any(String)] });
    expect(hint('aip.file.load("a", { base_dir = |')).toMatchObject({ active: 1 });
    expect(hint('aip.file.load(f(1, 2), |)')).toMatchObject({ active: 1 });
    expect(hint('aip.path.join("a", "b", "c|")')).toMatchObject({ active: 1 });
    expect(hint('other(|')).toBeNull();
    expect(hint('aip.file.load("a") |')).toBeNull();
  });
});
