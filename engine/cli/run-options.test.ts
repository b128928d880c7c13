/** Tests the options of `run` other than inputs, and how the history affects its exit code. */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDb } from '../history/store/db.ts';
import { eventsOf, helloFlow, setUpCli } from '../testing/cli-fixture.ts';

const cli = setUpCli();

describe('--cassette', () => {
  let server: Server;
  let received: number;

  beforeEach(async () => {
    received = 0;
    server = createServer((_, response) => response.end(`answer ${++received}`));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    cli.write(
      'ask.flow.yaml',
      `flow: { name: Ask }\nnodes: [{ id: ask, type: http.request, input: { url: "${url}" } }]\nedges: []`,
    );
  });
  afterEach(() => server.close());

  const bodyOf = (stdout: string): unknown => {
    const end = eventsOf(stdout).at(-1)?.event;
    return end?.type === 'run:end' ? (end.output as { ask?: { body?: string } } | undefined)?.ask?.body : undefined;
  };

  test('records its calls and replays them from then on', async () => {
    const args = ['run', 'ask.flow.yaml', '--json', '--trust', '--cassette', 'calls/ask.yaml'];
    expect(bodyOf((await cli.call(args)).stdout)).toBe('answer 1');
    expect(readFileSync(path.join(cli.folder, 'calls/ask.yaml'), 'utf8')).toContain('answer 1');
    expect(bodyOf((await cli.call(args)).stdout)).toBe('answer 1');
    expect(bodyOf((await cli.call([...args, '--mode', 'record'])).stdout)).toBe('answer 2');
    expect(received).toBe(2);
    server.close();
    expect(bodyOf((await cli.call([...args, '--mode', 'replay'])).stdout)).toBe('answer 2');
  });

  test.each([
    [['--cassette', 'gone.yaml', '--mode', 'replay'], 'gone.yaml does not exist'],
    [['--cassette', 'notes.txt'], 'cannot be used as a cassette'],
    [['--mode', 'replay'], 'add --cassette FILE'],
    [['--cassette', 'a.yaml', '--mode', 'sing'], 'Allowed choices are record, replay, auto'],
  ])('%j is rejected before anything runs', async (flags, message) => {
    cli.write('notes.txt', 'my notes\n- { and: [more');
    const { code, stdout, stderr } = await cli.call(['run', 'ask.flow.yaml', ...flags]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr.trimEnd().split('\n').length).toBeLessThan(3);
    expect(received).toBe(0);
    expect(readFileSync(path.join(cli.folder, 'notes.txt'), 'utf8')).toBe('my notes\n- { and: [more');
  });
});

describe('--parallel', () => {
  test('lets nodes overlap', async () => {
    cli.write(
      'two.flow.yaml',
      `flow: { name: Two }
nodes: [{ id: a, type: control.wait, input: { ms: 20 } }, { id: b, type: control.wait, input: { ms: 20 } }]
edges: []`,
    );
    const starts = async (...flags: readonly string[]): Promise<readonly string[]> => {
      const { stdout } = await cli.call(['run', 'two.flow.yaml', '--json', ...flags]);
      return eventsOf(stdout).flatMap(({ event }) => (/^task:(start|complete)$/.test(event.type) ? event.type : []));
    };
    expect(await starts()).toEqual(['task:start', 'task:complete', 'task:start', 'task:complete']);
    expect(await starts('--parallel', '2')).toEqual(['task:start', 'task:start', 'task:complete', 'task:complete']);
  });
});

describe('a history that cannot store the last event', () => {
  test('is not a success: the exit code is 1, stderr explains why, and the run can be resumed', async () => {
    cli.write('hello.flow.yaml', helloFlow);
    await cli.call(['run', 'hello.flow.yaml']);
    const db = await openDb(path.join(cli.folder, '.millrace', 'runs.db'));
    db.exec(
      "CREATE TRIGGER no_end BEFORE UPDATE ON run WHEN NEW.status = 'completed' BEGIN SELECT RAISE(ABORT, 'no room'); END",
    );
    const { code, stdout, stderr } = await cli.call(['run', 'hello.flow.yaml', '--json']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^note: .*no room/);
    const runId = eventsOf(stdout)[0]?.runId ?? '';
    expect((await cli.call(['runs', 'list'])).stdout).toContain(`millrace resume ${runId}`);
    db.exec('DROP TRIGGER no_end');
    db.close();
    expect((await cli.call(['resume', runId])).code).toBe(0);
  });
});
