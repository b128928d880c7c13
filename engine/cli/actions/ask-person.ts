/**
 * Questions to whoever sits at the terminal.
 */
import { createInterface } from 'node:readline/promises';

/** Asks on a terminal, and takes y or yes for agreement; undefined = nobody is there to answer. */
export async function askPerson(question: string): Promise<boolean | undefined> {
  if (!process.stdin.isTTY) return undefined;
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(?:es)?$/i.test((await asking.question(question)).trim());
  } finally {
    asking.close();
  }
}
