/**
 * How values look as text for people: as Lua writes them, keys in alphabetical order, two spaces a level.
 */

/** A Lua expression that gives `dump(value) -> string`. `null` is the global of that name. */
export const dumpFunction = `(function()
  local function shown_key(key)
    if type(key) == "string" and string.find(key, "^[%a_][%w_]*$") then return key end
    if type(key) == "string" then return "[" .. string.format("%q", key) .. "]" end
    return "[" .. tostring(key) .. "]"
  end
  local function sorted_keys(value)
    local keys, count = {}, #value
    for key in next, value do
      local in_list = math.type(key) == "integer" and key >= 1 and key <= count
      if not in_list then keys[#keys + 1] = key end
    end
    table.sort(keys, function(a, b)
      if type(a) == "number" and type(b) == "number" then return a < b end
      if type(a) ~= type(b) then return type(a) < type(b) end
      return tostring(a) < tostring(b)
    end)
    return keys
  end
  local dump
  local function dump_table(value, indent, around)
    if around[value] then return "<itself>" end
    if next(value) == nil then return "{}" end
    around[value] = true
    local inner = indent .. "  "
    local lines = {}
    for index = 1, #value do lines[#lines + 1] = inner .. dump(rawget(value, index), inner, around) end
    for _, key in ipairs(sorted_keys(value)) do
      lines[#lines + 1] = inner .. shown_key(key) .. " = " .. dump(rawget(value, key), inner, around)
    end
    around[value] = nil
    return "{\\n" .. table.concat(lines, ",\\n") .. "\\n" .. indent .. "}"
  end
  function dump(value, indent, around)
    if type(value) == "string" then return '"' .. string.gsub(value, '[\\\\"\\n\\r]', { ["\\\\"] = "\\\\\\\\", ['"'] = '\\\\"', ["\\n"] = "\\\\n", ["\\r"] = "\\\\r" }) .. '"' end
    if type(value) == "table" then return dump_table(value, indent, around) end
    return tostring(value)
  end
  return function(value) return dump(value, "", {}) end
end)()`;
