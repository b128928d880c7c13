/**
 * MCP servers with one oddity each: a single file that needs no package and has the oddity as its argument. The
 * responses can also be served over HTTP.
 */
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

/** Writes the program into a folder. @returns the entry of `.mcp.json` that starts it */
export function writeOddMcpProgram(folder: string, oddity: string): { command: string; args: string[] } {
  const file = path.join(folder, 'odd-mcp-server.cjs');
  writeFileSync(file, program);
  return { command: process.execPath, args: [file, oddity] };
}

interface OddServers {
  /** Returns the entry of `.mcp.json` for a server with this oddity. */
  entryOf(oddity: string): { readonly url: string };
  close(): void;
}

/** Serves all of them over HTTP, each at a separate URL. Every second response is an event stream. */
export async function serveOddMcp(folder: string): Promise<OddServers> {
  const { args } = writeOddMcpProgram(folder, '');
  const { answerOf } = createRequire(import.meta.url)(args[0] as string) as {
    answerOf: (oddity: string, message: object) => string | undefined;
  };
  let answered = 0;
  const server: Server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => {
      body += String(piece);
    });
    request.on('end', () => {
      if (request.method !== 'POST') return response.writeHead(405).end();
      const text = answerOf(decodeURIComponent((request.url ?? '').slice(1)), JSON.parse(body));
      if (text === undefined) return response.writeHead(202).end();
      if (++answered % 2 === 0) return response.writeHead(200, { 'content-type': 'application/json' }).end(text);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      return response.end(`event: message\r\ndata: ${text}\r\n\r\n`);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    entryOf: (oddity) => ({ url: `http://127.0.0.1:${port}/${encodeURIComponent(oddity)}` }),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const program = String.raw`
const schema = { type: 'object', properties: { text: { type: 'string' } } };
const tool = (more) => ({ name: 'echo', description: 'A tool', inputSchema: schema, ...more });
const other = (more) => [tool(), tool({ name: 'other', ...more })];
// Too deep for JSON.stringify, so it is put into the text.
const nested = '@nested';
const nestedText = '{"a":'.repeat(5000) + '1' + '}'.repeat(5000);
const withoutSchema = ({ inputSchema, ...rest }) => rest;
const withoutName = ({ name, ...rest }) => rest;

const lists = {
  'no schema': () => [tool(), withoutSchema(tool({ name: 'other' }))],
  'a null schema': () => other({ inputSchema: null }),
  'an empty schema': () => [tool({ inputSchema: {} })],
  'a schema without a type': () => [tool({ inputSchema: { properties: schema.properties } })],
  'a schema of several types': () => [tool({ inputSchema: { ...schema, type: ['object', 'null'] } })],
  'a schema of texts': () => other({ inputSchema: { type: 'string' } }),
  'a schema that is true': () => other({ inputSchema: true }),
  'a schema that is a list': () => other({ inputSchema: [schema] }),
  'a schema that is a text': () => other({ inputSchema: JSON.stringify(schema) }),
  'a schema 5,000 levels deep': () => other({ inputSchema: { type: 'object', properties: nested } }),
  'an output schema 5,000 levels deep': () => other({ outputSchema: nested }),
  'a schema of 100 KB': () => other({ inputSchema: { type: 'object', description: 'x'.repeat(100000) } }),
  'fields that are null': () => [tool({ title: null, description: null, annotations: null, outputSchema: null, icons: null, _meta: null, execution: null })],
  'fields of other types': () => [tool({ title: 7, description: ['A', 'tool'], annotations: 'none', outputSchema: 'text', icons: {}, execution: 1 })],
  'hints that are texts': () => [tool({ annotations: { readOnlyHint: 'true', destructiveHint: 'false', openWorldHint: 0 } })],
  'a description of 100 KB': () => [tool({ description: '\u0000\u001b[31m\u202e' + 'x'.repeat(100000) })],
  'two tools of one name': () => [tool(), tool({ description: 'Another' })],
  'a name of 300 characters': () => [tool(), tool({ name: 'n'.repeat(300) })],
  'a name with blanks': () => [tool(), tool({ name: 'get the thing' })],
  'a name with control characters': () => [tool(), tool({ name: 'get\u001b[31m\nthing' })],
  'a name that is a number': () => [tool(), tool({ name: 5 })],
  'an empty name': () => [tool(), tool({ name: '' })],
  'no name': () => [tool(), withoutName(tool())],
  'an entry that is null': () => [null, tool()],
  'an entry that is a text': () => [tool(), 'other'],
  'an entry that is a list': () => [[tool()], tool()],
  'more fields': () => [tool({ extra: { deep: [1] }, inputSchema: { ...schema, 'x-order': ['text'] } })],
};

const pages = {
  'a cursor that repeats': () => ({ tools: [tool(), tool({ name: 'other' })], nextCursor: '1' }),
  'cursors without end': (cursor) => ({ tools: cursor ? [] : [tool()], nextCursor: String(Number(cursor ?? 0) + 1) }),
  'an empty cursor': () => ({ tools: [tool()], nextCursor: '' }),
  'a null cursor': () => ({ tools: [tool()], nextCursor: null }),
  'a cursor that is a number': (cursor) => (cursor ? { tools: [tool()] } : { tools: [tool({ name: 'other' })], nextCursor: 2 }),
  'a cursor that is a map': () => ({ tools: [tool()], nextCursor: { page: 2 } }),
  'a second page that is an error': (cursor) => (cursor ? undefined : { tools: [tool()], nextCursor: '2' }),
  'a second page without a list': (cursor) => (cursor ? {} : { tools: [tool()], nextCursor: '2' }),
  'a list that is null': () => ({ tools: null }),
  'a list that is a map': () => ({ tools: { echo: tool() } }),
  'no list': () => ({}),
  'a list that is an error': () => undefined,
  'a result that is null': () => null,
};

const greetings = {
  'a revision of the future': (greeting) => ({ ...greeting, protocolVersion: '2099-01-01' }),
  'a revision that is a number': (greeting) => ({ ...greeting, protocolVersion: 2 }),
  'no revision': ({ protocolVersion, ...rest }) => rest,
  'no capabilities': ({ capabilities, ...rest }) => rest,
  'null capabilities': (greeting) => ({ ...greeting, capabilities: null }),
  'capabilities without tools': (greeting) => ({ ...greeting, capabilities: {} }),
  'no server name': ({ serverInfo, ...rest }) => rest,
  'odd instructions': (greeting) => ({ ...greeting, instructions: null, serverInfo: { name: null } }),
  'an empty greeting': () => ({}),
};

const lines = {
  'a byte order mark': (text) => '\ufeff' + text + '\n',
  'carriage returns': (text) => text + '\r\n',
  'JSON over several lines': (text) => JSON.stringify(JSON.parse(text), null, 2) + '\n',
  'JSON over several lines with carriage returns': (text) => JSON.stringify(JSON.parse(text), null, '\t').replaceAll('\n', '\r\n') + '\r\n',
  'log lines': (text) => 'Starting server...\n[INFO] ready\n' + text + '\nDone {1}\n',
  'log lines that are JSON': (text) => '{"level":"info","msg":"got it"}\n[1,2]\n' + text + '\n"ok"\n',
  'a log line before the message in one line': (text) => 'INFO {"a":1} ' + text + '\n',
  'a log line behind the message in one line': (text) => text + ' done\n',
  'a log line that begins like JSON': (text) => '{ not closed\n' + text + '\n',
  'colors': (text) => '\u001b[32mINFO\u001b[0m hello\n\u001b[1m' + text + '\u001b[0m\n',
  'blank lines': (text) => '\n  \n\r\n' + text + '\n\n',
  'messages in a list': (text) => '[' + text + ']\n',
  'ids as texts': (text) => JSON.stringify({ ...JSON.parse(text), id: String(JSON.parse(text).id) }) + '\n',
  'no version of JSON-RPC': (text) => JSON.stringify({ ...JSON.parse(text), jsonrpc: undefined }) + '\n',
  'more fields around': (text) => JSON.stringify({ ...JSON.parse(text), error: null, time: 5 }) + '\n',
  'odd notes': (text) => JSON.stringify({ ...JSON.parse(text), result: { ...JSON.parse(text).result, _meta: 'none' } }) + '\n',
  'unknown notifications': (text) => '{"jsonrpc":"2.0","method":"notifications/odd","params":null}\n{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":{}}}\n' + text + '\n',
  'unknown requests': (text) => '{"jsonrpc":"2.0","id":900,"method":"roots/list"}\n{"jsonrpc":"2.0","id":null,"method":"odd/one","params":[1]}\n' + text + '\n',
};

const results = {
  echo: ({ text }) => ({ content: [{ type: 'text', text }] }),
  'null-structure': () => ({ content: [{ type: 'text', text: 'words' }], structuredContent: null }),
  'list-structure': () => ({ content: [], structuredContent: [1, 2] }),
  'structure-in-text': () => ({ content: [{ type: 'text', text: '{"a":1}' }] }),
  nothing: () => ({}),
  'null-content': () => ({ content: null, more: 1 }),
  'text-content': () => ({ content: 'words' }),
  'one-block': () => ({ content: { type: 'text', text: 'words' } }),
  'unknown-kind': () => ({ content: [{ type: 'text', text: 'words' }, { type: 'video', data: 'AA==', length: 3 }] }),
  'image-without-data': () => ({ content: [{ type: 'image', url: 'https://example.com/a.png' }] }),
  'text-without-text': () => ({ content: [{ type: 'text', value: 'words' }] }),
  'odd-resource': () => ({ content: [{ type: 'resource', resource: null }, null, 5] }),
  'error-as-text': () => ({ content: [{ type: 'text', text: 'not today' }], isError: 'true' }),
  'no-error-as-text': () => ({ content: [{ type: 'text', text: 'words' }], isError: 'false' }),
  'null-error': () => ({ content: [{ type: 'text', text: 'words' }], isError: null }),
  'error-without-text': () => ({ isError: true, content: [{ type: 'video', url: 'x' }] }),
  first: () => ({ toolResult: { a: 1 } }),
  null: () => null,
  text: () => 'words',
  deep: () => ({ content: [], structuredContent: nested }),
  'very-deep': () => ({ raw: '{"content":' + '['.repeat(200000) + ']'.repeat(200000) + '}' }),
  large: () => ({ content: [{ type: 'text', text: 'x'.repeat(20000000) }] }),
};
const outputs = { 'structure-in-text': { type: 'object' } };

/** The text of the answer to a message; undefined when there is none. */
function answerOf(oddity, { id, method, params }) {
  if (id === undefined || method === undefined) return undefined;
  const text = (message) => JSON.stringify({ jsonrpc: '2.0', id, ...message }).replace('"@nested"', nestedText);
  if (method === 'initialize') {
    const greeting = { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'odd', version: '1' } };
    return text({ result: greetings[oddity] ? greetings[oddity](greeting) : greeting });
  }
  if (method === 'tools/list') {
    if (pages[oddity]) {
      const result = pages[oddity](params.cursor);
      return text(result === undefined ? { error: { code: -32603, message: 'boom' } } : { result });
    }
    if (oddity === 'results') return text({ result: { tools: Object.keys(results).map((name) => tool({ name, outputSchema: outputs[name] })) } });
    return text({ result: { tools: lists[oddity] ? lists[oddity]() : [tool()] } });
  }
  if (method !== 'tools/call') return text({ error: { code: -32601, message: 'Method not found' } });
  const result = results[params.name](params.arguments);
  return result && result.raw ? '{"jsonrpc":"2.0","id":' + id + ',"result":' + result.raw + '}' : text({ result });
}
module.exports = { answerOf, lines };

const deaths = {
  'a stack trace': 'node:internal/modules/cjs/loader:1228\n  throw err;\n  ^\n\nError: Cannot find module \'/srv/weather.js\'\n    at Module._resolveFilename (node:internal/modules/cjs/loader:1225:15)\n    at node:internal/main/run_main_module:28:49 {\n  code: \'MODULE_NOT_FOUND\',\n  requireStack: []\n}\n\nNode.js v20.20.2\n',
  'a traceback': 'INFO starting\nTraceback (most recent call last):\n  File "/srv/weather.py", line 3, in <module>\n    import httpx\nModuleNotFoundError: No module named \'httpx\'\n',
  'a package manager': 'npm error code E404\nnpm error 404 Not Found - GET https://registry.example/weather-mcp\nnpm notice\nnpm notice New version available\n',
  'usage': 'weather-mcp 1.0\nusage: weather-mcp --key KEY\n',
  'words only': 'Good morning.\nSee you tomorrow.\n',
  'the secret': 'Error: the key a-very-secret-token was rejected\n',
  'a flood': 'Error: disk full ' + 'x'.repeat(100000) + '\n',
};
function speak(oddity) {
  if (deaths[oddity] !== undefined) {
    process.stderr.write(deaths[oddity]);
    process.exitCode = 7;
    return;
  }
  let rest = '';
  process.stdin.on('data', (piece) => {
    const all = (rest + piece).split('\n');
    rest = all.pop();
    for (const line of all) {
      const text = line.trim() === '' ? undefined : answerOf(oddity, JSON.parse(line));
      if (text !== undefined) process.stdout.write(lines[oddity] ? lines[oddity](text) : text + '\n');
    }
  });
}
if (require.main === module) speak(process.argv[2]);
`;
