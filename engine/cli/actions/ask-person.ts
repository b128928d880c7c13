/**
 * Questions to whoever sits at the terminal.
 */
import { createInterface } from 'node:readline/promises';
import { printable } from '../terminal.ts';

/** Asks on a terminal, and takes y or yes for agreement; undefined = nobody is there to answer. */
export async function askPerson(question: string): Promise<boolean | undefined> {
  if (!process.stdin.isTTY) return undefined;
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  try {
    // Reading a terminal takes Ctrl-C away from the program; it gets it back here.
    asking.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    // The end of the input does not mean yes.
    const closed = new Promise<string>((resolve) => asking.once('close', () => resolve('')));
    const answer = await Promise.race([asking.question(printable(question)).catch(() => ''), closed]);
    return /^y(?:es)?$/i.test(answer.trim());
  } finally {
    asking.close();
  }
}
