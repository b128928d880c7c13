import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parseCatalogue } from '../conversations/catalog/parse-catalogue.ts';
import { slotTypeNames } from '../conversations/catalog/slot-types.ts';
import { parseNluScript } from '../conversations/meaning/scripted-nlu.ts';
import { checkFlow } from '../isomorphic.ts';
import { builtinRegistry } from './builtin-registry.ts';
import { exitCode } from './exit-code.ts';

const root = path.resolve(import.meta.dirname, '../..');

function read(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}

/** Returns the code in the first column of a section's tables. */
function firstColumn(text: string): string[] {
  const cells = text.split('\n').flatMap((line) => /^\| (`[^|]+`) \|/.exec(line)?.[1] ?? []);
  return cells.flatMap((cell) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, name]) => name ?? ''));
}

test('docs/flowspec.md contains a flow without problems', () => {
  const [, example = ''] = /```yaml\n(flow:[\s\S]*?)```/.exec(read('docs/flowspec.md')) ?? [];
  expect(checkFlow(example, builtinRegistry).diagnostics).toEqual([]);
});

test('docs/step-flows.md contains a step flow without problems', () => {
  const [, example = ''] = /```yaml\n(id:[\s\S]*?)```/.exec(read('docs/step-flows.md')) ?? [];
  const { parsed, diagnostics } = checkFlow(example, builtinRegistry);
  expect([diagnostics, parsed.steps?.steps.length]).toEqual([[], 3]);
});

test('docs/events.md lists exactly the existing event types', () => {
  const files = [
    'events/run-event',
    'events/held-nodes',
    'events/start-event',
    'events/agent-event',
    'requests/ask',
    'events/call-event',
    'events/step-event',
    'events/tool-event',
  ];
  const texts = files.map((name) => read(`engine/runtime/kernel/${name}.ts`)).join('');
  const unions = texts.matchAll(/readonly type: ('[\w:]+'(?: \| '[\w:]+')*)/g);
  const types = Array.from(unions, ([, union = '']) => union.replaceAll("'", '').split(' | ')).flat();
  const [, table = ''] = read('docs/events.md').split('## Events of conversations')[0]?.split('## Types') ?? [];
  expect(firstColumn(table).sort()).toEqual(types.sort());
  const session = read('engine/conversations/session/session-event.ts').matchAll(
    /readonly type: '([\w]+:[\w]+|message)'|\btype: '([\w:]+)'/g,
  );
  const told = new Set(Array.from(session, ([, type = '', other = '']) => type || other));
  const [, ofConversations = ''] = read('docs/events.md').split('## Events of conversations');
  expect(firstColumn(ofConversations).sort()).toEqual([...told].sort());
});

test('docs/conversations.md contains a catalog and a script without problems, and every slot type', () => {
  const text = read('docs/conversations.md');
  const [catalogue = '', script = ''] = Array.from(text.matchAll(/```yaml\n([\s\S]*?)```/g), ([, yaml = '']) => yaml);
  expect(parseCatalogue(catalogue).diagnostics).toEqual([]);
  expect(parseNluScript(script).diagnostics).toEqual([]);
  const [, rest = ''] = text.split('## Slots');
  const [table = ''] = rest.split('\n## ');
  expect(firstColumn(table).sort()).toEqual([...slotTypeNames].sort());
});

test('docs/cli.md lists every exit code', () => {
  const [, table = ''] = read('docs/cli.md').split('## Exit codes');
  const codes = Array.from(table.matchAll(/^\| (\d+) \|/gm), ([, code]) => Number(code));
  expect(codes).toEqual(Object.values(exitCode).sort((a, b) => a - b));
});

test('docs/cli.md lists every command', () => {
  const folder = path.join(root, 'engine/cli/commands');
  const sources = readdirSync(folder).map((file) => readFileSync(path.join(folder, file), 'utf8'));
  const commands = sources.flatMap((source) => Array.from(source.matchAll(/program\s*\.command\('([^']+)'\)/g)));
  expect(commands.length).toBeGreaterThan(15);
  const text = read('docs/cli.md');
  expect(commands.map(([, name = '']) => name).filter((name) => !text.includes(`\n| \`millrace ${name}`))).toEqual([]);
});
