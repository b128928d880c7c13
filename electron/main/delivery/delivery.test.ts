import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { asRunId } from '../../../engine/isomorphic.ts';
import { misleadingSpellings } from '../../../engine/testing/host-spellings.ts';
import { createManualClock, type ManualClock } from '../../../engine/testing/manual-clock.ts';
import type { DeliverySetting, DeliveryState } from '../../ipc/contracts/delivery-contract.ts';
import type { InboxRequest } from '../../ipc/contracts/inbox-contract.ts';
import { createDeliveryHandlers, Delivery } from './delivery.ts';
import { type DeliveredMessage, messageOf } from './message.ts';

interface Got {
  readonly headers: IncomingMessage['headers'];
  readonly url: string;
  readonly body: string;
}

let folder = '';
let server: Server;
let address = '';
let got: Got[] = [];
let status = 200;
let clock: ManualClock;

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'millrace-delivery-'));
  [got, status, clock] = [[], 200, createManualClock()];
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      got.push({ headers: request.headers, url: request.url ?? '', body: Buffer.concat(parts).toString() });
      response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end('said so');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

function open(setting?: DeliverySetting) {
  const states: DeliveryState[] = [];
  const delivery = new Delivery({
    file: path.join(folder, 'delivery.json'),
    clock,
    secrets: (name) => ({ TOPIC_KEY: 's3cret' })[name],
    onChange: (state) => states.push(state),
  });
  if (setting !== undefined) delivery.set(setting);
  return { delivery, states };
}

function message(title: string, more: Partial<DeliveredMessage> = {}): DeliveredMessage {
  return {
    ...{ title, text: 'Publish?', workspace: 'a', flow: 'a.flow.yaml', run: 'r1', node: 'ask' },
    ...{ link: 'millrace://run?path=%2Fa&id=r1', deadline: '', ...more },
  };
}

function request(more: Partial<Extract<DeliverySetting, { via: 'request' }>> = {}): DeliverySetting {
  return { via: 'request', url: address, headers: {}, body: '', ...more };
}

