/** Tests of servers with one oddity each. The odd part was skipped and reported; everything else works. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveOddMcp, writeOddMcpProgram } from '../../testing/odd-mcp-program.ts';
import { StdioMessages } from './stdio-messages.ts';
import { TestServers } from './test-servers.ts';

let world: TestServers;
let overHttp: Awaited<ReturnType<typeof serveOddMcp>>;
beforeAll(async () => {
  world = new TestServers();
  overHttp = await serveOddMcp(world.folder);
});
afterAll(async () => {
  await world.close();
  overHttp.close();
});

/** Oddities with part of the problem that is reported for each, if any. */
const usable: readonly (readonly [oddity: string, said?: string])[] = [
  ['no schema', 'tool "other" was skipped: it has no inputSchema'],
  ['a null schema', 'tool "other" was skipped: it has no inputSchema'],
  ['an empty schema'],
  ['a schema without a type'],
  ['a schema of several types'],
  ['a schema of texts', 'tool "other" was skipped: it has an inputSchema that does not accept objects'],
  ['a schema that is true', 'inputSchema that is not an object'],
  ['a schema that is a list', 'inputSchema that is not an object'],
  ['a schema that is a text', 'inputSchema that is not an object'],
  ['a schema 5,000 levels deep', 'inputSchema that is nested more than 64 levels deep'],
  ['an output schema 5,000 levels deep', 'outputSchema that is nested more than 64 levels deep'],
  ['a schema of 100 KB', 'inputSchema that is larger than 64 KiB'],
  ['fields that are null'],
  ['fields of other types'],
  ['hints that are texts'],
  ['a description of 100 KB'],
  ['two tools of one name', 'tool "echo" is listed twice'],
  ['a name of 300 characters', 'has a name of more than 128 characters'],
  ['a name with blanks', 'tool "get the thing" was skipped'],
  ['a name with control characters', 'tool "get[31m thing" was skipped'],
  ['a name that is a number', 'tool 2 in the list" was skipped: it has no name'],
  ['an empty name', 'tool 2 in the list" was skipped: it has no name'],
  ['no name', 'tool 2 in the list" was skipped: it has no name'],
  ['an entry that is null', 'tool 1 in the list" was skipped: it is not an object'],
  ['an entry that is a text', 'tool 2 in the list" was skipped: it is not an object'],
  ['an entry that is a list', 'tool 1 in the list" was skipped: it is not an object'],
  ['more fields'],
  ['a cursor that repeats', 'repeats itself (nextCursor "1"). Only the 2 tools before that are available.'],
  ['cursors without end', 'more than 100 pages'],
  ['an empty cursor'],
  ['a null cursor'],
  ['a cursor that is a number'],
  ['a cursor that is a map', 'neither a string nor a number'],
  ['a second page that is an error', 'Page 2 of the tool list could not be read'],
  ['a second page without a list', 'Page 2 of the tool list could not be read: its response'],
  ['a revision of the future'],
  ['a revision that is a number'],
  ['no revision'],
  ['no capabilities'],
  ['null capabilities'],
  ['capabilities without tools'],
  ['no server name'],
  ['odd instructions'],
  ['an empty greeting'],
];

/** Starts a separate server in the shared workspace. */
async function startOdd(
  oddity: string,
  entry: object = overHttp.entryOf(oddity),
): Promise<Awaited<ReturnType<TestServers['state']>>> {
  world.write({ odd: entry });
  await world.servers.restart('odd').catch(() => undefined);
  return await world.state();
}

test.each(usable.map(([oddity, said]) => ({ oddity, said })))(
  'a server with $oddity keeps its other tools and reports the oddity',
  async ({ oddity, said }) => {
    const { state, error, problems } = await startOdd(oddity);
    expect({ state, error }).toEqual({ state: 'running', error: undefined });
    expect(await world.call('odd.echo', { text: 'hello' })).toBe('hello');
    if (said === undefined) expect(problems).toEqual([]);
    else expect(problems.join('\n')).toContain(said);
  },
);

test.each([
  ['a list that is null', 'its response to tools/list does not contain a list of tools'],
  ['a list that is a map', 'its response to tools/list does not contain a list of tools'],
  ['no list', 'its response to tools/list does not contain a list of tools'],
  ['a list that is an error', 'boom'],
  ['a result that is null', 'its response to tools/list does not contain a list of tools'],
])('a server with %s fails with an explanation', async (oddity, why) => {
  const { state, error } = await startOdd(oddity);
  expect(state).toBe('failed');
  expect(error).toContain(why);
  expect(error).not.toMatch(/invalid_type|"code"|ZodError/);
});

