import { describe, expect, test } from 'vitest';
import { runLua } from '../../../testing/run-lua.ts';

/** Returns the result of a call, or the message that it raises. */
function shape(call: string): Promise<unknown> {
  return runLua(`local ok, result = pcall(function() return aip.shape.${call} end)
    return ok and result or tostring(result):gsub("^test%.aip:%d+: ", "")`);
}

describe('rows', () => {
  test('converts rows to records, limited to the names and values present', async () => {
    expect(await shape('to_record({"id", "name", "mail"}, {1, "Alice"})')).toEqual({ id: 1, name: 'Alice' });
    expect(await shape('to_records({"id"}, {{1, "x"}, {2}, {}})')).toEqual([{ id: 1 }, { id: 2 }, {}]);
    expect(await shape('to_record({"a", "b"}, {null, 1.5})')).toEqual({ a: null, b: 1.5 });
  });

  test('converts records to rows in the order of the names, or alphabetically', async () => {
    const record = '{ id = 1, name = "Alice", email = "a@x" }';
    expect(await shape(`record_to_values(${record})`)).toEqual(['a@x', 1, 'Alice']);
    expect(await shape(`record_to_values(${record}, {"name", "none", "id"})`)).toEqual(['Alice', null, 1]);
    expect(await shape(`records_to_value_lists({${record}, {}}, {"id", "name"})`)).toEqual([
      [1, 'Alice'],
      [null, null],
    ]);
  });

  test('rejects invalid rows and names', async () => {
    expect(await shape('to_record({"a", 2}, {})')).toBe(
      "aip.shape.to_record - Column names must be strings. Found 'integer' at index 2",
    );
    expect(await shape('to_record(nil, {})')).toBe("aip.shape.to_record - Column names must be a table. Found 'nil'");
    expect(await shape('to_records({}, {1.5})')).toBe(
      "aip.shape.to_records - Each row must be a table (list). Found 'number'",
    );
    expect(await shape('record_to_values({}, {true})')).toBe(
      "aip.shape.record_to_values - Column names must be strings. Found 'boolean' at index 1",
    );
    expect(await shape('records_to_value_lists({null}, {})')).toBe(
      "aip.shape.records_to_value_lists - Each record must be a table. Found 'null'",
    );
  });
});

describe('columns', () => {
  test('converts columns to records and back', async () => {
    expect(await shape('columnar_to_records({ id = {1, 2}, name = {"a", "b"} })')).toEqual([
      { id: 1, name: 'a' },
      { id: 2, name: 'b' },
    ]);
    expect(await shape('records_to_columnar({{ id = 1, x = 1 }, { id = 2 }, { id = 3, x = 3 }})')).toEqual({
      id: [1, 2, 3],
    });
    expect(await runLua('return #aip.shape.columnar_to_records({}), next(aip.shape.records_to_columnar({}))')).toBe(0);
  });

  test('rejects columns that do not match', async () => {
    expect(await shape('columnar_to_records({ a = {1, 2}, b = {1} })')).toBe(
      "aip.shape.columnar_to_records - All columns must have the same length. Column 'b' has length 1, expected 2",
    );
    expect(await shape('columnar_to_records({ {1} })')).toBe(
      "aip.shape.columnar_to_records - Column keys must be strings. Found 'integer'",
    );
    expect(await shape('columnar_to_records({ a = 1 })')).toBe(
      "aip.shape.columnar_to_records - Each column must be a table (list). Column 'a' was 'integer'",
    );
    expect(await shape('records_to_columnar({ {1} })')).toBe(
      "aip.shape.records_to_columnar - Record keys must be strings. Found key of type 'integer'",
    );
  });
});

describe('keys', () => {
  test('select_keys and omit_keys return new tables', async () => {
    const record = '{ id = 1, name = "Alice", f = 2 }';
    expect(await shape(`select_keys(${record}, {"id", "none"})`)).toEqual({ id: 1 });
    expect(await shape(`omit_keys(${record}, {"id", "none"})`)).toEqual({ name: 'Alice', f: 2 });
  });

  test('remove_keys and extract_keys change the table itself', async () => {
    const lua = `local rec = { id = 1, name = "Alice", email = "a", role = "r" }
      local n = aip.shape.remove_keys(rec, { "email", "none" })
      local taken = aip.shape.extract_keys(rec, { "id", "none" })
      return { n = n, taken = taken, rec = rec }`;
    expect(await runLua(lua)).toEqual({ n: 1, taken: { id: 1 }, rec: { name: 'Alice', role: 'r' } });
  });

  test('values stay the same functions and tables', async () => {
    const lua = `local inner = {}
      local rec = { f = function() return 7 end, t = inner }
      local out = aip.shape.select_keys(rec, { "f", "t" })
      return out.f() == 7 and out.t == inner`;
    expect(await runLua(lua)).toBe(true);
  });

  test('rejects keys that are not strings and records that are not tables', async () => {
    expect(await shape('select_keys({}, {"a", 1})')).toBe(
      "aip.shape.select_keys - Key names must be strings. Found 'integer' at index 2",
    );
    expect(await shape('remove_keys("x", {})')).toBe("aip.shape.remove_keys - Record must be a table. Found 'string'");
    expect(await shape('omit_keys({}, nil)')).toBe("aip.shape.omit_keys - Key names must be a table. Found 'nil'");
  });

  test('errors name the line of the script', async () => {
    await expect(runLua('\n\nlocal x = aip.shape.extract_keys(1, {})')).rejects.toThrow(/test\.aip:3: aip\.shape\./);
  });
});
