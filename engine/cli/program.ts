/**
 * The command line program behind its loader: runs the command that the arguments name.
 */
import { runCli } from './run-cli.ts';

void runCli(process).then((code) => {
  process.exitCode = code;
});
