/** Follows the steps of tutorials that wait for input at a terminal, which the test of all pages can't. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { setUpBuiltCli } from '../testing/cli-fixture.ts';
import { type DocsBlock, readDocsBlocks } from '../testing/docs-blocks.ts';

const cli = setUpBuiltCli();

function readPage(name: string): { readonly text: string; readonly blocks: readonly DocsBlock[] } {
  const text = readFileSync(path.resolve(import.meta.dirname, '../../docs/get-started', `${name}.md`), 'utf8');
  return { text, blocks: readDocsBlocks(text).blocks };
}

function save(blocks: readonly DocsBlock[]): void {
  for (const { file, code } of blocks) if (file !== undefined) cli.write(file, code);
}

/** Splits the blocks of a page at the command that waits at the terminal. */
function atTerminal(blocks: readonly DocsBlock[], reason: string) {
  const index = blocks.findIndex(({ skip }) => skip === reason);
  const [, ...args] = blocks[index]?.code.trim().replaceAll('"', '').split(' ') ?? [];
  return { before: blocks.slice(0, index), args, after: blocks.slice(index + 1) };
}

test('first-conversation: the messages in the table get the replies next to them', async () => {
  const { text, blocks } = readPage('first-conversation');
  const { before, args } = atTerminal(blocks, 'reads messages from the terminal');
  save(before);
  const rows = Array.from(text.matchAll(/^\| `([^`]+)` \| (?:`([^`]+)` )?\|$/gm));
  expect(rows.length).toBeGreaterThan(3);
  const input = rows.map(([, message]) => `${message}\n`).join('');
  const { code, stdout } = await cli.run(args, { input });
  expect(stdout.trimEnd().split('\n')).toEqual(rows.flatMap(([, , reply]) => reply ?? []));
  expect(code).toBe(0);
});

test('first-agent: with -w, the agent runs again when the next text of the page is saved', async () => {
  const { before, args, after } = atTerminal(readPage('first-agent').blocks, 'runs until you press Ctrl-C');
  save(before);
  const { child, result, whenPrinted } = cli.start(args);
  // A change before this message would not be noticed.
  await new Promise<void>((resolve) => {
    child.stderr?.on('data', (chunk) => String(chunk).includes('Watching digest.aip') && resolve());
  });
  save(after.slice(0, 1));
  await whenPrinted('◆ Notes  2');
  await whenPrinted('after_all:\n  out/digest.md');
  child.kill('SIGINT');
  expect((await result).stdout).not.toContain('failed');
  expect(readFileSync(path.join(cli.folder, 'out/digest.md'), 'utf8')).toContain('- tuesday.md: Lee asks the shop');
});
