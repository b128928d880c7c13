/** Tests webhooks: who may start a flow, with which event, and what the caller is told. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { asRunId } from '../../base/ids.ts';
import { HookWorld, hookFlow, json, secrets, signed } from './test-hook-world.ts';

let world: HookWorld;
beforeEach(() => {
  world = new HookWorld();
});
afterEach(() => world.end());

async function lastEvent() {
  const [last] = await world.engine.listFirings({ limit: 1 });
  return last?.event;
}

describe('an accepted request', () => {
  test('is on disk before its answer, and starts one run with the fields of its body', async () => {
    await world.begin({ 'a.flow.yaml': hookFlow('path: shop/orders') });
    const body = JSON.stringify({ text: 'hello' });
    const { status, text } = await world.ask('/hooks/shop/orders?a=1&a=2&b=x', { headers: json(), body });
    expect(status).toBe(202);
    const { firing: id } = JSON.parse(text) as { readonly firing: number };
    const [firing] = await world.engine.listFirings({ limit: 1 });
    expect(firing).toMatchObject({
      id,
      event: { trigger: 'hook', method: 'POST', body: { text: 'hello' }, query: { a: ['1', '2'], b: 'x' } },
    });
    const { runId } = (await world.triggers.whenDecided(id)) ?? {};
    expect(await world.engine.whenEnded(runId ?? asRunId(''))).toMatchObject({
      status: 'completed',
      startedBy: { kind: 'trigger', name: 'hook' },
    });
  });

  test('is known again by its ID', async () => {
    await world.begin({ 'a.flow.yaml': hookFlow('path: a') });
    const first = await world.ask('/hooks/a', { headers: { 'idempotency-key': 'order-1' } });
    const again = await world.ask('/hooks/a', { headers: { 'idempotency-key': 'order-1' } });
    expect([again.status, again.text]).toEqual([202, first.text]);
    await world.ask('/hooks/a', { headers: { 'webhook-id': 'order-2' } });
    for (let time = 0; time < 2; time++) await world.ask('/hooks/a');
    expect(await world.countFirings()).toBe(4);
  });

  test('has a body of any type, and no header that proves who its sender is', async () => {
    await world.begin({ 'a.flow.yaml': hookFlow('path: a', ', inputs: {}') });
    const cases: readonly (readonly [type: string, body: string | Buffer, value: unknown])[] = [
      ['application/json', '{"a":[1,{"b":null}]}', { a: [1, { b: null }] }],
      ['application/vnd.api+json; charset=utf-8', '\ufeff"x"', 'x'],
      ['application/json', '{"id":12345678901234567890}', { id: '12345678901234567890' }],
      ['application/x-www-form-urlencoded', 'a=1&b=%C3%A4&a=2', { a: ['1', '2'], b: 'ä' }],
      ['text/plain; charset=iso-8859-1', Buffer.from([0xe4]), 'ä'],
      ['text/xml', '<a/>', '<a/>'],
      ['image/png', Buffer.from([0, 255]), { type: 'image/png', base64: 'AP8=' }],
      ['application/json', '', null],
    ];
    for (const [type, body, value] of cases) {
      const headers = { 'content-type': type, authorization: 'Bearer x', cookie: 'a=b', 'x-shop': 'kim' };
      expect((await world.ask('/hooks/a', { headers, body })).status).toBe(202);
      const event = await lastEvent();
      expect(event?.['body']).toEqual(value);
      expect(event?.['headers']).toMatchObject({ 'x-shop': 'kim', 'content-type': type });
      expect(JSON.stringify(event?.['headers'])).not.toMatch(/Bearer|a=b/);
    }
  });
});

describe('a caller that waits', () => {
  test('gets the outputs of the run, also for a repeated request', async () => {
    await world.begin({ 'a.flow.yaml': hookFlow('path: a, answer: result') });
    const headers = json({ 'idempotency-key': '1' });
    const first = await world.ask('/hooks/a', { headers, body: '{"text":"hello"}' });
    expect(first.status).toBe(200);
    expect(JSON.parse(first.text)).toMatchObject({ status: 'completed', outputs: { say: { text: 'hello' } } });
    expect((await world.ask('/hooks/a', { headers, body: '{"text":"other"}' })).text).toBe(first.text);
  });

  test('is told that its run failed, without the reason', async () => {
    const flow = hookFlow('path: a, answer: result').replace('type: echo', 'type: control.fail, config: {}');
    await world.begin({ 'a.flow.yaml': flow.replace('text: "{{', 'message: "private {{') });
    const { status, text } = await world.ask('/hooks/a');
    expect([status, JSON.parse(text).status]).toEqual([500, 'failed']);
    expect(text).not.toContain('private');
  });

  test('is told which run waits for a person', async () => {
    const flow = hookFlow('path: a, answer: result').replace(
      /nodes: .*/,
      'nodes: [{ id: ask, type: human_approval, input: { title: "Pay?" } }]',
    );
    await world.begin({ 'a.flow.yaml': flow });
    const { status, text } = await world.ask('/hooks/a');
    expect([status, JSON.parse(text)]).toMatchObject([202, { status: 'suspended', runId: expect.any(String) }]);
  });

  test('does not wait forever, and the run continues', async () => {
    const flow = hookFlow('path: a, answer: result').replace(
      /nodes: .*/,
      'nodes: [{ id: wait, type: control.wait, input: { ms: 600000 } }]',
    );
    await world.begin({ 'a.flow.yaml': flow }, { limits: { answerMs: 50 } });
    const { status, text } = await world.ask('/hooks/a');
    expect([status, JSON.parse(text)]).toMatchObject([504, { error: { code: 'http.timeout' }, firing: 1 }]);
    await expect.poll(async () => (await world.engine.listRuns({ limit: 1 }))[0]?.status).toBe('running');
  });

  test('is told why no run started', async () => {
    const body = '{"other":1}';
    await world.begin({ 'a.flow.yaml': hookFlow('path: a, answer: result').replace('default: none', '') });
    const { status, text } = await world.ask('/hooks/a', { headers: json(), body });
    expect([status, JSON.parse(text)]).toMatchObject([409, { state: 'refused', reason: expect.any(String) }]);
  });

  test.each(['GET', 'POST'])('starts at most as many runs in an hour as its trigger allows: %s', async (method) => {
    await world.begin({ 'a.flow.yaml': hookFlow(`path: a, method: ${method}, answer: result`, ', limit: 2') });
    const answers: unknown[] = [];
    for (let request = 0; request < 4; request++) {
      const { status, text } = await world.ask('/hooks/a', { method });
      answers.push([status, JSON.parse(text).reason]);
    }
    const limited = [409, 'limit: 2 runs have started in the last hour.'];
    expect(answers).toEqual([[200, undefined], [200, undefined], limited, limited]);
  });
});

