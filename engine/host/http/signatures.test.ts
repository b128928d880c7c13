/** Tests signatures with values that do not come from this program. */
import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { hasSecret, type ReceivedRequest, secretDigest, verifySignature } from './signatures.ts';

function request(headers: ReceivedRequest['headers'], body: string, now = 0): ReceivedRequest {
  return { headers, body: Buffer.from(body), now };
}

const mismatch = { isGenuine: false, reason: expect.stringContaining('does not match') };
const late = { isGenuine: false, reason: expect.stringContaining('5 minutes') };

test('GitHub: the example of its documentation', () => {
  const secret = "It's a Secret to Everybody";
  const digest = '757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';
  const signed = { 'x-hub-signature-256': `sha256=${digest}` };
  expect(verifySignature('github', secret, request(signed, 'Hello, World!'))).toEqual({ isGenuine: true, digest });
  expect(verifySignature('github', secret, request(signed, 'Hello, World'))).toEqual(mismatch);
  expect(verifySignature('github', 'another', request(signed, 'Hello, World!'))).toEqual(mismatch);
});

describe('Slack: the example of its documentation', () => {
  const secret = '8f742231b10e8888abcd99yyyzzz85a5';
  const body =
    'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c';
  const digest = 'a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503';
  const time = 1_531_420_618;
  const signed = { 'x-slack-signature': `v0=${digest}`, 'x-slack-request-timestamp': String(time) };

  test('is genuine for 5 minutes', () => {
    for (const seconds of [0, 300, -300])
      expect(verifySignature('slack', secret, request(signed, body, (time + seconds) * 1_000))).toEqual({
        isGenuine: true,
        digest,
      });
    for (const seconds of [301, -301, 86_400])
      expect(verifySignature('slack', secret, request(signed, body, (time + seconds) * 1_000))).toEqual(late);
  });

  test('signs the time', () => {
    const newer = { ...signed, 'x-slack-request-timestamp': String(time + 1) };
    expect(verifySignature('slack', secret, request(newer, body, time * 1_000))).toEqual(mismatch);
  });
});

describe('Stripe', () => {
  const secret = 'whsec_test_secret';
  const body = '{"id":"evt_1","object":"event"}';
  const time = 1_492_774_577;
  const now = time * 1_000;
  // echo -n '1492774577.{"id":"evt_1","object":"event"}' | openssl dgst -sha256 -hmac whsec_test_secret
  const digest = '654b43d3508ecadb3f8cefc4bc7d3d2bdc5ba9e03bf2c89b2d0657a8e24e4543';
  const wrong = '0'.repeat(64);

  test.each([
    `t=${time},v1=${digest}`,
    `t=${time},v1=${digest},v0=${wrong}`,
    `t=${time}, v1=${wrong}, v1=${digest}`,
    `v1=${digest},t=${time},extra=1`,
  ])('%s is genuine', (header) => {
    const verdict = verifySignature('stripe', secret, request({ 'stripe-signature': header }, body, now));
    expect(verdict).toEqual({ isGenuine: true, digest });
  });

  test.each([
    `t=${time},v0=${digest}`,
    `t=${time}`,
    `v1=${digest}`,
    `t=${time},t=${time + 1},v1=${digest}`,
    `t=1e9,v1=${digest}`,
    `t=-1,v1=${digest}`,
    `t=${time},v1=${digest.toUpperCase()}`,
    `t=${time},v1=${digest.slice(2)}`,
    `t=${time},v1=${digest},t=${time}`,
    `t=${time}${`,v1=${wrong}`.repeat(11)},v1=${digest}`,
    '',
  ])('%s is refused', (header) => {
    const verdict = verifySignature('stripe', secret, request({ 'stripe-signature': header }, body, now));
    expect(verdict.isGenuine).toBe(false);
  });

  test('is refused after 5 minutes, although it is genuine', () => {
    const headers = { 'stripe-signature': `t=${time},v1=${digest}` };
    expect(verifySignature('stripe', secret, request(headers, body, now + 300_001))).toEqual(late);
  });
});

test('signatures are of bytes, not of text', () => {
  const body = Buffer.from([0xff, 0x00, 0xc3, 0x28]);
  const digest = createHmac('sha256', 's').update(body).digest('hex');
  const headers = { 'x-hub-signature-256': `sha256=${digest}` };
  expect(verifySignature('github', 's', { headers, body, now: 0 }).isGenuine).toBe(true);
});

test('a secret is sent in one of two headers', () => {
  expect(hasSecret({ headers: { 'x-webhook-secret': 'abc' } }, secretDigest('abc'))).toBe(true);
  expect(hasSecret({ headers: { authorization: 'Bearer abc' } }, secretDigest('abc'))).toBe(true);
  for (const headers of [
    {},
    { authorization: 'Basic abc' },
    { authorization: 'Bearer ' },
    { 'x-webhook-secret': '' },
    { 'x-webhook-secret': 'ABC' },
    { 'x-webhook-secret': 'abc, abc' },
    { 'x-webhook-secret': 'wrong', authorization: 'Bearer abc' },
  ])
    expect(hasSecret({ headers }, secretDigest('abc'))).toBe(false);
});
