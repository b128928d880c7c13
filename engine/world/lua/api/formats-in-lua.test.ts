import { expect, test } from 'vitest';
import { runLua } from '../../../testing/run-lua.ts';

test('aip.text works in Lua and returns nil for nil', async () => {
  const code = `
    local before, after = aip.text.split_first("a==b", "==")
    local whole, none = aip.text.split_first("ab", "==")
    local blocks, rest = aip.text.extract_line_blocks("> a\\nb", { starts_with = ">", extrude = "content" })
    return {
      before, after, whole, none == nil, aip.text.trim(nil) == nil, aip.text.trim("  é  "),
      aip.text.format_size(8777), aip.text.format_size(5242880, { trim = true }), blocks[1], rest,
      aip.text.ensure("x", {}), select("#", aip.text.trim("x")),
    }`;
  expect(await runLua(code)).toEqual([
    ...['a', 'b', 'ab', true, true, 'é', '  8.78 KB', '5.24 MB', '> a\n', 'b\n', 'x', 1],
  ]);
});

test('aip.json works in Lua and distinguishes lists, tables and null', async () => {
  const code = `
    local value = aip.json.parse("{ list: [1, null, 2.5], none: [], /* x */ big: 9007199254740991, }")
    local ok, message = pcall(aip.json.parse, "[1")
    return {
      text = aip.json.stringify(value), isNull = value.list[2] == null, count = #value.list,
      kinds = { math.type(value.list[1]), math.type(value.list[3]), math.type(value.big) },
      ok = ok, message = tostring(message), empty = aip.json.stringify({}), holes = aip.json.stringify({ 1, nil, 3 }),
      nothing = aip.json.parse("") == nil, lines = #aip.json.parse_ndjson("1\\n2\\n"),
    }`;
  expect(await runLua(code)).toEqual({
    text: '{"big":9007199254740991,"list":[1,null,2.5],"none":[]}',
    isNull: true,
    count: 3,
    kinds: ['integer', 'float', 'integer'],
    ok: false,
    message: expect.stringContaining('aip.json.parse failed. Fail to parse json.\nCause: '),
    empty: '[]',
    holes: '{"1":1,"3":3}',
    nothing: true,
    lines: 2,
  });
});

test('aip.json rejects values that JSON does not have', async () => {
  await expect(runLua('return aip.json.stringify({ f = print })')).rejects.toThrow('function');
  await expect(runLua('return aip.json.stringify({ 0/0 })')).rejects.toThrow('NaN');
});

test('aip.toml and aip.yaml work in Lua', async () => {
  const code = `
    local docs = aip.yaml.parse("a: 1\\n---\\n- x\\n")
    return {
      aip.toml.parse("[t]\\nl = [1, 2]").t.l[2], aip.toml.stringify({ t = { n = 1.5 } }), aip.toml.stringify({}),
      docs[1].a, docs[2][1], aip.yaml.stringify({ a = { 1, 2 } }), aip.yaml.stringify_multi_docs({ 1, 2 }),
      aip.yaml.parse(nil) == nil, aip.yaml.parse("x: .nan")[1].x ~= 0,
    }`;
  expect(await runLua(code)).toEqual([
    ...[2, '[t]\nn = 1.5\n', '', 1, 'x', 'a:\n- 1\n- 2\n', '1\n---\n2\n', true, true],
  ]);
});

test('aip.csv works in Lua', async () => {
  const code = `
    local content = aip.csv.parse("ID,Name\\n1,\\"a, b\\"\\n", { header_labels = { id = "ID" } })
    return {
      content._type, content.headers, content.rows[1], aip.csv.parse_row("a;b", { delimiter = ";" }),
      aip.csv.values_to_row({ "a", 1, true, null, { b = 1 } }), aip.csv.value_lists_to_rows({ { 1 }, {} }),
      #aip.csv.parse("", { has_header = false }).headers,
    }`;
  expect(await runLua(code)).toEqual([
    'CsvContent',
    ['id', 'Name'],
    ['1', 'a, b'],
    ['a', 'b'],
    'a,1,true,,"{""b"":1}"',
    ['1', ''],
    0,
  ]);
});

test('aip.tag works in Lua', async () => {
  const code = `
    local text = "x <A p=1>one</A> <B/> <A>two</A>"
    local list, rest = aip.tag.extract(text, { "A", "B" }, { extrude = "content" })
    local last = aip.tag.extract_as_map(text, "A").A
    return { list, rest, last.content, last.attrs == nil, #aip.tag.extract_as_multi_map(text, "A").A }`;
  expect(await runLua(code)).toEqual([
    [
      { tag: 'A', attrs: { p: '1' }, content: 'one' },
      { tag: 'B', content: '' },
      { tag: 'A', content: 'two' },
    ],
    'x   ',
    'two',
    true,
    2,
  ]);
});

test('aip.md works in Lua', async () => {
  const code = `
    local meta, rest = aip.md.extract_meta("a\\n\`\`\`toml\\n#!meta\\nx = 1\\n\`\`\`\\nb")
    local block = aip.md.extract_blocks("\`\`\`lua\\nx\\n\`\`\`", "lua")[1]
    local ref = aip.md.extract_refs("![](i.png)")[1]
    local none, nothing = aip.md.extract_meta(nil)
    return {
      meta.x, rest, block.lang, block.content, ref.kind, ref.inline, ref.text == nil, none == nil and nothing == nil,
      aip.md.outer_block_content_or_raw("\`\`\`\\ny\\n\`\`\`"),
    }`;
  expect(await runLua(code)).toEqual([1, 'a\nb', 'lua', 'x\n', 'File', true, true, true, 'y\n']);
});
