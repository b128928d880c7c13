/**
 * `aip.shape`: converts between records, rows and columns. Written in Lua so that all values, including functions, are
 * preserved, and because some functions change their caller's tables.
 */
import type { ApiModule, LuaFunction } from '../api-module.ts';

/**
 * Lua fragments from which the functions are composed. Every script compiles all functions in its own interpreter, so
 * each function includes only the fragments it needs. `fail` reports the script's line, so only code that a function
 * calls directly may call it.
 */
const parts = {
  fail: `local function fail(text) error(name .. " - " .. text, 4) end
    local function kind(value)
      if value == null then return "null" end
      return math.type(value) == "float" and "number" or math.type(value) or type(value)
    end`,
  need: `local function need(value, what)
      if type(value) ~= "table" then fail(what .. " must be a table. Found '" .. kind(value) .. "'") end
    end`,
  need_strings: `local function need_strings(list, what)
      if type(list) ~= "table" then fail(what .. " must be a table. Found '" .. kind(list) .. "'") end
      for index, value in ipairs(list) do
        if type(value) ~= "string" then
          fail(what .. " must be strings. Found '" .. kind(value) .. "' at index " .. index)
        end
      end
    end`,
  need_rows: `local function need_rows(list, what, text)
      if type(list) ~= "table" then fail(what .. " must be a table. Found '" .. kind(list) .. "'") end
      for _, row in ipairs(list) do
        if type(row) ~= "table" then fail(text .. " Found '" .. kind(row) .. "'") end
      end
    end`,
  need_key: `local function need_key(key, text)
      if type(key) ~= "string" then fail(text .. " '" .. kind(key) .. "'") end
    end`,
  need_column: `local function need_column(key, column, count, expected)
      if type(column) ~= "table" then
        fail("Each column must be a table (list). Column '" .. key .. "' was '" .. kind(column) .. "'")
      end
      if expected and count ~= expected then
        fail("All columns must have the same length. Column '" .. key .. "' has length " .. count
          .. ", expected " .. expected)
      end
    end`,
  length: `local function length(list)
      local count = 0
      if type(list) == "table" then for index in ipairs(list) do count = index end end
      return count
    end`,
  record_of: `local function record_of(names, values)
      local record = {}
      for index, key in ipairs(names) do
        if values[index] == nil then break end
        record[key] = values[index]
      end
      return record
    end`,
  values_of: `local function values_of(record, names)
      local values = {}
      for index, key in ipairs(names) do
        local value = record[key]
        if value == nil then value = null end
        values[index] = value
      end
      return values
    end`,
  sorted_keys: `local function sorted_keys(record)
      local keys = {}
      for key in pairs(record) do if type(key) == "string" then keys[#keys + 1] = key end end
      table.sort(keys)
      return keys
    end`,
};

/** @param lua source of the function, which may use the fragments by name */
function shaping(info: Omit<LuaFunction, 'lua'>, lua: string): LuaFunction {
  const used = Object.entries(parts).filter(([name]) => name === 'fail' || lua.includes(`${name}(`));
  const whole = `(function(name, null) ${used.map(([, part]) => part).join(' ')} return ${lua} end)`;
  return { ...info, lua: `${whole}("aip.shape.${info.name}", null)`.replaceAll(/\s+/g, ' ') };
}

const rows: readonly LuaFunction[] = [
  shaping(
    {
      name: 'to_record',
      signature: 'to_record(names: string[], values: any[]) -> table',
      summary:
        'Returns a table that maps each name to the value at the same position. Stops at the end of the shorter list. Raises an error if a name is not a string.',
    },
    `function(names, values)
      need_strings(names, "Column names")
      need(values, "Values")
      return record_of(names, values)
    end`,
  ),
  shaping(
    {
      name: 'to_records',
      signature: 'to_records(names: string[], rows: any[][]) -> table[]',
      summary: 'Like `to_record`, for each row. Raises an error if a name is not a string or a row is not a table.',
    },
    `function(names, rows)
      need_strings(names, "Column names")
      need_rows(rows, "Rows", "Each row must be a table (list).")
      local records = {}
      for index, row in ipairs(rows) do records[index] = record_of(names, row) end
      return records
    end`,
  ),
  shaping(
    {
      name: 'record_to_values',
      signature: 'record_to_values(record: table, names?: string[]) -> any[]',
      summary:
        'Returns the values of the named fields in the given order, with `null` for missing fields. Without `names`, returns the values of all string keys in alphabetical order.',
    },
    `function(record, names)
      need(record, "Record")
      if names == nil or names == null then return values_of(record, sorted_keys(record)) end
      need_strings(names, "Column names")
      return values_of(record, names)
    end`,
  ),
  shaping(
    {
      name: 'records_to_value_lists',
      signature: 'records_to_value_lists(records: table[], names: string[]) -> any[][]',
      summary: "Returns each record's values of the named fields, with `null` for missing fields.",
    },
    `function(records, names)
      need_rows(records, "Records", "Each record must be a table.")
      need_strings(names, "Column names")
      local lists = {}
      for index, record in ipairs(records) do lists[index] = values_of(record, names) end
      return lists
    end`,
  ),
];

