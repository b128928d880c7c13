/**
 * Restricts Lua's standard library for scripts: removes everything that accesses the outside, and adds a few globals.
 * Runs before `aip` is available.
 */

// Formats values as text for display. Keys are sorted with numbers first, because Lua does not preserve their order.

/** A Lua expression that evaluates to `dump(value) -> string`. Needs the global `null`. */
export const dumpFunction = `(function()
  local type, tostring, next, null = type, tostring, next, null
  local sort, concat, rep = table.sort, table.concat, string.rep
  local function is_before(a, b)
    if type(a) ~= type(b) then return type(a) < type(b) end
    if type(a) == "number" then return a < b end
    return tostring(a) < tostring(b)
  end
  local function sorted_keys(value)
    local keys = {}
    for key in next, value do keys[#keys + 1] = key end
    sort(keys, is_before)
    return keys
  end
  local dump
  local function dump_table(value, level, around)
    if next(value) == nil then return "{}" end
    if around[value] then return "<itself>" end
    around[value] = true
    local lines = {}
    for index, key in next, sorted_keys(value) do
      local name = type(key) == "string" and key or dump(key, 0, around)
      lines[index] = rep("  ", level + 1) .. name .. " = " .. dump(rawget(value, key), level + 1, around)
    end
    around[value] = nil
    return "{\\n" .. concat(lines, ",\\n") .. "\\n" .. rep("  ", level) .. "}"
  end
  function dump(value, level, around)
    if type(value) == "string" then return '"' .. value .. '"' end
    if type(value) == "table" then return dump_table(value, level, around) end
    if type(value) == "function" then return "<function>" end
    if type(value) == "thread" then return "<Thread>" end
    if value == null then return "NULL" end
    return tostring(value)
  end
  return function(value) return dump(value, 0, {}) end
end)()`;

/**
 * Called with the internal functions by name and the `null` sentinel. Returns the metatables of error values and of
 * `null`, a function that describes raised errors, and one that takes random integers as a seed.
 */
export const prelude = `
local native, null = ...
local raw_load = load

dofile, loadfile = nil, nil
string.dump = nil
debug = { traceback = debug.traceback }
os = { clock = native.clock, date = os.date, difftime = os.difftime, time = os.time }

function load(chunk, name, mode, ...)
  if mode ~= nil and mode ~= "t" and mode ~= "bt" then
    return nil, "attempt to load a binary chunk (only text can be loaded)"
  end
  return raw_load(chunk, name, "t", ...)
end

package = { loaded = {}, path = "", preload = {} }
for _, name in ipairs({ "_G", "coroutine", "debug", "math", "os", "string", "table", "utf8" }) do
  package.loaded[name] = _G[name]
end
local loaded, preload, loading = package.loaded, package.preload, {}

local function module_loader(name)
  if preload[name] then return preload[name], ":preload:" end
  local source, file = native.require_source(name)
  if source == nil then error(file, 3) end
  local run, problem = raw_load(source, "@" .. file, "t")
  if run == nil then error("error loading module '" .. name .. "':\\n\\t" .. problem, 3) end
  return run, file
end

function require(name)
  if type(name) ~= "string" then
    error("bad argument #1 to 'require' (string expected, got " .. type(name) .. ")", 2)
  end
  if loaded[name] ~= nil then return loaded[name] end
  if loading[name] then error("module '" .. name .. "' requires itself", 2) end
  local run, place = module_loader(name)
  loading[name] = true
  local ended = table.pack(pcall(run, name, place))
  loading[name] = nil
  if not ended[1] then error(ended[2], 0) end
  if ended[2] ~= nil then loaded[name] = ended[2] end
  if loaded[name] == nil then loaded[name] = true end
  return loaded[name], place
end

_G.null, Null, NULL = null, null, null

function is_null(value) return value == nil or value == null end
function is_not_null(value) return value ~= nil and value ~= null end
function nil_if_null(value) if value == null then return nil end return value end
function value_or(value, ...)
  local values = table.pack(value, ...)
  for index = 1, values.n do
    if values[index] ~= nil and values[index] ~= null then return values[index] end
  end
  return values[values.n]
end
function is_table(value) return type(value) == "table" end
function is_list(value) return type(value) == "table" and value[1] ~= nil end
function is_object(value) return type(value) == "table" and value[1] == nil end

local dump = ${dumpFunction}

function print(...)
  local parts = table.pack(...)
  for index = 1, parts.n do
    parts[index] = type(parts[index]) == "string" and parts[index] or dump(parts[index])
  end
  native.log(table.concat(parts, "\\n"))
end

local error_message = native.error_message
local function text_of(value)
  return type(value) == "userdata" and error_message(value) or tostring(value)
end
local error_meta = {
  __name = "error",
  __metatable = false,
  __tostring = text_of,
  __len = function(value) return #text_of(value) end,
  __concat = function(left, right) return text_of(left) .. text_of(right) end,
  __index = function(value, key)
    if key == "message" then return text_of(value) end
    local method = string[key]
    return method and function(_, ...) return method(text_of(value), ...) end
  end,
}
local get_metatable, kind_of, shown = getmetatable, type, tostring
local function describe(value)
  if kind_of(value) == "string" then return value end
  if value == nil then return "nil (error was called without a message)" end
  local meta = kind_of(value) == "table" and get_metatable(value)
  local has_text = kind_of(meta) == "table" and meta.__tostring
  return kind_of(value) == "table" and not has_text and dump(value) or shown(value)
end
local null_meta = { __name = "null", __metatable = false, __tostring = function() return "null" end }
return error_meta, null_meta, describe, math.randomseed
`;
