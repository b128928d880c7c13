import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import type { ScriptScope } from '../../runtime/kernel/capabilities/capabilities.ts';
import { runLua } from '../../testing/run-lua.ts';
import { createWebClient } from '../web/web-client.ts';
import { editorOf } from './effect-calls.ts';
import { createScriptHost } from './script-host.ts';
import type { ScriptHostOptions } from './script-host-options.ts';
import { createTestWorld, type TestWorld } from './testing/test-world.ts';

let at: TestWorld;
beforeEach(() => {
  at = createTestWorld({ isTrusted: () => true });
});
afterEach(() => at.end());

const node = process.execPath;

function lua(
  code: string,
  world: Partial<ScriptHostOptions> = {},
  scope: Partial<ScriptScope> = {},
): Promise<JsonValue> {
  const host = createScriptHost({ ...at.world, ...world }, { ...at.scope, ...scope });
  return runLua(code, { host, globals: { node } });
}

const untrusted = { isTrusted: () => false };

describe('commands', () => {
  test('commands run in the workspace or the given folder, with unchanged arguments', async () => {
    mkdirSync(at.folder.at('workspace/sub'));
    const code = `local script = "console.log(process.cwd(), process.argv[1])"
      local a = aip.cmd.exec(node, { "-e", script, "a b" })
      local b = aip.cmd.exec(node, { "-e", script, "c" }, { cwd = "sub" })
      local c = aip.cmd.exec(node, { "-e", "process.exit(7)" }, { cwd = " " })
      return { a.stdout, b.stdout, a.exit, c.exit, aip.cmd.exec(node, "--version").stdout:sub(1, 1) }`;
    const workspace = at.folder.at('workspace');
    expect(await lua(code)).toEqual([`${workspace} a b\n`, `${workspace}/sub c\n`, 0, 7, 'v']);
    expect(at.events()).toContainEqual(
      expect.objectContaining({ type: 'governance:decision', allowed: true, effect: 'command', rule: 'trusted' }),
    );
  });

  test('a command that cannot start raises an error with the expected message', async () => {
    await expect(lua('aip.cmd.exec("no-such-program", "x")')).rejects.toThrow(
      'Fail to execute: no-such-program x\nCause:',
    );
    await expect(lua('aip.cmd.exec(node, "x", { cwd = "none" })')).rejects.toThrow('is not a folder');
    await expect(lua('aip.cmd.exec(node, { 1 })')).rejects.toThrow('aip.cmd.exec - Table contains non-string values');
  });

  test('commands are denied without trust and in a dry run', async () => {
    const touch = `aip.cmd.exec(node, { "-e", "require('fs').writeFileSync('ran', '')" })`;
    await expect(lua(touch, untrusted)).rejects.toThrow(/\(rule command-untrusted\)\. .*--trust/);
    await expect(lua(touch, {}, { isDry: true })).rejects.toThrow('(rule dry-run)');
    expect(existsSync(at.folder.at('workspace/ran'))).toBe(false);
  });

  test('commands end when the script is stopped', async () => {
    const controller = new AbortController();
    const host = createScriptHost(at.world, at.scope);
    const code = `aip.cmd.exec(node, { "-e", "require('fs').writeFileSync('pid', String(process.pid)); setInterval(() => {}, 1e6)" })`;
    const running = runLua(code, { host, globals: { node }, signal: controller.signal }).catch(
      (error: unknown) => error,
    );
    const pidFile = at.folder.at('workspace/pid');
    await vi.waitFor(() => expect(existsSync(pidFile) && readFileSync(pidFile, 'utf8')).toMatch(/^\d+$/), 20_000);
    const pid = Number(readFileSync(pidFile, 'utf8'));
    const reason = new Error('stop');
    controller.abort(reason);
    expect(await running).toBe(reason);
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(), 20_000);
  });
});

describe('git', () => {
  beforeEach(() => {
    at.folder.write('workspace/a.md', 'committed');
    const repository = ['-C', at.folder.at('workspace')];
    at.folder.git(...repository, 'init', '-q');
    at.folder.git(...repository, 'add', '.');
    at.folder.git(...repository, 'commit', '-q', '-m', 'Start');
    at.folder.write('workspace/a.md', 'changed');
  });

  test("restores a file and raises an error with Git's message", async () => {
    expect(await lua('return { aip.git.restore("a.md"), aip.file.load("a.md").content }')).toEqual(['', 'committed']);
    await expect(lua('aip.git.restore("none.md")')).rejects.toThrow('none.md');
  });

  test('does not interpret a path as an option, and requires trust', async () => {
    await expect(lua('aip.git.restore("--worktree")')).rejects.toThrow('--worktree');
    await expect(lua('aip.git.restore("a.md")', untrusted)).rejects.toThrow('(rule command-untrusted)');
    expect(readFileSync(at.folder.at('workspace/a.md'), 'utf8')).toBe('changed');
  });
});

