import { describe, expect, test } from 'vitest';
import { runLua } from '../../../testing/run-lua.ts';

const longest = '9223372036854775807';
const lowest = '-9223372036854775808';
const long = '9007199254740993';

/** Returns the result of `code`, which can read `text`. */
async function given(code: string, text: string): Promise<unknown> {
  return await runLua(code, { globals: { text } });
}

describe('64-bit integers keep their value', () => {
  test.each([longest, lowest, long, `-${long}`, '9007199254740992', '1000000000000000000'])(
    '%s is unchanged by JSON, TOML and YAML',
    async (digits) => {
      const code = `
        local function seen(value) return { math.type(value), tostring(value), value == ${digits === lowest ? 'math.mininteger' : digits} } end
        local json, toml, yaml = aip.json, aip.toml, aip.yaml
        local strict = json.parse_ndjson('{"n":' .. text .. '}\\n')[1].n
        local meta = aip.md.extract_meta("\`\`\`toml\\n#!meta\\nn = " .. text .. "\\n\`\`\`")
        local value = json.parse(text)
        return {
          seen = {
            seen(value), seen(json.parse('{ a: [' .. text .. '] }').a[1]), seen(strict), seen(toml.parse("n = " .. text).n),
            seen(yaml.parse("n: " .. text)[1].n), seen(yaml.parse("- " .. text)[1][1]), seen(meta.n),
          },
          texts = {
            json.stringify({ n = value }), json.stringify_pretty({ n = { value } }), json.stringify(value),
            toml.stringify({ n = value }), yaml.stringify({ n = value }),
            aip.csv.values_to_row({ value, { value } }), aip.csv.value_lists_to_rows({ { value } })[1],
            aip.text.trim(tostring(value)), aip.hbs.render("{{n}} {{l}}", { n = value, l = { value } }),
            aip.hbs.render("{{#if (gt n m)}}more{{else}}not more{{/if}}", { n = value, m = value - 1 }),
          },
        }`.replaceAll('\\`', '`');
      expect(await given(code, digits)).toEqual({
        seen: Array.from({ length: 7 }, () => ['integer', digits, true]),
        texts: [
          ...[`{"n":${digits}}`, `{\n  "n": [\n    ${digits}\n  ]\n}`, digits, `n = ${digits}\n`, `n: ${digits}\n`],
          ...[`${digits},[${digits}]`, digits, digits, `${digits} [${digits}]`],
          digits === lowest ? 'not more' : 'more',
        ],
      });
    },
  );

  test('64-bit integers are unchanged in files of each kind and in written text', async () => {
    const written: Record<string, string> = {};
    const info = {
      _type: 'FileInfo',
      path: 'f',
      dir: '',
      name: 'f',
      stem: 'f',
      ext: '',
      is_likely_text: true,
    } as const;
    const contents: Record<string, string> = {
      'a.json': `{"n": ${longest}}`,
      'a.ndjson': `{"n": ${longest}}\n`,
      'a.toml': `n = ${longest}`,
      'a.yaml': `n: ${longest}`,
    };
    const code = `
      local f = aip.file
      local n = f.load_json("a.json").n
      f.append_json_line("line", { n = n })
      f.append_json_lines("lines", { n, { n } })
      f.save_as_csv("csv", { { n, 3.0 } })
      f.save_records_as_csv("records", { { n = n } }, { "n" })
      f.append_csv_row("row", { n })
      f.save("text", n)
      return { n == math.maxinteger, f.load_ndjson("a.ndjson")[1].n == n, f.load_toml("a.toml").n == n, f.load_yaml("a.yaml")[1].n == n }`;
    const result = await runLua(code, {
      host: {
        'file.readText': ({ path }) => Promise.resolve({ text: contents[path] ?? '', info }),
        'file.write': ({ path, content }) => {
          written[path] = content;
          return Promise.resolve({ info });
        },
      },
    });
    expect(result).toEqual([true, true, true, true]);
    expect(written).toEqual({
      line: `{"n":${longest}}\n`,
      lines: `${longest}\n{"n":${longest}}\n`.replace(`{"n":${longest}}`, `[${longest}]`),
      csv: `${longest},3.0\n`,
      records: `n\n${longest}\n`,
      row: `${longest}\n`,
      text: longest,
    });
  });

  test('64-bit integers are unchanged in responses and request bodies of web servers', async () => {
    const bodies: (string | undefined)[] = [];
    const code = `
      local answer = aip.web.post("http://x.example", { n = math.maxinteger, f = 3.0 }, { parse = true })
      return { tostring(answer.content.n), math.type(answer.content.f), aip.web.get("http://x.example/long", { parse = true }).content.n }`;
    const result = await runLua(code, {
      host: {
        'web.request': ({ url, body }) => {
          bodies.push(body);
          const text = url.endsWith('long') ? '{"n":92233720368547758070}' : (body ?? '');
          return Promise.resolve({ status: 200, url, text, headers: { 'content-type': 'application/json' } });
        },
      },
    });
    expect(result).toEqual([longest, 'float', '92233720368547758070']);
    expect(bodies[0]).toBe(`{"f":3.0,"n":${longest}}`);
  });

  test('longer integers become text in JSON and are rejected in TOML and YAML', async () => {
    for (const digits of [
      '9223372036854775808',
      '-9223372036854775809',
      '18446744073709551615',
      '123456789012345678901',
    ]) {
      const code = `
        local function problem(...) local ok, message = pcall(...) return not ok and tostring(message) or "none" end
        return {
          aip.json.parse('{"a": 1,\\n"n": ' .. text .. '}').n, aip.json.parse_ndjson(text)[1],
          problem(aip.toml.parse, "n = " .. text), problem(aip.yaml.parse, "n: " .. text),
        }`;
      const problem = expect.stringContaining(`contains the number ${digits}, which would be rounded`);
      expect(await given(code, digits)).toEqual([digits, digits, problem, problem]);
    }
  });
});

