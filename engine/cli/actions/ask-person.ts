/**
 * Asks questions in the terminal.
 */
import { createInterface } from 'node:readline/promises';
import { EngineError } from '../../isomorphic.ts';
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

/**
 * Asks for agreement to a change that only a person may make. `--yes` agrees without a question.
 * @throws EngineError `permission.refused` if the person disagrees, or without an interactive terminal
 */
export async function confirmChange({ yes }: { readonly yes?: true }, question: string): Promise<void> {
  if (yes === true) return;
  const isAgreed = await askPerson(`${question} [y/N] `);
  if (isAgreed === true) return;
  const message =
    isAgreed === false ? 'Nothing was changed.' : 'Only a person can decide this. Use a terminal, or add --yes.';
  throw new EngineError({ code: 'permission.refused', message });
}
