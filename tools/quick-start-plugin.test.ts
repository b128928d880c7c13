/** Tests the format of the command line's files. */
import { Script } from 'node:vm';
import { expect, test } from 'vitest';
import { loadLate, requireLate, toAscii } from './quick-start-plugin.ts';

test.each([
  ["'é'", 'é'],
  ["'😀'", '😀'],
  ['`ü…`', 'ü…'],
  ["/^[ä-ö]$/.test('å') + ''", 'true'],
  ["/^😀$/u.test('😀') + ''", 'true'],
  ["'a' /* – */", 'a'],
])('%s has the same meaning in ASCII', (code, value) => {
  const ascii = toAscii(code);
  expect(ascii).toMatch(/^[\0-\x7f]*$/);
  expect(new Script(ascii).runInThisContext()).toBe(value);
});

test('a slow module of Node is loaded when one of its members is first used', () => {
  const code = requireLate('let node_https = require("node:https");\nconst ask = () => (0, node_https.request)(1);');
  const loaded: string[] = [];
  const require = (id: string): object => {
    loaded.push(id);
    return { request: (value: number) => value + 1 };
  };
  const ask = new Function('require', `${code}; return ask;`)(require) as () => number;
  expect(loaded).toEqual([]);
  expect(ask()).toBe(2);
  expect(loaded).toEqual(['node:https']);
});

test.each([
  ['let', 'let node_zlib = require("node:zlib");\nnode_zlib = runtime.a(node_zlib, 1);', 'node_zlib.default.crc32(1)'],
  ['const', 'const zlib = require("node:zlib");', 'zlib.crc32(1)'],
  ['var', 'var zlib = require("node:zlib");', 'zlib.crc32(1)'],
])(
  'a slow module that is declared with %s, or used through its default export, is loaded late',
  (_, declaration, use) => {
    const code = requireLate(`${declaration}\nconst sum = () => ${use};`);
    const loaded: string[] = [];
    const require = (id: string): object => {
      loaded.push(id);
      return { crc32: (value: number) => value + 1 };
    };
    const sum = new Function('require', 'runtime', `${code}; return sum;`)(require, undefined) as () => number;
    expect(code.split('\n').length, 'lines, which source maps count').toBe(`${declaration}\n${use}`.split('\n').length);
    expect(loaded).toEqual([]);
    expect(sum()).toBe(2);
    expect(loaded).toEqual(['node:zlib']);
  },
);

test.each([
  ['a module that loads quickly', 'let node_fs = require("node:fs");\nnode_fs.readFileSync;'],
  ['a module used as a whole', 'let node_net = require("node:net");\nnode_net = toESM(node_net);\nnode_net.connect;'],
])('the module %s is loaded at once', (_, code) => {
  expect(requireLate(code)).toBe(code);
});

test('a late chunk is loaded once, when one of its members is first used', () => {
  const code = loadLate(
    'const require_deep_part = require("./deep-part-abc.cjs");\nrequire("./deep-part-abc.cjs");\nconst both = () => [(0, require_deep_part.one)(), require_deep_part.two];',
    ['deep-part'],
  );
  const loaded: string[] = [];
  const require = (id: string): object => {
    loaded.push(id);
    return { one: () => 1, two: 2 };
  };
  const both = new Function('require', `${code}; return both;`)(require) as () => number[];
  expect(loaded).toEqual([]);
  expect([both(), both()]).toEqual([
    [1, 2],
    [1, 2],
  ]);
  expect(loaded).toEqual(['./deep-part-abc.cjs']);
});

test.each([
  ['a chunk used as a whole', 'const require_deep_part = require("./deep-part-abc.cjs");\nall(require_deep_part);'],
  [
    'a chunk with a longer name',
    'const require_deep_part_two = require("./deep-part_two-abc.cjs");\nrequire_deep_part_two.one;',
  ],
])('the chunk %s is loaded at once', (_, code) => {
  expect(loadLate(code, ['deep-part'])).toBe(code);
});
