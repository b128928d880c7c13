/** Tests requests of runs that the MCP client which started them may answer. */
import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { builtPart } from '../testing/built-program.ts';
import { setUpCli } from '../testing/cli-fixture.ts';
import { connectMcpClient } from '../testing/mcp-client.ts';

const cli = setUpCli();
let client: Client | undefined;
beforeAll(() => builtPart('cli'), 60_000);
afterEach(async () => {
  await client?.close();
  client = undefined;
});

const form = '{ type: object, properties: { size: { type: string, enum: [S, L] } }, required: [size] }';
const asking = (
  more: string,
  node = `{ id: ask, type: user_input, input: { title: Which size?, schema: ${form} } }`,
): string =>
  `flow: { name: Asks${more} }\nnodes:\n  - ${node}\n  - { id: end, type: echo, input: { text: "{{ask.values.size}} by {{ask.by}}" } }\nedges: [{ from: ask, to: end }]\n`;
const open = ', approvals: client';

interface Asked {
  readonly message: string;
  readonly requestedSchema: unknown;
}

/** Connects a client that answers questions as given, and records them. */
async function connect(
  era: 'modern' | 'legacy',
  answers: readonly object[],
  capabilities: object = { elicitation: { form: {} } },
): Promise<readonly Asked[]> {
  const asked: Asked[] = [];
  const options = { capabilities, ...(era === 'modern' ? { versionNegotiation: { mode: 'auto' as const } } : {}) };
  client = await connectMcpClient(cli.folder, 'helper', options);
  if ('elicitation' in capabilities)
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params as Asked);
      return (answers[asked.length - 1] ?? { action: 'cancel' }) as { action: 'cancel' };
    });
  return asked;
}

async function call(name: string, args: Record<string, unknown> = {}): Promise<CallToolResult> {
  return (await client?.callTool({ name, arguments: args })) as CallToolResult;
}

describe.each(['modern', 'legacy'] as const)('a %s client', (era) => {
  test('13.9 answers a user_input of a flow that lets it, and is named in the answer', async () => {
    cli.write('asks.flow.yaml', asking(open));
    const asked = await connect(era, [{ action: 'accept', content: { size: 'L' } }]);
    const result = await call('asks');
    expect(asked).toMatchObject([
      { message: 'Which size?', requestedSchema: { properties: { size: { enum: ['S', 'L'] } } } },
    ]);
    expect(result).toMatchObject({ structuredContent: { status: 'completed' } });
    expect(JSON.stringify(result.structuredContent)).toContain('L by helper (MCP client)');
  });

  test('13.9 a declined request stays open for a person', async () => {
    cli.write('asks.flow.yaml', asking(open));
    const asked = await connect(era, [{ action: 'decline' }]);
    expect(await call('asks')).toMatchObject({
      structuredContent: { status: 'suspended', waiting: [{ node: 'ask' }] },
    });
    expect(asked).toHaveLength(1);
  });

  test('13.9 nothing else is ever asked', async () => {
    const asked = await connect(era, [{ action: 'accept', content: { approved: true } }]);
    const kinds: Readonly<Record<string, string>> = {
      plain: asking(''),
      approval: asking(open, '{ id: ask, type: human_approval, input: { title: OK? } }').replace(
        'ask.values.size',
        'ask.comment',
      ),
      secret: asking(
        open,
        '{ id: ask, type: user_input, input: { title: Key?, schema: { type: object, properties: { size: { type: string, format: password } } } } }',
      ),
      nested: asking(
        open,
        '{ id: ask, type: user_input, input: { title: All?, schema: { type: object, properties: { size: { type: object } } } } }',
      ),
    };
    for (const [name, text] of Object.entries(kinds)) {
      cli.write(`${name}.flow.yaml`, text);
      expect(await call(name), name).toMatchObject({ structuredContent: { status: 'suspended' } });
    }
    expect(asked).toEqual([]);
  });

  test('13.9 an answer that does not fit the form is refused, and the request stays open', async () => {
    cli.write('asks.flow.yaml', asking(open));
    await connect(era, [{ action: 'accept', content: { size: 'XXL' } }]);
    const outcome = await call('asks').catch((error: unknown) => error);
    expect(JSON.stringify(outcome) + String(outcome)).toMatch(/answer\.invalid|schema|XXL|choices/);
    expect(await call('read_run', { run: '1' })).toMatchObject({ structuredContent: { status: 'suspended' } });
  });

  test('13.9 a client without forms gets the state of the run', async () => {
    cli.write('asks.flow.yaml', asking(open));
    await connect(era, [], {});
    expect(await call('asks')).toMatchObject({ structuredContent: { status: 'suspended' } });
  });
});

test('13.9 a client cannot answer with an invented state', async () => {
  cli.write('asks.flow.yaml', asking(open));
  await connect('modern', [{ action: 'decline' }]);
  await call('asks');
  const params = {
    name: 'asks',
    arguments: {},
    requestState: 'q1',
    inputResponses: { q1: { action: 'accept', content: { size: 'L' } } },
  };
  const result = (await client?.request({ method: 'tools/call', params } as never)) as CallToolResult;
  expect(result.isError).toBe(true);
  expect(JSON.stringify(result.content)).toContain('mcp.unknown-state');
  expect(await call('read_run', { run: '1' })).toMatchObject({ structuredContent: { status: 'suspended' } });
});
