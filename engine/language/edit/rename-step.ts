/**
 * Updates templates that read a step's output when its ID changes: `{{artifacts.step.<id>.output}}`.
 */
import { applyEdits, type TextEdit } from '../../base/text-edit.ts';
import type { JsonValue } from '../json/json-value.ts';
import { problemsOf } from '../schema/schema-problems.ts';
import { stepIdSchema } from '../steps/step-flow-doc.ts';
import { artifactPaths } from '../steps/step-templates.ts';
import { mapTexts } from './node-paths.ts';
import { refused } from './raw-flow.ts';
import type { NodeRename } from './rename-node.ts';

/** @throws EngineError `edit.refused` if an ID is invalid or taken */
export function checkNewStepId(id: string, taken: ReadonlySet<string>): void {
  const [problem] = problemsOf(stepIdSchema(), id);
  if (problem !== undefined) throw refused(`"id" ${problem.message}.`);
  if (taken.has(id)) throw refused(`Another step already has the id "${id}". Rename one.`);
}

interface StepRenaming extends NodeRename {
  /** IDs of all steps before the change. */
  readonly ids: readonly string[];
}

/**
 * Replaces the step's ID in all of a value's templates.
 * @throws EngineError `edit.refused` if the new ID cannot be written in a template
 */
export function renameInTemplates(value: JsonValue, renaming: StepRenaming): JsonValue {
  return mapTexts(value, (text) => {
    if (!text.includes('{{')) return text;
    const edits = editsIn(text, renaming);
    if (edits.length > 0 && !/^[\w.-]+$/.test(renaming.to)) {
      throw refused(
        `Templates read the output of "${renaming.from}" and support only ASCII letters, digits, _, - and dots in ids. Choose an id of these characters.`,
      );
    }
    return applyEdits(text, edits);
  });
}

/** Returns the edits inside one string that result from renaming; undefined if the strings differ otherwise. */
export function templateRenamingEdits(
  before: string,
  after: string,
  renaming: StepRenaming,
): readonly TextEdit[] | undefined {
  const edits = editsIn(before, renaming);
  return edits.length > 0 && applyEdits(before, edits) === after ? edits : undefined;
}

const stepRoot = 'step.';

/** As in template evaluation, a path refers to the longest matching ID. */
function editsIn(text: string, { from, to, ids }: StepRenaming): readonly TextEdit[] {
  return artifactPaths(text).flatMap(({ path, start }): TextEdit[] => {
    if (!path.startsWith(stepRoot)) return [];
    const rest = path.slice(stepRoot.length);
    const meant = ids.filter((id) => rest === id || rest.startsWith(`${id}.`)).sort((a, b) => b.length - a.length)[0];
    const place = start + stepRoot.length;
    return meant === from ? [{ start: place, end: place + from.length, text: to }] : [];
  });
}
