/** Attacks on the surface of webhooks. None of them may record an event. */
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type HookRequest, HookWorld, hookFlow, json, secrets, signed } from './test-hook-world.ts';

const bodyBytes = 10_000;
const world = new HookWorld();
beforeAll(async () => {
  const signature = (style: string, name: string): string =>
    `path: ${style}, signature: { style: ${style}, secret: "{{secret.${name}}}" }`;
  await world.begin(
    {
      'a.flow.yaml': hookFlow('path: shop/orders, secret: "{{secret.HOOK}}"'),
      'g.flow.yaml': hookFlow(signature('github', 'GITHUB')),
      's.flow.yaml': hookFlow(signature('stripe', 'STRIPE')),
      'l.flow.yaml': hookFlow(signature('slack', 'SLACK')),
    },
    { limits: { bodyBytes, headersMs: 500, requestMs: 1_000 } },
  );
});
afterAll(() => world.end());

let before: number;
beforeEach(async () => {
  before = await world.countFirings();
});

const genuine = { 'x-webhook-secret': secrets.HOOK };
const body = '{"id":"evt_1"}';
const now = Math.floor(Date.now() / 1_000);
const digestOf = (style: 'github' | 'stripe' | 'slack', text = body): string =>
  /[0-9a-f]{64}/.exec(JSON.stringify(signed(style, text)))?.[0] ?? '';

interface Attack extends HookRequest {
  readonly path?: string;
}

