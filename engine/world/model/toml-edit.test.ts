import { expect, test } from 'vitest';
import { lineOfPath, readTomlStatements } from './toml-edit.ts';

const text = `# a comment [not.a.table]
name = "x" # a = "b"
[options] # here
model = 'a::b'
"quoted key" . part = 3
list = [
  1, # [inner]
  "]",
]
long = """
[not.a.table]
no = "key" \\"""
"""

[options.model_aliases]
inline = { a = "}", b = [1] }

[[tools]]
name = "first"
[[tools]]
name = "second"
[providers."my.host"]
kind = "openai"
`;

test('finds statements with their paths and values, whatever text and comments contain', () => {
  const found = readTomlStatements(text).map(({ kind, path, end, valueStart }) => [
    kind === 'table' ? 'table' : text.slice(valueStart, end).split('\n')[0],
    path.some((key) => key.startsWith('\0')) ? 'of a list' : path.join(' / '),
  ]);
  expect(found).toEqual([
    ['"x"', 'name'],
    ['table', 'options'],
    ["'a::b'", 'options / model'],
    ['3', 'options / quoted key / part'],
    ['[', 'options / list'],
    ['"""', 'options / long'],
    ['table', 'options / model_aliases'],
    ['{ a = "}", b = [1] }', 'options / model_aliases / inline'],
    ['table', 'of a list'],
    ['"first"', 'of a list'],
    ['table', 'of a list'],
    ['"second"', 'of a list'],
    ['table', 'providers / my.host'],
    ['"openai"', 'providers / my.host / kind'],
  ]);
});

test('finds the nearest enclosing table of a key without its own line', () => {
  expect(lineOfPath(text, ['options', 'model'])).toBe(4);
  expect(lineOfPath(text, ['options', 'model_aliases', 'inline', 'a'])).toBe(16);
  expect(lineOfPath(text, ['options', 'temperature'])).toBe(3);
  expect(lineOfPath(text, ['elsewhere'])).toBeUndefined();
});

test.each(['=', '[', '[[', '"', 'a.', 'a = "', "a = '''", 'a = [', '\u{FEFF}', 'é = 1', 'a = "\\', ''])(
  'terminates on text that is not TOML: %j',
  (broken) => {
    expect(readTomlStatements(broken).length).toBeLessThanOrEqual(2);
  },
);
