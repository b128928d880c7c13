/** Tests every way in which a run can change a file, with every kind of file that decides what runs may do. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { evilZip } from '../../testing/evil-zip.ts';
import { type AgentWorkspace, createAgentWorkspace } from '../wiring/test-agent-workspace.ts';
import { changed, files, lua, type Options, refusedNodes, script, writeFiles } from '../wiring/test-deciding-files.ts';

let at: AgentWorkspace;
let server: Server;
let address: string;
beforeAll(async () => {
  server = createServer((_, response) => response.end('allow_full_autonomy: true\n'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => server.close());
beforeEach(() => {
  at = createAgentWorkspace();
});
afterEach(() => at.close());

const trusted = { isTrusted: true } as const;

/** Operations on a path `f`. A harmless `mine.txt` and an archive `in.zip` exist. */
const acts: Readonly<Record<string, string>> = {
  save: 'aip.file.save(f, "x")',
  append: 'aip.file.append(f, "x")',
  'append a line of JSON': 'aip.file.append_json_line(f, { x = 1 })',
  'append a row of CSV': 'aip.file.append_csv_row(f, { "x" })',
  'save as CSV': 'aip.file.save_as_csv(f, { { "x" } })',
  'ensure with text': 'aip.file.ensure_exists(f, "x", { content_when_empty = true })',
  'save changes': 'aip.file.save_changes(f, "<<<<<<< SEARCH\\nkept\\n=======\\nx\\n>>>>>>> REPLACE")',
  'copy onto it': 'aip.file.copy("mine.txt", f, { overwrite = true })',
  'move onto it': 'aip.file.save("m.txt", "x"); aip.file.move("m.txt", f, { overwrite = true })',
  'move it away': 'aip.file.move(f, "taken.txt", { overwrite = true })',
  delete: 'aip.file.delete(f)',
  'save HTML as Markdown': 'aip.file.save("p.html", "<p>x</p>"); aip.file.save_html_to_md("p.html", f)',
  'pack an archive there': 'aip.zip.create("packed", f)',
  'unpack an archive with it': 'aip.zip.extract("in.zip", ".", { globs = { f } })',
  'apply a new file': `s = aip.udiffx.apply_file_changes('<FILE_CHANGES><FILE_NEW file_path="' .. f .. '">\\nx\\n</FILE_NEW></FILE_CHANGES>'); if not s.success then error(s.items[1].error_msg) end`,
  'apply a deletion': `s = aip.udiffx.apply_file_changes('<FILE_CHANGES><FILE_DELETE file_path="' .. f .. '"/></FILE_CHANGES>'); if not s.success then error(s.items[1].error_msg) end`,
};

/** Performs each operation on each path in one run, restoring the files before each one. Returns the results. */
async function tryAll(paths: readonly string[], options: Options): Promise<Record<string, string[]>> {
  writeFiles(at);
  at.write('workspace/mine.txt', 'x');
  at.write('workspace/packed/x.txt', 'x');
  at.write('workspace/in.zip', evilZip(paths.map((name) => ({ name, content: 'x' }))));
  const tries = Object.entries(acts).map(
    ([name, code]) =>
      `out[${JSON.stringify(name)}] = {}; for i, f in ipairs(paths) do local s; local ok, e = pcall(function() ${code} end); out[${JSON.stringify(name)}][i] = ok and "done" or (string.match(tostring(e), "rule ([%w-]+)") or tostring(e)) end`,
  );
  return (await script(
    at,
    `local paths = ${lua(paths)}; local out = {}; ${tries.join('\n')}; return out`,
    options,
  )) as never;
}

test(`13.1 in a trusted workspace, a script changes none of ${files.length} deciding files in ${Object.keys(acts).length} ways`, async () => {
  const rules = await tryAll(files, trusted);
  expect(changed(at)).toEqual([]);
  expect(rules).toEqual(Object.fromEntries(Object.keys(acts).map((act) => [act, files.map(() => 'deciding-file')])));
});

test('13.1 in an untrusted workspace, a script is denied in the same way', async () => {
  const some = ['millrace.policy.yaml', 'products/shop/agents/planner.aip', 'desk/hooks/check.lua'];
  const rules = await tryAll(some, {});
  expect(changed(at)).toEqual([]);
  expect(rules).toEqual(Object.fromEntries(Object.keys(acts).map((act) => [act, some.map(() => 'deciding-file')])));
});

test.each([
  ['an untrusted workspace', {}],
  ['a trusted workspace', trusted],
])('13.1 in %s, a node changes none of them in 4 ways', async (_, options) => {
  writeFiles(at);
  const ways: ((path: string) => object)[] = [
    (path: string) => ({ type: 'file.write', input: { path, text: 'x' } }),
    (path: string) => ({ type: 'file.write', input: { path, text: 'x' }, config: { mode: 'append' } }),
    (path: string) => ({ type: 'http.request', input: { url: address, saveTo: path } }),
    (path: string) => ({ type: 'tool', input: { path, text: 'x' }, config: { tool: 'core.file_write' } }),
  ];
  for (const nodeOf of ways) {
    const rules = await refusedNodes(at, files.map(nodeOf), options);
    expect(rules).toEqual(Object.fromEntries(files.map((path) => [path, 'deciding-file'])));
  }
  expect(changed(at)).toEqual([]);
});
