/** Tests agents in an engine as programs open it: real files, real Lua, a real pack repository. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { asRunId, type RunId } from '../../base/ids.ts';
import { createEngine, type Engine, type EngineOptions, type StartAgent } from '../../index.ts';
import type { RunEndEvent } from '../../runtime/kernel/events/run-event.ts';
import { evilZip, manifestEntry } from '../../testing/evil-zip.ts';
import { startPackRepository, type TestRepository } from '../../testing/pack-repository.ts';
import { scriptSection } from '../../testing/run-agent-file.ts';

let root: string;
let workspace: string;
let engines: Engine[];

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'millrace-agents-'));
  workspace = path.join(root, 'workspace');
  mkdirSync(workspace);
  engines = [];
});
afterEach(async () => {
  await Promise.all(engines.map((engine) => engine.close()));
  rmSync(root, { recursive: true });
});

async function open(options: Partial<EngineOptions> = {}): Promise<Engine> {
  const engine = await createEngine({ workspace, homeFolder: path.join(root, 'base'), ...options });
  engines.push(engine);
  return engine;
}

function write(name: string, text: string): void {
  const file = path.join(workspace, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

async function endOf(engine: Engine, runId: RunId): Promise<RunEndEvent> {
  const last = (await engine.readEvents(runId, -1, 5000)).at(-1)?.event;
  if (last?.type !== 'run:end') throw new Error(`Run ${runId} has no end.`);
  return last;
}

async function run(engine: Engine, request: StartAgent): Promise<{ runId: RunId; end: RunEndEvent }> {
  const accepted = await engine.startAgent(request);
  if ('work' in accepted) throw new Error('It waits for work.');
  await engine.whenEnded(accepted.runId);
  return { runId: accepted.runId, end: await endOf(engine, accepted.runId) };
}

const afterAllOf = ({ output }: RunEndEvent): unknown => (output as { after_all: unknown } | undefined)?.after_all;

describe('a file of the workspace', () => {
  test('runs with its inputs, reads and writes files, and is recorded in the history', async () => {
    write('notes/a.md', 'first');
    write('notes/b.md', 'second');
    const data = 'return aip.file.load(input.path).content';
    const output = 'aip.file.save("out/" .. input.name, data .. "!")\nreturn data';
    write('copy.aip', `${scriptSection('Data', data)}${scriptSection('Output', output)}`);
    const engine = await open();
    const { runId, end } = await run(engine, { agent: 'copy.aip', files: ['notes/*.md'] });
    expect(end).toMatchObject({ status: 'completed', output: { outputs: ['first', 'second'], after_all: null } });
    expect(readFileSync(path.join(workspace, 'out/b.md'), 'utf8')).toBe('second!');
    expect(await engine.getRun(runId)).toMatchObject({ kind: 'agent', name: 'copy.aip', sourcePath: 'copy.aip' });
  });

  test('seed 001: a redo searches the files again and reads the current agent', async () => {
    write('notes/a.md', 'first');
    write('count.aip', scriptSection('After All', 'return #inputs'));
    const engine = await open();
    const first = await run(engine, { agent: 'count.aip', files: ['notes/*.md'] });
    expect(afterAllOf(first.end)).toBe(1);
    write('notes/b.md', 'second');
    write('count.aip', scriptSection('After All', 'return { #inputs, inputs[2].path }'));
    const { runId } = await engine.redo({});
    await engine.whenEnded(runId);
    expect(afterAllOf(await endOf(engine, runId))).toEqual([2, 'notes/b.md']);
    expect((await engine.getRun(runId)).redoOf).toBe(first.runId);
  });

  test('reports the line of the file with an error in its script', async () => {
    write('bad.aip', `# Description\n\nIt fails.\n\n${scriptSection('Before All', 'local a = 1\nerror("no good")')}`);
    const text = readFileSync(path.join(workspace, 'bad.aip'), 'utf8').split('\n');
    const line = text.findIndex((one) => one.startsWith('error')) + 1;
    const { end } = await run(await open(), { agent: 'bad.aip' });
    expect(end).toMatchObject({ status: 'failed', error: { code: 'lua.error', stage: 'BeforeAll', line } });
  });

  test('rejects a file that is not an agent with the line, before anything is recorded', async () => {
    write('bad.aip', '# Options\n\n```toml\nmodel = 3\n```\n');
    const engine = await open();
    await expect(engine.startAgent({ agent: 'bad.aip' })).rejects.toMatchObject({ code: 'agent.invalid', line: 4 });
    expect(await engine.listRuns({ limit: 10 })).toEqual([]);
  });

  test('runs with the options of the workspace as defaults', async () => {
    write(
      '.aipack/config.toml',
      '[options]\nmodel = "mini-low"\ntemperature = 0.5\n[options.model_aliases]\nmini = "gpt-x"\n',
    );
    write(
      'show.aip',
      `# Options\n\`\`\`toml\ntemperature = 0.1\n\`\`\`\n${scriptSection('After All', 'return options')}`,
    );
    const { end } = await run(await open(), { agent: 'show.aip', options: { top_p: 0.9 } });
    expect(afterAllOf(end)).toMatchObject({ resolved_model: 'gpt-x-low', temperature: 0.1, top_p: 0.9 });
  });

  test('calls another agent in the same folder, with its run in the same log', async () => {
    write('team/main.aip', scriptSection('Before All', 'return aip.agent.run("helper", { input = "x" }).outputs'));
    write('team/helper.aip', scriptSection('Output', 'return "helped " .. input'));
    const engine = await open();
    const { runId } = await run(engine, { agent: 'team' });
    const starts = (await engine.readEvents(runId, -1, 100)).filter(({ event }) => event.type === 'run:start');
    expect(starts.map(({ parentRunId, rootRunId }) => [parentRunId, rootRunId])).toEqual([
      [undefined, undefined],
      [runId, runId],
    ]);
  });

  test('seed 001: an agent that cannot be found has the names and errors that packs expect', async () => {
    write('main.aip', scriptSection('Before All', 'return aip.agent.run("gone")'));
    const engine = await open();
    await expect(engine.startAgent({ agent: 'nowhere' })).rejects.toMatchObject({ code: 'agent.not-found' });
    const { end } = await run(engine, { agent: 'main.aip' });
    expect(end.error?.message).toMatch(/Failed to find agent 'gone': No agent found for local path/);
  });
});

describe('what an agent may do', () => {
  const outside = (): string => path.join(root, 'outside.txt');
  const writesOutside = (): string => scriptSection('Before All', `aip.file.save(${JSON.stringify(outside())}, "x")`);

  test('cannot access anything outside the workspace without trust', async () => {
    write('out.aip', writesOutside());
    const engine = await open();
    const refused = await run(engine, { agent: 'out.aip' });
    expect(refused.end).toMatchObject({ status: 'failed' });
    expect(refused.end.error?.message).toMatch(/--trust|trust/);
    expect(existsSync(outside())).toBe(false);
    const decisions = (await engine.readEvents(refused.runId, -1, 100)).map(({ event }) => event);
    expect(decisions).toContainEqual(expect.objectContaining({ type: 'governance:decision', allowed: false }));
    await engine.setTrust(true);
    expect(await engine.readTrust()).toEqual({ isTrusted: true });
    expect((await run(engine, { agent: 'out.aip' })).end.status).toBe('completed');
    expect(readFileSync(outside(), 'utf8')).toBe('x');
  });

  test('commands need trust, which an engine can be given for its lifetime', async () => {
    write('command.aip', scriptSection('After All', 'return aip.cmd.exec("echo", "hello").stdout'));
    expect((await run(await open(), { agent: 'command.aip' })).end.error?.message).toMatch(/echo/);
    const { end } = await run(await open({ isTrusted: true }), { agent: 'command.aip' });
    expect(afterAllOf(end)).toBe('hello\n');
  });

  test('a dry run completes and changes nothing on disk, even if trusted', async () => {
    write('out.aip', `${writesOutside()}`);
    const { end } = await run(await open({ isTrusted: true }), { agent: 'out.aip', dry: 'req' });
    expect(end.status).toBe('completed');
    expect(existsSync(outside())).toBe(false);
  });
});

describe('a pack', () => {
  let repository: TestRepository;
  const agent = scriptSection('After All', 'return CTX.PACK_IDENTITY');

  beforeEach(async () => {
    repository = await startPackRepository();
    const archive = evilZip([manifestEntry('1.0.0', 'demo@greet'), { name: 'main.aip', content: agent }]);
    repository.publish('demo@greet', '1.0.0', archive);
  });
  afterEach(() => repository.close());

  const openWithRepository = (): Promise<Engine> => open({ env: { MILLRACE_PACK_REPOSITORY: repository.url } });

  test('is offered if it is missing, installed with consent, and then run', async () => {
    const engine = await openWithRepository();
    const waiting = await engine.startAgent({ agent: 'demo@greet' });
    if (!('work' in waiting)) throw new Error('It ran.');
    expect(repository.asked).toEqual([]);
    const accepted = await engine.confirmWork(waiting.work.workId);
    if ('work' in accepted) throw new Error('It waits again.');
    await engine.whenEnded(accepted.runId);
    expect(afterAllOf(await endOf(engine, accepted.runId))).toBe('demo@greet');
    expect(await engine.listPacks()).toMatchObject([
      { ref: 'demo@greet', version: '1.0.0', origin: 'installed', isBuiltIn: false, agents: [{ agent: 'demo@greet' }] },
    ]);
  });

  test('marks the work as failed if its installation fails, with the reason', async () => {
    repository.answer('/pack/demo/greet/stable/latest.toml', '<!doctype html><html></html>');
    const engine = await openWithRepository();
    const waiting = await engine.startAgent({ agent: 'demo@greet' });
    if (!('work' in waiting)) throw new Error('It ran.');
    await expect(engine.confirmWork(waiting.work.workId)).rejects.toMatchObject({
      code: expect.stringMatching(/^pack\./),
    });
    await expect(engine.cancelWork(waiting.work.workId)).rejects.toMatchObject({ code: 'work.done' });
    expect(await engine.listPacks()).toEqual([]);
  });

  test('is updated and removed', async () => {
    const engine = await openWithRepository();
    expect(await engine.installPack({ uri: 'demo@greet' })).toMatchObject({ status: 'installed', version: '1.0.0' });
    repository.publish('demo@greet', '1.1.0');
    expect(await engine.updatePacks()).toEqual([{ ref: 'demo@greet', version: '1.1.0', status: 'updated' }]);
    await engine.removePack('demo@greet');
    expect(await engine.listPacks()).toEqual([]);
  });

  test('is available immediately if it is bundled', async () => {
    const builtInPacks = path.resolve(import.meta.dirname, '../../../resources/packs');
    const engine = await open({ builtInPacks });
    expect((await engine.listPacks()).map(({ ref, isBuiltIn }) => [ref, isBuiltIn])).toEqual([
      ['core@ask', true],
      ['demo@loop', true],
      ['demo@proof', true],
    ]);
    expect((await engine.readPackReadme('demo@proof')).text).toContain('# ');
    expect((await run(engine, { agent: 'demo@proof' })).end.status).toBe('completed');
  });
});

test('a completed run of an agent cannot be resumed', async () => {
  write('a.aip', scriptSection('Before All', 'error("x")'));
  const engine = await open();
  const { runId } = await run(engine, { agent: 'a.aip' });
  await expect(engine.resumeRun({ runId: asRunId(runId) })).rejects.toMatchObject({
    code: 'run.invalid-state',
    message: expect.stringContaining('failed'),
  });
});
