import { expect, test } from 'vitest';
import { apiCaller } from '../../../testing/call-api.ts';
import { codeApi } from './code.ts';
import { rustApi } from './rust.ts';

test('comment_line uses the comment syntax of the language', () => {
  const call = apiCaller(codeApi);
  const lines = ['lua', 'sql', 'html', 'css', 'pcss', 'py', 'rs', ' PY '].map((ext) =>
    call('comment_line', ext, 'a b'),
  );
  expect(lines).toEqual(['-- a b', '-- a b', '<!-- a b -->', '/* a b */', '/* a b */', '# a b', '// a b', '# a b']);
  expect(() => call('comment_line', 'lua')).toThrow(/^bad argument #2/);
});

test('reduces Rust code to its declarations', () => {
  const code = 'fn greet(name: &str) {\n  println!("Hello, {}!", name);\n}\n\nstruct Data;';
  expect(apiCaller(rustApi)('prune_to_declarations', code)).toBe('fn greet(name: &str) { ... }\n\nstruct Data;');
});
