/**
 * Tests previews of typical pack agents: they write, list, move, run commands and call other agents before they call
 * their model.
 */
import { createHash } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEngine, type Engine } from '../../index.ts';
import { scriptSection } from '../../testing/run-agent-file.ts';

let root: string;
let workspace: string;
let engine: Engine;
let server: Server;
let hits = 0;
let url: string;

beforeAll(async () => {
  root = mkdtempSync(path.join(realpathSync(tmpdir()), 'millrace-dry-agents-'));
  workspace = path.join(root, 'workspace');
  const files: Readonly<Record<string, string>> = {
    'notes/a.md': '# One\nfirst\n# Two\nsecond\n',
    'notes/b.md': 'b',
    'data/items.csv': 'name,n\nAda,1\nLin,2\n',
    'data/state.json': '{"count": 2}',
    'src/main.rs': 'fn main() {}\n',
    'log.txt': 'old\n',
    'lua/kept.lua': 'return { word = "kept" }',
    'sub/collect.aip': `# Options\n\`\`\`toml\ninput_concurrency = 1\n\`\`\`\n${scriptSection('Output', 'aip.file.append("collected.txt", input .. ";")\nreturn { got = input }')}`,
    'sub/ask.aip': `# Options\n\`\`\`toml\nmodel = "sub-model"\n\`\`\`\n# User\nSum up {{input}}\n`,
    'sub/after.aip': `${scriptSection('Data', 'return input')}${scriptSection('After All', 'return "all"')}`,
  };
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(workspace, name)), { recursive: true });
    writeFileSync(path.join(workspace, name), content);
  }
  symlinkSync('notes', path.join(workspace, 'way'));
  symlinkSync('log.txt', path.join(workspace, 'latest'));
  const pack = path.join(root, 'base/pack/custom/team/kit');
  mkdirSync(pack, { recursive: true });
  writeFileSync(path.join(pack, 'pack.toml'), 'namespace = "team"\nname = "kit"\nversion = "0.1.0"\n');
  writeFileSync(
    path.join(pack, 'main.aip'),
    `${scriptSection(
      'Data',
      'local f = CTX.PACK_BASE_SUPPORT_DIR .. "/seen.txt"\naip.file.ensure_exists(f, "none")\naip.file.append(f, "+")\nreturn aip.file.load(f).content',
    )}# User\n{{data}}\n`,
  );
  server = createServer((_, response) => {
    hits += 1;
    response.end('hello');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/page`;
  engine = await createEngine({ workspace, homeFolder: path.join(root, 'base'), isTrusted: true });
});
afterAll(async () => {
  await engine.close();
  server.close();
  rmSync(root, { recursive: true });
});

/** Returns a hash of all files, folders and links, with their times, excluding the history. */
function hashOfAll(): string {
  const hash = createHash('sha256');
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  for (const entry of entries.sort((a, b) =>
    path.join(a.parentPath, a.name) < path.join(b.parentPath, b.name) ? -1 : 1,
  )) {
    const file = path.join(entry.parentPath, entry.name);
    if (file.includes(`${path.sep}.millrace`) || path.basename(file) === 'agent.aip') continue;
    const state = lstatSync(file);
    hash.update(`${file} ${state.mode} `);
    if (entry.isFile()) hash.update(readFileSync(file)).update(String(state.mtimeMs));
    if (entry.isSymbolicLink()) hash.update(readlinkSync(file));
  }
  return hash.digest('hex');
}

interface Case {
  readonly beforeAll?: string;
  readonly data?: string;
  readonly prompt?: string;
  /** The whole prompt. */
  readonly says: string;
  /** Some of the effects that a run would have had. */
  readonly effects?: readonly string[];
  /** File of the agent, if it is not `agent.aip`. */
  readonly agent?: string;
}

const cases: Readonly<Record<string, Case>> = {
  'saves a file and reads it back': {
    data: 'aip.file.save("out/plan.md", "plan: " .. input)\nreturn aip.file.load("out/plan.md").content',
    says: 'plan: x',
    effects: ['write out/plan.md'],
  },
  'lists files after it has written one': {
    data: 'aip.file.save("notes/c.md", "c")\nlocal n = {}\nfor _, f in ipairs(aip.file.list("notes/*.md")) do n[#n + 1] = f.name end\nreturn table.concat(n, " ")',
    says: 'a.md b.md c.md',
  },
  'appends to a log of the disk, twice': {
    data: 'aip.file.append("log.txt", "new\\n")\naip.file.append("log.txt", input)\nreturn aip.file.load("log.txt").content',
    says: 'old\nnew\nx',
    effects: ['write log.txt'],
  },
  'moves a note into an archive': {
    data: 'aip.file.move("notes/b.md", "archive/b.md")\nreturn tostring(aip.path.exists("notes/b.md")) .. " " .. aip.file.load("archive/b.md").content',
    says: 'false b',
    effects: ['write archive/b.md', 'delete notes/b.md'],
  },
  'moves a folder': {
    data: 'aip.file.move("notes", "old-notes")\nreturn #aip.file.list("old-notes/*.md") .. " " .. #aip.file.list("notes/**/*")',
    says: '2 0',
  },
  'deletes what an earlier run left': {
    beforeAll: 'aip.file.delete("data/state.json")',
    data: 'return tostring(aip.file.exists("data/state.json"))',
    says: 'false',
    effects: ['delete data/state.json'],
  },
  'copies a template and fills it': {
    data: 'aip.file.copy("notes/b.md", "work/b.md")\naip.file.append("work/b.md", "!")\nreturn aip.file.load("work/b.md").content',
    says: 'b!',
  },
  'makes sure that a file exists': {
    beforeAll: 'aip.file.ensure_exists("prompts/style.md", "Be brief.")',
    data: 'return aip.file.load("prompts/style.md").content',
    says: 'Be brief.',
  },
  'makes a folder before it lists it': {
    data: 'aip.file.ensure_dir("drafts/today")\nreturn tostring(aip.path.is_dir("drafts/today")) .. #aip.file.list("drafts/**/*")',
    says: 'true0',
    effects: ['write drafts/today/'],
  },
  'adds rows to a table': {
    data: 'aip.file.append_csv_row("data/items.csv", {"Eve", 3})\nlocal c = aip.file.load_csv("data/items.csv")\nreturn c.rows[3][1] .. #c.rows',
    says: 'Eve3',
  },
  'saves records as a table': {
    data: 'aip.file.save_records_as_csv("data/new.csv", {{a = 1, b = 2}}, {"a", "b"})\nreturn aip.file.load("data/new.csv").content',
    says: 'a,b\n1,2\n',
  },
  'counts in a state file': {
    beforeAll:
      'local s = aip.file.load_json("data/state.json")\ns.count = s.count + 1\naip.file.save("data/state.json", aip.json.stringify(s))',
    data: 'return aip.file.load_json("data/state.json").count',
    says: '3',
  },
  'writes lines of JSON': {
    data: 'aip.file.append_json_line("out/log.ndjson", {a = 1})\naip.file.append_json_lines("out/log.ndjson", {{a = 2}, {a = 3}})\nreturn #aip.file.load_ndjson("out/log.ndjson")',
    says: '3',
  },
  'keeps drafts among its temporary files': {
    beforeAll: 'aip.file.save("$tmp/draft.md", "a draft")',
    data: 'return aip.file.load("$tmp/draft.md").content',
    says: 'a draft',
  },
  'finds by hash whether a file has changed': {
    data: 'local was = aip.file.hash_sha256("notes/b.md")\naip.file.save("notes/b.md", "changed")\nreturn tostring(was == aip.file.hash_sha256("notes/b.md"))',
    says: 'false',
  },
  'sums up what it has written': {
    data: 'aip.file.save("out/a.txt", "12345")\nlocal s = aip.file.stats("out/*.txt")\nreturn s.number_of_files .. ":" .. s.total_size .. ":" .. aip.file.info("out/a.txt").size',
    says: '1:5:5',
  },
  'reads lines of a file by their place': {
    data: 'aip.file.save("out/lines.txt", "one\\ntwo\\n")\nlocal s = aip.file.line_spans("out/lines.txt")\nreturn aip.file.read_span("out/lines.txt", s[2].start, s[2]["end"])',
    says: 'two',
  },
  'applies changes to a file': {
    data: 'aip.file.save_changes("src/main.rs", "<<<<<<< SEARCH\\nfn main() {}\\n=======\\nfn start() {}\\n>>>>>>> REPLACE")\nreturn aip.file.load("src/main.rs").content',
    says: 'fn start() {}\n',
  },
  'packs and unpacks an archive': {
    data: 'aip.file.save("notes/z.md", "zipped")\naip.zip.create("notes", "out/notes.zip")\naip.zip.extract("out/notes.zip", "out/again")\nreturn aip.file.load("out/again/z.md").content .. #aip.zip.list("out/notes.zip")',
    says: 'zipped3',
  },
  'writes a module and loads it': {
    data: 'aip.file.save("lua/made.lua", "return { word = \\"made\\" }")\nreturn require("made").word .. " " .. require("kept").word',
    says: 'made kept',
  },
  'turns a page into markdown': {
    data: 'aip.file.save("page.html", "<h1>Title</h1>")\naip.file.save_html_to_md("page.html", "page.md")\nreturn aip.file.load("page.md").content',
    says: '# Title',
  },
  'writes through a link to a folder': {
    data: 'aip.file.save("way/l.md", "linked")\nreturn aip.file.load("notes/l.md").content',
    says: 'linked',
    effects: ['write notes/l.md'],
  },
  'replaces a link by a file': {
    data: 'aip.file.delete("latest")\naip.file.save("latest", "mine")\nreturn aip.file.load("latest").content .. aip.file.load("log.txt").content',
    says: 'mineold\n',
  },
  'sets pins and labels': {
    beforeAll: 'aip.run.pin("status", 0, "working")\naip.run.set_label("first")',
    data: 'aip.task.pin("note", "a note")\naip.task.set_label(input)\nreturn input',
    says: 'x',
  },
  'runs a command whose output it does not need': {
    beforeAll: 'aip.cmd.exec("cargo", {"fmt"})',
    data: 'local r = aip.cmd.exec("git", {"diff", "--stat"})\nreturn "diff:" .. r.stdout .. r.exit',
    says: 'diff:0',
    effects: ['command cargo fmt', 'command git diff --stat'],
  },
  'restores a file with git': {
    data: 'aip.git.restore("src/main.rs")\nreturn aip.file.load("src/main.rs").content',
    says: 'fn main() {}\n',
    effects: ['command git restore src/main.rs'],
  },
  'fetches a page': {
    data: 'local r = aip.web.get(URL)\nreturn tostring(r.success) .. r.status .. r.content',
    says: 'true200',
    effects: ['web GET URL'],
  },
  'posts what it has found': {
    data: 'aip.web.post(URL, { text = input })\nreturn "posted"',
    says: 'posted',
    effects: ['web POST URL'],
  },
  'opens a file in an editor': {
    data: 'aip.file.save("out/edit.md", "e")\naip.editor.open_file("out/edit.md")\nreturn "opened"',
    says: 'opened',
  },
  'has another agent do a part': {
    beforeAll: 'local r = aip.agent.run("sub/collect.aip", { inputs = {"a", "b"} })\nreturn r.outputs[2].got',
    data: 'return before_all .. " " .. aip.file.load("collected.txt").content',
    says: 'b a;b;',
    effects: ['write collected.txt'],
  },
  'calls an agent that has After All': {
    data: 'return aip.agent.run("sub/after.aip", { inputs = {input} }).after_all',
    says: 'all',
  },
  'calls an agent that asks a model': {
    data: 'local r = aip.agent.run("sub/ask.aip", { inputs = {input} })\nreturn "asked " .. tostring(r ~= nil)',
    says: 'asked true',
    effects: ['model sub-model (sub/ask.aip)'],
  },
  'chooses its inputs among files that it has written': {
    beforeAll:
      'for _, n in ipairs({"p", "q"}) do aip.file.save("jobs/" .. n .. ".txt", n) end\nreturn aip.flow.before_all_response({ inputs = aip.file.list("jobs/*.txt") })',
    data: 'return input.path .. aip.file.load(input.path).content',
    says: 'jobs/p.txtp',
  },
  'attaches a file that it has written': {
    data: 'aip.file.save("out/pic.txt", "pixels")\nreturn aip.flow.data_response({ data = "see", attachments = {{ file_source = "out/pic.txt" }} })',
    says: 'see',
  },
  'keeps its memory in the folder of its pack': {
    agent: 'team@kit',
    says: 'none+',
  },
};

function textOf({ beforeAll: before, data, prompt = '{{data}}' }: Case): string {
  const scripts = { 'Before All': before, Data: data };
  const sections = Object.entries(scripts).map(([name, code]) =>
    code === undefined ? '' : scriptSection(name as 'Data', code.replaceAll('URL', JSON.stringify(url))),
  );
  return `# Options\n\`\`\`toml\nmodel = "a-model"\n\`\`\`\n${sections.join('')}# User\n${prompt}\n`;
}

test.each(Object.entries(cases))('13.13 a preview shows the prompt of an agent that %s', async (_name, one) => {
  const before = hashOfAll();
  if (one.agent === undefined) writeFileSync(path.join(workspace, 'agent.aip'), textOf(one));
  const preview = await engine.previewAgent({ agent: one.agent ?? 'agent.aip', inputs: ['x'], index: 0 });
  expect(preview.error?.message).toBeUndefined();
  expect(preview.messages.at(-1)?.content).toBe(`${one.says}\n`);
  const effects = preview.effects.map(({ effect, target }) => `${effect} ${target.replace(url, 'URL')}`);
  expect(effects).toEqual(expect.arrayContaining([...(one.effects ?? [])]));
  expect(hashOfAll()).toBe(before);
  expect(hits).toBe(0);
});
