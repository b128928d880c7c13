import { describe, expect, test } from 'vitest';
import { misleadingSpellings } from '../../testing/host-spellings.ts';
import { readMcpConfig, targetOf } from './mcp-config.ts';

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
      {
        ...{ transport: 'stdio', title: 'files', command: 'npx', args: ['-y', 'server', '.'] },
        ...{ env: { TOKEN: token }, cwd: '.' },
      },
      {
        ...{ transport: 'http', title: 'web', url: 'https://example.com/mcp' },
        headers: { Authorization: `Bearer ${token}` },
      },
      { transport: 'http', title: 'plain', url: 'http://localhost:1/mcp', headers: {} },
    ]);
  });

  test.each([
    ['{ "mcpServers": { "a": { "command": "x" } "b": {} } }', '1:43 .mcp.json is not valid JSON'],
    ['{ "mcpServers": { "a": { "command": "x" }', '.mcp.json is not valid JSON'],
    ['['.repeat(100_000), '1:1 .mcp.json is nested more than 64 levels deep'],
    ['{ "mcpServers": 1, "a": { "command": "x" } }', '1:17 .mcp.json must be a map'],
    ['{ "name": "package" }', '1:1 .mcp.json must be a map'],
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
    expect(problemOf({ command: 'x', args: [`--token=\${input:token}`] })).toMatch(
      /^6:5 The server "x" uses \$\{input:token\}, which isn't supported/,
    );
    expect(problemOf({ command: 'x', env: { A: `\${lower_token}` } })).toContain("isn't a valid name of a secret");
    expect(problemOf({ command: 'x', env: { A: `\${user}` } })).toContain("environment variable user isn't set");
    expect(problemOf({ url: `https://\${TOKEN}.example.com/` })).toMatch(/^4:11 .*takes its host from a secret/);
    expect(problemOf({ url: 'https://me:secret@example.com' })).toMatch(/^4:11 .*contains a password/);
    expect(problemOf({ url: 'ftp://example.com' })).toContain('is not a web address');
    expect(problemOf({ type: 'sse', url: 'https://example.com' })).toContain('"type": "http"');
    expect(problemOf({ type: 'htpp', url: 'https://example.com' })).toContain('Did you mean "http"?');
    expect(problemOf({ url: 'https://example.com', headers: { A: `\${not a name}` } })).toContain("isn't supported");
    expect(problemOf({ url: 'https://example.com', headers: { 'a b': '' } })).toContain(
      'not a valid name of an HTTP header',
    );
    expect(problemOf('npx')).toContain('must be a map');
    expect(problemOf({})).toContain('command');
    for (const name of ['', '...', '数据', 'x'.repeat(65)]) {
      expect(problemOf({ command: 'x' }, name)).toContain('cannot be part of the names of tools');
    }
    const { servers } = readMcpConfig('{ "mcpServers": { "a": 1, "b": { "command": "x" } } }');
    expect([...servers.keys()]).toEqual(['b']);
  });

  test('names with blanks, dots and other characters become part of names of tools', () => {
    const named = (...names: string[]) =>
      readMcpConfig(JSON.stringify({ mcpServers: Object.fromEntries(names.map((name) => [name, { command: 'x' }])) }));
    const { servers, problems } = named('My Server', 'io.github/files', 'a__b', '_x_', 'Größe');
    expect(problems).toEqual([]);
    expect([...servers].map(([id, { title }]) => [id, title])).toEqual([
      ['My-Server', 'My Server'],
      ['io-github-files', 'io.github/files'],
      ['a_b', 'a__b'],
      ['x', '_x_'],
      ['Gr-e', 'Größe'],
    ]);
    const same = named('a b', 'a.b', 'c');
    expect([...same.servers.keys()]).toEqual(['a-b', 'c']);
    expect(same.problems.map(({ message, server }) => [server, message])).toEqual([
      ['a.b', 'The tools of the servers "a b" and "a.b" would have the same names. Rename one of the servers.'],
    ]);
  });

  test.each([
    [
      'comments and trailing commas',
      '{ // all\n"mcpServers": { /* one */ "a": { "command": "x", "args": ["y",], }, }, }',
    ],
    ['a byte order mark', '\uFEFF{ "mcpServers": { "a": { "command": "x", "args": ["y"] } } }'],
    ['no root key', '{ "a": { "command": "x", "args": ["y"] } }'],
    ['a different root key', '{ "inputs": [], "servers": { "a": { "command": "x", "args": ["y"] } } }'],
    ['a server called servers', '{ "servers": { "command": "z" }, "a": { "command": "x", "args": ["y"] } }'],
    [
      'a server called __proto__',
      '{ "mcpServers": { "__proto__": { "url": 1 }, "a": { "command": "x", "args": ["y"] } } }',
    ],
  ])('%s are accepted', (_, text) => {
    expect(readMcpConfig(text).servers.get('a')).toMatchObject({ command: 'x', args: ['y'] });
  });

  test('variables are environment variables, defaults or secrets, in all texts of a server', () => {
    const text = JSON.stringify({
      mcpServers: {
        a: {
          command: `\${BIN:-node}`,
          args: [`\${HOME}/x`, `--key=\${API_KEY}`, `\${MODE:-}`, `\${UNSET}`],
          env: { A: `\${URL}`, B: `\${EMPTY:-full}`, C: `\${API_TOKEN:-none}`, D: 'cost: $5 {x}' },
        },
        b: { url: `\${BASE:-https://example.com}/mcp/\${API_KEY}`, headers: { 'x-user': `\${USER}` } },
      },
    });
    const env = { HOME: '/home/ann', API_KEY: 'not used', USER: 'ann', EMPTY: '', URL: 'https://me:pw@example.com' };
    const { servers, problems } = readMcpConfig(text, env);
    expect(problems).toEqual([]);
    expect(servers.get('a')).toMatchObject({
      command: 'node',
      args: ['/home/ann/x', `--key=\${API_KEY}`, '', `\${UNSET}`],
      // A password in the environment is not shown, so it must be a secret.
      env: { A: `\${URL}`, B: 'full', C: `\${API_TOKEN:-none}`, D: 'cost: $5 {x}' },
    });
    expect(servers.get('b')).toMatchObject({
      url: `https://example.com/mcp/\${API_KEY}`,
      headers: { 'x-user': 'ann' },
    });
    expect([...servers.values()].map(targetOf)).toEqual([
      `node /home/ann/x --key=\${API_KEY}  \${UNSET}`,
      `https://example.com/mcp/\${API_KEY}`,
    ]);
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
      'The server "b" has command more than once. Keep one of them.',
      'The server "a" is in the file more than once. Keep one of them.',
    ]);
    expect(problemOf({})).toContain('command');
    const twice = readMcpConfig('{ "a": { "command": "x", "env": { "A": "1", "A": "2" } } }');
    expect(twice.problems.map(({ message }) => message)).toEqual([
      'The server "a" has env.A more than once. Keep one of them.',
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
