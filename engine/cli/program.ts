/**
 * The command line program started by its loader: runs the command given by the arguments.
 */
import { runCli } from './run-cli.ts';

void runCli(process).then((code) => {
  process.exitCode = code;
});
