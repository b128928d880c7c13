import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { PDFDocument } from '@cantoo/pdf-lib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import { runLua } from '../../testing/run-lua.ts';
import { createScriptHost } from './script-host.ts';
import { createTestWorld, type TestWorld } from './testing/test-world.ts';

let at: TestWorld;
beforeEach(() => {
  at = createTestWorld();
});
afterEach(() => at.end());

function lua(code: string, globals: JsonMap = {}): Promise<JsonValue> {
  return runLua(code, { host: createScriptHost(at.world, at.scope), globals });
}

function write(path: string, content: string | Uint8Array): void {
  at.folder.write(`workspace/${path}`, content);
}

function read(path: string): string {
  return readFileSync(at.folder.at(`workspace/${path}`), 'utf8');
}

describe('reading', () => {
  test('reads JSON, JSON lines, TOML and YAML', async () => {
    write('a.json', '{ a: 1, /* c */ }');
    write('a.ndjson', '{"a":1}\n\n[2]\n');
    write('a.toml', 'a = 1\n[b]\nc = "d"\n');
    write('a.yaml', 'a: 1\n---\n- 2\n');
    const code =
      'return { aip.file.load_json("a.json"), aip.file.load_ndjson("a.ndjson"), aip.file.load_toml("a.toml"), aip.file.load_yaml("a.yaml") }';
    expect(await lua(code)).toEqual([{ a: 1 }, [{ a: 1 }, [2]], { a: 1, b: { c: 'd' } }, [{ a: 1 }, [2]]]);
  });

  test.each(['json', 'ndjson', 'toml', 'yaml'])('invalid %s is reported with the file name', async (format) => {
    write(`bad.${format}`, '{ "a": [ }');
    await expect(lua(`return aip.file.load_${format}("bad.${format}")`)).rejects.toThrow(
      `aip.file.load_${format} - Failed to read 'bad.${format}'`,
    );
  });

  test('reads each requested section of markdown, including adjacent ones', async () => {
    write('a.md', 'before\n# One\n1\n## Sub\ns\n# Two\n2\n');
    const code = `local out = {}
      for i, s in ipairs(aip.file.load_md_sections("a.md", { "# One", "# Two" })) do out[i] = s.heading_name .. "|" .. s.content end
      local split = aip.file.load_md_split_first("a.md")
      return { out, #aip.file.load_md_sections("a.md"), split.before, split.first.content }`;
    expect(await lua(code)).toEqual([['One|1\n## Sub\ns\n', 'Two|2\n'], 4, '', 'before\n']);
    expect(await lua('return (pcall(aip.file.load_md_sections, "a.md", "no heading"))')).toBe(false);
  });

  test('reads CSV with its header', async () => {
    write('a.csv', 'x;y\n1;"a;b"\n');
    const code =
      'return { aip.file.load_csv_headers("a.csv"), aip.file.load_csv("a.csv", { delimiter = ";" }), aip.file.load_csv("a.csv", { has_header = false }).rows[1] }';
    expect(await lua(code)).toEqual([
      ['x;y'],
      { _type: 'CsvContent', headers: ['x', 'y'], rows: [['1', 'a;b']] },
      ['x;y'],
    ]);
  });
});

describe('writing CSV', () => {
  test('writes rows, tables and records, and appends rows', async () => {
    const code = `aip.file.save_as_csv("m.csv", { { "a", "b" }, { 1, null } })
      aip.file.save_as_csv("h.csv", { headers = { "a", "b" }, rows = { { true, { 1, 2 } } } })
      aip.file.save_as_csv("k.csv", { { "k" }, { "v" } }, { has_header = true, skip_header_row = true })
      local info = aip.file.save_records_as_csv("./r.csv", { { b = 2, a = "x,y" }, { a = "z" } }, { "a", "b" })
      aip.file.append_csv_rows("r.csv", { { 3, 4 }, { "five", 6 } }) aip.file.append_csv_row("r.csv", { 7, 8 })
      return { info.path, info.name }`;
    expect(await lua(code)).toEqual(['./r.csv', 'r.csv']);
    expect(['m.csv', 'h.csv', 'k.csv', 'r.csv'].map(read)).toEqual([
      'a,b\n1,\n',
      'a,b\ntrue,"[1,2]"\n',
      'v\n',
      'a,b\n"x,y",2\nz,\n3,4\nfive,6\n7,8\n',
    ]);
  });

  test.each([
    'save_as_csv("x", 3)',
    'save_as_csv("x", { 1 })',
    'save_records_as_csv("x", { 1 }, { "a" })',
    'append_csv_row("x", 1)',
  ])('%s raises an error', async (call) => {
    expect(await lua(`return (pcall(function() aip.file.${call} end))`)).toBe(false);
    expect(existsSync(at.folder.at('workspace/x'))).toBe(false);
  });
});

test('writes JSON lines', async () => {
  await lua(
    'aip.file.append_json_line("a.jsonl", { a = { 1 } }) aip.file.append_json_lines("a.jsonl", { 1, "x", {} })',
  );
  expect(read('a.jsonl')).toBe('{"a":[1]}\n1\n"x"\n[]\n');
  expect(await lua('return (pcall(aip.file.append_json_lines, "a.jsonl", 3))')).toBe(false);
});