/** By name: the request, and the statuses with which it may be refused. */
const attacks: readonly (readonly [name: string, attack: Attack, statuses: readonly number[]])[] = [
  // Secrets
  ['no secret', {}, [401]],
  ['an empty secret', { headers: { 'x-webhook-secret': '' } }, [401]],
  ['a part of the secret', { headers: { 'x-webhook-secret': secrets.HOOK.slice(0, -1) } }, [401]],
  ['a longer secret', { headers: { 'x-webhook-secret': `${secrets.HOOK}x` } }, [401]],
  ['another case', { headers: { 'x-webhook-secret': secrets.HOOK.toUpperCase() } }, [401]],
  ['the name of the secret', { headers: { 'x-webhook-secret': '{{secret.HOOK}}' } }, [401]],
  ['two secrets', { headers: { 'x-webhook-secret': [secrets.HOOK, 'x'] } }, [401]],
  ['the secret as basic authorization', { headers: { authorization: `Basic ${secrets.HOOK}` } }, [401]],
  ['the secret in the address', { path: `/hooks/shop/orders?secret=${secrets.HOOK}` }, [401]],
  ['the secret as a cookie', { headers: { cookie: `x-webhook-secret=${secrets.HOOK}` } }, [401]],
  ['the secret in the body', { headers: json(), body: JSON.stringify({ secret: secrets.HOOK }) }, [401]],
  ['the secret of another webhook', { headers: { 'x-webhook-secret': secrets.GITHUB } }, [401]],
  ['a null byte', { headers: { 'x-webhook-secret': `${secrets.HOOK}%00` } }, [401]],
  // Signatures
  ['no signature', { path: '/hooks/github', headers: json(), body }, [401]],
  ['an empty signature', { path: '/hooks/github', headers: { 'x-hub-signature-256': '' }, body }, [401]],
  ['only the old signature', { path: '/hooks/github', headers: { 'x-hub-signature': 'sha1=00' }, body }, [401]],
  ['another secret', { path: '/hooks/github', headers: signed('github', body, { secret: 'x' }), body }, [401]],
  ['an empty key', { path: '/hooks/github', headers: signed('github', body, { secret: '' }), body }, [401]],
  ['another body', { path: '/hooks/github', headers: signed('github', body), body: `${body} ` }, [401]],
  ['an added BOM', { path: '/hooks/github', headers: signed('github', body), body: `\ufeff${body}` }, [401]],
  ['no body', { path: '/hooks/github', headers: signed('github', body) }, [401]],
  [
    'another algorithm',
    { path: '/hooks/github', headers: { 'x-hub-signature-256': `sha1=${digestOf('github')}` }, body },
    [401],
  ],
  ['no algorithm', { path: '/hooks/github', headers: { 'x-hub-signature-256': digestOf('github') }, body }, [401]],
  [
    'uppercase digits',
    { path: '/hooks/github', headers: { 'x-hub-signature-256': `sha256=${digestOf('github').toUpperCase()}` }, body },
    [401],
  ],
  [
    'two signatures',
    {
      path: '/hooks/github',
      headers: { 'x-hub-signature-256': [`sha256=${digestOf('github')}`, `sha256=${digestOf('github')}`] },
      body,
    },
    [401],
  ],
  ['a short signature', { path: '/hooks/github', headers: { 'x-hub-signature-256': 'sha256=' }, body }, [401]],
  ['a ping without a signature', { path: '/hooks/github', headers: { 'x-github-event': 'ping' }, body }, [401]],
  ['a signature of another style', { path: '/hooks/github', headers: signed('stripe', body), body }, [401]],
  ['an old time', { path: '/hooks/stripe', headers: signed('stripe', body, { seconds: now - 301 }), body }, [401]],
  ['a future time', { path: '/hooks/stripe', headers: signed('stripe', body, { seconds: now + 400 }), body }, [401]],
  [
    'a changed time',
    { path: '/hooks/stripe', headers: { 'stripe-signature': `t=${now - 1},v1=${digestOf('stripe')}` }, body },
    [401],
  ],
  ['no time', { path: '/hooks/stripe', headers: { 'stripe-signature': `v1=${digestOf('stripe')}` }, body }, [401]],
  [
    'two times',
    {
      path: '/hooks/stripe',
      headers: { 'stripe-signature': `t=${now - 999},${signed('stripe', body)['stripe-signature']}` },
      body,
    },
    [401],
  ],
  [
    'the test scheme',
    { path: '/hooks/stripe', headers: { 'stripe-signature': `t=${now},v0=${digestOf('stripe')}` }, body },
    [401],
  ],
  [
    'a hundred signatures',
    { path: '/hooks/stripe', headers: { 'stripe-signature': `t=${now}${`,v1=${'0'.repeat(64)}`.repeat(100)}` }, body },
    [401],
  ],
  [
    'an old time of Slack',
    { path: '/hooks/slack', headers: signed('slack', body, { seconds: now - 301 }), body },
    [401],
  ],
  [
    'another version',
    {
      path: '/hooks/slack',
      headers: { ...signed('slack', body), 'x-slack-signature': `v1=${digestOf('slack')}` },
      body,
    },
    [401],
  ],
  [
    'a time with a sign',
    { path: '/hooks/slack', headers: { ...signed('slack', body), 'x-slack-request-timestamp': `+${now}` }, body },
    [401],
  ],
  [
    'a challenge without a signature',
    { path: '/hooks/slack', headers: json(), body: '{"type":"url_verification","challenge":"x"}' },
    [401],
  ],
  // Paths and methods
  ['a path above', { path: '/hooks/../hooks', headers: genuine }, [404]],
  ['an encoded path above', { path: '/hooks/%2e%2e/%2e%2e/etc/passwd', headers: genuine }, [404]],
  ['an encoded slash', { path: '/hooks/shop%2Forders', headers: genuine }, [404]],
  ['a double slash', { path: '/hooks//shop/orders', headers: genuine }, [404]],
  ['a trailing slash', { path: '/hooks/shop/orders/', headers: genuine }, [404]],
  ['another case of the path', { path: '/hooks/Shop/orders', headers: genuine }, [404]],
  ['a null byte in the path', { path: '/hooks/shop/orders%00', headers: genuine }, [404]],
  ['a key of a prototype', { path: '/hooks/__proto__', headers: genuine }, [404]],
  ['a constructor', { path: '/hooks/constructor', headers: genuine }, [404]],
  ['another method', { method: 'GET', headers: genuine }, [405]],
  ['an overridden method', { method: 'GET', headers: { ...genuine, 'x-http-method-override': 'POST' } }, [405]],
  ['HEAD', { method: 'HEAD', headers: genuine }, [405]],
  // Other names
  ['a name that was rebound', { headers: { ...genuine, host: 'attacker.example' } }, [403]],
  ['a name with our own in it', { headers: { ...genuine, host: '127.0.0.1.attacker.example' } }, [403]],
  ['a page of another site', { headers: { ...genuine, origin: 'https://attacker.example' } }, [403]],
  ['a page without an origin', { headers: { ...genuine, origin: 'null' } }, [403]],
  // Bodies
  ['a body above the limit', { headers: genuine, body: 'x'.repeat(bodyBytes + 1) }, [413]],
  ['invalid JSON', { headers: json(genuine), body: '{"a":1' }, [400]],
  ['deep JSON', { headers: json(genuine), body: '['.repeat(4_000) + ']'.repeat(4_000) }, [400]],
  ['a prototype', { headers: json(genuine), body: '{"a":{"__proto__":{"isAdmin":true}}}' }, [400]],
  [
    'a value of the history',
    { headers: json(genuine), body: '{"text":{"$value":"00","bytes":1,"preview":""}}' },
    [400],
  ],
  ['a prototype in the address', { path: '/hooks/shop/orders?__proto__=x', headers: genuine }, [400]],
  ['invalid UTF-8', { headers: json(genuine), body: Buffer.from([0x22, 0xff, 0x22]) }, [400]],
  ['an unknown charset', { headers: { ...genuine, 'content-type': 'text/plain; charset=utf-99' }, body: 'x' }, [415]],
  ['a compressed body', { headers: json({ ...genuine, 'content-encoding': 'gzip' }), body: 'x' }, [415]],
];

