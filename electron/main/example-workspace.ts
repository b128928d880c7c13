/**
 * The workspace of a first start: the examples, copied to a folder that the user can write.
 */
import { cp } from 'node:fs/promises';
import path from 'node:path';

/** What examples leave that were run in place, in a clone. */
const leavings = ['.millrace', 'out'];

/** Copies the examples to `target`. What lies there already is the user's and stays as it is. */
export async function copyExamples(source: string, target: string): Promise<void> {
  const isExample = (file: string): boolean => !leavings.includes(path.relative(source, file));
  await cp(source, target, { recursive: true, force: false, filter: isExample });
}
