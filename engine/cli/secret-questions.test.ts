import { PassThrough } from 'node:stream';
import { afterEach, expect, test } from 'vitest';
import { eventsOf, setUpCli } from '../testing/cli-fixture.ts';

const cli = setUpCli();
const stdin = Object.getOwnPropertyDescriptor(process, 'stdin') as PropertyDescriptor;

/** Simulates an interactive terminal with this answer. */
function answering(words: string): void {
  const terminal = Object.assign(new PassThrough(), { isTTY: true });
  terminal.write(`${words}\n`);
  Object.defineProperty(process, 'stdin', { configurable: true, get: () => terminal });
}

/** Runs a flow that names a secret with trust, and returns the run's id. */
async function runTrusted(): Promise<string> {
  cli.write('.millrace/.env', 'KEY=first-value-1\n');
  cli.write(
    'call.flow.yaml',
    `flow: { name: Call }
nodes:
  - { id: first, type: echo, input: { text: a } }
  - { id: call, type: http.request, input: { url: "http://127.0.0.1:9", headers: { x-key: "{{secret.KEY}}" } } }
edges: [{ from: first, to: call }]
`,
  );
  const { stdout } = await cli.call(['run', 'call.flow.yaml', '--trust', '--json']);
  return eventsOf(stdout)[0]?.runId ?? '';
}
afterEach(() => Object.defineProperty(process, 'stdin', stdin));

test.each<[string, (runId: string) => string[]]>([
  ['redo', (runId) => ['redo', runId]],
  ['rerun', (runId) => ['rerun', runId, '--from', 'call']],
])('BB-16 %s asks in an interactive terminal whether the flow may use its secrets', async (_name, command) => {
  const runId = await runTrusted();
  answering('n');
  expect(await cli.call(command(runId))).toMatchObject({ code: 4, stdout: '' });
  answering('y');
  // The run starts and waits, because without trust, requests can only reach public addresses.
  expect(await cli.call(command(runId))).toMatchObject({
    code: 3,
    stdout: expect.stringContaining('needs your permission to send requests to 127.0.0.1:9'),
  });
  Object.defineProperty(process, 'stdin', stdin);
  expect((await cli.call(command(runId))).code).toBe(1);
  cli.write(
    'call.flow.yaml',
    'flow: { name: Changed }\nnodes:\n  - { id: call, type: http.request, input: { url: "{{secret.KEY}}" } }\nedges: []\n',
  );
  expect((await cli.call(['redo', runId])).code).toBe(4);
});
