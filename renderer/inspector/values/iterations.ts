/**
 * The iterations in the output of a loop: one record per item, with the item and the outputs of the nodes in the body.
 */
import { isRecord } from '../../ui/value-parts.ts';

const sampledRows = 20;

interface LoopIteration {
  readonly index: number;
  readonly outputs: Readonly<Record<string, unknown>>;
}

function isIteration(value: unknown): value is LoopIteration & Record<string, unknown> {
  return isRecord(value) && Number.isInteger(value['index']) && isRecord(value['outputs']);
}

/** Returns whether the rows of a table are the iterations of a loop. */
export function isIterationList(rows: readonly unknown[]): boolean {
  return rows.length > 0 && rows.slice(0, sampledRows).every(isIteration);
}

/** Returns whether a value is the output of a loop. */
export function isLoopOutput(value: unknown): boolean {
  return isRecord(value) && Array.isArray(value['iterations']) && isIterationList(value['iterations']);
}

/** Returns the title of a column of iterations: the field of the item, or the node and the field of its output. */
export function iterationTitle(keys: readonly string[]): string {
  const [first = '', ...rest] = keys;
  return rest.length > 0 && (first === 'item' || first === 'outputs') ? rest.join('.') : keys.join('.');
}

/** Returns the node that a column of iterations is about. Undefined for other columns. */
export function nodeOfColumn(keys: readonly string[]): string | undefined {
  return keys[0] === 'outputs' ? keys[1] : undefined;
}

/** Returns whether a column of iterations is part of an error: of the item, or of a node with a tolerated failure. */
export function isErrorColumn(keys: readonly string[]): boolean {
  return keys[0] === 'error' || (keys[0] === 'outputs' && keys[2] === 'error');
}

/** Returns whether a value stands for the output of a skipped node. */
export function isSkipMarker(value: unknown): boolean {
  return isRecord(value) && value['skipped'] === true && typeof value['reason'] === 'string';
}

/** Returns whether a column shows the output of a node that an item has skipped. A failed item has not reached it. */
export function isSkipped(row: unknown, keys: readonly string[]): boolean {
  const node = nodeOfColumn(keys);
  if (node === undefined || !isIteration(row)) return false;
  if (Object.hasOwn(row.outputs, node)) return isSkipMarker(row.outputs[node]);
  return row['error'] === undefined;
}

/** Returns the message of an error. Undefined for other values. */
export function errorMessage(value: unknown): string | undefined {
  return isRecord(value) && typeof value['message'] === 'string' ? value['message'] : undefined;
}

/** Fields of the value that stands for the output of a failed node, beside its error. */
const besideError: readonly string[] = ['failed', 'attempts'];

/** Returns whether a column of iterations only repeats what others show. */
export function isRedundant({ keys }: ColumnKeys, columns: readonly ColumnKeys[]): boolean {
  if (keys.length === 1) return keys[0] === 'index';
  const [first, node, field = ''] = keys;
  if (first !== 'outputs' || !besideError.includes(field)) return false;
  return columns.some(({ keys: [, otherNode, otherField] }) => otherNode === node && otherField === 'error');
}

interface ColumnKeys {
  readonly keys: readonly string[];
}
