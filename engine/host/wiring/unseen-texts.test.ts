/**
 * Tests flows, agents and scripts written by a run: they are restricted as in an untrusted workspace until a person has
 * seen them.
 */

import { readdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Engine } from '../../index.ts';
import type { RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { scriptSection } from '../../testing/run-agent-file.ts';
import { type AgentWorkspace, afterAllOf, createAgentWorkspace } from './test-agent-workspace.ts';

let at: AgentWorkspace;
let engine: Engine;
let server: Server;
let address: string;
beforeAll(async () => {
  server = createServer((_, response) => response.end('reached'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => server.close());
beforeEach(async () => {
  at = createAgentWorkspace();
  engine = await at.open({ isTrusted: true, env: { MILLRACE_SECRET_TOKEN: 'abcdefgh12345' } });
});
afterEach(() => at.close());

/** Runs a flow; returns all events, and why it failed. */
async function runFlow(path: string, text: string) {
  const { runId } = await engine.startRun({ path, text, inputs: {} });
  await engine.whenEnded(runId);
  const events = (await engine.readEvents(runId, -1, 5000)).map(({ event }) => event);
  const end = events.at(-1) as Extract<RunEvent, { type: 'run:end' }>;
  return { events, end, rule: /\(rule ([\w-]+)/.exec(end.error?.message ?? '')?.[1] };
}

const flowOf = (...nodes: object[]): string => JSON.stringify({ flow: { name: 'F' }, nodes, edges: [] });

/** Writes these files in a run, with the node `file.write`. */
async function written(files: Readonly<Record<string, string>>): Promise<void> {
  const nodes = Object.entries(files).map(([path, text], index) => ({
    ...{ id: `w${index}`, type: 'file.write', input: { path: '{{flow.input.p}}', text: '{{flow.input.t}}' } },
    input: { path, text: text.replaceAll('{{', '\\{{') },
  }));
  const { end } = await runFlow('writer.flow.yaml', flowOf(...nodes));
  expect(end.status).toBe('completed');
}

const command = flowOf({
  id: 'a',
  type: 'command.run',
  config: { program: process.execPath },
  input: { args: ['-e', ''] },
});
const lua = (code: string): string => scriptSection('After All', code);
const exec = `return aip.cmd.exec(${JSON.stringify(process.execPath)}, { "-e", "" }).exit`;

describe('13.1 a text written by a run is untrusted:', () => {
  test('a flow runs no command, whether it is started or called', async () => {
    await written({ 'new.flow.yaml': command });
    expect((await runFlow('new.flow.yaml', command)).rule).toBe('command-untrusted');
    const caller = flowOf({ id: 'c', type: 'flow', input: { flow: 'new.flow.yaml' } });
    expect((await runFlow('caller.flow.yaml', caller)).rule).toBe('command-untrusted');
    expect((await runFlow('own.flow.yaml', command)).end.status).toBe('completed');
  });

  test('a flow cannot access a private address', async () => {
    const text = flowOf({ id: 'a', type: 'http.request', input: { url: address } });
    await written({ 'new.flow.yaml': text });
    expect((await runFlow('new.flow.yaml', text)).rule).toBe('private-address');
    expect((await runFlow('own.flow.yaml', text)).end.status).toBe('completed');
  });

  test('a flow receives no secret until it is allowed', async () => {
    const text = flowOf({
      id: 'a',
      type: 'http.request',
      input: { url: address, headers: { key: '{{secret.TOKEN}}' } },
    });
    await written({ 'new.flow.yaml': text });
    const start = engine.startRun({ path: 'new.flow.yaml', text, inputs: {} });
    await expect(start).rejects.toMatchObject({ code: 'secret.not-allowed', details: { isUnseen: true } });
  });

  test('an agent runs no command, from a node, a script and the command line', async () => {
    await written({ 'new.aip': lua(exec) });
    const { end } = await at.run(engine, { agent: 'new.aip' });
    expect(end.error?.message).toContain('rule command-untrusted');
    const caller = flowOf({ id: 'c', type: 'agent', input: { agent: 'new.aip' } });
    expect((await runFlow('caller.flow.yaml', caller)).rule).toBe('command-untrusted');
    at.write('workspace/caller.aip', lua('return aip.agent.run("new").after_all'));
    expect((await at.run(engine, { agent: 'caller.aip' })).end.error?.message).toContain('rule command-untrusted');
  });

  test('what it calls is untrusted as well', async () => {
    at.write('workspace/own.aip', lua(exec));
    const text = flowOf({ id: 'c', type: 'agent', input: { agent: 'own.aip' } });
    await written({ 'new.flow.yaml': text });
    expect((await runFlow('new.flow.yaml', text)).rule).toBe('command-untrusted');
    expect(afterAllOf((await at.run(engine, { agent: 'own.aip' })).end)).toBe(0);
  });

  test('an agent that requires an unseen module loses its trust', async () => {
    at.write('workspace/own.aip', lua(`local before = (function() ${exec} end)(); require("steps"); ${exec}`));
    await written({ 'lua/steps.lua': 'return {}' });
    const { end } = await at.run(engine, { agent: 'own.aip' });
    expect(end.error?.message).toContain('rule command-untrusted');
  });

  test.each([
    ['saved', 'aip.file.save("new.aip", text)'],
    ['appended to', 'aip.file.save("new.aip", ""); aip.file.append("new.aip", text)'],
    ['copied', 'aip.file.save("x.txt", text); aip.file.copy("x.txt", "new.aip")'],
    ['moved', 'aip.file.save("x.txt", text); aip.file.move("x.txt", "new.aip")'],
    [
      'moved with its folder',
      'aip.file.save("x/new.aip", text); aip.file.move("x", "y"); aip.file.copy("y/new.aip", "new.aip")',
    ],
    ['unpacked', 'aip.file.save("x/new.aip", text); aip.zip.create("x", "x.zip"); aip.zip.extract("x.zip", ".")'],
  ])('an agent that was %s', async (_, code) => {
    at.write('workspace/writer.aip', lua(`local text = ${JSON.stringify(lua(exec))}\n${code}`));
    expect((await at.run(engine, { agent: 'writer.aip' })).end.status).toBe('completed');
    expect((await at.run(engine, { agent: 'new.aip' })).end.error?.message).toContain('rule command-untrusted');
  });

  test('an agent that rewrites itself gains no permissions, and continues', async () => {
    const code = `if CTX.REDO_COUNT == nil then end
      local next = ${JSON.stringify(lua(`local ok, e = pcall(function() ${exec} end); return { ok, string.match(tostring(e), "rule ([%w-]+)") }`))}
      aip.file.save("self.aip", next); return "first"`;
    at.write('workspace/self.aip', lua(code));
    expect(afterAllOf((await at.run(engine, { agent: 'self.aip' })).end)).toBe('first');
    expect(afterAllOf((await at.run(engine, { agent: 'self.aip' })).end)).toEqual([false, 'command-untrusted']);
  });

  test('a flow keeps the autonomy level that a person last saw', async () => {
    at.write('base/policy.yaml', 'allow_full_autonomy: true\n');
    const level = (autonomy: string): string =>
      JSON.stringify({
        flow: { name: 'F', policy: { autonomy } },
        nodes: [{ id: 'a', type: 'file.write', input: { path: 'out.md', text: 'x' } }],
        edges: [],
      });
    at.write('workspace/old.flow.yaml', level('suggest_only'));
    await written({ 'old.flow.yaml': level('full_auto'), 'new.flow.yaml': level('full_auto') });
    const levelsOf = async (path: string) => {
      const { runId } = await engine.startRun({ path, text: level('full_auto'), inputs: {} });
      await engine.whenEnded(runId);
      const [first] = await engine.readEvents(runId, -1, 1);
      return first?.event.type === 'run:start' ? first.event.autonomy : undefined;
    };
    expect(await levelsOf('old.flow.yaml')).toBe('suggest_only');
    expect(await levelsOf('new.flow.yaml')).toBe('semi_auto');
    expect(await levelsOf('own.flow.yaml')).toBe('full_auto');
  });
});

test('13.1 a text that a person has changed since is trusted, and so is one that a run left unchanged', async () => {
  at.write('workspace/same.flow.yaml', command);
  await written({ 'new.flow.yaml': command, 'same.flow.yaml': command });
  const changed = command.replace('"F"', '"G"');
  at.write('workspace/new.flow.yaml', changed);
  expect((await runFlow('new.flow.yaml', changed)).end.status).toBe('completed');
  expect((await runFlow('same.flow.yaml', command)).end.status).toBe('completed');
});

test('13.1 files other than definitions are not recorded', async () => {
  await written({ 'out/report.md': '# Report', 'out/data.json': '{"a":1}', 'out/table.csv': 'a,b' });
  expect(() => readdirSync(at.at('base/millrace/written'))).toThrow('ENOENT');
});
