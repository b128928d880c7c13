/**
 * Runs a fake model provider in a separate process, so that its CPU time is not counted.
 */
import { spawn } from 'node:child_process';

/**
 * Sends one token every 5 ms and catches up when it is late. `/v1/connections` returns the number of connections so
 * far.
 */
const provider = `
const { createServer } = require('node:http');
let connections = 0;
const chunk = (delta, more) => 'data: ' + JSON.stringify({ id: '1', object: 'chat.completion.chunk', choices: [{ index: 0, delta, ...more }] }) + '\\n\\n';
const server = createServer((request, response) => {
  if (request.url.endsWith('/connections')) return response.end(String(connections));
  let body = '';
  request.on('data', (piece) => { body += piece; });
  request.on('end', () => {
    const [, tokens, perSecond] = /STREAM (\\d+) (\\d+)/.exec(body);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const startedAt = performance.now();
    let sent = 0;
    const timer = setInterval(() => {
      const due = Math.min(tokens, Math.ceil(((performance.now() - startedAt) / 1000) * perSecond));
      for (; sent < due; sent++) response.write(chunk({ content: 'word ' }));
      if (sent < tokens) return;
      clearInterval(timer);
      response.end(chunk({}, { finish_reason: 'stop' }) + 'data: [DONE]\\n\\n');
    }, 5);
  });
});
server.on('connection', () => { connections++; });
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

/** Starts the provider. It responds to the prompt `STREAM COUNT RATE` with COUNT words, RATE of them per second. */
export async function startTokenServer(): Promise<{ readonly address: string; readonly stop: () => void }> {
  const child = spawn(process.execPath, ['-e', provider], { stdio: ['ignore', 'pipe', 'inherit'] });
  const port = await new Promise<string>((resolve) =>
    child.stdout.once('data', (text: Buffer) => resolve(String(text).trim())),
  );
  return { address: `http://127.0.0.1:${port}/v1`, stop: () => child.kill() };
}

/** Returns the user settings that register this provider as `bench`. */
export function tokenSettings(address: string): string {
  return `[providers.bench]\nkind = "openai-compatible"\nbase_url = "${address}"\n`;
}

/** Returns a flow that requests `calls` streams, as a chain or in parallel. */
export function streamFlow(
  calls: number,
  {
    prompt,
    isChain,
    maxParallel,
  }: { readonly prompt: string; readonly isChain: boolean; readonly maxParallel: number },
): string {
  const nodes = Array.from(
    { length: calls },
    (_, index) =>
      `  - { id: m${index}, type: prompt, input: { prompt: "${prompt}" }, config: { model: "bench::words" } }\n`,
  );
  const edges = isChain ? nodes.slice(1).map((_, index) => `  - { from: m${index}, to: m${index + 1} }\n`) : [];
  return `flow: { name: Streams, policy: { maxParallel: ${maxParallel} } }\nnodes:\n${nodes.join('')}edges: ${edges.length === 0 ? '[]\n' : `\n${edges.join('')}`}`;
}
