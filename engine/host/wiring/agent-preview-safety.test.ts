/** Tests what previews may do in trusted and untrusted workspaces, with real files, real Lua and a real server. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createEngine, type Engine } from '../../index.ts';
import { scriptSection } from '../../testing/run-agent-file.ts';

let root: string;
let workspace: string;
let engines: Engine[];

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'millrace-preview-safety-'));
  workspace = path.join(root, 'workspace');
  mkdirSync(workspace);
  writeFileSync(path.join(workspace, 'note.txt'), 'a note');
  engines = [];
});
afterEach(async () => {
  await Promise.all(engines.map((engine) => engine.close()));
  rmSync(root, { recursive: true });
});

async function open(options: { readonly isTrusted?: true; readonly scriptTimeoutMs?: number } = {}): Promise<Engine> {
  const engine = await createEngine({ workspace, homeFolder: path.join(root, 'base'), ...options });
  engines.push(engine);
  return engine;
}

const asked = (text: string) => ({ agent: 'a.aip', text, inputs: ['x'], index: 0 });
const reading = `${scriptSection('Data', 'return aip.file.load("note.txt").content')}# User\n{{data}}\n`;

function write(text: string): string {
  writeFileSync(path.join(workspace, 'a.aip'), text);
  return text;
}

describe('an automatic preview', () => {
  test('is not created in an untrusted workspace, but is created once the workspace is trusted', async () => {
    const engine = await open();
    const request = { ...asked(write(reading)), isAutomatic: true as const };
    await expect(engine.previewAgent(request)).rejects.toMatchObject({
      code: 'agent.preview-untrusted',
      message: expect.stringContaining('trust'),
    });
    await engine.setTrust(true);
    expect(await engine.previewAgent(request)).toMatchObject({ end: 'asked', messages: [{ content: 'a note\n' }] });
    await engine.setTrust(false);
    await expect(engine.previewAgent(request)).rejects.toMatchObject({ code: 'agent.preview-untrusted' });
  });

  test('does not even read its agent and inputs before that', async () => {
    const engine = await open();
    const request = { agent: 'gone.aip', files: ['../**/*'], index: 0, isAutomatic: true as const };
    await expect(engine.previewAgent(request)).rejects.toMatchObject({ code: 'agent.preview-untrusted' });
  });

  test('is created on request, with the restrictions of an untrusted workspace', async () => {
    const engine = await open();
    expect(await engine.previewAgent(asked(write(reading)))).toMatchObject({ end: 'asked' });
    writeFileSync(path.join(root, 'secret.txt'), 'secret');
    const prying = `${scriptSection('Data', 'return aip.file.load("../secret.txt").content')}# User\n{{data}}\n`;
    expect(await engine.previewAgent(asked(prying))).toMatchObject({
      end: 'failed',
      error: { message: expect.stringContaining('read-outside') },
      messages: [],
    });
  });
});

describe('a preview in a trusted workspace', () => {
  const effects = [
    'aip.file.save("out.txt", "x")',
    'aip.file.append("note.txt", "x")',
    'aip.file.ensure_dir("made")',
    'aip.file.copy("note.txt", "copy.txt")',
    'aip.file.move("note.txt", "moved.txt")',
    'aip.file.delete("note.txt")',
    'aip.file.save("$tmp/out.txt", "x")',
    'aip.zip.create(".", "note.zip")',
    'aip.cmd.exec("touch", {"touched.txt"})',
    'aip.git.restore(".")',
    'aip.editor.open_file("note.txt")',
  ];
  const stages = ['Before All', 'Data'] as const;

  // All in one engine: a change by one preview would be visible in the next.
  test.each(stages)('13.13 changes and starts nothing in %s, whatever its scripts do', async (stage) => {
    const engine = await open({ isTrusted: true });
    write(reading);
    const before = readdirSync(workspace);
    for (const effect of effects) {
      const agent = write(`${scriptSection(stage, effect)}# User\nHello\n`);
      const preview = await engine.previewAgent({ ...asked(agent), isAutomatic: true });
      expect(preview, effect).toMatchObject({ end: 'asked' });
      expect(readdirSync(workspace), effect).toEqual(before);
      expect(readFileSync(path.join(workspace, 'note.txt'), 'utf8'), effect).toBe('a note');
    }
  });

  test('contacts no server, neither by itself nor through another agent', async () => {
    let hits = 0;
    const server = createServer((_, response) => {
      hits += 1;
      response.end('hello');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    writeFileSync(
      path.join(workspace, 'b.aip'),
      scriptSection('Output', `return aip.web.get("${address}")`) + scriptSection('Data', `aip.web.get("${address}")`),
    );
    const engine = await open({ isTrusted: true });
    for (const call of [`aip.web.get("${address}")`, `aip.web.post("${address}", "x")`, 'aip.agent.run("b.aip")']) {
      const agent = `${scriptSection('Data', call)}# User\nHello\n`;
      const preview = await engine.previewAgent({ ...asked(write(agent)), isAutomatic: true });
      expect(preview).toMatchObject({
        end: 'asked',
        effects: expect.arrayContaining([{ effect: 'web', target: expect.stringContaining(address) }]),
      });
    }
    server.close();
    expect(hits).toBe(0);
  });

  test.each(stages)('stops an endless script in %s, and reports it', async (stage) => {
    const engine = await open({ isTrusted: true, scriptTimeoutMs: 1500 });
    const agent = `${scriptSection(stage, 'while true do end')}# User\nHello\n`;
    const startedAt = Date.now();
    const preview = await engine.previewAgent({ ...asked(write(agent)), isAutomatic: true });
    expect(preview).toMatchObject({
      end: 'failed',
      error: { message: expect.stringMatching(/stopped because it took longer than 1.5 seconds/) },
    });
    expect(Date.now() - startedAt).toBeLessThan(15_000);
    const next = await engine.previewAgent({ ...asked(reading), isAutomatic: true });
    expect(next).toMatchObject({ end: 'asked' });
  });
});
