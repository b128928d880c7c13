/**
 * Writes the new values of failing checks to their test file.
 */
import { join } from 'node:path';
import { applyEdits } from '../base/text-edit.ts';
import type { CaseResult, CheckResult } from '../language/cases/case-result.ts';
import { type CaseChange, editCases } from '../language/cases/edit-cases.ts';
import { writeFileAtomically } from '../world/files/atomic-write.ts';
import type { ReadyFile } from './list-cases.ts';

/** Checks with a value that can take the place of the expected one. */
const updatable: ReadonlySet<CheckResult['kind']> = new Set(['outputs', 'inputs', 'files', 'ran']);

/** Returns the change that accepts what a check found; undefined if there is no value to accept. */
function acceptedChange(entry: number, check: CheckResult): CaseChange | undefined {
  const { isOk, kind, path, got, matcher = 'equals' } = check;
  if (isOk || path === undefined || got === undefined || !updatable.has(kind) || matcher !== 'equals') return undefined;
  return { do: 'set', path: ['cases', entry, ...path], value: got };
}

/** Checks that must hold before values are accepted: what a run produced before it failed is not what anybody wants. */
const required: ReadonlySet<CheckResult['kind']> = new Set(['status', 'fails', 'recording', 'answers']);

/** Updates the file. Rows of datasets share their expectations, so those stay. */
export async function updateFile(file: ReadyFile, results: readonly CaseResult[], workspace: string): Promise<void> {
  const changes = results.flatMap(({ entry, row, checks }) => {
    const isUsable = row === undefined && checks.every(({ isOk, kind }) => isOk || !required.has(kind));
    return isUsable ? checks.flatMap((check) => acceptedChange(entry, check) ?? []) : [];
  });
  if (changes.length === 0) return;
  const text = applyEdits(file.text, editCases(file.text, changes));
  await writeFileAtomically(join(workspace, file.path), text);
}
