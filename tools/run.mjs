/**
 * The only entry point of the tools: `node tools/run.mjs COMMAND [ARGUMENTS]`. Checks the version of Node, then loads
 * the command. Files loaded after that may use newer syntax.
 */
import { nodeVersionProblem } from './node-version.mjs';

/** Each command exports `main(args)`, which resolves to the exit code. */
const commands = {
  start: () => import('./start.mjs'),
  durable: () => import('./durable.mjs'),
  test: () => import('./test.mjs'),
  check: () => import('./check.mjs'),
  build: () => import('./build.mjs'),
  e2e: () => import('./e2e.mjs'),
  docs: () => import('./docs/main.mjs'),
  bench: () => import('./bench.mjs'),
  pictures: () => import('./pictures.mjs'),
  mutants: () => import('./mutants/main.mjs'),
  package: () => import('./package.mjs'),
  'package-library': () => import('./package-library.mjs'),
  manifest: () => import('./manifest.mjs'),
  prices: () => import('./model-prices.mjs'),
  millrace: () => import('./millrace.mjs'),
};

/**
 * @param {string} name
 * @param {string[]} args
 */
async function runCommand(name, args) {
  const load = commands[/** @type {keyof typeof commands} */ (name)];
  if (!load) throw new Error(`Unknown command "${name}". Commands: ${Object.keys(commands).join(', ')}.`);
  const { endChildrenOnSignals } = await import('./child-process.mjs');
  endChildrenOnSignals();
  const { main } = await load();
  return main(args);
}

/**
 * @param {unknown} error
 * @returns {Promise<number>} exit code
 */
async function report(error) {
  const { exitCodeOfStop } = await import('./child-process.mjs');
  const stopCode = exitCodeOfStop();
  const isExpected = error instanceof Error && error.name === 'ToolError';
  // After a signal, any error was caused by stopping.
  if (!stopCode) console.error(isExpected ? error.message : error);
  return stopCode || 1;
}

const problem = nodeVersionProblem(process.versions.node);
if (problem) {
  console.error(problem);
  process.exitCode = 1;
} else {
  void runCommand(process.argv[2] || '', process.argv.slice(3))
    .catch(report)
    .then((code) => process.exit(code));
}
