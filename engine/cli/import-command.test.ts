/** Tests `millrace import` with small files in the formats of n8n, Rivet and Flowise. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { setUpCli } from '../testing/cli-fixture.ts';

const cli = setUpCli();

function read(name: string): string {
  return readFileSync(path.join(cli.folder, name), 'utf8');
}

const orders = {
  name: 'Large orders',
  nodes: [
    { name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, position: [0, 0], parameters: {} },
    {
      name: 'Fetch',
      type: 'n8n-nodes-base.httpRequest',
      typeVersion: 4.2,
      position: [200, 0],
      parameters: { url: 'https://shop.example/orders', options: {} },
      retryOnFail: true,
    },
    {
      name: 'Large?',
      type: 'n8n-nodes-base.if',
      typeVersion: 2.2,
      position: [400, 0],
      parameters: {
        conditions: {
          combinator: 'and',
          conditions: [
            { leftValue: '={{ $json.total }}', rightValue: 100, operator: { type: 'number', operation: 'gt' } },
          ],
        },
      },
    },
    {
      name: 'Note it',
      type: 'n8n-nodes-base.set',
      typeVersion: 3.4,
      position: [600, -100],
      parameters: {
        assignments: {
          assignments: [
            {
              name: 'line',
              type: 'string',
              value: '=Order {{ $json.id }} of {{ $("Fetch").item.json.customer.name }}',
            },
            { name: 'day', type: 'string', value: '={{ $now.toISO() }}' },
          ],
        },
      },
    },
    {
      name: 'Post it',
      type: 'n8n-nodes-base.slack',
      typeVersion: 2,
      position: [800, -100],
      parameters: { text: '={{ $json.line }}' },
    },
  ],
  connections: {
    Start: { main: [[{ node: 'Fetch', type: 'main', index: 0 }]] },
    Fetch: { main: [[{ node: 'Large?', type: 'main', index: 0 }]] },
    'Large?': { main: [[{ node: 'Note it', type: 'main', index: 0 }], []] },
    'Note it': { main: [[{ node: 'Post it', type: 'main', index: 0 }]] },
  },
};

test('import writes a valid flow from an n8n workflow and reports each node', async () => {
  cli.write('orders.json', JSON.stringify(orders));
  const { code, stdout } = await cli.call(['import', 'orders.json']);
  expect(code).toBe(0);
  expect(stdout).toBe(`Wrote orders.flow.yaml: 3 mapped, 1 partly, 1 placeholder
  placeholder  Post it (n8n-nodes-base.slack): post_it (control.noop)
               There is no corresponding node type.
  partly       Note it (n8n-nodes-base.set): note_it (constant)
               The expression $now.toISO() stays as text.
  mapped       Start (n8n-nodes-base.manualTrigger): inputs of the flow
  mapped       Fetch (n8n-nodes-base.httpRequest): fetch (http.request)
  mapped       Large? (n8n-nodes-base.if): large (control.if)
`);
  const text = read('orders.flow.yaml');
  expect(text).toContain('Order {{fetch.body.id}} of {{fetch.body.customer.name}}');
  expect(text).toContain('var: fetch.body.total');
  expect(text).toContain('maxAttempts: 3');
  expect(text).toContain('{ from: large, to: note_it, when: { equals: { var: large.condition, value: true } } }');
  expect(text).toContain('x-n8n');
  expect((await cli.call(['validate', 'orders.flow.yaml'])).code).toBe(0);
});

test('import never overwrites a file', async () => {
  cli.write('orders.json', JSON.stringify(orders));
  cli.write('orders.flow.yaml', 'mine');
  const { code, stderr } = await cli.call(['import', 'orders.json']);
  expect([code, read('orders.flow.yaml')]).toEqual([2, 'mine']);
  expect(stderr).toContain('already exists');
  expect((await cli.call(['import', 'orders.json', '--out', 'flows/new.flow.yaml'])).code).toBe(0);
  expect(existsSync(path.join(cli.folder, 'flows/new.flow.yaml'))).toBe(true);
});

test('import rejects files of other formats, damaged files and missing files', async () => {
  cli.write('other.json', '{ "a": 1 }');
  cli.write('cut.json', '{ "nodes": [');
  cli.write('bytes.json', Buffer.from([0, 1, 2, 255]));
  for (const name of ['other.json', 'cut.json', 'bytes.json', 'gone.json']) {
    const { code, stderr, stdout } = await cli.call(['import', name]);
    expect([name, code, stdout, stderr.startsWith('millrace: ')]).toEqual([name, 2, '', true]);
  }
});

const project = `version: 4
data:
  graphs:
    main1:
      metadata: { id: main1, name: Reply, description: "" }
      nodes:
        '[in]:graphInput "Message"':
          data: { id: message, dataType: string }
          outgoingConnections:
            - data->"Ask" ask/message
          visualData: 0/0/300/1
        '[ask]:prompt "Ask"':
          data: { type: user, promptText: "Is this a bug? {{message}}" }
          outgoingConnections:
            - output->"Chat" chat/prompt
          visualData: 300/0/280/2
        '[chat]:chat "Chat"':
          data: { model: gpt-4o-mini, temperature: 0.5, maxTokens: 100 }
          outgoingConnections:
            - response->"Shout" shout/text
          visualData: 600/0/200/3
        '[shout]:subGraph "Shout"':
          data: { graphId: sub1 }
          outgoingConnections:
            - result->"Out" out/value
          visualData: 900/0/200/4
        '[out]:graphOutput "Out"':
          data: { id: reply, dataType: string }
          visualData: 1200/0/200/5
        '[global]:getGlobal "Global"':
          visualData: 1200/300/200/6
    sub1:
      metadata: { id: sub1, name: Tools/Shout, description: "" }
      nodes:
        '[in]:graphInput "Text"':
          data: { id: text, dataType: string }
          outgoingConnections:
            - data->"Upper" code/text
          visualData: 0/0/300/1
        '[code]:code "Upper"':
          data: { code: "return { output: { type: 'string', value: inputs.text.value.toUpperCase() } };", inputNames: text }
          outgoingConnections:
            - output->"Out" out/value
          visualData: 300/0/300/2
        '[out]:graphOutput "Out"':
          data: { id: result, dataType: string }
          visualData: 600/0/300/3
  metadata: { id: p, title: Replies, mainGraphId: main1 }
`;

test('import writes a flow for each graph of a Rivet project, and the flows call each other', async () => {
  cli.write('replies.rivet-project', project);
  const { code, stdout } = await cli.call(['import', 'replies.rivet-project', '--json']);
  expect(code).toBe(0);
  const reports = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(reports.map(({ file, counts }) => [file, counts])).toEqual([
    ['replies.flow.yaml', { mapped: 5, partly: 0, placeholder: 1, missing: 0 }],
    ['replies-tools-shout.flow.yaml', { mapped: 3, partly: 0, placeholder: 0, missing: 0 }],
  ]);
  const keys = ['name', 'file', 'remarks', 'counts', 'nodes'].sort();
  expect(reports.map((report) => Object.keys(report).sort())).toEqual([keys, keys]);
  const placeholder = reports[0].nodes.find(({ status }: { status: string }) => status === 'placeholder');
  expect(Object.keys(placeholder).sort()).toEqual(['became', 'id', 'lost', 'name', 'status', 'type']);
  expect(read('replies.flow.yaml')).toContain('flow: ./replies-tools-shout.flow.yaml');
  for (const { file } of reports) expect((await cli.call(['validate', file])).code).toBe(0);
  const run = await cli.call(['run', 'replies-tools-shout.flow.yaml', '--input', 'text=hello']);
  expect([run.code, run.stdout]).toEqual([0, expect.stringContaining('HELLO')]);
});

function flowiseNode(id: string, name: string, inputs: object, more: object = {}) {
  return { id, type: 'agentFlow', position: { x: 0, y: 0 }, data: { id, label: id, name, inputs }, ...more };
}

const agentflow = {
  description: 'Answers mail',
  nodes: [
    flowiseNode('start_0', 'startAgentflow', {
      startInputType: 'formInput',
      formInputTypes: [{ type: 'string', label: 'Mail', name: 'mail' }],
    }),
    flowiseNode('kind_0', 'conditionAgentAgentflow', {
      conditionAgentModel: 'chatOpenAI',
      conditionAgentModelConfig: { modelName: 'gpt-4o-mini' },
      conditionAgentInstructions: '<p>What is it about?</p>',
      conditionAgentInput: '<p><span class="variable">{{ $form.mail }}</span></p>',
      conditionAgentScenarios: [{ scenario: 'Refund' }, { scenario: 'Other' }],
    }),
    flowiseNode('llm_0', 'llmAgentflow', {
      llmModel: 'chatOpenAI',
      llmModelConfig: { modelName: 'gpt-4o-mini', temperature: 0.2 },
      llmMessages: [{ role: 'system', content: '<p>Be &lt;kind&gt;.</p>' }],
      llmUserMessage: '<p>{{ $form.mail }}</p>',
    }),
    flowiseNode('ask_0', 'humanInputAgentflow', {
      humanInputDescriptionType: 'fixed',
      humanInputDescription: '<p>Send {{ llm_0 }}?</p>',
    }),
    flowiseNode('send_0', 'toolAgentflow', { toolAgentflowSelectedTool: 'gmail' }),
    flowiseNode('back_0', 'loopAgentflow', { loopBackToNode: 'llm_0-LLM' }),
  ],
  edges: [
    { source: 'start_0', target: 'kind_0', sourceHandle: 'start_0-output-startAgentflow', targetHandle: 'kind_0' },
    { source: 'kind_0', target: 'llm_0', sourceHandle: 'kind_0-output-0', targetHandle: 'llm_0' },
    { source: 'llm_0', target: 'ask_0', sourceHandle: 'llm_0-output-llmAgentflow', targetHandle: 'ask_0' },
    { source: 'ask_0', target: 'send_0', sourceHandle: 'ask_0-output-0', targetHandle: 'send_0' },
    { source: 'ask_0', target: 'back_0', sourceHandle: 'ask_0-output-1', targetHandle: 'back_0' },
  ],
};

test('import writes a valid flow from a Flowise agentflow', async () => {
  cli.write('mail.json', JSON.stringify(agentflow));
  const { code, stdout } = await cli.call(['import', 'mail.json']);
  expect(code).toBe(0);
  expect(stdout).toContain('Wrote mail.flow.yaml: 4 mapped, 1 partly, 1 placeholder');
  const text = read('mail.flow.yaml');
  expect(text).toContain('Be <kind>.');
  expect(text).toContain('Send {{llm_0.text}}?');
  expect(text).toContain(
    '{ from: kind_0, to: llm_0, when: { equals: { var: kind_0.value.scenario, value: Refund } } }',
  );
  expect(text).toContain('{ from: ask_0, to: back_0, when: { equals: { var: ask_0.route, value: rejected } } }');
  expect((await cli.call(['validate', 'mail.flow.yaml'])).code).toBe(0);
});

function code(name: string, jsCode: string, mode = 'runOnceForAllItems') {
  return { name, type: 'n8n-nodes-base.code', typeVersion: 2, position: [0, 0], parameters: { jsCode, mode } };
}

function next(...nodes: readonly string[]) {
  return nodes.map((node) => ({ node, type: 'main', index: 0 }));
}

test('code and loops of an n8n workflow compute the same values in a run', async () => {
  const line = { name: 'line', type: 'string', value: '=Number {{ $json.sum }}' };
  const workflow = {
    nodes: [
      code('Numbers', 'return [{ json: { x: 1 } }, { json: { x: 2 } }];'),
      code(
        'Tenfold',
        'return { json: { y: $json.x * 10, first: $("Numbers").first().json.x } };',
        'runOnceForEachItem',
      ),
      code('Sums', 'return $input.all().map((item) => ({ json: { sum: item.json.y + item.json.first } }));'),
      { name: 'Each', type: 'n8n-nodes-base.splitInBatches', typeVersion: 3, parameters: {} },
      {
        name: 'Line',
        type: 'n8n-nodes-base.set',
        typeVersion: 3.4,
        parameters: { assignments: { assignments: [line] } },
      },
    ],
    connections: {
      Numbers: { main: [next('Tenfold')] },
      Tenfold: { main: [next('Sums')] },
      Sums: { main: [next('Each')] },
      Each: { main: [[], next('Line')] },
      Line: { main: [next('Each')] },
    },
  };
  cli.write('numbers.json', JSON.stringify(workflow));
  expect((await cli.call(['import', 'numbers.json'])).stdout).toContain('5 mapped, 0 partly, 0 placeholders');
  const { code: exit, stdout } = await cli.call(['run', 'numbers.flow.yaml', '--json']);
  const end = stdout.trim().split('\n').at(-1) ?? '';
  expect([exit, end]).toEqual([0, expect.stringMatching(/Number 11.*Number 21/)]);
});
