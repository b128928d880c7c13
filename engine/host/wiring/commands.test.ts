import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Engine } from '../../index.ts';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';
import { commandFlow, endOf, resultOf } from '../../testing/command-flow.ts';
import { runFlow, SecretWorld } from '../../testing/secret-world.ts';

let world: SecretWorld;
beforeEach(async () => {
  world = await SecretWorld.open();
});
afterEach(() => world.close());

function logOf(events: readonly EventEnvelope[], level: string): string {
  return events.flatMap(({ event }) => (event.type === 'log' && event.level === level ? [event.text] : [])).join('\n');
}

const run = async (text: string, engine?: Engine): Promise<readonly EventEnvelope[]> =>
  runFlow(engine ?? (await world.engine(process.env)), text);

describe('BB-36 a command', () => {
  test('receives each argument unchanged, its variables and its input, and returns outputs and exit code', async () => {
    const code =
      'process.stdin.on("data", (d) => console.log(JSON.stringify([process.argv.slice(1), process.env.SEEN, String(d)]))); console.error("oops"); process.exitCode = 3';
    const args = ['-e', code, 'a b', '$HOME', '; touch hacked', '*', '"'];
    const events = await run(
      commandFlow('', { input: { args, env: { SEEN: 'yes' }, stdin: 'grün' }, config: { okExit: [0, 3] } }),
    );
    const stdout = `${JSON.stringify([args.slice(2), 'yes', 'grün'])}\n`;
    expect(resultOf(events)).toEqual({ exitCode: 3, stdout, stderr: 'oops\n' });
    expect(existsSync(world.folder.at('workspace/hacked'))).toBe(false);
  });

  test.each<[string, string, unknown]>([
    ['text', 'a\nb\n', undefined],
    ['lines', 'a\nb\r\n\nc\n', ['a', 'b', '', 'c']],
    ['lines', '', []],
    ['json', '{"a":[1]}\n', { a: [1] }],
    ['json', '{"id":12345678901234567890}', { id: '12345678901234567890' }],
  ])('gives a value as %s of %j', async (parse, stdout, value) => {
    const events = await run(commandFlow(`process.stdout.write(${JSON.stringify(stdout)})`, { config: { parse } }));
    expect(resultOf(events)).toEqual({ exitCode: 0, stdout, stderr: '', ...(value === undefined ? {} : { value }) });
  });

  test.each<[string, string, string]>([['no JSON', 'console.log("{")', 'command.bad-json']])(
    'that gives %s fails where JSON is wanted',
    async (_what, code, error) => {
      expect(endOf(await run(commandFlow(code, { config: { parse: 'json' } })))).toMatchObject({
        error: { code: error },
      });
    },
  );

  test('fails with the end of its output if it ends with another exit code', async () => {
    const events = await run(commandFlow('console.log("some"); console.error("bad thing"); process.exit(2)'));
    expect(endOf(events)).toMatchObject({
      status: 'failed',
      error: {
        code: 'command.failed',
        message: expect.stringMatching(/exit code 2: bad thing\. .*add 2 to okExit/),
        details: { exitCode: 2, stdout: 'some\n', stderr: 'bad thing\n' },
      },
    });
  });

  test('runs in the workspace, or in a folder of it; nowhere else', async () => {
    mkdirSync(world.folder.at('workspace/sub'));
    const engine = await world.engine(process.env);
    const code = 'console.log(process.cwd())';
    expect(resultOf(await run(commandFlow(code), engine))).toMatchObject({
      stdout: `${world.folder.at('workspace')}\n`,
    });
    expect(resultOf(await run(commandFlow(code, { config: { cwd: 'sub' } }), engine))).toMatchObject({
      stdout: `${world.folder.at('workspace/sub')}\n`,
    });
    for (const [cwd, error] of [
      ['..', 'files.outside'],
      ['/', 'files.outside'],
      ['none', 'command.not-started'],
    ]) {
      expect(endOf(await run(commandFlow(code, { config: { cwd } }), engine))).toMatchObject({
        error: { code: error },
      });
    }
  });
});

