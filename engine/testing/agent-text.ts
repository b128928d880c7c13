/**
 * Agent files for tests, line by line, because backticks would end a template literal.
 */
export const fence3 = '`'.repeat(3);
export const fence4 = '`'.repeat(4);

/** Returns a file with these lines. */
export function file(...lines: string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
