/** The form that the command line's files are written in. */
import { Script } from 'node:vm';
import { expect, test } from 'vitest';
import { requireLate, toAscii } from './quick-start-plugin.ts';

test.each([
  ["'é'", 'é'],
  ["'😀'", '😀'],
  ['`ü…`', 'ü…'],
  ["/^[ä-ö]$/.test('å') + ''", 'true'],
  ["/^😀$/u.test('😀') + ''", 'true'],
  ["'a' /* – */", 'a'],
])('%s means the same in ASCII', (code, value) => {
  const ascii = toAscii(code);
  expect(ascii).toMatch(/^[\0-\x7f]*$/);
  expect(new Script(ascii).runInThisContext()).toBe(value);
});

test('a slow module of Node is loaded when a member of it is first used', () => {
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
  ['a quick module', 'let node_fs = require("node:fs");\nnode_fs.readFileSync;'],
  [
    'a module that is used as a whole',
    'let node_net = require("node:net");\nnode_net = toESM(node_net);\nnode_net.connect;',
  ],
])('%s is loaded at once', (_, code) => {
  expect(requireLate(code)).toBe(code);
});
