/**
 * Asks questions in the terminal.
 */
import { createInterface } from 'node:readline/promises';
import { printable } from '../terminal.ts';

/** Asks a question in the terminal. Only y or yes counts as agreement. Undefined without an interactive terminal. */
export async function askPerson(question: string): Promise<boolean | undefined> {
  if (!process.stdin.isTTY) return undefined;
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  try {
    // While reading from the terminal, the program does not receive Ctrl-C, so the signal is sent again.
    asking.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    // The end of input does not count as yes.
    const closed = new Promise<string>((resolve) => asking.once('close', () => resolve('')));
    const answer = await Promise.race([asking.question(printable(question)).catch(() => ''), closed]);
    return /^y(?:es)?$/i.test(answer.trim());
  } finally {
    asking.close();
  }
}
