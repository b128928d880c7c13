import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as library from './library.ts';
import { createLibraryConsumer, type LibraryConsumer } from './testing/library-consumer.ts';

/** A fenced code block of `docs/embedding.md` with its expected output, taken from the block after it. */
interface Example {
  readonly heading: string;
  readonly file: string;
  readonly program: string;
  readonly output: string | undefined;
}

const text = read('docs/embedding.md');
const examples = [...examplesOf(text, 'Page'), ...examplesOf(read('resources/library/README.md'), 'README')];
/**
 * The only allowed languages: shell commands, programs and their output. Code in any other language would not be
 * checked.
 */
const languages = ['sh', 'ts', 'text'];

function read(file: string): string {
  return readFileSync(path.resolve(import.meta.dirname, '..', file), 'utf8');
}

/** @param title names the page, and the heading of programs before the first heading */
function examplesOf(page: string, title: string): readonly Example[] {
  const blocks = [...page.matchAll(/^## (.+)$|^```(\w+)\n([\s\S]*?)^```$/gm)];
  let heading = title;
  return blocks.flatMap(([, subtitle, language, content = ''], index) => {
    heading = subtitle ?? heading;
    if (language !== 'ts') return [];
    const [, , nextLanguage, nextContent] = blocks[index + 1] ?? [];
    const output = nextLanguage === 'text' ? nextContent : undefined;
    return [{ heading, file: `${title.toLowerCase()}-${index}.ts`, program: content, output }];
  });
}

const namesFile = 'names.ts';
const namesProgram = `
import * as library from 'millrace';
console.log(JSON.stringify(Object.keys(library)));`;

const setUpLimitMs = 120_000;
const runLimitMs = 60_000;
let consumer: LibraryConsumer;
let complaints: string;

beforeAll(async () => {
  consumer = await createLibraryConsumer();
  for (const { file, program } of examples) consumer.write(file, program);
  consumer.write(namesFile, namesProgram);
  complaints = await consumer.compile();
}, setUpLimitMs);
afterAll(() => consumer.remove());

test('docs/embedding.md has programs and states the output of each', () => {
  const fences = [...text.matchAll(/^```(.*)$/gm)].filter((_, index) => index % 2 === 0);
  expect(fences.filter(([, language = '']) => !languages.includes(language))).toEqual([]);
  expect(examples.length).toBeGreaterThan(8);
  expect(examples.filter(({ output }) => output === undefined)).toEqual([]);
});

test('the library exports its own names and no others', async () => {
  const { stdout } = await consumer.run(namesFile);
  expect(JSON.parse(stdout)).toEqual(Object.keys(library).sort());
});

test('importing the library loads neither the history nor the models', () => {
  const late = ['@photostructure/sqlite', 'openai-compatible'];
  const files = consumer.loadedFiles();
  expect(files.length).toBeGreaterThan(1);
  const loaded = files.join('\n');
  expect(late.filter((name) => loaded.includes(name))).toEqual([]);
});

test('the package has the library and its declarations, without source maps and development dependencies', () => {
  const manifest = JSON.parse(readFileSync(path.join(consumer.packageFolder, 'package.json'), 'utf8')) as object;
  const { version } = JSON.parse(read('node_modules/zod/package.json')) as { version: string };
  expect(manifest).toMatchObject({ name: 'millrace', dependencies: { zod: `~${version}` } });
  expect(Object.keys(manifest).filter((key) => /dev|private|scripts/.test(key))).toEqual([]);
  const entries = readdirSync(consumer.packageFolder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const names = files.filter(({ parentPath }) => !parentPath.endsWith('chunks')).map(({ name }) => name);
  expect(names.sort()).toEqual([
    'LICENSE',
    'README.md',
    'THIRD-PARTY-LICENSES.txt',
    'millrace.d.ts',
    'millrace.js',
    'package.json',
  ]);
  expect(files.filter(({ name }) => name.endsWith('.map'))).toEqual([]);
});

test('the declarations import only Zod', () => {
  const declarations = readFileSync(path.join(consumer.packageFolder, 'out/library/millrace.d.ts'), 'utf8');
  const imported = [...declarations.matchAll(/\bfrom ["'](.+?)["']|\bimport\(["'](.+?)["']\)/g)];
  expect(imported.map(([, from, inline]) => from ?? inline)).toEqual(['zod']);
});

test('the programs of docs/embedding.md and of the README compile against the declarations of the library', () => {
  expect(complaints).toBe('');
});

test.each(examples)(
  '$heading: $file prints the output documented on the page',
  async ({ file, output }) => {
    expect(await consumer.run(file)).toEqual({ code: 0, stdout: output, stderr: '' });
  },
  runLimitMs,
);