describe('a signed request', () => {
  const hooks = {
    'g.flow.yaml': hookFlow('path: g, signature: { style: github, secret: "{{secret.GITHUB}}" }'),
    's.flow.yaml': hookFlow('path: s, signature: { style: stripe, secret: "{{secret.STRIPE}}" }'),
    'l.flow.yaml': hookFlow('path: l, signature: { style: slack, secret: "{{secret.SLACK}}" }'),
  };

  test('of GitHub is known by its delivery, and a ping starts nothing', async () => {
    await world.begin(hooks);
    const body = '{"zen":"Speak like a human."}';
    const headers = json({ ...signed('github', body), 'x-github-delivery': 'd-1' });
    const ping = await world.ask('/hooks/g', { headers: { ...headers, 'x-github-event': 'ping' }, body });
    expect([ping.status, ping.text, await world.countFirings()]).toEqual([200, '{"pong":true}', 0]);
    for (let time = 0; time < 2; time++) expect((await world.ask('/hooks/g', { headers, body })).status).toBe(202);
    expect(await world.countFirings()).toBe(1);
    expect(await lastEvent()).toMatchObject({ id: 'd-1', headers: { 'x-github-delivery': 'd-1' } });
  });

  test('of Stripe is known by the ID of its event, and refused when it is old', async () => {
    await world.begin(hooks);
    const body = '{"id":"evt_1"}';
    const headers = json(signed('stripe', body));
    for (let time = 0; time < 2; time++) expect((await world.ask('/hooks/s', { headers, body })).status).toBe(202);
    expect([await world.countFirings(), (await lastEvent())?.['id']]).toEqual([1, 'evt_1']);
    world.ahead = 301_000;
    expect((await world.ask('/hooks/s', { headers, body })).status).toBe(401);
  });

  test('of Slack answers the challenge, and is known by its signature if it has no ID', async () => {
    await world.begin(hooks);
    const challenge = '{"type":"url_verification","challenge":"3eZbrw1aB"}';
    const verified = await world.ask('/hooks/l', { headers: json(signed('slack', challenge)), body: challenge });
    expect([verified.status, verified.text]).toEqual([200, '{"challenge":"3eZbrw1aB"}']);
    expect((await world.ask('/hooks/l', { headers: json(), body: challenge })).status).toBe(401);
    const body = 'command=%2Fhello&text=x';
    const headers = { 'content-type': 'application/x-www-form-urlencoded', ...signed('slack', body) };
    for (let time = 0; time < 2; time++) expect((await world.ask('/hooks/l', { headers, body })).status).toBe(202);
    expect(await world.countFirings()).toBe(1);
    expect(await lastEvent()).toMatchObject({ body: { command: '/hello', text: 'x' } });
  });
});

