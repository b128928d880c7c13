import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { runLua } from '../../testing/run-lua.ts';
import { apiModules } from './api/api-modules.ts';
import { fullNameOf } from './api-module.ts';
import { apiData, apiReference } from './api-reference.ts';

const page = path.resolve(import.meta.dirname, '../../../docs/lua-api.md');

const data = path.resolve(import.meta.dirname, '../../../renderer/agent-editor/language/lua-api.json');

const members = apiModules.flatMap((module) =>
  module.members.map((member) => ({ ...member, full: fullNameOf(module, member) })),
);

// Run this after changing the API: npx vitest run engine/world/lua/api-reference.test.ts --update
test('docs/lua-api.md matches the code', async () => {
  await expect(apiReference(apiModules)).toMatchFileSnapshot(page);
});

test('the completion data of the editor matches the code', async () => {
  await expect(apiData(apiModules)).toMatchFileSnapshot(data);
});

describe('every function', () => {
  test('every function is listed exactly once', () => {
    const names = members.map(({ full }) => full);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  test('every function has a signature that begins with its name, and a summary of full sentences', () => {
    const odd = members.filter(
      ({ name, signature, summary }) =>
        !(signature.startsWith(`${name}(`) || signature.startsWith(`${name}: `)) || !/^\S[\s\S]*[.)]$/.test(summary),
    );
    expect(odd.map(({ full }) => full)).toEqual([]);
  });

  test('every listed function is visible to scripts, and no other is', async () => {
    const lua = `local found = {}
      for module, members in pairs(aip) do
        if type(members) == "function" then found[#found + 1] = "aip." .. module
        else for name in pairs(members) do found[#found + 1] = "aip." .. module .. "." .. name end end
      end
      table.sort(found)
      return found`;
    expect(await runLua(lua)).toEqual(members.map(({ full }) => full).sort());
  });
});

test('all modules that packs rely on exist', () => {
  const known =
    'flow file path text tag md run task json toml yaml csv lua shape agent cmd git editor udiffx web secret html hbs code rust semver uuid hash time pdf zip';
  expect(apiModules.map((module) => module.name).join(' ')).toBe(known);
});