const columns: readonly LuaFunction[] = [
  shaping(
    {
      name: 'columnar_to_records',
      signature: 'columnar_to_records(columns: { [string]: any[] }) -> table[]',
      summary: 'Converts a table of columns to one record per row. Raises an error if the columns differ in length.',
    },
    `function(columns)
      need(columns, "Columns")
      for key in pairs(columns) do need_key(key, "Column keys must be strings. Found") end
      local keys, rows = sorted_keys(columns), nil
      for _, key in ipairs(keys) do
        local count = length(columns[key])
        need_column(key, columns[key], count, rows)
        rows = count
      end
      local records = {}
      for index = 1, rows or 0 do
        local record = {}
        for _, key in ipairs(keys) do record[key] = columns[key][index] end
        records[index] = record
      end
      return records
    end`,
  ),
  shaping(
    {
      name: 'records_to_columnar',
      signature: 'records_to_columnar(records: table[]) -> { [string]: any[] }',
      summary:
        'Returns a list of values for each key that all records contain. Raises an error if a key is not a string.',
    },
    `function(records)
      need_rows(records, "Records", "Each record must be a table.")
      for _, record in ipairs(records) do
        for key in pairs(record) do need_key(key, "Record keys must be strings. Found key of type") end
      end
      local columns = {}
      for key in pairs(records[1] or {}) do
        local column = {}
        for index, record in ipairs(records) do column[index] = record[key] end
        if length(column) == length(records) then columns[key] = column end
      end
      return columns
    end`,
  ),
];

const keys: readonly LuaFunction[] = [
  shaping(
    {
      name: 'select_keys',
      signature: 'select_keys(record: table, keys: string[]) -> table',
      summary: 'Returns a new table with only these keys. Ignores missing keys.',
    },
    `function(record, keys)
      need(record, "Record")
      need_strings(keys, "Key names")
      local selected = {}
      for _, key in ipairs(keys) do selected[key] = record[key] end
      return selected
    end`,
  ),
  shaping(
    {
      name: 'omit_keys',
      signature: 'omit_keys(record: table, keys: string[]) -> table',
      summary: 'Returns a new table without these keys.',
    },
    `function(record, keys)
      need(record, "Record")
      need_strings(keys, "Key names")
      local rest = {}
      for key, value in pairs(record) do rest[key] = value end
      for _, key in ipairs(keys) do rest[key] = nil end
      return rest
    end`,
  ),
  shaping(
    {
      name: 'remove_keys',
      signature: 'remove_keys(record: table, keys: string[]) -> integer',
      summary: 'Removes these keys from the table itself and returns the number of keys removed.',
    },
    `function(record, keys)
      need(record, "Record")
      need_strings(keys, "Key names")
      local removed = 0
      for _, key in ipairs(keys) do
        if record[key] ~= nil then
          record[key] = nil
          removed = removed + 1
        end
      end
      return removed
    end`,
  ),
  shaping(
    {
      name: 'extract_keys',
      signature: 'extract_keys(record: table, keys: string[]) -> table',
      summary: 'Removes these keys from the table itself and returns them with their values in a new table.',
    },
    `function(record, keys)
      need(record, "Record")
      need_strings(keys, "Key names")
      local taken = {}
      for _, key in ipairs(keys) do
        if record[key] ~= nil then
          taken[key] = record[key]
          record[key] = nil
        end
      end
      return taken
    end`,
  ),
];

export const shapeApi: ApiModule = {
  name: 'shape',
  summary: 'Converts between records, rows and columns, and selects or removes record keys.',
  members: [...rows, ...columns, ...keys],
};
