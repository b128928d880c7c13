import { expect, test } from 'vitest';
import type { LuaValue } from '../api-module.ts';
import type { HostCaller } from '../host-calls.ts';
import { apiModules } from './api-modules.ts';

/** Host calls that an agent with the pure contract may make. */
const telling: ReadonlySet<string> = new Set(['pin', 'label', 'log']);

const given: readonly (readonly LuaValue[])[] = [
  [],
  ['a'],
  ['a', 'b'],
  ['a', 1, 'c'],
  [{ path: 'a', file: 'b' }, { base_dir: '.' }],
  [['a.md', '*.md'], {}],
  ['<FILE_CHANGES><FILE_NEW file_path="a">x</FILE_NEW></FILE_CHANGES>', '.'],
];

test('MF-013 no function available to pure agents reaches outside of its script, regardless of its arguments', () => {
  const called = new Map<string, Set<string>>();
  const functions = apiModules
    .filter((module) => module.reachesOut !== true)
    .flatMap(({ name, members }) =>
      members.flatMap((member) =>
        'call' in member && member.reachesOut !== true ? [{ name: `${name}.${member.name}`, call: member.call }] : [],
      ),
    );
  for (const { name, call } of functions) {
    const host = ((asked: string) => {
      if (!telling.has(asked)) called.set(name, (called.get(name) ?? new Set()).add(asked));
      return {};
    }) as unknown as HostCaller;
    for (const args of given) {
      try {
        call(args, { host, scriptContext: {} });
      } catch {
        // This test does not check which arguments are rejected.
      }
    }
  }
  expect(functions.length).toBeGreaterThan(80);
  expect(Object.fromEntries(called)).toEqual({});
});

test('the list of members withheld from pure agents is complete', () => {
  const withheld = apiModules.flatMap(({ name, reachesOut, members }) =>
    reachesOut === true
      ? [name]
      : members.flatMap((member) => (member.reachesOut === true ? [`${name}.${member.name}`] : [])),
  );
  expect(withheld.sort()).toEqual(
    ['agent', 'cmd', 'editor', 'file', 'git', 'path', 'pdf', 'secret', 'web', 'zip']
      .concat(['udiffx.apply_file_changes', 'udiffx.load_files_context'])
      .sort(),
  );
});
