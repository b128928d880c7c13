/** Kills `millrace serve` with -9 while requests start runs. The base folder must not be in the workspace. */
import path from 'node:path';
import { expect, test } from 'vitest';
import { runningServices } from '../host/http/running-services.ts';
import { createEngine, type Engine } from '../index.ts';
import { setUpBuiltCli } from '../testing/cli-fixture.ts';
import type { StartedCli } from '../testing/cli-program.ts';
import { testRounds } from '../testing/test-rounds.ts';

const cli = setUpBuiltCli();

const kills = testRounds(3);
/** In milliseconds, for each start of the service. */
const roundLimit = 100_000;
/** The service is killed after this number of answers, while as many callers wait for theirs. */
const answersUntilKill = 12;
const callers = 6;

const flow = `flow:
  name: Order
  inputs: { n: { type: integer, required: true } }
  triggers: [{ id: hook, webhook: { path: order }, overlap: queue }]
nodes: [{ id: say, type: echo, input: { text: "{{flow.input.n}}" } }]
edges: []
`;

/** Requests with the same number have the same key and inputs. Even ones are for the webhook. */
interface Answer {
  readonly status: number;
  /** ID of the firing or of the run. */
  readonly id: string | number | undefined;
}

function homeFolder(): string {
  return path.join(cli.folder, 'no-home');
}

async function startService(): Promise<StartedCli & { readonly origin: string }> {
  const service = cli.start(['serve', '--workspace', 'ws', '--trust', '--enable-all', '--port', '0', '--json']);
  await service.whenPrinted('"origin"');
  const [{ origin } = { origin: '' }] = await runningServices(homeFolder());
  return { ...service, origin };
}

async function createKey(): Promise<string> {
  const place = ['--workspace', 'ws', '--trust', '--yes'];
  await cli.call(['publish', 'order.flow.yaml', ...place, '--runs-at-once', '1000', '--per-hour', '100000']);
  return (await cli.call(['keys', 'create', 'Shop', '--flow', 'order', ...place])).stdout.trim();
}

async function send(origin: string, n: number, key: string): Promise<Answer> {
  const isHook = n % 2 === 0;
  const response = await fetch(`${origin}${isHook ? '/hooks/order' : '/flows/order/runs'}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': `event-${n}`,
      ...(isHook ? {} : { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({ n }),
  });
  const body = (await response.json()) as { readonly firing?: number; readonly runId?: string };
  return { status: response.status, id: isHook ? body.firing : body.runId };
}

/** Returns the keys and runs of all firings, when none waits and all runs have ended. */
async function whenAllEnded(engine: Engine): Promise<readonly { readonly key: string; readonly runId: string }[]> {
  const limit = 1_000_000;
  const isOver = async (): Promise<boolean> =>
    (await engine.listFirings({ limit })).every(({ state }) => state === 'started') &&
    (await engine.listRuns({ limit })).every(({ status }) => status === 'completed');
  await expect.poll(isOver, { timeout: roundLimit, interval: 200 }).toBe(true);
  return (await engine.listFirings({ limit })).map(({ key, runId = '' }) => ({ key, runId }));
}

test(
  'a service that is killed keeps each accepted request, and starts one run for it',
  async () => {
    cli.write('ws/order.flow.yaml', flow);
    const key = await createKey();
    const accepted = new Map<number, Answer['id']>();
    let sent = 0;
    for (let kill = 0; kill < kills; kill++) {
      const { origin, child, result } = await startService();
      const killAt = accepted.size + answersUntilKill + kill;
      const work = async (): Promise<void> => {
        while (accepted.size < killAt) {
          const n = sent++;
          const answer = await send(origin, n, key);
          expect([200, 202]).toContain(answer.status);
          accepted.set(n, answer.id);
        }
        child.kill('SIGKILL');
      };
      // The requests that are not answered fail.
      const ends = await Promise.allSettled(Array.from({ length: callers }, work));
      expect(ends.some(({ status }) => status === 'fulfilled')).toBe(true);
      for (const end of ends) if (end.status === 'rejected') expect(end.reason).toBeInstanceOf(TypeError);
      await result;
    }
    const { origin, child, result } = await startService();
    for (let n = 0; n < sent; n++) {
      const { status, id } = await send(origin, n, key);
      expect([200, 202]).toContain(status);
      expect(id).toBe(accepted.get(n) ?? id);
    }
    const engine = await createEngine({ workspace: path.join(cli.folder, 'ws'), homeFolder: homeFolder() });
    const firings = await whenAllEnded(engine);
    expect(new Set(firings.map(({ runId }) => runId)).size).toBe(sent);
    expect(await engine.listRuns({ limit: 1_000_000 })).toHaveLength(sent);
    const numbers = firings.map(({ key: text }) => Number(text.split('event-')[1])).sort((one, other) => one - other);
    expect(numbers).toEqual(Array.from({ length: sent }, (_, n) => n));
    await engine.close();
    child.kill('SIGTERM');
    expect((await result).code).toBe(0);
  },
  roundLimit * (kills + 2),
);
