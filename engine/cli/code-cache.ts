/**
 * Loads the CommonJS files of the built program with code that V8 compiled in an earlier start. The build includes this
 * code for its own version of Node. For other versions, it is stored in the base folder.
 */
import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { constants, Script } from 'node:vm';

/** Maximum number of files. Each version of the program and of Node adds files, and the oldest ones are removed. */
const mostFiles = 300;
const hashBytes = 32;

interface CodeFolders {
  /** Absolute path of the read-only folder included in the program. */
  readonly shipped: string;
  /** Absolute path of the user's folder. It is created only if its parent folder exists. */
  readonly own: string;
}

type Require = (id: string) => unknown;

/** Takes `exports`, `require`, `module`, `__filename` and `__dirname`, like Node's wrapper of a CommonJS file. */
type ModuleFunction = (...parameters: [object, Require, object, string, string]) => void;

/** Loads the program's files, each once. */
export class CodeCache {
  readonly #folders: CodeFolders;
  readonly #require: NodeJS.Require;
  readonly #modules = new Map<string, { exports: object }>();
  readonly #compiled: { readonly name: string; readonly script: Script }[] = [];

  /** @param nodeRequire loads everything except the program's own files */
  constructor(folders: CodeFolders, nodeRequire: NodeJS.Require) {
    this.#folders = folders;
    this.#require = nodeRequire;
  }

  /**
   * Returns the exports of a program file.
   * @param file absolute path
   * @throws the system's error if the file cannot be read; any error of the file's own code
   */
  load(file: string): unknown {
    const loaded = this.#modules.get(file) ?? this.#require.cache[file];
    if (loaded !== undefined) return loaded.exports;
    const module = { exports: {} };
    this.#modules.set(file, module);
    const folder = path.dirname(file);
    const requireFrom: Require = (id) =>
      id.startsWith('./') || id.startsWith('../') ? this.load(path.join(folder, id)) : this.#require(id);
    const run = this.#compile(file).runInThisContext() as ModuleFunction;
    run.call(module.exports, module.exports, requireFrom, module, file, folder);
    return module.exports;
  }

  /**
   * Stores the code of all files that had to be compiled, including the functions that have run since. Never throws.
   */
  keep(): void {
    const { own } = this.#folders;
    if (isTurnedOff() || this.#compiled.length === 0 || !existsSync(path.dirname(own))) return;
    try {
      mkdirSync(own, { recursive: true, mode: 0o700 });
      for (const { name, script } of this.#compiled) writeCode(path.join(own, name), script.createCachedData());
      removeOldest(own);
    } catch {
      // A full disk or a read-only folder only makes the next start slower.
    }
  }

  #compile(file: string): Script {
    const source = readFileSync(file);
    const name = codeName(source);
    const { shipped, own } = this.#folders;
    const cachedData = isTurnedOff()
      ? undefined
      : (readCode(path.join(shipped, name), false) ?? readCode(path.join(own, name), true));
    const script = new Script(source.toString('latin1'), {
      filename: file,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      ...(cachedData === undefined ? {} : { cachedData }),
    });
    // V8 rejects code that was compiled with other flags. Such code is kept for starts with those flags.
    if (cachedData === undefined) this.#compiled.push({ name, script });
    return script;
  }
}

/** Returns whether the cache is disabled, by the same variable that disables Node's compile cache. */
function isTurnedOff(): boolean {
  return Boolean(process.env['NODE_DISABLE_COMPILE_CACHE']);
}

/**
 * Returns the file name of stored code. It contains a hash of the source, because V8 itself compares only the length.
 */
function codeName(source: Buffer): string {
  const { versions, arch, platform } = process;
  return `${hashOf(source).toString('hex', 0, 20)}-${versions.v8}-${platform}-${arch}.bin`;
}

/**
 * Returns stored code; undefined if the file is missing or damaged.
 * @param isPersonal whether to accept only a file that belongs to this process's user and that no one else can write
 */
function readCode(file: string, isPersonal: boolean): Buffer | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, 'r');
    if (isPersonal && !belongsToUser(fstatSync(descriptor))) return undefined;
    const content = readFileSync(descriptor);
    const code = content.subarray(hashBytes);
    return hashOf(code).equals(content.subarray(0, hashBytes)) ? code : undefined;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Windows reports neither owner nor mode. There, other users' folders are inaccessible by default. */
function belongsToUser({ uid, mode }: Stats): boolean {
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
}

function writeCode(file: string, code: Buffer): void {
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, Buffer.concat([hashOf(code), code]), { mode: 0o600, flag: 'wx' });
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}

function removeOldest(folder: string): void {
  const names = readdirSync(folder);
  if (names.length <= mostFiles) return;
  const files = names.map((name) => path.join(folder, name));
  const times = new Map(files.map((file) => [file, statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0]));
  const newestFirst = files.sort((a, b) => (times.get(b) ?? 0) - (times.get(a) ?? 0));
  for (const file of newestFirst.slice(mostFiles / 2)) rmSync(file, { force: true });
}

/**
 * Returns the SHA-256 hash. Most processors have instructions for it, which make it more than twice as fast as SHA-512.
 */
function hashOf(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
