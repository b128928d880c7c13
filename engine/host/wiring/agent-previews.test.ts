/** Tests previews and validation for agent editors, with real files and real Lua. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createEngine, type Engine } from '../../index.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import { scriptSection } from '../../testing/run-agent-file.ts';

let root: string;
let workspace: string;
let engine: Engine;

beforeEach(async () => {
  root = mkdtempSync(path.join(tmpdir(), 'millrace-previews-'));
  workspace = path.join(root, 'workspace');
  mkdirSync(path.join(workspace, 'notes'), { recursive: true });
  writeFileSync(path.join(workspace, 'notes/a.md'), 'first');
  writeFileSync(path.join(workspace, 'notes/b.md'), 'second');
  engine = await createEngine({ workspace, homeFolder: path.join(root, 'base') });
});
afterEach(async () => {
  await engine.close();
  rmSync(root, { recursive: true });
});

function write(text: string): void {
  writeFileSync(path.join(workspace, 'a.aip'), text);
}

const summing = `# Options\n\`\`\`toml\nmodel = "m"\nmodel_aliases = { m = "scripted::x.yaml" }\n\`\`\`\n${scriptSection(
  'Data',
  'return { text = aip.file.load(input.path).content }',
)}# System \`cache = true\`\nBe brief.\n# User\nSum up: {{data.text}}\n`;

describe('a preview', () => {
  test('shows the request to the model for one of the files, and is not recorded in the history', async () => {
    write(summing);
    const preview = await engine.previewAgent({ agent: 'a.aip', files: ['notes/*.md'], index: 1 });
    expect(preview).toMatchObject({
      end: 'asked',
      inputNames: ['notes/a.md', 'notes/b.md'],
      inputCount: 2,
      index: 1,
      input: { path: 'notes/b.md' },
      data: { text: 'second' },
      model: { name: 'm', resolved: 'scripted::x.yaml' },
      messages: [
        { role: 'system', content: 'Be brief.\n', isCached: true, attachments: [] },
        { role: 'user', content: 'Sum up: second\n', isCached: false, attachments: [] },
      ],
    });
    expect(await engine.listRuns({ limit: 10 })).toEqual([]);
  });

  test('uses the text in the editor, with the inputs that Before All selects', async () => {
    write('# User\nold\n');
    const before = scriptSection('Before All', 'return aip.flow.before_all_response({ inputs = { "x", "y" } })');
    const text = `${before}# User\n{{input}}!\n`;
    const preview = await engine.previewAgent({ agent: 'a.aip', text, index: 9 });
    expect(preview).toMatchObject({ inputNames: ['x', 'y'], index: 1, messages: [{ content: 'y!\n' }] });
  });

  test('ends where a script skips, or where the model would not be called', async () => {
    write(`${scriptSection('Data', 'return aip.flow.skip("too short")')}# User\nHello\n`);
    expect(await engine.previewAgent({ agent: 'a.aip', index: 0 })).toMatchObject({
      end: 'skipped',
      reason: 'too short',
    });
    write(`${scriptSection('Before All', 'return aip.flow.redo_run()')}# User\nHello\n`);
    expect(await engine.previewAgent({ agent: 'a.aip', index: 0 })).toMatchObject({ end: 'redo', messages: [] });
    write('# User\n{{data.nothing}}\n');
    expect(await engine.previewAgent({ agent: 'a.aip', index: 0 })).toMatchObject({ end: 'silent', messages: [] });
    write(scriptSection('After All', 'return 1'));
    expect(await engine.previewAgent({ agent: 'a.aip', index: 0 })).toMatchObject({ end: 'idle', inputCount: 0 });
  });

  test('reports the error, its position, and what was known by then', async () => {
    write(`${scriptSection('Data', 'local a = nil\nreturn a.b')}# User\nHello\n`);
    const preview = await engine.previewAgent({ agent: 'a.aip', inputs: ['x'], index: 0 });
    expect(preview).toMatchObject({
      end: 'failed',
      input: 'x',
      inputCount: 1,
      error: { code: 'lua.error', stage: 'Data', line: 4 },
    });
    write(`${scriptSection('Data', 'return { a = 1 }')}# User\n{{#if}}\n`);
    const template = await engine.previewAgent({ agent: 'a.aip', inputs: ['x'], index: 0 });
    expect(template).toMatchObject({ end: 'failed', data: { a: 1 }, error: { line: 5 } });
  });

  test('13.13 changes nothing, and lists what a run would change', async () => {
    write(`${scriptSection('Data', 'aip.file.save("out.txt", "x")')}# User\nHello\n`);
    const preview = await engine.previewAgent({ agent: 'a.aip', inputs: ['x'], index: 0 });
    expect(preview).toMatchObject({ end: 'asked', effects: [{ effect: 'write', target: 'out.txt' }] });
    expect(readdirSync(workspace)).not.toContain('out.txt');
  });

  test('rejects missing files and text that is not an agent', async () => {
    write('# User\nHello\n');
    const none = engine.previewAgent({ agent: 'a.aip', files: ['none/*.md'], index: 0 });
    await expect(none).rejects.toMatchObject({ code: 'agent.bad-inputs' });
    const bad = engine.previewAgent({ agent: 'a.aip', text: '# Options\n```toml\na = \n```\n', index: 0 });
    await expect(bad).rejects.toMatchObject({ code: 'agent.invalid' });
  });

  test('is ended by the next preview of the same agent, even if a script never ends', async () => {
    write('# User\nHello\n');
    const text = `${scriptSection('Data', 'while true do end')}# User\nHello\n`;
    const endless = engine.previewAgent({ agent: 'a.aip', text, inputs: ['x'], index: 0 });
    const refused = expect(endless).rejects.toMatchObject({ code: 'run.cancelled' });
    // The first may still be waiting for the interpreter, or running in it.
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await engine.previewAgent({ agent: 'a.aip', inputs: ['x'], index: 0 })).toMatchObject({ end: 'asked' });
    await refused;
  });
});

test('a preview that does not finish is stopped', async () => {
  const clock = createManualClock();
  const place = { workspace, homeFolder: path.join(root, 'other'), storeFile: path.join(root, 'other.db'), clock };
  const patient = await createEngine(place);
  const text = `${scriptSection('Data', 'while true do end')}# User\nHello\n`;
  write(text);
  const endless = patient.previewAgent({ agent: 'a.aip', text, inputs: ['x'], index: 0 });
  await new Promise((resolve) => setTimeout(resolve, 300));
  await Promise.all([
    clock.advance(300_000),
    expect(endless).rejects.toMatchObject({ code: 'agent.preview-too-long' }),
  ]);
  await patient.close();
});

test('validation compiles the scripts and knows the available functions', async () => {
  const text = `${scriptSection('Data', 'return aip.file.laod("x")')}${scriptSection('Output', 'return (')}`;
  expect(await engine.checkAgent(text)).toMatchObject([
    { code: 'agent.unknown-function', severity: 'warning', range: { line: 3, column: 17, endColumn: 21 } },
    { code: 'agent.lua-syntax', severity: 'error' },
  ]);
});
