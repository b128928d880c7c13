/**
 * The command line inside of the packed program: a utility process that main starts instead of a window. A packed program
 * may not run as Node, so this is what stands behind `millrace` on the PATH. Arguments: the folder of the packs that come
 * with the program, then those of the command line.
 */
import { runCli } from '../../engine/cli/run-cli.ts';

const [program = '', file = '', builtInPacks = '', ...args] = process.argv;
process.argv = [program, file, ...args];
// It does not end by itself while main holds its line.
void runCli(process, builtInPacks).then(async (code) => {
  // A pipe takes what was written later on, here.
  await Promise.all([process.stdout, process.stderr].map((stream) => new Promise((done) => stream.write('', done))));
  process.exit(code);
});
