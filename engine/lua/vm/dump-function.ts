/**
 * How values look as text for people. Keys are in order, numbers first, because Lua keeps none.
 */

/** A Lua expression that gives `dump(value) -> string`. Needs the global `null`. */
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
