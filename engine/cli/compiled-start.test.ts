/**
 * Starts the built command line as if on another version of Node than the one that built it, so that it has to store
 * its compiled code.
 */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtPart } from '../testing/built-program.ts';
import { type CliProgram, type CliStart, cliIn } from '../testing/cli-program.ts';

const packages = path.resolve(import.meta.dirname, '../../node_modules');

/** Reports scripts that were compiled without stored code. */
const watcher = `const vm = require('node:vm');
const { Script } = vm;
let compiled = 0;
vm.Script = class extends Script {
  constructor(text, options) {
    super(text, options);
    if (this.cachedDataRejected !== false) compiled++;
  }
};
process.on('exit', () => process.stderr.write('compiled: ' + compiled));
`;

let folder: string;
let cli: CliProgram;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'millrace-compiled-'));
  const built = await builtPart('cli');
  const filter = (source: string): boolean => !source.endsWith('.map') && source !== path.join(built, 'code');
  cpSync(built, path.join(folder, 'program'), { recursive: true, filter });
  symlinkSync(packages, path.join(folder, 'program', 'node_modules'));
  cli = cliIn(path.join(folder, 'program'));
  writeFileSync(path.join(folder, 'watcher.cjs'), watcher);
  writeFileSync(
    path.join(folder, 'a.flow.yaml'),
    'flow: { name: A }\nnodes: [{ id: a, type: echo, input: { text: hi } }]\nedges: []\n',
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

function newHome(name: string): string {
  const home = path.join(folder, name);
  mkdirSync(path.join(home, 'millrace'), { recursive: true });
  return home;
}

async function validate(home: string, options: Partial<CliStart> = {}): Promise<string> {
  const env = { MILLRACE_HOME: home, NODE_OPTIONS: `--require ${path.join(folder, 'watcher.cjs')}`, ...options.env };
  const started = cli.start(['validate', 'a.flow.yaml'], { cwd: folder, ...options, env });
  const { code, stdout, stderr } = await started.result;
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('a.flow.yaml') });
  return stderr;
}

function keptIn(home: string): readonly string[] {
  const place = path.join(home, 'millrace', 'code');
  return readdirSync(place).map((name) => path.join(place, name));
}

function isIntact(file: string): boolean {
  const content = readFileSync(file);
  return createHash('sha256').update(content.subarray(32)).digest().equals(content.subarray(0, 32));
}

test('V8 accepts all code stored by the first start, and damaged code is replaced silently', async () => {
  const home = newHome('later');
  expect(await validate(home)).toMatch(/^compiled: [1-9]\d*$/);
  const files = keptIn(home);
  expect(await validate(home)).toBe('compiled: 0');
  for (const [index, file] of files.entries()) {
    const content = readFileSync(file);
    writeFileSync(file, index % 2 === 0 ? content.subarray(0, content.length / 2) : content.fill(7, 100, 200));
  }
  expect(await validate(home)).toBe(`compiled: ${files.length}`);
  expect(keptIn(home).filter(isIntact)).toHaveLength(files.length);
});

test('two simultaneous first starts leave intact files and no others, readable only by the user', async () => {
  const home = newHome('two');
  await Promise.all([validate(home), validate(home)]);
  if (process.platform !== 'win32') {
    expect(statSync(path.join(home, 'millrace', 'code')).mode & 0o777).toBe(0o700);
    expect(keptIn(home).filter((file) => (statSync(file).mode & 0o777) !== 0o600)).toEqual([]);
  }
  expect(keptIn(home).filter((file) => !(file.endsWith('.bin') && isIntact(file)))).toEqual([]);
  expect(await validate(home)).toBe('compiled: 0');
});

test('NODE_DISABLE_COMPILE_CACHE stores nothing', async () => {
  const home = newHome('off');
  await validate(home, { env: { NODE_DISABLE_COMPILE_CACHE: '1' } });
  expect(existsSync(path.join(home, 'millrace', 'code'))).toBe(false);
});

test.skipIf(process.platform === 'win32')('a start succeeds even if the base folder is read-only', async () => {
  const home = newHome('closed');
  const isRoot = process.getuid?.() === 0;
  chmodSync(folder, 0o755);
  chmodSync(path.join(home, 'millrace'), 0o555);
  if (isRoot) chownSync(path.join(home, 'millrace'), 0, 0);
  // The watcher always reports to stderr. There must be no other output.
  expect(await validate(home, isRoot ? { userId: 65_534 } : {})).toMatch(/^compiled: \d+$/);
  expect(readdirSync(path.join(home, 'millrace'))).toEqual([]);
});
