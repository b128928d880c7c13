/**
 * Finds texts of an output that are only a part of a text of the input, as if a limit had cut them.
 */
import { isRecord } from '../../ui/value-parts.ts';

export interface CutText {
  /** Path of the longer text from `input`, such as `input.text`. */
  readonly from: string;
  /** Path of the part in the output. Empty if the output is a text. */
  readonly path: string;
  readonly length: number;
  readonly total: number;
}

/** Smaller differences are hardly a loss, and shorter parts may be found by chance. */
const [leastMissing, shortestPart] = [100, 100];
const mostLevels = 3;
/** Fields of large lists are not compared. */
const mostTexts = 50;

interface FoundText {
  readonly path: string;
  readonly text: string;
}

function textsIn(value: unknown, path: string, level = 0): readonly FoundText[] {
  if (typeof value === 'string') return value.length < shortestPart ? [] : [{ path, text: value }];
  if (level >= mostLevels || !isRecord(value)) return [];
  return Object.entries(value)
    .slice(0, mostTexts)
    .flatMap(([key, field]) => textsIn(field, path === '' ? key : `${path}.${key}`, level + 1));
}

/** Upper and lower case of the first letter count as the same. */
function isPartOf(part: string, whole: string): boolean {
  const first = part.charAt(0);
  return [part, first.toLowerCase() + part.slice(1), first.toUpperCase() + part.slice(1)].some((one) =>
    whole.includes(one),
  );
}

/** Returns the texts of an output that are a part of a text of the input, and at least 100 characters shorter. */
export function cutTexts(input: unknown, output: unknown): readonly CutText[] {
  const texts = textsIn(input, 'input').slice(0, mostTexts);
  return textsIn(output, '')
    .slice(0, mostTexts)
    .flatMap(({ path, text }) => {
      // A text that the node has passed on whole is not cut, although another one contains it.
      if (texts.some((whole) => whole.text.length === text.length && isPartOf(text, whole.text))) return [];
      const longer = texts.find(
        (whole) => whole.text.length - text.length >= leastMissing && isPartOf(text, whole.text),
      );
      return longer === undefined ? [] : [{ from: longer.path, path, length: text.length, total: longer.text.length }];
    });
}
