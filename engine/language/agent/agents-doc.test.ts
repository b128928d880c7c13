import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { fence4 } from '../../testing/agent-text.ts';
import { runAgentText } from '../../testing/run-agent-file.ts';
import { runLua, testHost } from '../../testing/run-lua.ts';
import { createLuaRuntime } from '../../world/lua/lua-runtime.ts';
import { createScripts } from '../../world/script/scripts.ts';
import { optionDocs } from './agent-options.ts';
import { knownHeadings } from './agent-scanner.ts';
import { parseAgent } from './parse-agent.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const page = readFileSync(path.join(root, 'docs/agents.md'), 'utf8');
const samples = Array.from(
  page.matchAll(new RegExp(`^${fence4}md\\n(.*?)^${fence4}$`, 'gms')),
  ([, text]) => text ?? '',
);

// Timeout in milliseconds, because the first script waits for Lua to be compiled.
const slow = 30_000;

/** Returns the code in the first column of a section's tables. */
function firstColumn(heading: string): string[] {
  const section = page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const cells = section.split('\n').flatMap((line) => /^\| (`[^|]*) \|/.exec(line)?.[1] ?? []);
  return cells.flatMap((cell) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, name]) => name ?? ''));
}

describe.each(samples.map((text, index) => [index, text] as const))('sample %i of docs/agents.md', (_index, text) => {
  const { doc, diagnostics } = parseAgent(text);

  test('is parsed without warnings', () => {
    expect(doc).not.toBeNull();
    expect(diagnostics).toEqual([]);
  });

  test('contains valid Lua scripts', { timeout: slow }, async () => {
    for (const { code } of Object.values(doc?.scripts ?? {})) {
      expect(await runLua(`return type(function(...)\n${code}\nend)`)).toBe('function');
    }
  });
});

test('the sample that repeats itself ends after three iterations', { timeout: slow }, async () => {
  const text = samples.find((sample) => sample.includes('redo_run')) ?? '';
  const lua = createLuaRuntime();
  const scripts = createScripts(lua, () => testHost());
  const redos: boolean[] = [];
  do {
    const { result } = await runAgentText(text, { scripts, redoCount: redos.length });
    redos.push(result.redoRequested);
  } while (redos.at(-1));
  expect(redos).toEqual([true, true, false]);
});

test('docs/agents.md lists every heading, option and code', () => {
  expect(samples.length).toBeGreaterThan(4);
  const headings = firstColumn('Sections').map((heading) => heading.slice(2).toLowerCase());
  expect(headings.sort()).toEqual([...knownHeadings].sort());
  expect(firstColumn('Options').sort()).toEqual(Object.keys(optionDocs).sort());
  const source = readFileSync(path.join(root, 'engine/language/findings/diagnostic.ts'), 'utf8');
  const codes = Array.from(source.matchAll(/'(agent\.[\w-]+)'/g), ([, code]) => code);
  expect(firstColumn('Errors and warnings').sort()).toEqual(codes.sort());
});
