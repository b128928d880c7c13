/** Tests that no run, script or agent lets a paused run continue, or decides where runs stop. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Engine } from '../../index.ts';
import { type AgentWorkspace, createAgentWorkspace } from './test-agent-workspace.ts';
import { outcomes, script } from './test-deciding-files.ts';

let at: AgentWorkspace;
beforeEach(() => {
  at = createAgentWorkspace();
});
afterEach(() => at.close());

const trusted = { isTrusted: true } as const;

/** Opens an engine in which a person has stopped a run before its second node. */
async function paused() {
  const engine = await at.open(trusted);
  const text = `flow: { name: Line }
nodes:
  - { id: first, type: file.write, input: { path: out/a.txt, text: one } }
  - { id: second, type: echo, input: { text: two } }
edges: [{ from: first, to: second }]`;
  const breakpoints = { 'line.flow.yaml': [{ node: 'second' }] };
  const { runId } = await engine.startRun({ path: 'line.flow.yaml', text, inputs: {}, breakpoints });
  await engine.whenEnded(runId);
  const log = await engine.readEvents(runId, -1, 100);
  const expectPaused = async (): Promise<void> => {
    expect((await engine.getRun(runId)).waitStatus).toBe('PAUSED');
    expect(await engine.readEvents(runId, -1, 100)).toEqual(log);
  };
  return { engine, runId, expectPaused };
}

/** Returns all files in Millrace's folder of the workspace, except the history, with their content. */
function internals(): Readonly<Record<string, string>> {
  const folder = at.at('workspace/.millrace');
  const all = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = all.map((entry) => join(entry.parentPath, entry.name)).filter((file) => !/\.db(-\w+)?$/.test(file));
  return Object.fromEntries(files.map((file) => [file, readFileSync(file, 'utf8')]));
}

async function outputsOf(engine: Engine, nodes: readonly object[]): Promise<readonly string[]> {
  const all = nodes.map((node, index) => ({ id: `n${index}`, policy: { continueOnError: true }, ...node }));
  const text = JSON.stringify({ flow: { name: 'F' }, nodes: all, edges: [] });
  const { runId } = await engine.startRun({ path: 'f.flow.yaml', text, inputs: {} });
  await engine.whenEnded(runId);
  const events = (await engine.readEvents(runId, -1, 5000)).map(({ event }) => event);
  return events.flatMap((event) => (event.type === 'task:failed' ? [event.error.code] : []));
}

test('13.1 no run writes to the files of the history, of undos and of other decisions, so a forged one is never read', async () => {
  const { engine, runId, expectPaused } = await paused();
  const history = readdirSync(at.at('workspace/.millrace')).filter((name) => name.endsWith('.db'));
  expect(history).toHaveLength(1);
  const before = internals();
  expect(Object.keys(before).some((file) => file.includes(runId))).toBe(true);
  const paths = [
    ...history.flatMap((name) => [name, `${name}-wal`]),
    ...['breakpoints.json', 'requests.json', 'pauses/x', `undo/${runId}/changes.jsonl`, 'undo/x/a', 'proposals/p.json'],
  ].map((name) => `.millrace/${name}`);
  const modes = ['overwrite', 'append'].flatMap((mode) =>
    paths.map((path) => ({ type: 'file.write', input: { path, text: 'x' }, config: { mode } })),
  );
  expect(await outputsOf(engine, modes)).toEqual(modes.map(() => 'files.not-writable'));
  const changes = paths.flatMap((path) => [
    ...[`aip.file.save(${JSON.stringify(path)}, "x")`, `aip.file.append(${JSON.stringify(path)}, "x")`],
    ...[`aip.file.delete(${JSON.stringify(path)})`, `aip.file.move(${JSON.stringify(path)}, "moved.txt")`],
    `aip.file.move("out", ${JSON.stringify(path)})`,
  ]);
  const all = await outcomes(
    at,
    [...changes, 'aip.file.delete(".millrace")', 'aip.file.move(".millrace", "m")'],
    trusted,
  );
  expect(all.filter((outcome) => outcome === 'done')).toEqual([]);
  expect(internals()).toEqual(before);
  await expectPaused();
});

test('13.5 scripts and agents have no function that pauses or continues runs, or sets breakpoints', async () => {
  const { expectPaused } = await paused();
  const names = await script(
    at,
    `local found, seen = {}, {}
     local function walk(name, value)
       if type(value) ~= "table" or seen[value] then return end
       seen[value] = true
       for key, one in pairs(value) do
         table.insert(found, name .. tostring(key))
         walk(name .. tostring(key) .. ".", one)
       end
     end
     walk("", { aip = aip, CTX = CTX })
     return found`,
    trusted,
  );
  expect(names).toContain('aip.file.save');
  expect((names as string[]).filter((name) => /pause|resume|step$|breakpoint|budget|undo|answer/i.test(name))).toEqual(
    [],
  );
  await expectPaused();
});