test.each(attacks)('%s starts nothing', async (_, { path = '/hooks/shop/orders', ...request }, statuses) => {
  const { status, text } = await world.ask(path, request);
  // After many refused requests, there is only one reason.
  expect([...statuses, ...(statuses.includes(403) || statuses.includes(404) ? [] : [429])]).toContain(status);
  expect(text).not.toMatch(new RegExp(Object.values(secrets).join('|')));
  expect(await world.countFirings()).toBe(before);
});

/** Sends bytes, and returns what comes back until the connection closes. */
async function send(...pieces: readonly string[]): Promise<string> {
  const socket = connect(Number(new URL(world.origin).port), '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    answer += text;
  });
  for (const piece of pieces) socket.write(piece);
  await new Promise((resolve) => socket.on('close', resolve).on('error', () => undefined));
  return answer;
}

function head(more: readonly string[]): string {
  const { host } = new URL(world.origin);
  const lines = ['POST /hooks/shop/orders HTTP/1.1', `Host: ${host}`, `X-Webhook-Secret: ${secrets.HOOK}`, ...more];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

describe('bytes that are not one plain request', () => {
  test.each([
    ['two lengths of a body', ['Content-Length: 2', 'Content-Length: 3'], '{}x'],
    ['a length and chunks', ['Content-Length: 4', 'Transfer-Encoding: chunked'], '0\r\n\r\nPOST'],
    ['a hidden encoding', ['Transfer-Encoding: xchunked', 'Content-Length: 2'], '{}'],
    ['a bad chunk', ['Transfer-Encoding: chunked'], 'zz\r\n{}\r\n0\r\n\r\n'],
    ['a negative chunk', ['Transfer-Encoding: chunked'], '-1\r\n{}\r\n0\r\n\r\n'],
    ['a negative length', ['Content-Length: -1'], '{}'],
    ['a null byte in a header', ['X-A: a\0b', 'Content-Length: 2'], '{}'],
    ['a folded header', ['X-A: a', ' X-Webhook-Secret: b', 'Content-Length: 2'], '{}'],
    ['a space before the colon', ['Content-Length : 2'], '{}'],
    ['huge headers', [`X-A: ${'a'.repeat(20_000)}`], ''],
  ])('%s starts nothing', async (_, headers, text) => {
    expect(await send(head(headers), text)).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(await world.countFirings()).toBe(before);
  });

  test.each([
    ['headers that never end', ['POST /hooks/shop/orders HTTP/1.1\r\nHost: x\r\n']],
    ['nothing', ['']],
  ])('%s are cut off', async (_, pieces) => {
    expect(await send(...pieces)).not.toContain('202');
    expect(await world.countFirings()).toBe(before);
  });

  test('a body that never ends is cut off', async () => {
    expect(await send(head(['Content-Length: 100']), '{"a":')).not.toContain('202');
    expect(await world.countFirings()).toBe(before);
  });
});

test('a genuine request still passes', async () => {
  expect((await world.ask('/hooks/shop/orders', { headers: json(genuine), body: '{"text":"x"}' })).status).toBe(202);
  expect(await world.countFirings()).toBe(before + 1);
});