/** Waits until the program has written a value and returns it. */
async function until<Value>(read: () => Value | undefined): Promise<Value> {
  for (;;) {
    const value = read();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const sent = (count: number) => until(() => (got.length >= count ? got : undefined));

test('13.2 sends no messages to a URL that resembles another host', async () => {
  const port = Number(new URL(address).port);
  for (const url of misleadingSpellings(port)) {
    const setting = { via: 'request', url, headers: {}, body: '' } as const;
    const { delivery } = open();
    expect(() => delivery.check(setting), url).toThrow('would connect to');
    delivery.set(setting);
    expect(await delivery.test(), url).toContain('would connect to');
  }
  expect(got).toEqual([]);
});

test('12.6 posts the whole message as JSON, or a custom body with placeholders filled in', async () => {
  const { delivery } = open(request());
  delivery.send([message('Editor "x"')]);
  expect(JSON.parse((await sent(1))[0]?.body ?? '')).toEqual(message('Editor "x"'));

  delivery.set(request({ body: '{ "text": "{{title}}: {{text}}", "list": ["{{link}}", 1] }' }));
  delivery.send([message('Editor", "channel": "all')]);
  const [, json] = await sent(2);
  expect(json?.headers['content-type']).toBe('application/json');
  expect(JSON.parse(json?.body ?? '')).toEqual({
    text: 'Editor", "channel": "all: Publish?',
    list: ['millrace://run?path=%2Fa&id=r1', 1],
  });

  const headers = { Title: '{{title}}', Authorization: 'Bearer {{secret.TOPIC_KEY}}' };
  delivery.set(request({ url: `${address}/{{workspace}}`, headers, body: '{{text}} {{link}}' }));
  delivery.send([message('Ärger', { workspace: 'a/b c' })]);
  const [, , plain] = await sent(3);
  expect([plain?.url, plain?.body, plain?.headers['title'], plain?.headers.authorization]).toEqual([
    '/a%2Fb%20c',
    'Publish? millrace://run?path=%2Fa&id=r1',
    `=?UTF-8?B?${Buffer.from('Ärger').toString('base64')}?=`,
    'Bearer s3cret',
  ]);
});

test('12.6 runs a program without a shell, with the message in arguments, environment and standard input', async () => {
  const out = path.join(folder, 'out.json');
  const code = `let text = ''; process.stdin.on('data', (part) => { text += part; }).on('end', () =>
    require('fs').writeFileSync(${JSON.stringify(out)}, JSON.stringify([process.argv.slice(1), process.env.MILLRACE_TEXT, JSON.parse(text).node])));`;
  const nasty = '$(touch x) `id` "; rm -rf ~ ; \' %PATH% --title';
  const args = ['-e', code, '--', '--title={{title}}', '{{text}}'];
  const { delivery } = open({ via: 'command', program: process.execPath, args });
  delivery.send([message(nasty, { text: '-oProxyCommand=id' })]);
  const read = () => (statSync(out, { throwIfNoEntry: false })?.size ? readFileSync(out, 'utf8') : undefined);
  expect(JSON.parse(await until(read))).toEqual([
    [`--title=${nasty}`, ' -oProxyCommand=id'],
    '-oProxyCommand=id',
    'ask',
  ]);
});

test('12.6 reports a failure, tries three times in total, and then gives up', async () => {
  status = 500;
  const { delivery, states } = open(request());
  delivery.send([message('x')]);
  for (const pause of [30_000, 300_000]) {
    await until(() => states.findLast(({ problem }) => problem?.at === clock.now()));
    await until(() => (clock.openTimers > 0 ? true : undefined));
    await clock.advance(pause);
  }
  await sent(3);
  await until(() => states.findLast(({ problem }) => problem?.at === clock.now()));
  expect(delivery.state.problem?.message).toBe(`${new URL(address).host} answered 500 said so`);
  await clock.advance(10_000_000);
  expect(got).toHaveLength(3);
  expect(JSON.parse(readFileSync(path.join(folder, 'delivery.json'), 'utf8'))).toMatchObject({ queue: [] });

  status = 200;
  delivery.send([message('y')]);
  await until(() => (delivery.state.problem === null ? true : undefined));
});

test('12.6 retries waiting messages after a restart, but never a message that was being sent', async () => {
  status = 503;
  const first = open(request());
  first.delivery.send([message('x')]);
  await until(() => first.states.find(({ problem }) => problem !== null) && (clock.openTimers > 0 ? true : undefined));
  status = 200;
  const kept = JSON.parse(readFileSync(path.join(folder, 'delivery.json'), 'utf8'));
  expect(kept.queue).toMatchObject([{ failures: 1, isUnderWay: false }]);
  open();
  await sent(2);
  // Simulates a kill between sending the message and recording that it was sent.
  const under = { ...kept, queue: [{ ...kept.queue[0], isUnderWay: true }] };
  writeFileSync(path.join(folder, 'delivery.json'), JSON.stringify(under));
  const { delivery } = open();
  delivery.send([message('z')]);
  expect((await sent(3)).map(({ body }) => JSON.parse(body).title)).toEqual(['x', 'x', 'z']);
  expect(statSync(path.join(folder, 'delivery.json')).mode & 0o077).toBe(0);
});

test('combines many messages into one, sends none without a setting, and follows no redirects', async () => {
  const { delivery } = open();
  delivery.send([message('lost')]);
  delivery.set(request());
  delivery.send(Array.from({ length: 10_000 }, (_, index) => message(`n${index}`)));
  expect(JSON.parse((await sent(1))[0]?.body ?? '')).toMatchObject({
    title: '10000 requests wait for you',
    text: 'n0, n1, n2',
  });
  status = 302;
  expect(await delivery.test()).toContain('answered 302');
  expect(got.map(({ url }) => url)).toEqual(['/', '/']);
});

test('stops a server or a program that never ends, and reports one that cannot be started', async () => {
  server.removeAllListeners('request');
  const hung = new Promise<void>((resolve) => server.once('request', () => resolve()));
  const { delivery } = open(request());
  const over = delivery.test();
  await hung;
  await clock.advance(15_000);
  expect(await over).toContain('it did not answer within 15 seconds');

  delivery.set({ via: 'command', program: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'] });
  const slow = delivery.test();
  await clock.advance(15_000);
  expect(await slow).toContain('had not ended after 15 seconds, and was stopped');
  delivery.set({ via: 'command', program: '/no/such/program', args: [] });
  expect(await delivery.test()).toContain('could not be started');
  delivery.set({
    via: 'command',
    program: process.execPath,
    args: ['-e', 'console.error("no mail"); process.exit(3)'],
  });
  expect(await delivery.test()).toContain('ended with 3. It said: no mail');
});

test.skipIf(process.platform === 'win32')(
  'processes left running by a program do not delay its error output',
  async () => {
    const args = ['-c', 'sleep 5 & echo "no mail" >&2; exit 3'];
    const { delivery } = open({ via: 'command', program: 'sh', args });
    const over = delivery.test();
    await until(() => clock.delays.includes(1000) || undefined);
    await clock.advance(1000);
    expect(await over).toContain('ended with 3. It said: no mail');
  },
);

test('a page changes the setting only with consent, and not to unknown placeholders or secrets', async () => {
  const asked: string[] = [];
  const { delivery } = open();
  const answers = [false, true];
  const handlers = createDeliveryHandlers(delivery, async ({ detail }) => {
    asked.push(detail);
    return answers.shift() ?? false;
  });
  const set = handlers['delivery.set'];
  expect(await set(request())).toEqual({ isDone: false });
  expect(delivery.state.setting).toEqual({ via: 'nothing' });
  expect(await set(request({ headers: { X: '{{secret.TOPIC_KEY}}' } }))).toEqual({ isDone: true });
  expect(asked[1]).toContain('TOPIC_KEY');
  await expect(set(request({ body: '{{name}}' }))).rejects.toMatchObject({ code: 'delivery.invalid' });
  await expect(set(request({ headers: { X: '{{secret.NO}}' } }))).rejects.toThrow('no secret NO');
  expect(await set({ via: 'nothing' })).toEqual({ isDone: true });
  expect(asked).toHaveLength(2);
});

test('12.6 a message contains no secrets, escape sequences or markup, and its link opens the run', () => {
  const told: InboxRequest = {
    ...{
      key: 'k',
      title: '\u001b[31m<b>Editor</b>',
      text: 'Use s3cret?\u202e & go',
      run: 'A',
      since: 1,
      deadlineAt: 0,
    },
    place: { path: 'a.flow.yaml', kind: 'flow', runId: asRunId('r1'), nodeId: 'each[1].ask' },
  };
  expect(messageOf('/home/ada/shop', told, (text) => text.replaceAll('s3cret', '[redacted]'))).toEqual({
    title: '[31m‹b›Editor‹/b› waits for you',
    text: 'Use [redacted]?  ＆ go',
    workspace: 'shop',
    flow: 'a.flow.yaml',
    run: 'r1',
    node: 'each[1].ask',
    link: 'millrace://run?path=%2Fhome%2Fada%2Fshop&id=r1&node=each%5B1%5D.ask',
    deadline: '1970-01-01T00:00:00.000Z',
  });
});
