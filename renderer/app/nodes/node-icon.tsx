import { offeredType } from '../../stores/flow/node-types.ts';
import { NodeTile } from '../../ui/node-tile.tsx';

/** The icon of a node type, or of a variant of one, in a list. */
export function NodeIcon({ type }: { type: string }) {
  const spec = offeredType(type);
  return <NodeTile category={spec?.category ?? 'flow'} icon={spec?.icon ?? 'unknown'} size="small" />;
}