describe('HTML and documents', () => {
  const html = '<html><body><script>x()</script><h1 id="t">Tea</h1><p>Green <b>tea</b></p></body></html>';

  test('reads HTML slimmed and as markdown, and writes it next to its source or to the given path', async () => {
    write('p/a.html', html);
    const code = `local slim, md = aip.file.load_html_as_slim("p/a.html"), aip.file.load_html_as_md("p/a.html")
      return { slim:find("script") == nil, md, aip.file.load_html_as_md("p/a.html", { trim = false }) == md,
        aip.file.save_html_to_md("p/a.html").name, aip.file.save_html_to_slim("p/a.html").name,
        aip.file.save_html_to_md("p/a.html", "q/b.md").name,
        aip.file.save_html_to_md("p/a.html", { base_dir = "r", suffix = "-x", slim = true }).path,
        aip.file.save_html_to_slim("p/a.html", { file_name = "n.html" }).name,
        aip.file.save_html_to_slim("p/a.html", { base_dir = "r" }).path }`;
    expect(await lua(code)).toEqual([
      true,
      expect.stringMatching(/# Tea\n\nGreen \*\*tea\*\*/),
      true,
      'a.md',
      'a-slim.html',
      'b.md',
      'r/a-x.md',
      'n.html',
      'r/a.html',
    ]);
    expect(read('p/a.md')).toContain('# Tea');
    expect(read('p/n.html')).not.toContain('script');
  });

  test('checks the destination like any other path', async () => {
    write('a.html', html);
    write('a.pdf', await pdfOf(2));
    write('a.zip', '');
    mkdirSync(at.folder.at('workspace/src'));
    for (const call of [
      'file.save_html_to_md("a.html", "../x.md")',
      'file.save_html_to_slim("a.html", "../x.html")',
      'pdf.split_pages("a.pdf", "../pages")',
      'zip.create("src", "../x.zip")',
      'zip.extract("a.zip", "../x")',
    ]) {
      await expect(lua(`aip.${call}`)).rejects.toThrow('Save file protection');
    }
  });

  test('counts the pages of PDF files and splits them', async () => {
    write('in/a.pdf', await pdfOf(3));
    const code = `local out = {}
      for i, f in ipairs(aip.pdf.split_pages("in/a.pdf")) do out[i] = f.name end
      return { aip.pdf.page_count("in/a.pdf"), out, aip.pdf.page_count("in/a/a-page-0002.pdf"), #aip.pdf.split_pages("in/a.pdf", "o") }`;
    expect(await lua(code)).toEqual([3, ['a-page-0001.pdf', 'a-page-0002.pdf', 'a-page-0003.pdf'], 1, 3]);
    expect(existsSync(at.folder.at('workspace/o/a-page-0003.pdf'))).toBe(true);
  });

  test('reports a file that is not a document', async () => {
    write('a.docx', 'no document');
    for (const call of ['load_docx_as_md("a.docx")', 'save_docx_to_md("a.docx")']) {
      await expect(lua(`return aip.file.${call}`)).rejects.toMatchObject({
        details: { cause: { code: 'documents.unreadable' } },
      });
    }
  });
});

async function pdfOf(pages: number): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  for (let page = 0; page < pages; page += 1) document.addPage();
  return await document.save();
}

describe('archives', () => {
  beforeEach(() => {
    write('src/a.md', 'a');
    write('src/sub/b.txt', 'b');
  });

  test('creates, lists, reads and unpacks archives', async () => {
    const code = `local made = aip.zip.create("src") aip.zip.create("src", "out/md.zip", { globs = { "**/*.md" } })
      local names = {}
      for i, f in ipairs(aip.zip.extract("src.zip", "there")) do names[i] = f.path end
      return { made.name, aip.zip.list("src.zip"), aip.zip.list("out/md.zip"), aip.zip.read_text("src.zip", "sub/b.txt"),
        aip.zip.read_text("src.zip", "none") == nil, names, #aip.zip.extract("out/md.zip") }`;
    expect(await lua(code)).toEqual([
      'src.zip',
      ['a.md', 'sub/b.txt'],
      ['a.md'],
      'b',
      true,
      [at.folder.at('workspace/there/a.md'), at.folder.at('workspace/there/sub/b.txt')],
      1,
    ]);
    expect([read('there/sub/b.txt'), read('out/md/a.md')]).toEqual(['b', 'a']);
  });

  test('unpacks nothing where writing is not allowed', async () => {
    write('evil/.git/hooks/post-commit', 'x');
    mkdirSync(at.folder.at('workspace/.git/hooks'), { recursive: true });
    symlinkSync('.git', at.folder.at('workspace/harmless'));
    write('sly/harmless/hooks/post-commit', 'x');
    await lua('aip.zip.create("evil") aip.zip.create("sly")');
    for (const name of ['evil', 'sly']) {
      await expect(lua(`aip.zip.extract("${name}.zip", ".")`)).rejects.toThrow('protected-folder');
    }
    expect(existsSync(at.folder.at('workspace/.git/hooks/post-commit'))).toBe(false);
  });
});
