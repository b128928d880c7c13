/** Tests what triggers of n8n become. */
import { expect, test } from 'vitest';
import { builtinTypes } from '../../../runtime/nodes/builtin-types.ts';
import { createNodeRegistry } from '../../../runtime/nodes/node-registry.ts';
import { checkFlow } from '../../flow/check-flow.ts';
import { parseFlow } from '../../flow/parse-flow.ts';
import { importFlows } from '../import-flows.ts';
import type { ImportedFlow } from '../report.ts';

const registry = createNodeRegistry(builtinTypes);

type NamedNode = Readonly<Record<string, unknown>> & { readonly name: string };

/** Imports two nodes, the first of which leads to the second. The flow must be valid. */
async function imported(first: NamedNode, second: NamedNode = noOp, settings = {}): Promise<ImportedFlow> {
  const connections = { [first.name]: { main: [[{ node: second.name, type: 'main', index: 0 }]] } };
  const text = JSON.stringify({ nodes: [first, second], connections, settings });
  const [flow] = await importFlows({ text, name: 'test' }, async (one) => checkFlow(one, registry).diagnostics);
  if (flow === undefined) throw new Error('no flow');
  expect(checkFlow(flow.text, registry).diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return flow;
}

const noOp = { name: 'Next', type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} };

function webhook(parameters: object) {
  return { name: 'Webhook', type: 'n8n-nodes-base.webhook', typeVersion: 2, parameters };
}

test('a webhook of n8n becomes a trigger, and its response a respond node', async () => {
  const options = {
    responseCode: 201,
    responseHeaders: {
      entries: [
        { name: 'X-Order', value: '7' },
        { name: 'Set-Cookie', value: 'a=b' },
      ],
    },
  };
  const body = '={{ $json.body.order }}';
  const hook = webhook({ httpMethod: 'POST', path: 'orders', responseMode: 'responseNode' });
  const type = 'n8n-nodes-base.respondToWebhook';
  const parameters = { respondWith: 'json', responseBody: body, options };
  const { text, lines } = await imported(hook, { name: 'Reply', type, typeVersion: 1.1, parameters });
  const doc = parseFlow(text).doc;
  const inputs = { body: '{{event.body}}', headers: '{{event.headers}}', query: '{{event.query}}' };
  expect(doc?.flow.triggers).toEqual([
    { id: 'webhook', webhook: { path: 'orders', method: 'POST', answer: 'respond' }, inputs, overlap: 'queue' },
  ]);
  const input = { status: 201, headers: { 'x-order': '7' }, body: '{{flow.input.body.order}}' };
  expect(doc?.nodes).toMatchObject([{ id: 'reply', type: 'respond', input }]);
  expect(lines.map(({ became, lost }) => [became, ...lost])).toEqual([
    ['trigger of the flow'],
    ['respond', 'Not imported: the headers Set-Cookie.'],
  ]);
});

function clock(interval: unknown, type = 'scheduleTrigger') {
  const parameters = type === 'scheduleTrigger' ? { rule: { interval } } : interval;
  return { name: 'Clock', type: `n8n-nodes-base.${type}`, typeVersion: 1.2, parameters };
}

function cron(text: string) {
  return { cron: text, timezone: 'UTC' };
}

test.each([
  [[{ field: 'minutes', minutesInterval: 15 }], [{ every: '15m' }]],
  [[{ triggerAtHour: 7, triggerAtMinute: 30 }], [cron('30 7 * * *')]],
  [[{ field: 'hours', hoursInterval: 2 }], [cron('0 */2 * * *')]],
  [[{ field: 'hours', hoursInterval: 36 }], [{ every: '36h' }]],
  [[{ field: 'weeks', triggerAtDay: [1, 5], triggerAtHour: 9 }], [cron('0 9 * * 1,5')]],
  [[{ field: 'months', triggerAtDayOfMonth: 3 }], [cron('0 0 3 * *')]],
  [[{ field: 'cronExpression', expression: '=0 5 4 * * 1' }], [cron('5 4 * * 1')]],
  [
    [{ triggerAtHour: 9 }, { triggerAtHour: 17 }],
    [cron('0 9 * * *'), cron('0 17 * * *')],
  ],
  [[{ triggerAtHour: '={{ $vars.hour }}' }], undefined],
  [[{ field: 'cronExpression', expression: 'soon' }], undefined],
  [[{ field: 'weeks', weeksInterval: 2 }], undefined],
  [{ field: 'days' }, undefined],
  [[], undefined],
])('the schedule %j becomes %j', async (interval, schedules) => {
  const { text, lines } = await imported(clock(interval));
  expect(parseFlow(text).doc?.flow.triggers?.map(({ schedule }) => schedule)).toEqual(schedules);
  expect(lines[0]?.became).toBe(schedules === undefined ? 'inputs of the flow' : 'trigger of the flow');
  expect(lines[0]?.status).toBe(schedules?.every((one) => 'every' in one) === true ? 'mapped' : 'partly');
});

