/**
 * The command line program, which its loader starts. Runs the command given by the arguments.
 */
import { runCli } from './run-cli.ts';

void runCli(process).then((code) => {
  process.exitCode = code;
});
