/**
 * Counts what the built command line loads before the first node of a run and prints it as JSON: `modules`, the `bytes`
 * of their source text, and the number of zod `schemas` that were built. None of these depends on the speed of the
 * machine. Argument: the path of the program file. Node also loads this file into the counted process.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Module } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import vm from 'node:vm';

const resultVariable = 'MILLRACE_BENCH_COUNTS';

const flow = `flow: { name: Chain }
nodes:
  - { id: first, type: echo, input: { text: start } }
  - { id: second, type: echo, input: { text: "{{first.text}}" } }
edges: [{ from: first, to: second }]
`;

const { [resultVariable]: resultFile } = process.env;
if (resultFile === undefined) console.log(JSON.stringify(countStart(path.resolve(process.argv[2] ?? ''))));
else countInside(resultFile);

/**
 * @param {string} program absolute path
 * @returns {{ modules: number, bytes: number, schemas: number }}
 */
function countStart(program) {
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace-count-'));
  try {
    writeFileSync(path.join(folder, 'chain.flow.yaml'), flow);
    const counts = path.join(folder, 'counts.json');
    const env = {
      ...process.env,
      MILLRACE_HOME: path.join(folder, 'home'),
      INIT_CWD: folder,
      [resultVariable]: counts,
    };
    const args = ['--import', import.meta.url, program, 'run', 'chain.flow.yaml', '--json'];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`The run ended with ${status}: ${stderr}${stdout}`);
    return JSON.parse(readFileSync(counts, 'utf8'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @param {string} file absolute path of the file that receives the counts */
function countInside(file) {
  const counts = { modules: 0, bytes: 0, schemas: 0 };
  const count = (/** @type {string} */ text) => {
    counts.modules++;
    counts.bytes += Buffer.byteLength(text);
  };
  countTexts(count);
  // Zod calls this for each schema and check that it builds.
  Object.assign(globalThis, { __zod_globalConfig: { postProcessor: () => counts.schemas++ } });
  const { stdout } = process;
  const write = stdout.write;
  stdout.write = (/** @type {[string]} */ ...args) => {
    if (String(args[0]).includes('"task:start"')) {
      writeFileSync(file, JSON.stringify(counts));
      stdout.write = write;
    }
    return write.apply(stdout, args);
  };
}

/**
 * Program files are compiled as scripts. Node itself compiles the entry file and package files.
 * @param {(text: string) => void} count
 */
function countTexts(count) {
  const { Script } = vm;
  vm.Script = class extends Script {
    /** @param {ConstructorParameters<typeof Script>} args */
    constructor(...args) {
      super(...args);
      count(args[0]);
    }
  };
  const { prototype } = /** @type {{ prototype: { _compile: (text: string, ...more: unknown[]) => unknown } }} */ (
    /** @type {unknown} */ (Module)
  );
  const compile = prototype._compile;
  prototype._compile = function (text, ...more) {
    count(text);
    return compile.call(this, text, ...more);
  };
}