test.each([
  ['cron', { triggerTimes: { item: [{ hour: 8 }, { mode: 'everyX', value: 3, unit: 'minutes' }] } }],
  ['interval', { interval: 3, unit: 'minutes' }],
])('nodes of the older type %s become schedules', async (type, parameters) => {
  const { text } = await imported(clock(parameters, type));
  const schedules = parseFlow(text).doc?.flow.triggers?.map(({ id, schedule }) => [id, schedule]);
  const first = type === 'cron' ? [['clock', cron('0 8 * * *')]] : [];
  expect(schedules).toEqual([...first, [type === 'cron' ? 'clock_2' : 'clock', { every: '3m' }]]);
});

test('schedules keep the time zone of the workflow', async () => {
  const { text, lines } = await imported(clock([{ triggerAtHour: 7 }]), noOp, { timezone: 'Europe/Berlin' });
  const schedule = { cron: '0 7 * * *', timezone: 'Europe/Berlin' };
  expect(parseFlow(text).doc?.flow.triggers?.[0]).toMatchObject({ id: 'clock', schedule });
  expect(lines[0]).toMatchObject({ status: 'mapped', lost: [] });
});

test('a schedule that cannot be imported in full says which part is missing', async () => {
  const { lines } = await imported(
    clock([
      { daysInterval: 3 },
      { field: 'cronExpression', expression: '30 0 9 * * *' },
      { field: 'weeks', weeksInterval: 2 },
    ]),
  );
  expect(lines[0]?.lost).toEqual([
    'Its interval of 3 days starts again each month.',
    'It starts at full minutes.',
    '1 of its 3 rules cannot be imported.',
    'Its times are in UTC, because the workflow does not name a time zone.',
  ]);
});

test('a webhook with authentication gets a secret', async () => {
  const { text, lines } = await imported(
    webhook({ path: 'a', authentication: 'headerAuth', options: { rawBody: true } }),
  );
  const secret = '{{secret.WEBHOOK_SECRET}}';
  expect(parseFlow(text).doc?.flow.triggers?.[0]?.webhook).toEqual({ path: 'a', method: 'GET', secret });
  expect(lines[0]?.lost).toEqual([expect.stringContaining('WEBHOOK_SECRET'), 'Not imported: the options rawBody.']);
});

test.each([
  ['json', { responseBody: '={ "id": "{{ $json.query.id }}" }' }, 200, {}, { id: '{{flow.input.query.id}}' }],
  [
    'json',
    { responseBody: '={ "id": {{ $json.query.id }} }' },
    200,
    { 'content-type': 'application/json' },
    '{ "id": {{flow.input.query.id}} }',
  ],
  ['text', { responseBody: 'OK' }, 200, {}, 'OK'],
  ['noData', { options: { responseCode: 204 } }, 204, {}, null],
  ['redirect', { redirectURL: 'https://example.com' }, 307, { location: 'https://example.com' }, null],
] as const)('a response with %s %j is the same in the flow', async (respondWith, more, ...expected) => {
  const [status, headers, body] = expected;
  const type = 'n8n-nodes-base.respondToWebhook';
  const reply = { name: 'Reply', type, typeVersion: 1.1, parameters: { respondWith, ...more } };
  const { text } = await imported(webhook({ path: 'a', responseMode: 'responseNode' }), reply);
  expect(parseFlow(text).doc?.nodes[0]?.input).toEqual({ status, headers, body });
});

test('a workflow with a webhook, a schedule and a chat keeps all of them', async () => {
  const chat = { name: 'Chat', type: '@n8n/n8n-nodes-langchain.chatTrigger', parameters: {} };
  const nodes = [webhook({ path: 'a' }), clock([{ field: 'minutes' }]), chat, noOp];
  const [flow] = await importFlows(
    { text: JSON.stringify({ nodes, connections: {} }), name: 'test' },
    async (text) => checkFlow(text, registry).diagnostics,
  );
  expect(flow?.lines.map(({ status }) => status)).toEqual(['mapped', 'mapped', 'mapped', 'mapped']);
  expect(parseFlow(flow?.text ?? '').doc?.flow.triggers?.map(({ id }) => id)).toEqual(['webhook', 'clock']);
});

test('a webhook answers at once if no node responds', async () => {
  const { text } = await imported(webhook({ path: 'a', responseMode: 'responseNode' }));
  expect(parseFlow(text).doc?.flow.triggers?.[0]?.webhook).toEqual({ path: 'a', method: 'GET' });
});

test.each([
  ['a path with a parameter', webhook({ path: 'orders/:id' })],
  ['several methods', webhook({ path: 'a', multipleMethods: true, httpMethod: ['GET', 'POST'] })],
  ['a disabled webhook', { ...webhook({ path: 'a' }), disabled: true }],
])('%s does not become a trigger, and the report says so', async (_, node) => {
  const { text, lines } = await imported(node);
  const doc = parseFlow(text).doc;
  expect(doc?.nodes.map(({ name }) => name)).toContain('Next');
  expect(doc?.flow.triggers).toBeUndefined();
  expect(lines[0]).toMatchObject({ status: 'partly', lost: [expect.stringMatching(/trigger/)] });
});
