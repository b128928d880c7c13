/**
 * The types that a flow names, and the packs that they come from, against what the host has and allows.
 */
import type { Finding } from './finding.ts';
import type { FlowDoc, NodeDoc } from './flow-doc.ts';
import { didYouMean } from './nearest.ts';
import type { NodeTypeCatalog, NodeTypeSpec } from './node-type-spec.ts';

/** Packs that the flow asks for and the host does not allow. */
export function packFindings({ flow }: FlowDoc, catalog: NodeTypeCatalog): readonly Finding[] {
  const allowed = catalog.packs();
  return (flow.nodePacks ?? []).flatMap((pack, index): Finding[] =>
    allowed.includes(pack) ? [] : [forbiddenPack(pack, allowed, ['flow', 'nodePacks', index])],
  );
}

/** What forbids a node's type; paths are below the node. */
export function typeFindings(node: NodeDoc, { flow }: FlowDoc, catalog: NodeTypeCatalog): readonly Finding[] {
  const spec = catalog.get(node.type);
  if (spec === undefined) {
    const known = catalog.list().map(({ type }) => type);
    const message = `There is no node type "${node.type}".${didYouMean(node.type, known)}`;
    return [{ code: 'node.unknown-type', severity: 'error', message, path: ['type'] }];
  }
  return [...unlistedPack(spec, flow.nodePacks ?? [], catalog), ...unendingType(spec, catalog)];
}

function unlistedPack({ type, pack }: NodeTypeSpec, listed: readonly string[], catalog: NodeTypeCatalog): Finding[] {
  if (pack === undefined || listed.includes(pack)) return [];
  const allowed = catalog.packs();
  if (!allowed.includes(pack)) return [forbiddenPack(pack, allowed, ['type'])];
  const message = `The type "${type}" comes from the node pack "${pack}". Add "${pack}" to nodePacks, below flow.`;
  return [{ code: 'node.pack-not-listed', severity: 'error', message, path: ['type'] }];
}

function forbiddenPack(pack: string, allowed: readonly string[], path: Finding['path']): Finding {
  const known = allowed.length === 0 ? 'It allows none.' : `It allows: ${allowed.join(', ')}.`;
  const message = `The node pack "${pack}" is not allowed by the program that runs this flow.${didYouMean(pack, allowed) || ` ${known}`}`;
  return { code: 'flow.pack-not-allowed', severity: 'error', message, path };
}

function unendingType({ type, longLived }: NodeTypeSpec, catalog: NodeTypeCatalog): Finding[] {
  if (longLived !== true || catalog.allowsLongLived(type)) return [];
  const message = `A node of type "${type}" does not end by itself, and the program that runs this flow does not allow that. Use another type, or have "${type}" allowed there.`;
  return [{ code: 'node.long-lived', severity: 'error', message, path: ['type'] }];
}
