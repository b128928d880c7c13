/**
 * What a flow is called that is made of some nodes, before anybody named it.
 */
import { bodyOwners, type FlowDoc } from '../../../engine/isomorphic.ts';

/** The title of the group that they are; the name of the one node, or of the first and the last. */
export function proposedName({ nodes, layout }: FlowDoc, ids: ReadonlySet<string>): string {
  const group = Object.values(layout?.groups ?? {}).find(
    (known) => known.nodes.length === ids.size && known.nodes.every((id) => ids.has(id)),
  );
  if (group !== undefined && group.title.trim() !== '') return group.title.trim();
  const owners = bodyOwners(nodes);
  const outer = nodes.filter(({ id }) => ids.has(id) && !ids.has(owners.get(id) ?? ''));
  const [first, last] = [outer[0], outer.at(-1)].map((node) => node?.name ?? node?.id.replaceAll('_', ' ') ?? 'part');
  if (outer.length <= 1) return first ?? 'part';
  return `${first} ${outer.length === 2 ? 'and' : 'to'} ${last}`;
}
