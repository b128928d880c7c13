/**
 * Finds the smallest edits that change the map in a text into a new map, for any file type.
 */
import { EngineError } from '../../../base/engine-error.ts';
import { applyEdits, type TextEdit } from '../../../base/text-edit.ts';
import { isJsonMap, type JsonMap, jsonEquals } from '../../json/json-value.ts';
import type { ValuePath } from '../../schema/schema-problems.ts';
import { TextPlaces } from '../../yaml/yaml-places.ts';
import type { SourceProblem } from '../../yaml/yaml-source.ts';
import { refused } from '../raw-flow.ts';
import type { PatchHints } from './patch.ts';
import type { Manner } from './write-value.ts';
import { patchYaml } from './yaml-patch.ts';
import { hasValue, readYamlText, Unpatchable, type YamlText } from './yaml-text.ts';

export const byteOrderMark = '\uFEFF';

/** Finds edits in text without its byte order mark, and returns them with positions in the entire text. */
export function shiftedEdits(text: string, find: (source: string) => readonly TextEdit[]): readonly TextEdit[] {
  const shift = text.startsWith(byteOrderMark) ? 1 : 0;
  const edits = find(text.slice(shift));
  return shift === 0 ? edits : edits.map((edit) => ({ ...edit, start: edit.start + shift, end: edit.end + shift }));
}

export type MapText = YamlText & { readonly value: JsonMap };

/** @throws EngineError `edit.refused` for invalid YAML, and with the message `notAMap` for a value that is not a map */
export function readMapText(source: string, notAMap: string): MapText {
  const file = readYamlText(source);
  if ('code' in file) throw unreadable(source, file);
  const { value } = file;
  if (!isJsonMap(value)) throw refused(notAMap);
  return { ...file, value };
}

function unreadable(source: string, { message, start, end }: SourceProblem): EngineError {
  const { line, column } = new TextPlaces(source).range(start, end);
  return new EngineError({
    code: 'edit.refused',
    message: `The text is not valid YAML. Fix it in the text first. Line ${line}, column ${column}: ${message}`,
    line,
  });
}

/** How files of a type are written, with hints about a change. */
export interface WrittenForm extends Omit<PatchHints, 'movesText' | 'isWhole'> {
  mannerOf(text: YamlText, mayKeepLines: boolean): Manner;
  /** @param isWholeWay whether smaller edits have failed, so that entire parts are rewritten */
  isWhole(path: ValuePath, isWholeWay: boolean): boolean;
}

/** Strategies from the smallest edits to the largest. The first one that produces the requested result is used. */
const ways = [
  { mayKeepLines: true, movesText: true, isWholeWay: false },
  { mayKeepLines: false, movesText: true, isWholeWay: false },
  { mayKeepLines: false, movesText: false, isWholeWay: false },
  { mayKeepLines: false, movesText: false, isWholeWay: true },
] as const;

/**
 * Returns the edits after which the text contains `root`; undefined if the text is written in a way that allows none.
 */
export function findEdits(file: MapText, root: JsonMap, form: WrittenForm): TextEdit[] | undefined {
  for (const { mayKeepLines, movesText, isWholeWay } of ways) {
    const { renamed, mayBecome, respell } = form;
    const isWhole = (path: ValuePath): boolean => form.isWhole(path, isWholeWay);
    const hints: PatchHints = { renamed, mayBecome, respell, movesText, isWhole };
    const manner = form.mannerOf(file, mayKeepLines);
    const edits = patchOrNothing(() => patchYaml(file, root, { manner, hints }));
    if (edits !== undefined && gives(file.source, edits, root)) return edits;
  }
  return undefined;
}

function patchOrNothing(patch: () => TextEdit[]): TextEdit[] | undefined {
  try {
    return patch();
  } catch (thrown) {
    if (thrown instanceof Unpatchable) return undefined;
    throw thrown;
  }
}

function gives(source: string, edits: readonly TextEdit[], root: JsonMap): boolean {
  // Two edits at the same position cannot be combined.
  if (edits.some(({ start }, index) => start < (edits[index - 1]?.end ?? 0))) return false;
  return hasValue(applyEdits(source, edits), root);
}

/** Creates an error that names the parts of the file where a change is not possible. */
export function notPossible({ value }: { readonly value: JsonMap }, root: JsonMap): EngineError {
  const sections = Object.keys({ ...value, ...root }).filter(
    (key) => !jsonEquals(value[key] ?? null, root[key] ?? null),
  );
  const where = sections.map((key) => `"${key}"`).join(' and ');
  return refused(`This change does not work with the way ${where} is written. Make the change in the text.`);
}
