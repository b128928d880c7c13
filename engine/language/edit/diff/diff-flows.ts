/**
 * Compares two texts of a flow, and takes some of the differences over.
 */
import { editBetween, type TextEdit } from '../../../base/text-edit.ts';
import { FlowComparison, type FlowTexts } from './comparison.ts';
import { type DifferenceLines, type FlowDiff, keyOf, withNeeds } from './flow-difference.ts';

/**
 * Compares two texts of a flow. Changed comments are one difference, and so is the formatting if nothing else differs.
 * @throws EngineError `edit.refused` if one of them is not a flow, or invalid YAML
 */
export function diffFlows(texts: FlowTexts): FlowDiff {
  return { differences: new FlowComparison(texts).differences() };
}

/** Returns the lines of all differences. @throws EngineError `edit.refused` as `diffFlows` */
export function locateDifferences(texts: FlowTexts): readonly DifferenceLines[] {
  const comparison = new FlowComparison(texts);
  return comparison.linesOf(comparison.differences());
}

/**
 * Returns the edits of the first text that take differences over, with everything that they need. The rest of the text
 * stays as it is. With all differences, the result is the second text.
 * @param keys keys of differences; unknown ones are ignored
 * @throws EngineError `edit.refused` as `diffFlows`, or if the way in which the text is written prevents it
 */
export function takeDifferences(texts: FlowTexts, keys: Iterable<string>): readonly TextEdit[] {
  const comparison = new FlowComparison(texts);
  const differences = comparison.differences();
  const chosen = withNeeds({ differences }, keys);
  if (chosen.size === 0) return [];
  const whole = editBetween(texts.before, texts.after);
  if (chosen.size === differences.length) return whole === null ? [] : [whole];
  const parts = new Set(differences.flatMap((one) => (chosen.has(one.key) ? one.parts.map(keyOf) : [])));
  return comparison.edits((part) => parts.has(keyOf(part)));
}
