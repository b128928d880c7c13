/** Tests how other processes find the HTTP service. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { currentOwner } from '../../history/store/owner.ts';
import { serveHttp } from './routes.ts';
import { runningServices } from './running-services.ts';

let baseFolder: string;

beforeEach(() => {
  baseFolder = mkdtempSync(join(tmpdir(), 'millrace-services-'));
});

afterEach(() => rmSync(baseFolder, { recursive: true }));

const options = { port: 0, workspaces: [], clock: systemClock, onNote: () => undefined };

test('a service is listed while it runs', async () => {
  expect(await runningServices(baseFolder)).toEqual([]);
  const publicAddress = new URL('https://flows.example.com');
  const service = await serveHttp({ ...options, baseFolder, publicAddress });
  const { origin } = service;
  expect(await runningServices(baseFolder)).toEqual([
    { origin, publicAddress: 'https://flows.example.com', workspaces: [] },
  ]);
  expect(await (await fetch(`${origin}/health`)).json()).toEqual({ status: 'ok' });
  await service.close();
  expect(await runningServices(baseFolder)).toEqual([]);
});

test('a killed service is not listed, and the next one removes its file', async () => {
  const first = await serveHttp({ ...options, baseFolder });
  const folder = join(baseFolder, 'millrace', 'services');
  const owner = currentOwner();
  for (const [name, other] of Object.entries({
    'gone.json': { ...owner, pid: 4_194_305, start: 'gone' },
    'other-machine.json': { ...owner, host: 'elsewhere' },
  }))
    writeFileSync(join(folder, name), JSON.stringify({ origin: 'http://127.0.0.1:1', workspaces: [], owner: other }));
  writeFileSync(join(folder, 'damaged.json'), '{');
  expect(await runningServices(baseFolder)).toEqual([{ origin: first.origin, workspaces: [] }]);
  const second = await serveHttp({ ...options, baseFolder });
  expect(readdirSync(folder)).not.toContain('gone.json');
  expect(await runningServices(baseFolder)).toHaveLength(2);
  await first.close();
  expect(await runningServices(baseFolder)).toEqual([{ origin: second.origin, workspaces: [] }]);
  await second.close();
});
