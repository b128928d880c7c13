/**
 * Converts node types defined as data for use in cards and forms.
 */
import { resolveBindingPath } from '../../language/bindings/binding-path.ts';
import { parseTemplate } from '../../language/bindings/binding-template.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import { specOfData } from '../../language/types/data-type.ts';
import type { NodeTypeData, NodeTypeSpec, SummaryPart } from '../../language/types/node-type-spec.ts';
import { chipOf } from './summary-text.ts';

const described = new WeakMap<NodeTypeData, NodeTypeSpec>();

/** Returns the description of a type defined as data, with its card summary. */
export function describedType(data: NodeTypeData): NodeTypeSpec {
  const known = described.get(data);
  if (known !== undefined) return known;
  const { summary } = data;
  const spec = specOfData(data);
  const whole = summary === undefined ? spec : { ...spec, summary: sentenceOf(summary) };
  described.set(data, whole);
  return whole;
}

/** Returns a summary with chips in place of `{{input.path}}` and `{{config.path}}`. */
function sentenceOf(template: string): NonNullable<NodeTypeSpec['summary']> {
  const { parts } = parseTemplate(template);
  return (config, input) => {
    const values = new Map<string, JsonValue>([
      ['config', config],
      ['input', input],
    ]);
    return parts.flatMap((part): SummaryPart[] => {
      if (typeof part === 'string') return [part];
      const chip = chipOf(resolveBindingPath(part.path, values));
      return [chip ?? 'nothing yet'];
    });
  };
}
