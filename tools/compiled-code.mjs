/**
 * Generates the compiled code shipped with the command line: starts the built program a few times and collects what it
 * caches.
 */
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runOrFail } from './child-process.mjs';

const trialFlow = `flow: { name: Trial }
nodes:
  - { id: first, type: echo, input: { text: start } }
  - { id: second, type: echo, input: { text: "{{first.text}}" } }
edges: [{ from: first, to: second }]
`;

/**
 * The first start that loads a file determines which functions its compiled code includes, so the longest one comes
 * first.
 */
const starts = [
  ['run', 'trial.flow.yaml', '--json'],
  ['run', 'trial.flow.yaml'],
  ['validate', 'trial.flow.yaml'],
  ['runs', 'list'],
];

/**
 * Writes the folder `code` beside the program. The program runs without it, but starts more slowly.
 * @param {string} program absolute path of its file
 * @throws {ToolError} with the output of a start that failed
 */
export async function shipCompiledCode(program) {
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-code-'));
  try {
    const home = path.join(folder, 'home', 'millrace');
    await mkdir(home, { recursive: true });
    await writeFile(path.join(folder, 'trial.flow.yaml'), trialFlow);
    const { NODE_OPTIONS: _, NODE_DISABLE_COMPILE_CACHE: __, ...inherited } = process.env;
    const env = { ...inherited, MILLRACE_HOME: path.dirname(home), INIT_CWD: folder };
    for (const args of starts) await runOrFail(process.execPath, [program, ...args], { cwd: folder, env });
    await cp(path.join(home, 'code'), path.join(path.dirname(program), 'code'), { recursive: true });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
