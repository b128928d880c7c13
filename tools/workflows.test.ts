/** Checks the workflows in `.github/workflows` with GitHub's own parser, and their commands against the repository. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { runnerImport } from 'vite';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const root = path.join(import.meta.dirname, '..');
const folder = path.join(root, '.github/workflows');
const files = readdirSync(folder);
const { scripts: npmScripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

interface Step {
  readonly uses?: string;
  readonly run?: string;
}

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
  readonly 'timeout-minutes'?: number;
}

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly concurrency?: object;
  readonly jobs: Readonly<Record<string, Job>>;
}

type Parser = typeof import('@actions/workflow-parser');
let parser: Parser;

beforeAll(async () => {
  // The package imports JSON files in a way that only bundlers support.
  const noExternal = [/\/node_modules\/@actions\//];
  const file = path.join(root, 'node_modules/@actions/workflow-parser/dist/index.js');
  const imported = await runnerImport<Parser>(file, {
    configFile: false,
    logLevel: 'error',
    resolve: { noExternal },
  });
  parser = imported.module;
});

async function problemsOf(name: string, content: string): Promise<string[]> {
  const { context, value } = parser.parseWorkflow({ name, content }, new parser.NoOperationTraceWriter());
  if (value === undefined) return context.errors.getErrors().map(({ message }) => message);
  const { errors = [] } = await parser.convertWorkflowTemplate(context, value);
  return errors.map(({ Message }) => Message);
}

test('the parser reports unknown permissions, contexts and jobs', async () => {
  const job = ['runs-on: ubuntu-24.04', `steps: [{ run: 'echo \${{ matrx.node }}' }]`];
  const bad = ['on: push', 'permissions: { content: read }', 'jobs:', '  build:', ...job.map((line) => `    ${line}`)];
  const problems = (await problemsOf('bad.yml', bad.join('\n'))).join('\n');
  expect(problems).toContain("Unexpected value 'content'");
  expect(problems).toContain("named-value: 'matrx'");
  const waiting = 'on: push\njobs: { build: { runs-on: ubuntu-24.04, needs: checks, steps: [{ run: ls }] } }';
  expect((await problemsOf('bad.yml', waiting)).join('\n')).toContain('no dependencies');
});

describe.each(files)('%s', (name) => {
  const text = readFileSync(path.join(folder, name), 'utf8');
  const workflow: Workflow = parse(text);
  const jobs = Object.entries(workflow.jobs);
  const steps = jobs.flatMap(([, job]) => job.steps);
  const commands = steps.flatMap(({ run }) => (run === undefined ? [] : [run]));

  test('is valid for GitHub', async () => {
    expect(await problemsOf(name, text)).toEqual([]);
  });

  test('can only read the repository, unless a job needs more; each job has a time limit', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    expect(workflow.concurrency).toBeDefined();
    const withMore = jobs.filter(([, { permissions }]) => permissions !== undefined);
    expect(withMore.map(([job]) => job)).toEqual(name === 'release.yml' ? ['attest', 'draft'] : []);
    for (const [job, { 'timeout-minutes': minutes }] of jobs) expect(minutes, job).toBeLessThanOrEqual(90);
  });

  test('uses only actions of GitHub, by major version', () => {
    for (const { uses } of steps) if (uses !== undefined) expect(uses).toMatch(/^actions\/[a-z-]+@v\d+$/);
  });

  test('calls commands that exist', () => {
    const all = commands.join('\n');
    for (const [, script = ''] of all.matchAll(/\bnpm (?:run )?(test|(?<=run )[\w:-]+)/g)) {
      expect(npmScripts).toHaveProperty([script]);
    }
    const paths = [...all.matchAll(/(?<=^|[\s"])(?:source\/)?((?:tools|e2e)\/[\w./-]+)/g)].map(([, file = '']) => file);
    expect(paths).not.toEqual([]);
    for (const file of paths) expect(existsSync(path.join(root, file)), file).toBe(true);
    const { commands: known = '' } =
      /const commands = \{(?<commands>[^}]*)/.exec(readFileSync(path.join(root, 'tools/run.mjs'), 'utf8'))?.groups ??
      {};
    for (const [, command = ''] of all.matchAll(/tools\/run\.mjs (\S+)/g)) expect(known).toContain(`${command}: `);
  });

  test('has valid scripts, which names chosen by others cannot change', () => {
    for (const command of commands) {
      expect(command).not.toMatch(/\$\{\{ (?!matrix\.system )/);
      if (process.platform !== 'win32') execFileSync('bash', ['-n', '-c', command.replaceAll(/\$\{\{.*?\}\}/g, 'x')]);
    }
  });
});