describe('a webhook', () => {
  test('needs its secret, and is closed without it', async () => {
    await world.begin({
      'a.flow.yaml': hookFlow('path: a, secret: "{{secret.HOOK}}"'),
      'b.flow.yaml': hookFlow('path: b, secret: "{{secret.MISSING}}"'),
    });
    expect((await world.ask('/hooks/a', { headers: { 'x-webhook-secret': secrets.HOOK } })).status).toBe(202);
    expect((await world.ask('/hooks/a', { headers: { authorization: `Bearer ${secrets.HOOK}` } })).status).toBe(202);
    expect((await world.ask('/hooks/a')).status).toBe(401);
    expect((await world.ask('/hooks/b', { headers: { 'x-webhook-secret': '' } })).status).toBe(503);
    expect(world.notes.join()).toContain('MISSING');
    expect(await world.countFirings()).toBe(2);
  });

  test('has one method, and is gone when it is switched off', async () => {
    await world.begin({ 'a.flow.yaml': hookFlow('path: a, method: PUT') });
    for (const method of ['POST', 'GET', 'HEAD', 'DELETE'])
      expect(await world.ask('/hooks/a', { method })).toMatchObject({ status: 405, headers: { allow: 'PUT' } });
    expect(await world.ask('/hooks/a', { method: 'OPTIONS' })).toMatchObject({
      status: 204,
      headers: { allow: 'PUT' },
    });
    expect((await world.ask('/hooks/a', { method: 'PUT' })).status).toBe(202);
    await world.engine.switchTriggers({ flow: 'a.flow.yaml', isOn: false, by: 'kim' });
    await expect.poll(async () => (await world.ask('/hooks/a', { method: 'PUT' })).status).toBe(404);
  });

  test('has an address of its own: the first flow has it', async () => {
    await world.begin({ 'a.flow.yaml': hookFlow('path: x'), 'b.flow.yaml': hookFlow('path: x') });
    await world.ask('/hooks/x');
    expect((await world.engine.listFirings({ limit: 9 })).map(({ flow }) => flow)).toEqual(['a.flow.yaml']);
    expect(world.notes).toEqual([
      'The address /hooks/x belongs to trigger "hook" of a.flow.yaml, so trigger "hook" of b.flow.yaml needs another path.',
    ]);
  });

  test('refuses with fewer words when it is attacked, and still accepts genuine requests', async () => {
    await world.begin({ 'a.flow.yaml': hookFlow('path: a, secret: "{{secret.HOOK}}"') });
    const statuses: number[] = [];
    for (let time = 0; time < 70; time++) statuses.push((await world.ask('/hooks/a')).status);
    expect([statuses[0], statuses.at(-1)]).toEqual([401, 429]);
    expect(world.notes).toHaveLength(1);
    expect((await world.ask('/hooks/a', { headers: { 'x-webhook-secret': secrets.HOOK } })).status).toBe(202);
  });
});
