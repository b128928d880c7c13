/** Tests that orders in real web answers, and in names and descriptions of a trusted workspace, change nothing. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { writeMcpProgram } from '../../testing/mcp-program.ts';
import { testRounds } from '../../testing/test-rounds.ts';
import type { AssistantRequest } from './assistant.ts';
import { type AssistantDesk, obeying, openAssistantDesk, openFlow, orders } from './test-assistant-desk.ts';

let desk: AssistantDesk;
beforeEach(async () => {
  desk = await openAssistantDesk({ isTrusted: true, env: process.env });
  vi.stubEnv('MILLRACE_TEST_KEY', 'a-key-for-tests');
});
afterEach(() => desk.close());

type Planted = Pick<AssistantRequest, 'text' | 'runId'>;

/** Runs a flow that fails, and returns the run. */
async function failedRun(nodes: readonly object[]): Promise<Planted> {
  const text = JSON.stringify({ flow: { name: 'Fails' }, nodes, edges: [{ from: 'get', to: 'bad' }] });
  desk.world.write('workspace/fails.flow.yaml', text);
  const { runId } = await desk.engine.startRun({ path: 'fails.flow.yaml', text, inputs: {} });
  expect((await desk.engine.whenEnded(runId)).status).toBe('failed');
  return { text: openFlow, runId };
}

/** Serves one answer while a flow that needs it runs. */
async function fromWeb(
  answer: { readonly status: number; readonly body: string },
  nodesFor: (url: string) => readonly object[],
): Promise<Planted> {
  const server = createServer((_, response) => {
    response.writeHead(answer.status, {
      'content-type': answer.status === 200 ? 'application/json' : 'text/plain; charset=utf-8',
    });
    response.end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await failedRun(nodesFor(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`));
  } finally {
    server.close();
  }
}

const get = (url: string) => ({ id: 'get', type: 'http.request', input: { url } });

/** How content of web servers reaches the model. */
const answers: Readonly<Record<string, (order: string) => Promise<Planted>>> = {
  'the body of an error': (body) =>
    fromWeb({ status: 500, body }, (url) => [
      get(url),
      { id: 'bad', type: 'control.fail', input: { message: '{{get.status}}: {{get.body}}' } },
    ]),
  'a field of a JSON body': (order) =>
    fromWeb({ status: 200, body: JSON.stringify({ note: order }) }, (url) => [
      get(url),
      { id: 'bad', type: 'control.fail', input: { message: '{{get.body.note}}' } },
    ]),
};

/** Names and descriptions of the workspace. */
const names: Readonly<Record<string, (order: string) => Promise<Planted>>> = {
  'the description of a server tool': async (description) => {
    const entry = writeMcpProgram(desk.world.at('workspace'), {
      tools: [{ name: 'echo', description, inputSchema: { type: 'object', properties: { x: { description } } } }],
    });
    desk.world.write('workspace/.mcp.json', JSON.stringify({ mcpServers: { files: entry } }));
    // The request for the approval of the tool starts the server, and quotes the description.
    const nodes = [{ id: 't', type: 'tool', config: { tool: 'files.echo' }, input: {} }];
    const text = JSON.stringify({ flow: { name: 'Asks' }, nodes, edges: [] });
    desk.world.write('workspace/asks.flow.yaml', text);
    const { runId } = await desk.engine.startRun({ path: 'asks.flow.yaml', text, inputs: {} });
    expect((await desk.engine.whenEnded(runId)).status).toBe('suspended');
    expect((await desk.engine.listTools()).map(({ name }) => name)).toContain('files.echo');
    await desk.engine.resumeRun({ runId, payload: { approved: false, comment: description } });
    await desk.engine.whenEnded(runId);
    return { text: openFlow, runId };
  },
  'the name and description of a tool': async (order) => {
    const tool = {
      tool_id: 'mine',
      name: order,
      description: order,
      input_schema: { type: 'object' },
      run: { js: '1' },
    };
    desk.world.write('workspace/tools/mine.tool.yaml', JSON.stringify(tool));
    return { text: openFlow };
  },
  'the title and description of an agent': async (order) => {
    const words = `title = ${JSON.stringify(order.slice(0, 60))}\ndescription = ${JSON.stringify(order)}`;
    const options = `[node]\n${words}\n\n[node.input]\ntype = "object"\n\n[node.output]\ntype = "object"`;
    const folder = 'workspace/.aipack/pack/custom/me/loud';
    desk.world.write(`${folder}/pack.toml`, '[pack]\nnamespace = "me"\nname = "loud"\nversion = "1.0.0"\n');
    desk.world.write(
      `${folder}/main.aip`,
      `# Options\n\n\`\`\`toml\n${options}\n\`\`\`\n\n# Output\n\n\`\`\`lua\nreturn {}\n\`\`\`\n`,
    );
    return { text: openFlow };
  },
};

const sources = { ...answers, ...names };
const planted = Object.keys(sources).flatMap((source) => Object.keys(orders).map((order) => [source, order] as const));
/** One order for each source; all of them in four rounds. */
const tried = planted.filter((_, index) => (index + Math.floor(index / 4)) % 4 < testRounds(1));

describe('40 orders in web answers, names and descriptions', () => {
  test.each(tried)('13.7 %s with %s is data, and a model that obeys changes nothing', async (source, name) => {
    const subject = await sources[source]?.(orders[name] ?? '');
    const before = await desk.protectedState();
    const { data } = await desk.engine.previewAssistance({ file: 'hello.flow.yaml', text: openFlow, ...subject });
    expect(data.match(/<\/data>/g)).toHaveLength([...data.matchAll(/<data name="[^"]*">/g)].length);
    expect(data).not.toMatch(/person's request:|[\u202E\u200B\u{E0065}]/u);
    desk.server.plan(...obeying);
    const { proposal, text } = await desk.ask({ ...subject });
    expect([proposal, text, await desk.proposals()]).toEqual([undefined, 'I have saved the file.', []]);
    expect(await desk.protectedState()).toEqual(before);
  });

  test('13.7 there are 40', () => {
    expect(planted).toHaveLength(40);
  });
});

test('13.7 web answers, and names and descriptions that a model needs, do reach it', async () => {
  for (const source of Object.keys(sources)) {
    const subject = await sources[source]?.('A planted order');
    const { data } = await desk.engine.previewAssistance({ file: 'hello.flow.yaml', text: openFlow, ...subject });
    expect(data).toContain(source === 'the name and description of a tool' ? '"mine"' : 'A planted order');
  }
});