describe('BB-36 a command that', () => {
  test('is in an untrusted workspace does not run, and explains why and how to fix it', async () => {
    const engine = await world.untrusted(process.env);
    const events = await run(commandFlow('require("node:fs").writeFileSync("ran", "")'), engine);
    expect(endOf(events)).toMatchObject({
      status: 'failed',
      error: {
        code: 'effect.denied',
        message: expect.stringContaining('--trust'),
        details: { effect: 'command', rule: 'command-untrusted', trustHelps: true },
      },
    });
    expect(events.map(({ event }) => event)).toContainEqual(
      expect.objectContaining({ type: 'governance:decision', allowed: false, rule: 'command-untrusted' }),
    );
    expect(existsSync(world.folder.at('workspace/ran'))).toBe(false);
  });

  test('was allowed is emitted as a decision', async () => {
    const events = await run(commandFlow('1'));
    expect(events.map(({ event }) => event)).toContainEqual(
      expect.objectContaining({ type: 'governance:decision', allowed: true, rule: 'trusted', effect: 'command' }),
    );
  });

  test.skipIf(process.platform === 'win32')('cannot be started explains why and how to fix it', async () => {
    const engine = await world.engine(process.env);
    world.folder.write('workspace/plain.sh', 'echo hi');
    const failure = async (program: string, args: readonly string[] = []): Promise<unknown> =>
      endOf(await run(commandFlow('', { config: { program }, input: { args } }), engine)).error;
    const refused = (reason: string, says: string): object =>
      expect.objectContaining({
        code: 'command.not-started',
        message: expect.stringContaining(says),
        details: { reason },
      }) as object;
    expect(await failure('no-such-program-here')).toEqual(refused('ENOENT', 'Install it'));
    expect(await failure('./none')).toEqual(refused('ENOENT', 'the program, or the interpreter'));
    expect(await failure('./plain.sh')).toEqual(refused('EACCES', 'chmod +x'));
    expect(await failure('true', ['a\0b'])).toEqual(refused('ERR_INVALID_ARG_VALUE', 'NUL'));
    expect(await failure('true', ['x'.repeat(3_000_000)])).toEqual(refused('E2BIG', 'stdin'));
  });

  test.skipIf(process.platform === 'win32')('is a file in the workspace is found, wherever it runs', async () => {
    mkdirSync(world.folder.at('workspace/sub'));
    world.folder.write('workspace/tools/say.sh', '#!/bin/sh\necho "hi from $PWD"');
    chmodSync(world.folder.at('workspace/tools/say.sh'), 0o755);
    const config = { program: 'tools/say.sh', cwd: 'sub' };
    expect(resultOf(await run(commandFlow('', { config, input: { args: [] } })))).toMatchObject({
      stdout: `hi from ${world.folder.at('workspace/sub')}\n`,
    });
  });

  test.each<[string, object, object, string]>([
    ['an argument that is not text', { args: [{ a: 1 }] }, {}, 'input.args'],
    ['a variable without a name', { env: { '': 'x' } }, {}, 'input.env'],
    ['a variable with =', { env: { 'A=B': 'x' } }, {}, 'input.env'],
    ['an empty program name', {}, { program: '' }, 'config.program'],
    ['an empty list of exit codes', {}, { okExit: [] }, 'config.okExit'],
    ['an output limit of zero', {}, { maxBytes: 0 }, 'config.maxBytes'],
  ])('has %s is refused before the start', async (_what, input, config, says) => {
    const engine = await world.engine(process.env);
    const text = commandFlow('1', { input, config });
    await expect(engine.startRun({ path: 'a.flow.yaml', text, inputs: {} })).rejects.toMatchObject({
      code: 'flow.invalid',
      message: expect.stringContaining(says),
    });
  });
});

