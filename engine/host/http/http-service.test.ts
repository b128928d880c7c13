/** Tests the checks that all requests to the HTTP service pass. */
import { request } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import { type HttpService, startHttpService } from './http-service.ts';
import type { HttpServiceOptions } from './served.ts';

const services: HttpService[] = [];

afterEach(async () => {
  for (const service of services.splice(0)) await service.close();
});

async function start(more: Partial<HttpServiceOptions> = {}): Promise<HttpService> {
  const options = { port: 0, workspaces: [], baseFolder: '/none', clock: systemClock, onNote: () => {}, ...more };
  const service = await startHttpService(options, [
    (app) => {
      app.get('/ok', (context) => context.json({ isPublic: context.get('isPublic') }));
      app.get('/fails', () => {
        throw new EngineError({ code: 'http.too-many', message: 'Too many requests.' });
      });
      app.get('/breaks', () => {
        throw new Error('secret detail');
      });
    },
  ]);
  services.push(service);
  return service;
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: NodeJS.Dict<string | string[]>;
}

async function ask(
  { origin }: HttpService,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Answer> {
  return await new Promise((resolve, reject) => {
    const sent = request(origin + path, { headers, method }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          text: Buffer.concat(chunks).toString(),
          headers: response.headers,
        }),
      );
    });
    sent.on('error', reject);
    sent.end();
  });
}

describe('the HTTP service', () => {
  test('answers only under its own names', async () => {
    const service = await start({ publicAddress: new URL('https://flows.example.com') });
    expect(await ask(service, '/ok')).toMatchObject({ status: 200, text: '{"isPublic":false}' });
    const viaProxy = await ask(service, '/ok', { host: 'flows.example.com' });
    expect(viaProxy).toMatchObject({ status: 200, text: '{"isPublic":true}' });
    for (const host of [
      'attacker.example',
      '127.0.0.1',
      '127.0.0.1:1',
      'flows.example.com:80',
      'flows.example.com.evil',
    ])
      expect(await ask(service, '/ok', { host })).toMatchObject({ status: 403 });
  });

  test('answers only pages of its own and of allowed origins', async () => {
    const service = await start({ allowedOrigins: ['https://app.example.com'] });
    for (const origin of [service.origin, 'https://app.example.com'])
      expect(await ask(service, '/ok', { origin })).toMatchObject({ status: 200 });
    for (const origin of ['null', 'https://evil.example', `${service.origin}.evil.example`, 'file://'])
      expect(await ask(service, '/ok', { origin })).toMatchObject({ status: 403 });
  });

  test('lets only pages of allowed origins read answers', async () => {
    const service = await start({ allowedOrigins: ['https://app.example.com'] });
    const origin = 'https://app.example.com';
    const asked = {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    };
    expect(await ask(service, '/ok', asked, 'OPTIONS')).toMatchObject({
      status: 204,
      headers: { 'access-control-allow-origin': origin, 'access-control-max-age': '600' },
    });
    const { headers } = await ask(service, '/ok', { origin });
    expect(headers).toMatchObject({ 'access-control-allow-origin': origin, vary: 'Origin' });
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
    const own = await ask(service, '/ok', { origin: service.origin });
    expect(own.headers).not.toHaveProperty('access-control-allow-origin');
    const closed = await ask(await start(), '/ok', asked, 'OPTIONS');
    expect(closed).toMatchObject({ status: 403 });
    expect(closed.headers).not.toHaveProperty('access-control-allow-origin');
  });

  test('hides its own failures, and reports those of callers', async () => {
    const notes: string[] = [];
    const service = await start({ onNote: (text) => notes.push(text) });
    expect(await ask(service, '/fails')).toMatchObject({ status: 429 });
    const broken = await ask(service, '/breaks');
    expect(broken.status).toBe(500);
    expect(broken.text).not.toContain('secret');
    expect(notes.join()).toContain('secret detail');
    expect(await ask(service, '/none')).toMatchObject({ status: 404 });
    expect(broken.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
  });

  test('says that its port is in use', async () => {
    const { origin } = await start();
    const port = Number(new URL(origin).port);
    await expect(start({ port })).rejects.toMatchObject({ code: 'http.port-in-use' });
  });
});
