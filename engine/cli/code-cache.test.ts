/** Tests the cache of compiled code for the command line: when it is used and rejected, and which files are stored. */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Script } from 'node:vm';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CodeCache } from './code-cache.ts';

const wrapped = (code: string): string => `(function(exports,require,module,__filename,__dirname){${code}\n})`;

let folder: string;
let own: string;
let shipped: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'millrace-code-test-'));
  own = path.join(folder, 'millrace', 'code');
  shipped = path.join(folder, 'shipped');
  mkdirSync(path.dirname(own));
  mkdirSync(shipped);
  write('add.cjs', 'exports.add=(a,b)=>a+b;');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

function write(name: string, code: string): void {
  writeFileSync(path.join(folder, name), wrapped(code));
}

/** Loads `add.cjs` as a start of the program does, and returns 1 + 2 computed by it. */
function start(): number {
  const cache = new CodeCache({ shipped, own }, createRequire(import.meta.filename));
  const { add } = cache.load(path.join(folder, 'add.cjs')) as { add: (a: number, b: number) => number };
  const sum = add(1, 2);
  cache.keep();
  return sum;
}

function keptFile(): string {
  const [name = ''] = readdirSync(own);
  return path.join(own, name);
}

function writeKept(code: Buffer): void {
  writeFileSync(keptFile(), Buffer.concat([createHash('sha256').update(code).digest(), code]));
}

test('the first start stores compiled code, and the second one uses it without writing', () => {
  expect(start()).toBe(3);
  const content = readFileSync(keptFile());
  const text = readFileSync(path.join(folder, 'add.cjs'), 'utf8');
  const options = { filename: path.join(folder, 'add.cjs'), cachedData: content.subarray(32) };
  expect(new Script(text, options).cachedDataRejected).toBe(false);
  rmSync(shipped, { recursive: true });
  expect(start()).toBe(3);
  expect(readdirSync(own)).toHaveLength(1);
  expect(readFileSync(keptFile()).equals(content)).toBe(true);
});

test('uses shipped code, so that none is stored', () => {
  start();
  const file = keptFile();
  writeFileSync(path.join(shipped, path.basename(file)), readFileSync(file));
  rmSync(own, { recursive: true });
  expect(start()).toBe(3);
  expect(readdirSync(path.dirname(own))).toEqual([]);
});

test('runs the new text of a changed file of the same length', () => {
  start();
  write('add.cjs', 'exports.add=(a,b)=>a-b;');
  expect(start()).toBe(-1);
  expect(readdirSync(own)).toHaveLength(2);
});

test.each([
  ['truncated', (content: Buffer) => content.subarray(0, content.length / 2)],
  ['empty', () => Buffer.alloc(0)],
  ['text', () => Buffer.from('not code')],
  ['with one changed byte', (content: Buffer) => content.fill(content.readUInt8(99) ^ 1, 99, 100)],
])('code that is %s is rejected and replaced', (_, damage) => {
  start();
  const content = readFileSync(keptFile());
  writeFileSync(keptFile(), damage(Buffer.from(content)));
  expect(start()).toBe(3);
  // V8's output may differ between compilations, so only its hash is checked.
  const kept = readFileSync(keptFile());
  expect(createHash('sha256').update(kept.subarray(32)).digest().equals(kept.subarray(0, 32))).toBe(true);
});

test('silently rejects code of another V8 version and leaves it in place', () => {
  start();
  const code = readFileSync(keptFile()).subarray(32);
  // V8 stores the hash of its version in the second word.
  code.writeUInt8(code.readUInt8(4) ^ 1, 4);
  writeKept(code);
  const foreign = readFileSync(keptFile());
  expect(start()).toBe(3);
  expect(readFileSync(keptFile()).equals(foreign)).toBe(true);
});

test.runIf(process.getuid?.() === 0)('does not use code that belongs to another user', () => {
  start();
  chownSync(keptFile(), 65_534, 65_534);
  expect(start()).toBe(3);
  expect(statSync(keptFile()).uid).toBe(0);
});

test.skipIf(process.platform === 'win32')('does not use code that is writable by others', () => {
  start();
  chmodSync(keptFile(), 0o666);
  expect(start()).toBe(3);
  // The code was compiled again to a file that only the user can write.
  expect(statSync(keptFile()).mode & 0o777).toBe(0o600);
});

test('without the parent folder, nothing is stored and nothing is created', () => {
  rmSync(path.dirname(own), { recursive: true });
  expect(start()).toBe(3);
  expect(readdirSync(folder).sort()).toEqual(['add.cjs', 'shipped']);
});

test('NODE_DISABLE_COMPILE_CACHE disables reading and writing', () => {
  start();
  writeFileSync(keptFile(), 'damaged');
  vi.stubEnv('NODE_DISABLE_COMPILE_CACHE', '1');
  expect(start()).toBe(3);
  expect(readFileSync(keptFile(), 'utf8')).toBe('damaged');
});

test('a start does not fail if the folder is not writable', () => {
  writeFileSync(own, 'a file');
  expect(start()).toBe(3);
});

test('removes the oldest files if there are too many', () => {
  mkdirSync(own);
  for (let i = 0; i < 300; i++) writeFileSync(path.join(own, `old-${i}.bin`), '');
  start();
  expect(readdirSync(own).length).toBeLessThanOrEqual(150);
  expect(readdirSync(own).some((name) => !name.startsWith('old-'))).toBe(true);
});

test('files are loaded once, even with circular dependencies, and import() works in them', async () => {
  write('a.cjs', "exports.name='a';const b=require('./b.cjs');exports.b=b.name;exports.seen=b.seen;");
  write('b.cjs', "exports.seen=require('./a.cjs').name;exports.name='b';exports.late=()=>import('node:path');");
  const cache = new CodeCache({ shipped, own }, createRequire(import.meta.filename));
  expect(cache.load(path.join(folder, 'a.cjs'))).toEqual({ name: 'a', b: 'b', seen: 'a' });
  const b = cache.load(path.join(folder, 'b.cjs')) as { late: () => Promise<{ sep: string }> };
  expect(b).toBe(cache.load(path.join(folder, 'b.cjs')));
  expect(b.late).toBeTypeOf('function');
});
