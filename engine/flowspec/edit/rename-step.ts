/**
 * A new id for a step, in the templates that read what it gave: `{{artifacts.step.<id>.output}}`.
 */
import { applyEdits, type TextEdit } from '../../base/text-edit.ts';
import type { JsonValue } from '../json-value.ts';
import { problemsOf } from '../schema-problems.ts';
import { stepIdSchema } from '../steps/step-flow-doc.ts';
import { artifactPaths } from '../steps/step-templates.ts';
import { mapTexts } from './node-paths.ts';
import { refused } from './raw-flow.ts';
import type { Renaming } from './rename-node.ts';

/** @throws EngineError `edit.refused` for an id that no step may have, or another has */
export function checkNewStepId(id: string, taken: ReadonlySet<string>): void {
  const [problem] = problemsOf(stepIdSchema(), id);
  if (problem !== undefined) throw refused(`"id" ${problem.message}.`);
  if (taken.has(id)) throw refused(`Another step has the id "${id}" already. Rename one.`);
}

interface StepRenaming extends Renaming {
  /** Of all steps, before it. */
  readonly ids: readonly string[];
}

/**
 * Names the step anew in all templates of a value.
 * @throws EngineError `edit.refused` when a template cannot spell the new id
 */
export function renameInTemplates(value: JsonValue, renaming: StepRenaming): JsonValue {
  return mapTexts(value, (text) => {
    if (!text.includes('{{')) return text;
    const edits = editsIn(text, renaming);
    if (edits.length > 0 && !/^[\w.-]+$/.test(renaming.to)) {
      throw refused(
        `Templates read what "${renaming.from}" gives, and can name only letters without accents, digits, _, - and dots. Choose an id of these.`,
      );
    }
    return applyEdits(text, edits);
  });
}

/** The changes inside one text that lead from it to another by a renaming; undefined when they do not. */
export function templateRenamingEdits(
  before: string,
  after: string,
  renaming: StepRenaming,
): readonly TextEdit[] | undefined {
  const edits = editsIn(before, renaming);
  return edits.length > 0 && applyEdits(before, edits) === after ? edits : undefined;
}

const stepRoot = 'step.';

/** The longest id that a path can mean counts, as for whoever reads it. */
function editsIn(text: string, { from, to, ids }: StepRenaming): readonly TextEdit[] {
  return artifactPaths(text).flatMap(({ path, start }): TextEdit[] => {
    if (!path.startsWith(stepRoot)) return [];
    const rest = path.slice(stepRoot.length);
    const meant = ids.filter((id) => rest === id || rest.startsWith(`${id}.`)).sort((a, b) => b.length - a.length)[0];
    const place = start + stepRoot.length;
    return meant === from ? [{ start: place, end: place + from.length, text: to }] : [];
  });
}
