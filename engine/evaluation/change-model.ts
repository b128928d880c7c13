/**
 * Lets the nodes of a flow use another model, to compare models on the same cases.
 */
import { applyEdits } from '../base/text-edit.ts';
import { editFlow } from '../language/edit/edit-flow.ts';
import { parseFlow } from '../language/flow/parse-flow.ts';

/** Types of nodes that have a model. */
const withModels: ReadonlySet<string> = new Set(['prompt', 'agent']);

/** Returns the flow's text with the model in all nodes that use one. The text is unchanged if it is not valid. */
export function withModel(text: string, model: string): string {
  const { doc } = parseFlow(text);
  const nodes = doc?.nodes.filter(({ type }) => withModels.has(type)) ?? [];
  return nodes.reduce((changed, { id }) => {
    const edit = editFlow(changed, { do: 'set-node', id, path: ['config', 'model'], value: model });
    return edit.ok ? applyEdits(changed, edit.edits) : changed;
  }, text);
}
