/**
 * The workspace of a first start: the examples, copied to a folder that the user can write.
 */
import { cp } from 'node:fs/promises';

/** Copies the examples to `target`. What lies there already is the user's and stays as it is. */
export async function copyExamples(source: string, target: string): Promise<void> {
  await cp(source, target, { recursive: true, force: false });
}
