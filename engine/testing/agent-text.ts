/**
 * Agent files of tests, line by line: backticks would end a template text.
 */
export const fence3 = '`'.repeat(3);
export const fence4 = '`'.repeat(4);

/** A file of these lines. */
export function file(...lines: string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
