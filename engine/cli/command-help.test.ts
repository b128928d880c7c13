import path from 'node:path';
import { expect, test } from 'vitest';
import { setUpCli } from '../testing/cli-fixture.ts';

const page = path.resolve(import.meta.dirname, '../../docs/command-help.md');
const cli = setUpCli();

const intro = `# Help of all commands

This page contains what \`millrace COMMAND --help\` prints, and is generated from the program. For explanations and examples, see
[Command line](cli.md).
`;

/** Returns the names in the list of commands of a help text. */
function commandsIn(help: string): string[] {
  const [, list = ''] = help.split(/^Commands:$/m);
  const names = Array.from(list.matchAll(/^ {2}([a-z][\w-]*)/gm), ([, name = '']) => name);
  return names.filter((name) => name !== 'help');
}

/** Returns the section of a command, followed by those of its subcommands. */
async function sectionsOf(command: readonly string[]): Promise<string[]> {
  const { code, stdout } = await cli.call([...command, '--help']);
  expect([command, code]).toEqual([command, 0]);
  const own = `## ${['millrace', ...command].join(' ')}\n\n\`\`\`text\n${stdout.trim()}\n\`\`\`\n`;
  const inner: string[] = [];
  for (const name of commandsIn(stdout)) inner.push(...(await sectionsOf([...command, name])));
  return [own, ...inner];
}

// Run this after changing a command: npx vitest run engine/cli/command-help.test.ts --update
test('docs/command-help.md matches the program', async () => {
  const sections = await sectionsOf([]);
  expect(sections.length).toBeGreaterThan(40);
  await expect([intro, ...sections].join('\n')).toMatchFileSnapshot(page);
});
