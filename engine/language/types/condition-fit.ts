/**
 * Finds conditions that are always false because of the types at their paths.
 */
import { parsePath } from '../bindings/binding-path.ts';
import { type ComparisonExpr, comparisonOf } from '../bindings/when.ts';
import type { Severity } from '../findings/diagnostic.ts';
import type { WhenExpr } from '../flow/flow-doc.ts';
import { isJsonList, type JsonValue } from '../json/json-value.ts';
import type { FoundValue } from './follow-path.ts';
import { markerNames } from './marker-shapes.ts';
import { shapeOfValue } from './schema-to-shape.ts';
import { anyShape, canBe, except, isUnknown, shapeText, type ValueShape } from './shape.ts';
import { canFit } from './value-fit.ts';

interface NeverHolds {
  /** Path relative to the condition. */
  readonly place: readonly (string | number)[];
  readonly message: string;
  readonly severity: Severity;
}

type Follow = (path: readonly string[]) => FoundValue | undefined;

/** Returns the parts of a condition that no value can satisfy. */
export function neverHolds(expr: WhenExpr, follow: Follow, place: NeverHolds['place'] = []): readonly NeverHolds[] {
  if ('not' in expr) return neverHolds(expr.not, follow, [...place, 'not']);
  if ('and' in expr) return expr.and.flatMap((part, index) => neverHolds(part, follow, [...place, 'and', index]));
  if ('or' in expr) return expr.or.flatMap((part, index) => neverHolds(part, follow, [...place, 'or', index]));
  if ('exists' in expr) return ofExists(expr.exists, follow, [...place, 'exists']);
  return ofComparison(expr, follow, place);
}

/** Conditions may always refer to a failure or a skip. */
function foundAt(text: string, follow: Follow): FoundValue | undefined {
  const path = parsePath(text);
  if (path === undefined || (path.length > 1 && markerNames.has(path[1] ?? ''))) return undefined;
  return follow(path);
}

function ofExists(text: string, follow: Follow, place: NeverHolds['place']): readonly NeverHolds[] {
  const found = foundAt(text, follow);
  if (found?.missing !== 'always') return [];
  return [warningAt(place, `This is never true. ${found.problem.message}`)];
}

function ofComparison(expr: ComparisonExpr, follow: Follow, place: NeverHolds['place']): readonly NeverHolds[] {
  const [op, { var: text, value }] = comparisonOf(expr);
  const found = foundAt(text, follow);
  if (found === undefined) return [];
  if (found.missing === 'always')
    return [warningAt([...place, op, 'var'], `This is never true. ${found.problem.message}`)];
  if (op === 'equals' && value === null)
    return [
      warningAt([...place, op, 'value'], 'This is never true: null counts as missing. Write { not: { exists: … } }.'),
    ];
  const shape = except(found.shape, 'null');
  if (isUnknown(found.shape) || comparesWith(op, shape, value)) return [];
  const what = op === 'equals' ? '' : ` with "${op}"`;
  const message = `This is never true: "${text}" is ${shapeText(shape)} and is compared${what} with ${shown(value)}.`;
  return [{ place: [...place, op, 'value'], severity: 'error', message }];
}

/** A missing path makes a condition false, which may be intended. */
function warningAt(place: NeverHolds['place'], message: string): NeverHolds {
  return { place, severity: 'warning', message };
}

/** Whether the comparison can be true for a value of this shape. */
function comparesWith(op: string, shape: ValueShape, value: JsonValue): boolean {
  switch (op) {
    case 'equals':
      return canFit(shape, shapeOfValue(value), 'exact');
    case 'in':
      return !isJsonList(value) || value.some((one) => one !== null && canFit(shape, shapeOfValue(one), 'exact'));
    case 'contains':
      if (canBe(shape, 'list') && canFit(shape.items ?? anyShape, shapeOfValue(value), 'exact')) return true;
      return canBe(shape, 'string') && typeof value === 'string';
    default:
      return typeof value === 'number' ? canBe(shape, 'number') : typeof value === 'string' && canBe(shape, 'string');
  }
}

function shown(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.length <= 60 ? text : `${text.slice(0, 57)}...`;
}
