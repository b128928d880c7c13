/**
 * `aip.lua`: dumps and merges tables. Written in Lua because it changes its caller's tables.
 */
import type { ApiModule } from '../api-module.ts';
import { dumpFunction } from '../vm/prelude.ts';

/**
 * Returns a Lua function that merges tables into its first argument.
 * @param lay Lua statement that merges `overlay` into `target`
 */
function merging(lay: string): string {
  return `(function()
    local function merge_into(target, overlay) ${lay} end
    return function(target, ...)
      if type(target) ~= "table" then
        error("bad argument #1: error converting Lua " .. (target == null and "null" or type(target)) .. " to table", 2)
      end
      local overlays = table.pack(...)
      for index = 1, overlays.n do
        local overlay = overlays[index]
        if overlay ~= nil and overlay ~= null then
          if type(overlay) ~= "table" then
            error("Cannot merge a non table type. Actual type: " .. (math.type(overlay) or type(overlay)), 2)
          end
          merge_into(target, overlay)
        end
      end
      return target
    end
  end)()`;
}

export const luaApi: ApiModule = {
  name: 'lua',
  summary: 'Converts Lua values to text and merges tables.',
  members: [
    {
      name: 'dump',
      signature: 'dump(value: any) -> string',
      summary: 'Returns any value as text for printing and logs. Tables are shown with their contents.',
      lua: dumpFunction,
    },
    {
      name: 'merge',
      signature: 'merge(target: table, ...: table | nil) -> table',
      summary:
        "Copies the other tables' fields into `target` and returns `target`. Raises an error if an argument is neither a table nor nil.",
      lua: merging('for key, value in pairs(overlay) do target[key] = value end'),
    },
    {
      name: 'merge_deep',
      signature: 'merge_deep(target: table, ...: table | nil) -> table',
      summary: 'Like `merge`, but also merges the two values of a key if both are tables. Lists are merged by index.',
      lua: merging(`for key, value in pairs(overlay) do
        local present = target[key]
        if type(present) == "table" and type(value) == "table" then merge_into(present, value)
        else target[key] = value end
      end`),
    },
  ],
};
