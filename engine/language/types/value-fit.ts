/**
 * Determines whether a value can have the required shape, including the conversion to text during a run.
 */
import { type JsonValue, jsonEquals, textForm } from '../json/json-value.ts';
import {
  canBe,
  deepest,
  fieldOf,
  isEmptyShape,
  isUnknown,
  type KindName,
  kindOf,
  kinds,
  type ValueShape,
} from './shape.ts';

/** `text-forms`: other values are converted where text is required, as in node input. `exact`: nothing is converted. */
export type FitMode = 'text-forms' | 'exact';

/** Returns false only if no value of one shape can have the other shape. */
export function canFit(given: ValueShape, needed: ValueShape, mode: FitMode, depth = 0): boolean {
  // A value that cannot exist is reported as missing elsewhere.
  if (isUnknown(given) || isUnknown(needed) || isEmptyShape(given) || depth > deepest) return true;
  const { values } = given;
  if (values !== undefined) return values.some((value) => accepts(needed, value, mode));
  return (Object.keys(kinds) as KindName[]).some(
    (kind) => canBe(given, kind) && fitsAsKind(kind, { given, needed, mode, depth }),
  );
}

interface Fit {
  readonly given: ValueShape;
  readonly needed: ValueShape;
  readonly mode: FitMode;
  readonly depth: number;
}

function fitsAsKind(kind: KindName, fit: Fit): boolean {
  const { needed, mode } = fit;
  if (mode === 'text-forms' && kind !== 'null' && canBe(needed, 'string')) return true;
  if (!canBe(needed, kind)) return false;
  if (needed.values?.every((value) => kindOf(value) !== kind) === true) return false;
  return kind !== 'map' || mapsFit(fit);
}

/** Lists always match, because they may be empty. */
function mapsFit({ given, needed, mode, depth }: Fit): boolean {
  for (const [name, field] of needed.fields ?? []) {
    const own = fieldOf(given, name);
    if (isEmptyShape(own.shape)) {
      if (field.isSure) return false;
    } else if ((own.isSure || field.isSure) && !canFit(own.shape, field.shape, mode, depth + 1)) return false;
  }
  return true;
}

function accepts(needed: ValueShape, value: JsonValue, mode: FitMode): boolean {
  const { values } = needed;
  if (canBe(needed, kindOf(value)) && (values === undefined || values.some((one) => jsonEquals(one, value))))
    return true;
  if (mode === 'exact' || value === null || !canBe(needed, 'string')) return false;
  return values === undefined || values.includes(textForm(value));
}
