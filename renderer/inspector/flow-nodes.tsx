/**
 * What a flow does: its nodes in order, each with a sentence.
 */
import { type NodeDoc, type NodeTypeSpec, type SummaryPart, typesOfFlow } from '../../engine/isomorphic.ts';
import { firstNodes } from '../stores/flow/first-nodes.ts';
import { useStores } from '../stores/stores-context.tsx';
import type { SettledFlow } from '../stores/use-flow.ts';
import { useNodeTypes } from '../stores/use-node-types.ts';
import { Chip } from '../ui/chip.tsx';
import { NodeTile } from '../ui/node-tile.tsx';
import { Group } from './fields/setting-rows.tsx';
import { text } from './text.ts';
import './flow-nodes.css';

/** A longer list would repeat the outline. */
const mostNodes = 8;

/** Returns the author's description of a node, or else the summary on its card. */
function sentenceOf({ description, config = {}, input }: NodeDoc, spec: NodeTypeSpec | undefined) {
  if (description !== undefined) return [description];
  return spec?.summary?.(config, input) ?? [spec?.description ?? ''];
}

function Sentence({ parts }: { readonly parts: readonly SummaryPart[] }) {
  return (
    <span className="flow-node-sentence">
      {parts.map((part, index) => {
        // biome-ignore lint/suspicious/noArrayIndexKey: parts are identified only by their position
        return typeof part === 'string' ? <span key={index}>{part}</span> : <Chip key={index} text={part.chip} />;
      })}
    </span>
  );
}

/** The first nodes of the flow. Selecting one shows its form. */
export function FlowNodes({ flow: { doc, path, nesting } }: { readonly flow: SettledFlow }) {
  const { selection } = useStores();
  const types = typesOfFlow(doc, useNodeTypes());
  if (doc === null || doc.nodes.length === 0) return null;
  const more = doc.nodes.length - mostNodes;
  return (
    <Group title={text.flow.whatHappens}>
      <ol className="flow-nodes">
        {firstNodes(doc, nesting, mostNodes).map((node) => {
          const spec = types.get(node.type);
          return (
            <li key={node.id}>
              <button
                type="button"
                className="flow-node"
                onClick={() => selection.getState().selectNode(path, node.id)}
              >
                <NodeTile category={spec?.category ?? 'flow'} icon={spec?.icon ?? 'unknown'} />
                <span className="flow-node-words">
                  <b>{node.name ?? node.id}</b> <Sentence parts={sentenceOf(node, spec)} />
                </span>
              </button>
            </li>
          );
        })}
      </ol>
      {more > 0 ? <p className="inspector-quiet">{text.flow.moreNodes({ count: more })}</p> : null}
    </Group>
  );
}