test('an unusable tool is listed with the reason, and a call fails with it', async () => {
  await startOdd('no schema');
  const [unusable] = await world.servers.listUnusable();
  expect(unusable).toEqual({ name: 'odd.other', server: 'odd', problem: expect.stringContaining('inputSchema') });
  await expect(world.call('odd.other')).rejects.toMatchObject({
    code: 'mcp.unusable-tool',
    message: expect.stringContaining('has no inputSchema'),
  });
});

test('hints and descriptions of the wrong type are ignored', async () => {
  await startOdd('hints that are texts');
  expect((await world.tool('odd.echo')).description).toMatchObject({ effects: 'external', risk: 'high' });
  await startOdd('fields of other types');
  const { description } = await world.tool('odd.echo');
  expect(description.description).toContain('The server provides no description.');
  expect(description).not.toHaveProperty('title');
  await startOdd('a description of 100 KB');
  expect((await world.tool('odd.echo')).description.description).toMatch(/^\[31mx{1000,2000}/);
});

test('a schema without a type is passed to models as an object schema', async () => {
  await startOdd('a schema without a type');
  expect((await world.tool('odd.echo')).description.inputSchema).toEqual({
    type: 'object',
    properties: { text: { type: 'string' } },
  });
});

test.each<[oddity: string, logged: string[]]>([
  ['a byte order mark', []],
  ['JSON over several lines with carriage returns', []],
  ['log lines', ['Starting server...', '[INFO] ready', 'Done {1}']],
])('a program that prints %s is understood, and its other lines are in the log', async (oddity, logged) => {
  const { state } = await startOdd(oddity, writeOddMcpProgram(world.folder, oddity));
  expect(state).toBe('running');
  expect(await world.call('odd.echo', { text: 'hello' })).toBe('hello');
  expect((await world.state()).log).toEqual(expect.arrayContaining(logged));
});

describe('the output of a program', () => {
  const message = { jsonrpc: '2.0', id: 5, result: { content: [{ type: 'text', text: 'a "{" \u001b \n b' }] } };
  const text = JSON.stringify(message);
  /** Reads output in pieces of `size` bytes. */
  function read(output: string, size: number): { readonly messages: readonly unknown[]; readonly log: string } {
    let log = '';
    const reader = new StdioMessages((line) => {
      log += line;
    });
    const bytes = Buffer.from(output);
    for (let at = 0; at < bytes.length; at += size) reader.append(bytes.subarray(at, at + size));
    const messages: unknown[] = [];
    for (let one = reader.readMessage(); one !== null; one = reader.readMessage()) messages.push(one);
    return { messages, log };
  }

  const outputs: readonly (readonly [what: string, output: string, log?: string])[] = [
    ['a byte order mark', `\uFEFF${text}\n`],
    ['carriage returns', `${text}\r\n`],
    ['JSON over several lines', `${JSON.stringify(message, null, 2)}\n`],
    ['JSON over several lines and blank ones', `${JSON.stringify(message, null, '\t').replaceAll('\n', '\r\n\r\n')}\n`],
    ['log lines', `Starting...\n[INFO] ready\n${text}\nDone {1}\n`, 'Starting...\n[INFO] ready\nDone {1}\n'],
    ['log lines that are JSON', `{"level":"info"}\n[1]\n${text}\n"ok"\n`, '{"level":"info"}\n[1]\n"ok"\n'],
    ['a log line before the message', `INFO {"a":1} ${text}\n`, 'INFO {"a":1}\n'],
    ['a log line behind the message', `${text} done\n`, 'done\n'],
    ['two messages in one line', `${text}${text}\n`],
    ['a log line that begins like JSON', `{ not closed\n${text}\n`, '{ not closed\n'],
    ['a list that is never closed', `[1, {\n${text}\n`, '[1, {\n'],
    ['colors', `\u001b[32mINFO\u001b[0m hello\n\u001b[1m${text}\u001b[0m\n`, 'INFO hello\n'],
    ['a title of the terminal', `\u001b]0;server\u0007${text}\n`],
    ['blank lines', `\n  \n\r\n${text}\n\n`],
    ['messages in a list', `[${text}]\n`],
    ['no version of JSON-RPC', `${JSON.stringify({ ...message, jsonrpc: undefined })}\n`],
    ['more fields around', `${JSON.stringify({ ...message, error: null, time: 5 })}\n`],
    ['notes that are none', `${JSON.stringify({ ...message, result: { ...message.result, _meta: 'none' } })}\n`],
  ];
  test.each(outputs.map(([what, output, log = '']) => ({ what, output, log })))(
    'output with $what yields its messages',
    ({ output, log }) => {
      for (const size of [1, 7, output.length * 4]) {
        const expected = output.includes(text + text) ? [message, message] : [message];
        expect(read(output, size)).toEqual({ messages: expected, log });
      }
    },
  );

  test('keeps malformed errors, requests and notifications, and drops everything else', () => {
    const rpc = (more: object): string => `${JSON.stringify({ jsonrpc: '2.0', ...more })}\n`;
    const odd = [
      rpc({ id: '7', error: 'boom' }),
      rpc({ id: 7, error: { code: '-32603', message: { why: 'boom' }, more: 1 } }),
      rpc({ method: 'notifications/odd', params: null }),
      rpc({ id: null, method: 'odd/one', params: [1] }),
      rpc({ id: 8, result: null }),
      rpc({ id: 9 }),
    ];
    const { messages, log } = read(odd.join(''), 1_000);
    expect(messages).toEqual([
      { jsonrpc: '2.0', id: '7', error: { code: -32603, message: 'boom' } },
      { jsonrpc: '2.0', id: 7, error: { code: -32603, message: '{"why":"boom"}' } },
      { jsonrpc: '2.0', method: 'notifications/odd' },
      { jsonrpc: '2.0', method: 'odd/one' },
      { jsonrpc: '2.0', id: 8, result: { toolResult: null } },
    ]);
    expect(log).toBe(odd.at(-1));
  });
});

describe('a result', () => {
  beforeAll(async () => {
    await startOdd('results', writeOddMcpProgram(world.folder, 'results'));
  });

  const video = { type: 'video', data: 'AA==', length: 3 };
  test.each<readonly [string, unknown]>([
    ['null-structure', 'words'],
    ['list-structure', [1, 2]],
    ['structure-in-text', { a: 1 }],
    ['nothing', ''],
    ['null-content', { more: 1 }],
    ['text-content', 'words'],
    ['one-block', 'words'],
    ['unknown-kind', ['words', video]],
    ['image-without-data', [{ type: 'image', url: 'https://example.com/a.png' }]],
    ['text-without-text', [{ type: 'text', value: 'words' }]],
    ['odd-resource', [{ type: 'resource', resource: null }, null, 5]],
    ['no-error-as-text', 'words'],
    ['null-error', 'words'],
    ['first', { a: 1 }],
    ['null', null],
    ['text', 'words'],
  ])('that is odd like %s is a value, and nothing of it is lost', async (name, value) => {
    expect(await world.call(`odd.${name}`)).toEqual(value);
  });

  test.each([
    ['error-as-text', 'not today'],
    ['error-without-text', '{"type":"video","url":"x"}'],
    ['deep', 'is nested more than 500 levels deep'],
    ['very-deep', 'nested more than 100000 levels deep'],
    ['large', 'a message of more than 16 MiB'],
  ])(
    'a malformed result like %s fails its call with an explanation, and the server keeps running',
    async (name, message) => {
      await expect(world.call(`odd.${name}`)).rejects.toThrow(message);
      expect(await world.call('odd.echo', { text: 'still here' })).toBe('still here');
      expect((await world.state()).restarts).toBe(0);
    },
  );
});

test.each([
  ['a stack trace', "It wrote: Error: Cannot find module '/srv/weather.js'"],
  ['a traceback', "It wrote: ModuleNotFoundError: No module named 'httpx'"],
  ['a package manager', 'It wrote: npm error code E404 | npm error 404 Not Found - GET https://registry.example'],
  ['usage', 'It wrote: usage: weather-mcp --key KEY'],
  ['words only', 'It wrote: See you tomorrow.'],
  ['the secret', 'It wrote: Error: the key •••API_TOKEN••• was rejected'],
  ['a flood', 'It wrote: Error: disk full x'],
])('a server that ends with %s is reported with the lines that explain it', async (oddity, wrote) => {
  world.secrets.set('API_TOKEN', 'a-very-secret-token');
  world.write({ odd: { ...writeOddMcpProgram(world.folder, oddity), env: { TOKEN: `\${API_TOKEN}` } } });
  const error = (await world.servers.restart('odd').catch((thrown: unknown) => thrown)) as Error;
  expect(error.message).toContain('could not be started: it ended with exit code 7.');
  expect(error.message).toContain(wrote);
  expect(error.message).not.toContain('a-very-secret-token');
  expect(error.message.length).toBeLessThan(1_000);
});
