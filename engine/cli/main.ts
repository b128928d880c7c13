/**
 * The command line program `millrace`. The build puts the line before it that lets a shell start it.
 */
import process from 'node:process';
import { createCliContext } from './cli-context.ts';
import { runCli } from './run-cli.ts';
import { createTerminal } from './terminal.ts';

const context = createCliContext(createTerminal(process), process);
process.exitCode = await runCli(process.argv.slice(2), context);
