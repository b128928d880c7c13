import { describe, expect, test } from 'vitest';
import { misleadingSpellings } from '../../testing/host-spellings.ts';
import { readMcpConfig } from './mcp-config.ts';

const token = `\${TOKEN}`;

/** Returns the only problem of a file with one server, with its position. */
function problemOf(server: unknown, name = 'x'): string {
  const { problems, servers } = readMcpConfig(JSON.stringify({ mcpServers: { [name]: server } }, null, 1));
  expect(servers.size).toBe(0);
  return problems.map(({ line, column, message }) => `${line}:${column} ${message}`).join('\n');
}

describe('12.9 .mcp.json', () => {
  test('12.9 accepts programs and URLs in the format of coding agents', () => {
    const { servers, problems } = readMcpConfig(
      JSON.stringify({
        mcpServers: {
          files: { command: 'npx', args: ['-y', 'server', '.'], env: { TOKEN: token } },
          web: { type: 'http', url: 'https://example.com/mcp', headers: { Authorization: `Bearer ${token}` } },
          plain: { url: 'http://localhost:1/mcp', disabled: false },
        },
        other: 1,
      }),
    );
    expect(problems).toEqual([]);
    expect([...servers.values()]).toEqual([
      { transport: 'stdio', command: 'npx', args: ['-y', 'server', '.'], env: { TOKEN: token }, cwd: '.' },
      { transport: 'http', url: 'https://example.com/mcp', headers: { Authorization: `Bearer ${token}` } },
      { transport: 'http', url: 'http://localhost:1/mcp', headers: {} },
    ]);
  });

  test.each([
    ['{ "mcpServers": { "a": { "command": "x" }, } }', '1:44 .mcp.json is not valid JSON'],
    ['[]', '1:1 .mcp.json must be a map'],
    ['{ "mcpServers": [] }', '.mcp.json must be a map'],
    ['', '1:1 .mcp.json is not valid JSON'],
  ])('%s is rejected with its position', (text, expected) => {
    const { servers, problems } = readMcpConfig(text);
    expect(servers.size).toBe(0);
    expect(problems.map(({ line, column, message }) => `${line}:${column} ${message}`).join()).toContain(expected);
  });

  test('a problem of a server has a position and does not affect other servers', () => {
    expect(problemOf({ command: 'x', args: ['a', 1] })).toMatch(/^7:5 The server "x": args\.1 is invalid/);
    expect(problemOf({ command: 'x', args: [`--token=${token}`] })).toMatch(/^6:5 The server "x" uses a secret here/);
    expect(problemOf({ url: 'https://me:secret@example.com' })).toMatch(/^4:11 .*contains a password/);
    expect(problemOf({ url: 'ftp://example.com' })).toContain('is not a web address');
    expect(problemOf({ type: 'sse', url: 'https://example.com' })).toContain('"type": "http"');
    expect(problemOf({ type: 'htpp', url: 'https://example.com' })).toContain('Did you mean "http"?');
    expect(problemOf({ url: 'https://example.com', headers: { A: `\${not a name}` } })).toContain(
      'not a valid name of a secret',
    );
    expect(problemOf({ url: 'https://example.com', headers: { 'a b': '' } })).toContain(
      'not a valid name of an HTTP header',
    );
    expect(problemOf('npx')).toContain('must be a map');
    expect(problemOf({})).toContain('command');
    for (const name of ['a b', 'a__b', 'a.b', '', 'x'.repeat(65)]) {
      expect(problemOf({ command: 'x' }, name)).toContain('is not a valid name of a server');
    }
    const { servers } = readMcpConfig('{ "mcpServers": { "a": 1, "b": { "command": "x" } } }');
    expect([...servers.keys()]).toEqual(['b']);
  });

  test('13.2 rejects a URL that looks like another host', () => {
    for (const url of misleadingSpellings(80)) {
      expect(problemOf({ url }), url).toMatch(/would connect to|contains a password/);
    }
  });

  test('a duplicate key disables only its server', () => {
    const { servers, problems } = readMcpConfig(
      '{ "mcpServers": {\n"a": { "command": "x" },\n"b": { "command": "x", "command": "y" },\n"a": { "command": "z" },\n"c": { "command": "x" } } }',
    );
    expect([...servers.keys()]).toEqual(['c']);
    expect(problems.map(({ message }) => message)).toEqual([
      'The server "a" is in the file more than once. Keep one of them.',
      'The server "b" has command more than once. Keep one of them.',
    ]);
    expect(readMcpConfig('{ "mcpServers": {}, "mcpServers": { "a": { "command": "x" } } }')).toEqual({
      servers: new Map(),
      problems: [expect.objectContaining({ message: expect.stringContaining('the key mcpServers more than once') })],
    });
  });

  test('reads at most the first hundred servers', () => {
    const many = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`s${index}`, { command: 'x' }]));
    const { servers, problems } = readMcpConfig(JSON.stringify({ mcpServers: many }));
    expect(servers.size).toBe(100);
    expect(problems).toHaveLength(50);
  });
});