test('numbers too large for a float become text in JSON, never infinity', async () => {
  for (const text of ['1e400', '-1e400', `1${'0'.repeat(400)}`]) {
    expect(await given('return aip.json.parse(text)', text)).toBe(text);
    expect(await given('return aip.json.parse_ndjson(text)', text)).toEqual([text]);
  }
});

describe('floats without a fraction stay floats', () => {
  test.each(['3.0', '-3.0', '0.0', '1e3', '100000000000000000000.0', '1e300'])('%s stays a float', async (text) => {
    const code = `
      local value = aip.json.parse(text)
      local function kind(one) return math.type(one) == "float" and one == value end
      return {
        kind(value), kind(aip.json.parse_ndjson(text)[1]), kind(aip.toml.parse("n = " .. text).n), kind(aip.yaml.parse("n: " .. text)[1].n),
        kind(aip.json.parse(aip.json.stringify(value))), kind(aip.toml.parse(aip.toml.stringify({ n = value })).n),
        kind(aip.yaml.parse(aip.yaml.stringify({ n = { value } }))[1].n[1]), kind(aip.json.parse_ndjson(aip.json.stringify({ value }))[1][1]),
      }`;
    expect(await given(code, text)).toEqual(Array.from({ length: 8 }, () => true));
  });

  test('floats are written with a fraction', async () => {
    const code = `
      return {
        aip.json.stringify({ a = 3.0, b = 3, c = 10 / 2, d = -0.0, e = 0.5 }), aip.json.stringify_pretty({ 3.0, {} }),
        aip.toml.stringify({ a = 3.0, b = 3, l = { 1.0, 2 }, t = { f = -3.0 } }), aip.yaml.stringify({ a = 3.0, b = 3, c = -3.0 }),
        aip.csv.values_to_row({ 3.0, 3 }), aip.json.stringify(2.0 ^ 60), aip.hbs.render("{{n}}", { n = 3.0 }),
      }`;
    expect(await runLua(code)).toEqual([
      ...['{"a":3.0,"b":3,"c":5.0,"d":-0.0,"e":0.5}', '[\n  3.0,\n  []\n]'],
      ...['a = 3.0\nb = 3\nl = [1.0, 2]\n\n[t]\nf = -3.0\n', 'a: 3.0\nb: 3\nc: -3.0\n'],
      ...['3.0,3', '1.152921504606847e18', '3'],
    ]);
  });

  test('floats are printed with a fraction and accepted as integers where one is required', async () => {
    const lines: string[] = [];
    const code = `
      print(3.0, { n = 3.0 }, 3)
      return { aip.text.truncate("abcdef", 3.0), aip.text.format_size(5000.0), aip.text.trim("x") }`;
    const result = await runLua(code, {
      host: {
        log: ({ text }) => {
          lines.push(text);
          return Promise.resolve(null);
        },
      },
    });
    expect(lines).toEqual(['3.0\n{\n  n = 3.0\n}\n3']);
    expect(result).toEqual(['abc', '  5.00 KB', 'x']);
  });
});

describe('values that leave a script use the number types of JSON', () => {
  test('rejects an integer that would be rounded in the inputs of an agent', async () => {
    const code = 'aip.agent.run("x", { inputs = { 1, { id = math.maxinteger } } })';
    await expect(runLua(code)).rejects.toMatchObject({
      details: { cause: { code: 'json.unsafe-number' } },
      message: expect.stringContaining(
        'aip.agent.run - argument 2.inputs[2].id contains the number 9223372036854775807',
      ),
    });
  });

  test('pins and labels keep all digits', async () => {
    const pins: unknown[] = [];
    const host = {
      pin: (pin: unknown) => {
        pins.push(pin);
        return Promise.resolve(null);
      },
    };
    await runLua(
      'aip.run.pin("a", math.maxinteger) aip.run.pin("b", 2.0, { label = 3.0, content = math.mininteger })',
      { host },
    );
    expect(pins).toMatchObject([
      { iden: 'a', content: longest },
      { iden: 'b', priority: 2, label: '3.0', content: lowest },
    ]);
  });
});
