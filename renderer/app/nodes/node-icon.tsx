import { nodeTypes } from '../../stores/flow/node-types.ts';
import { NodeTile } from '../../ui/node-tile.tsx';

/** The tile of a node type in a list. */
export function NodeIcon({ type }: { type: string }) {
  const spec = nodeTypes.get(type);
  return <NodeTile category={spec?.category ?? 'flow'} icon={spec?.icon ?? 'unknown'} size="small" />;
}
