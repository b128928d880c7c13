/**
 * A small MCP server with configurable behavior: a single file that needs no package.
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';

/** Behavior of the server. */
export interface McpProgramManner {
  /**
   * Tools in addition to `echo`, which returns its parameters; `die`, which ends the program; `hang`, which never
   * responds; and `fail`, which fails with its `text`.
   */
  readonly tools?: readonly object[];
  /** Number of generated tools, and how many are on a page. */
  readonly flood?: { readonly count: number; readonly page: number };
  /** Tools that are listed after the first call of any tool, with a notification. */
  readonly toolsAfterCall?: readonly object[];
  /** `garbage`: lines that are not JSON. `silent`: no responses at all. `wrong`: malformed responses. */
  readonly speaks?: 'garbage' | 'silent' | 'wrong';
  /** Text written to stderr at the start. */
  readonly stderr?: string;
  /** Number of bytes of `x` written to stderr at the start. */
  readonly stderrBytes?: number;
  /** Exits immediately with this code. */
  readonly exitCode?: number;
  /** Starts a program that holds its streams open, and writes that program's process id to this file. */
  readonly childFile?: string;
}

/**
 * Writes the program into a folder.
 * @returns the entry of `.mcp.json` that starts it
 */
export function writeMcpProgram(folder: string, manner: McpProgramManner = {}): { command: string; args: string[] } {
  const file = path.join(folder, 'test-mcp-server.cjs');
  writeFileSync(file, program);
  const mannerFile = path.join(
    folder,
    `manner-${createHash('sha1').update(JSON.stringify(manner)).digest('hex')}.json`,
  );
  writeFileSync(mannerFile, JSON.stringify(manner));
  return { command: process.execPath, args: [file, mannerFile] };
}

const program = `
const { appendFileSync, readFileSync, writeFileSync } = require('node:fs');
const manner = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const schema = { type: 'object' };
const reads = { annotations: { readOnlyHint: true } };
let tools = manner.tools ?? [
  { name: 'echo', description: 'Gives back what it was given.', inputSchema: { type: 'object', properties: { text: { type: 'string' } } }, ...reads },
  { name: 'die', description: 'Ends the program.', inputSchema: schema },
  { name: 'hang', description: 'Never answers.', inputSchema: schema },
  { name: 'fail', description: 'Fails.', inputSchema: schema },
  { name: 'env', description: 'Gives a variable.', inputSchema: schema },
];
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const text = (value, more) => ({ content: [{ type: 'text', text: value }], ...more });
if (manner.stderr) process.stderr.write(manner.stderr);
for (let left = manner.stderrBytes ?? 0; left > 0; left -= 100000) process.stderr.write('x'.repeat(99999) + '\\n');
if (manner.exitCode !== undefined) process.exit(manner.exitCode);
if (manner.childFile) {
  const { spawn } = require('node:child_process');
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit', detached: true });
  writeFileSync(manner.childFile, String(child.pid));
}
const call = (id, { name, arguments: given }) => {
  if (manner.toolsAfterCall) {
    tools = manner.toolsAfterCall;
    send({ method: 'notifications/tools/list_changed' });
  }
  if (name === 'die') process.exit(3);
  if (name === 'hang') return;
  if (name === 'fail') return send({ id, result: text(given.text ?? 'It is not possible.', { isError: true }) });
  if (name === 'env') return send({ id, result: text(String(process.env[given.name])) });
  send({ id, result: text(JSON.stringify(given), { structuredContent: given }) });
};
const list = (id, { cursor } = {}) => {
  if (!manner.flood) return send({ id, result: { tools } });
  const from = Number(cursor ?? 0);
  const to = Math.min(manner.flood.count, from + manner.flood.page);
  const some = [];
  for (let n = from; n < to; n++) some.push({ name: 'tool-' + n, inputSchema: schema });
  send({ id, result: { tools: some, ...(to < manner.flood.count ? { nextCursor: String(to) } : {}) } });
};
const take = ({ id, method, params }) => {
  if (method === 'notifications/cancelled' && process.env.CANCELLED_FILE) appendFileSync(process.env.CANCELLED_FILE, params.reason + '\\n');
  if (manner.speaks === 'silent' || id === undefined) return;
  if (manner.speaks === 'garbage') return process.stdout.write('this is { no JSON\\n');
  if (manner.speaks === 'wrong' && method !== 'initialize') return send({ id, result: { tools: 'many', content: 7 } });
  if (method === 'initialize') {
    const serverInfo = { name: 'test', version: '1' };
    return send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: { listChanged: true } }, serverInfo } });
  }
  if (method === 'tools/list') return list(id, params);
  if (method === 'tools/call') return call(id, params);
  send({ id, error: { code: -32601, message: 'no such method' } });
};
let rest = '';
process.stdin.on('data', (piece) => {
  const lines = (rest + piece).split('\\n');
  rest = lines.pop();
  for (const line of lines) if (line.trim() !== '') take(JSON.parse(line));
});
process.stdin.on('end', () => process.exit(0));
`;