describe('web requests', () => {
  let server: Server;
  let origin: string;
  const heard: { method: string | undefined; headers: NodeJS.Dict<string | string[]>; body: string }[] = [];
  beforeEach(async () => {
    heard.length = 0;
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (piece) => {
        body += piece;
      });
      request.on('end', () => {
        heard.push({ method: request.method, headers: request.headers, body });
        if (request.url === '/file') response.writeHead(302, { location: 'file:///etc/passwd' }).end();
        else if (request.url?.startsWith('/go')) response.writeHead(302, { location: '/there' }).end();
        else response.writeHead(200, { 'set-cookie': ['a=1', 'b=2'], 'x-one': 'y' }).end('answer');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const web = createWebClient({ mayReachPrivate: () => true });

  test('web requests follow redirects, return repeated headers, and log a line for people', async () => {
    const code = `local r = aip.web.get("${origin}/go?key=sk-1", { headers = { ["X-A"] = { "1", "2" } } })
      return { r.status, r.url, r.content, r.headers["x-one"], r.headers["set-cookie"] }`;
    expect(await lua(code, { web })).toEqual([200, `${origin}/there`, 'answer', 'y', ['a=1', 'b=2']]);
    expect(heard[0]?.headers['x-a']).toBe('1, 2');
    expect(JSON.stringify(at.events())).not.toContain('sk-1');
    expect(at.logs()).toEqual([`-> Lua aip.web.get called on: ${origin}/go?… (status 200)`]);
    await lua(`aip.web.post("${origin}/", { a = 1 })`, { web });
    expect(heard.at(-1)).toMatchObject({ method: 'POST', body: '{"a":1}' });
  });

  test('web requests cannot read files and respect the redirect limit', async () => {
    await expect(lua(`aip.web.get("${origin}/file")`, { web })).rejects.toThrow('neither http nor https');
    await expect(lua(`aip.web.get("file:///etc/passwd")`, { web })).rejects.toThrow('must begin with http');
    await expect(lua(`aip.web.get("${origin}/go", { redirect_limit = 0 })`, { web })).rejects.toThrow(
      'more than 0 times',
    );
  });

  test('web requests require trust', async () => {
    await expect(lua(`aip.web.get("${origin}/?key=sk-1")`, { web, ...untrusted })).rejects.toMatchObject({
      message: expect.stringMatching(/Fail to do aip\.web\.get for url: .*\nCause: .*\(rule web-untrusted\)/),
      details: { cause: { code: 'effect.denied', details: { rule: 'web-untrusted', trustHelps: true } } },
    });
    expect(heard).toEqual([]);
    expect(at.events()).toEqual([
      {
        type: 'governance:decision',
        allowed: false,
        effect: 'web',
        rule: 'web-untrusted',
        target: `${origin}/?…`,
      },
    ]);
  });
});

describe('editors', () => {
  test.each<[JsonMap, readonly string[] | undefined]>([
    [{}, undefined],
    [{ EDITOR: 'vim' }, undefined],
    [{ EDITOR: '/usr/bin/nano', VISUAL: 'code --wait' }, ['code', '--wait']],
    [{ EDITOR: 'vim', TERM_PROGRAM: 'vscode' }, ['code']],
    [{ VISUAL: 'subl', TERM_PROGRAM: 'zed' }, ['zed']],
    [{ ZED_TERM: 'true', TERM_PROGRAM: 'vscode' }, ['zed']],
    [{ VISUAL: ' ', EDITOR: 'my-editor' }, ['my-editor']],
  ])('by %j', (environment, expected) => {
    expect(editorOf(environment as Record<string, string>)).toEqual(expected);
  });

  test("uses the program's own editor, or otherwise starts the user's editor and leaves it running", async () => {
    at.folder.write('workspace/a.md', 'a');
    const openInEditor = vi.fn(async () => 'Millrace');
    expect(await lua('return aip.editor.open_file("a.md")', { openInEditor })).toEqual({ editor: 'Millrace' });
    expect(openInEditor).toHaveBeenCalledWith(at.folder.at('workspace/a.md'));
    const environment = { ...process.env, VISUAL: 'no-such-editor', TERM_PROGRAM: '', ZED_TERM: '' };
    expect(await lua('return aip.editor.open_file("a.md") == nil', { environment })).toBe(true);
    const touching = { ...environment, VISUAL: 'touch' };
    const code = 'return aip.editor.open_file("new.md")';
    expect(await lua(code, { environment: touching, openInEditor: async () => null })).toEqual({ editor: 'touch' });
    await vi.waitFor(() => expect(existsSync(at.folder.at('workspace/new.md'))).toBe(true), 20_000);
  });

  test("external editors require trust; the program's own opens readable files", async () => {
    const environment = { ...process.env, VISUAL: 'touch', TERM_PROGRAM: '', ZED_TERM: '' };
    const code = 'return aip.editor.open_file("a.md")';
    await expect(lua(code, { ...untrusted, environment })).rejects.toThrow('(rule command-untrusted)');
    const openInEditor = async () => 'Millrace';
    expect(await lua(code, { ...untrusted, openInEditor })).toEqual({ editor: 'Millrace' });
    await expect(lua('aip.editor.open_file("~/x")', { ...untrusted, openInEditor })).rejects.toThrow('read-outside');
    await expect(lua(code, { openInEditor }, { isDry: true })).rejects.toThrow('(rule dry-run)');
  });
});

describe('modules', () => {
  test('modules are found next to the agent, then in its pack, and nowhere else', async () => {
    at.folder.write('workspace/agents/lua/near.lua', 'return "near"');
    at.folder.write('workspace/agents/lua/whole/init.lua', 'return { part = require("whole.part") }');
    at.folder.write('workspace/agents/lua/whole/part.lua', 'return "part"');
    at.folder.write('base/pack/installed/acme/tool/lua/near.lua', 'return "far"');
    at.folder.write('base/pack/installed/acme/tool/lua/far.lua', 'return "far"');
    at.folder.write('workspace/elsewhere.lua', 'return "elsewhere"');
    const code = `return { require("near"), require("whole").part, require("far"), pcall(require, "none") == false,
      pcall(require, "../../elsewhere") == false, pcall(require, "${at.folder.at('workspace/elsewhere')}") == false }`;
    expect(await lua(code)).toEqual(['near', 'part', 'far', true, true, true]);
  });

  test('modules behind a link that leads out are rejected', async () => {
    at.folder.write('elsewhere/evil.lua', 'return "evil"');
    mkdirSync(at.folder.at('workspace/agents/lua'), { recursive: true });
    symlinkSync(at.folder.at('elsewhere/evil.lua'), at.folder.at('workspace/agents/lua/evil.lua'));
    await expect(lua('return require("evil")')).rejects.toThrow('module-outside');
  });
});

describe('run calls', () => {
  test('sets pins, labels and log lines of the task or the whole run', async () => {
    await lua(`aip.run.pin("a", 1, { label = "L", content = "c" }) aip.task.pin("b", "d")
      aip.run.set_label("run") aip.task.set_label("task") print("hello", 2)`);
    const taskId = 'input:0';
    expect(at.events()).toMatchObject([
      { type: 'pin', iden: 'a', priority: 1, label: 'L', content: 'c' },
      { type: 'pin', iden: 'b', content: 'd', taskId },
      { type: 'label', text: 'run' },
      { type: 'label', text: 'task', taskId },
      { type: 'log', level: 'print', text: 'hello\n2', taskId },
    ]);
    expect(at.events()[0]).not.toHaveProperty('taskId');
  });

  test('AP-18 rejects a pin of a task outside of a task', async () => {
    const { taskId: _taskId, ...noTask } = at.scope;
    const host = createScriptHost(at.world, noTask);
    await expect(runLua('aip.task.pin("a", "b")', { host })).rejects.toThrow(
      "Cannot call 'aip.task.pin(...)' in a before all or after all code block",
    );
    await expect(runLua('aip.task.set_label("a")', { host })).rejects.toThrow("Cannot call 'aip.task.set_label(...)'");
  });

  test('runs other agents on behalf of the script', async () => {
    const runAgent = vi.fn(async () => ({ outputs: ['x'], afterAll: { y: 1 }, redoRequested: true }));
    const answer = await lua('return aip.agent.run("other", { inputs = { 1, 2 } })', { runAgent });
    expect(answer).toEqual({ outputs: ['x'], after_all: { y: 1 }, redo_requested: true });
    expect(runAgent.mock.calls[0]?.slice(0, 2)).toMatchObject([{ name: 'other', inputs: [1, 2] }, { scope: at.scope }]);
  });
});

test('MF-013 rejects other calls of an agent with the pure contract, even if it obtains a hidden function', async () => {
  at.folder.write('workspace/a.md', 'a');
  const calls = {
    'MF-122': ['cmd.exec("true", "")', 'git.restore("a.md")', 'editor.open_file("a.md")'],
    'MF-123': ['agent.run("other")'],
    'MF-124': [
      'file.load("a.md")',
      'file.save("b", "x")',
      'file.list("*")',
      'path.exists("a.md")',
      'udiffx.load_files_context("*")',
    ],
    'MF-126': ['web.get("http://127.0.0.1:1")'],
    'MF-127': ['secret("TOKEN")'],
  };
  for (const [rule, names] of Object.entries(calls)) {
    for (const name of names) {
      await expect(lua(`return aip.${name}`, {}, { isPure: true }), rule).rejects.toThrow('(rule contract-pure)');
    }
  }
  expect(await lua('aip.run.set_label("a"); print("b")', {}, { isPure: true })).toBe(null);
  expect(existsSync(at.folder.at('workspace/b'))).toBe(false);
});

test('a dry run reads files and changes nothing', async () => {
  at.folder.write('workspace/a.md', 'a');
  const dry = (code: string): Promise<JsonValue> => lua(code, {}, { isDry: true });
  expect(await dry('return aip.file.load("a.md").content')).toBe('a');
  for (const call of [
    'file.save("b", "x")',
    'file.append("a.md", "x")',
    'file.delete("a.md")',
    'file.ensure_dir("d")',
    'git.restore("a.md")',
  ]) {
    await expect(dry(`aip.${call}`)).rejects.toThrow('(rule dry-run)');
  }
  expect(readFileSync(at.folder.at('workspace/a.md'), 'utf8')).toBe('a');
});