describe('BB-37 the outputs of a command', () => {
  test('stream to the log of its node while it runs', async () => {
    const engine = await world.engine(process.env);
    const code = `console.log("first"); console.error("beside");
      const at = setInterval(() => { if (require("node:fs").existsSync("go")) { clearInterval(at); console.log("last"); } }, 20);`;
    const { runId } = await engine.startRun({ path: 'a.flow.yaml', text: commandFlow(code), inputs: {} });
    await vi.waitFor(
      async () => expect(logOf(await engine.readEvents(runId, -1, 1000), 'print')).toBe('first'),
      20_000,
    );
    await vi.waitFor(
      async () => expect(logOf(await engine.readEvents(runId, -1, 1000), 'warn')).toBe('beside'),
      20_000,
    );
    world.folder.write('workspace/go', '');
    await engine.whenEnded(runId);
    const events = await engine.readEvents(runId, -1, 1000);
    expect(logOf(events, 'print')).toBe('first\nlast');
    expect(resultOf(events)).toMatchObject({ stdout: 'first\nlast\n', stderr: 'beside\n' });
  });

  test('are shown even if they are not valid UTF-8, and stored unchanged', async () => {
    const events = await run(commandFlow('process.stdout.write(Buffer.from([0x61, 0xff, 0xfe, 0x62]))'));
    expect(resultOf(events)).toMatchObject({ stdout: 'a\ufffd\ufffdb', stdoutBase64: 'Yf/+Yg==' });
    const text = await run(commandFlow('process.stdout.write("\\ufeffgrün")'));
    expect(resultOf(text)).toEqual({ exitCode: 0, stdout: '\ufeffgrün', stderr: '' });
  });

  test('end the command if they reach a gigabyte', async () => {
    const code =
      'const x = Buffer.alloc(1 << 20, 120); let n = 0; const go = () => n++ < 1024 && process.stdout.write(x, go); go()';
    const events = await run(commandFlow(code));
    expect(endOf(events)).toMatchObject({
      error: { code: 'command.too-much-output', details: { maxBytes: 1024 * 1024 } },
    });
  });
});

describe('BB-13 the outputs of a command', () => {
  test('contain no secret, even if it is split, base64-encoded or in binary data', async () => {
    const token = 'tök "en" 9876+54321';
    const env = { ...process.env, MILLRACE_SECRET_API_TOKEN: token, MILLRACE_SECRET_OTHER: 'other-secret-1' };
    const code = `const t = process.env.TOKEN; process.stdin.on("data", (d) => { console.log("got", t === String(d), t.length);
      const all = Buffer.from(t + " " + Buffer.from("u:" + t).toString("base64") + " " + JSON.stringify(t));
      process.stdout.write(all.subarray(0, 9), () => setTimeout(() => { process.stdout.write(all.subarray(9)); process.stdout.write(Buffer.from([0xff]));
      console.error(encodeURIComponent(t), process.env.MILLRACE_SECRET_API_TOKEN, process.env.MILLRACE_SECRET_OTHER); }, 50)); });`;
    const secret = '{{secret.API_TOKEN}}';
    const events = await run(
      commandFlow(code, { input: { env: { TOKEN: secret }, stdin: secret } }),
      await world.engine(env),
    );
    expect(resultOf(events)).toMatchObject({
      stdout: expect.stringMatching(/^got true 19\n•••API_TOKEN••• .*•••API_TOKEN•••.* "?•••API_TOKEN•••"?\ufffd$/),
      stderr: '•••API_TOKEN••• undefined undefined\n',
      stdoutBase64: expect.stringMatching(/^[\w+/]+=*$/),
    });
    expect(events.find(({ event }) => event.type === 'node:input')?.event).toMatchObject({
      input: { env: { TOKEN: '•••API_TOKEN•••' }, stdin: '•••API_TOKEN•••' },
    });
    await world.expectNoTrace([token, 'other-secret-1']);
  });
});
