/**
 * Writes the new values of failing checks to their test file.
 */
import { join } from 'node:path';
import { applyEdits } from '../base/text-edit.ts';
import { acceptedChanges } from '../language/cases/accepted-change.ts';
import type { CaseDoc } from '../language/cases/case-doc.ts';
import type { CaseResult } from '../language/cases/case-result.ts';
import { type CaseChange, editCases } from '../language/cases/edit-cases.ts';
import type { JsonMap } from '../language/json/json-value.ts';
import { writeFileAtomically } from '../world/files/atomic-write.ts';
import type { ReadyFile } from './list-cases.ts';
import { renamedCase } from './renamed-nodes.ts';

/** Updates the file. Returns the number of new values, and of failed cases that have no other problems. */
export async function updateFile(
  file: ReadyFile,
  results: readonly CaseResult[],
  workspace: string,
): Promise<{ readonly values: number; readonly cases: number }> {
  const failed = results.filter(({ isOk }) => !isOk).map((result) => ({ result, values: acceptedChanges(result) }));
  const values = failed.flatMap((one) => one.values);
  const mended = failed.filter(({ result, values: own }) => {
    const problems = result.checks.filter(({ isOk }) => !isOk).length;
    return problems > 0 && problems === own.length;
  });
  const updated = { values: values.length, cases: mended.length };
  const changes = [...newNames(file, results), ...values];
  if (changes.length === 0) return updated;
  const text = applyEdits(file.text, editCases(file.text, changes));
  await writeFileAtomically(join(workspace, file.path), text);
  return updated;
}

/** Returns the changes that write the new names of nodes, one for each entry. */
function newNames({ doc }: ReadyFile, results: readonly CaseResult[]): readonly CaseChange[] {
  const byEntry = new Map(results.flatMap(({ entry, renamed }) => (renamed === undefined ? [] : [[entry, renamed]])));
  return [...byEntry].flatMap(([entry, renamed]): readonly CaseChange[] => {
    const written = doc?.cases[entry];
    if (written === undefined) return [];
    const value = renamedCase(written as CaseDoc, new Map(Object.entries(renamed)));
    return [{ do: 'set', path: ['cases', entry], value: value as unknown as JsonMap }];
  });
}
