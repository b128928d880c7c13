/** Executes the code blocks of documentation pages in the order in which a reader meets them. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { builtCli } from '../testing/cli-program.ts';
import { type DocsPageWorld, runDocsPage } from '../testing/docs-page.ts';
import { type ModelServer, startModelServer } from '../testing/model-server.ts';

const root = path.resolve(import.meta.dirname, '../..');
const pieces = ['Hello! ', 'How can ', 'I help you?'];

let server: ModelServer;
let parent: string;
beforeAll(async () => {
  server = await startModelServer('openai-compatible');
  server.plan({ pieces });
});
afterAll(() => server.close());
beforeEach(() => {
  parent = mkdtempSync(path.join(tmpdir(), 'millrace-docs-'));
});
afterEach(() => rmSync(parent, { recursive: true }));

function world(): DocsPageWorld {
  const [folder, home] = ['workspace-', 'home-'].map((name) => mkdtempSync(path.join(parent, name))) as [
    string,
    string,
  ];
  return { folder, home, modelServer: new URL(server.baseUrl).host, builtCli };
}

/** Returns the pages in the folder, relative to the repository. */
function pagesIn(folder: string): readonly string[] {
  if (!existsSync(path.join(root, folder))) return [];
  return readdirSync(path.join(root, folder), { encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);
}

const others = ['docs/compare.md', 'docs/tests.md'].filter((page) => existsSync(path.join(root, page)));
const pages = [...['get-started', 'how-to', 'concepts'].flatMap((name) => pagesIn(`docs/${name}`)), ...others];

test.for(pages)('every block of %s is valid, and every command prints what the page shows', async (page) => {
  const problems = await runDocsPage(readFileSync(path.join(root, page), 'utf8'), world());
  expect(problems.map(({ line, message }) => `${page}:${line} ${message}`).join('\n')).toBe('');
});

describe('the test of pages', () => {
  const flow = `
\`\`\`yaml file=hello.flow.yaml
flow: { name: Hello, input: { who: world }, outputs: { text: "{{greet.text}}" } }
nodes:
  - { id: greet, type: template, config: { template: "Hello {{who}}" }, input: { who: "{{flow.input.who}}" } }
edges: []
\`\`\`
`;
  const problemsOf = async (page: string): Promise<readonly string[]> =>
    (await runDocsPage(page, world())).map(({ line, message }) => `${line}: ${message}`);

  test('accepts a page that is right', async () => {
    const commands =
      '```sh\nmillrace validate hello.flow.yaml\n# Greets.\nmillrace run hello.flow.yaml \\\n  --input "who=dear Ada"\n```';
    const output = '```text output\nhello.flow.yaml: valid\n…Hello dear Ada…\n```';
    expect(await problemsOf(`${flow}\n${commands}\n\n${output}\n`)).toEqual([]);
  });

  test('reports another output, and an output without commands', async () => {
    const page = `${flow}\n\`\`\`sh\nmillrace validate hello.flow.yaml\n\`\`\`\n\n\`\`\`text output\nhello: valid\n\`\`\`\n`;
    expect(await problemsOf(page)).toEqual([
      expect.stringMatching(/^13: [\s\S]*hello: valid\n[\s\S]*hello.flow.yaml: valid/),
    ]);
    expect(await problemsOf('```text output\nx\n```\n')).toEqual([expect.stringContaining('1: There are no commands')]);
  });

  test('reports another exit code with the command and what it printed', async () => {
    const missing = '```sh\nmillrace validate missing.flow.yaml\n```';
    expect(await problemsOf(missing)).toEqual([
      expect.stringMatching(
        /^2: millrace validate missing.flow.yaml: expected exit code 0, got 2\n.*missing.flow.yaml/,
      ),
    ]);
    expect(await problemsOf(missing.replace('sh', 'sh exit=2'))).toEqual([]);
    expect(await problemsOf(missing.replace('sh', 'sh exit=3'))).toEqual([expect.stringContaining('code 3, got 2')]);
  });

  test.for([
    ['```sh skip\ngit push\n```', 'needs a reason'],
    ['```sh skip=""\ngit push\n```', 'needs a reason'],
    ['```sh\ngit push\n```', 'not a millrace command'],
    ['```\nx\n```', 'no language'],
    ['```cobol\nx\n```', "can't be checked"],
    ['```yaml where=x.yaml\nx: 1\n```', 'is unknown'],
    ['```yaml file=../x.yaml\nx: 1\n```', "outside the page's folder"],
    ['```yaml file=~/x.yaml\nx: 1\n```', "outside the page's folder"],
    ['```yaml file=x.flow.yaml\nflow: { name: X }\nnodes: [{ id: a, type: nothing }]\nedges: []\n```', 'not valid'],
    ['```yaml\na: [\n```', 'Flow sequence'],
    ['```json\n{ a }\n```', 'JSON'],
    ['```lua\nreturn return\n```', 'unexpected symbol'],
    ['```toml\na =\n```', 'TOML'],
    ['```js\nconst = 1\n```', 'Unexpected'],
    ['```yaml\na: 1\n', 'no end'],
  ] as const)('reports %j', async ([page, message]) => {
    expect(await problemsOf(page)).toEqual([expect.stringContaining(message)]);
  });

  test('accepts fragments, skipped blocks with a reason, and blocks in lists', async () => {
    const page =
      '- a\n  ```yaml\n  x: 1\n  ```\n```sh skip="needs a git host"\ngit push\n```\n```js\nreturn input.a\n```\n````md\n```lua\nx = \n```\n````\n';
    expect(await problemsOf(page)).toEqual([]);
  });

  test('gives commands a model server, settings, variables and stdin', async () => {
    const settings =
      '```toml file=~/.aipack-base/config-user.toml\n[providers.local]\nkind = "openai-compatible"\nbase_url = "http://127.0.0.1:11434/v1"\napi_key_env = "LOCAL_KEY"\n```\n';
    const asking = (model: string) =>
      `\`\`\`yaml file=ask.flow.yaml\nflow: { name: Ask }\nnodes: [{ id: ask, type: prompt, config: { model: "${model}" }, input: { prompt: Hi } }]\nedges: []\n\`\`\`\n`;
    const run = (command: string) =>
      `\`\`\`sh\n${command}\n\`\`\`\n\`\`\`text output\n…Hello! How can I help you?…\n\`\`\`\n`;
    const withKey = asking('local::llama3.2') + run('LOCAL_KEY=abcdefgh millrace run ask.flow.yaml');
    const withoutKey = asking('ollama::llama3.2') + run('millrace run ask.flow.yaml');
    expect(await problemsOf(settings + withKey + withoutKey)).toEqual([]);
    const secret =
      '```sh\necho "abc def" | millrace secrets set API_KEY\nmillrace secrets list\n```\n```text output\n…API_KEY…\n```\n';
    expect(await problemsOf(secret)).toEqual([]);
  });
});
