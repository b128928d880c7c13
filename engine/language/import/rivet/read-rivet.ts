/**
 * Reads Rivet projects and graphs. The key of a node contains its ID, type and title, and its connections are text.
 */
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../json/json-value.ts';
import { at, deepAt, mapAt, textAt } from '../read-json.ts';
import type { SourceEdge, SourceFlow, SourceNode } from '../source-flow.ts';

/** Whether a file is a Rivet project or graph. */
export function isRivet(file: JsonMap): boolean {
  const isVersioned = ['number', 'string'].includes(typeof at(file, 'version'));
  return isVersioned && (isJsonMap(deepAt(file, 'data', 'graphs')) || isJsonMap(deepAt(file, 'data', 'nodes')));
}

/** Reads the graphs of a project, the main graph first. */
export function readRivet(file: JsonMap, otherwise: string): readonly SourceFlow[] {
  const data = mapAt(file, 'data');
  if (!isJsonMap(at(data, 'graphs'))) return [readGraph('graph', data, otherwise)];
  const main = textAt(mapAt(data, 'metadata'), 'mainGraphId');
  const graphs = Object.entries(mapAt(data, 'graphs'));
  const sorted = [...graphs.filter(([key]) => key === main), ...graphs.filter(([key]) => key !== main)];
  return sorted.map(([key, graph]) => readGraph(key, isJsonMap(graph) ? graph : {}, otherwise));
}

function readGraph(key: string, graph: JsonMap, otherwise: string): SourceFlow {
  const remarks: string[] = [];
  const metadata = mapAt(graph, 'metadata');
  const nodes: SourceNode[] = [];
  const edges: SourceEdge[] = [];
  for (const [head, value] of Object.entries(mapAt(graph, 'nodes'))) {
    const node = readNode(head, value);
    if (node === undefined) remarks.push(`The entry ${head} is not a node.`);
    else {
      nodes.push(node);
      edges.push(...readConnections(node, remarks));
    }
  }
  const keys = new Set(nodes.map((node) => node.key));
  const description = textAt(metadata, 'description');
  return {
    key,
    name: textAt(metadata, 'name') || otherwise,
    ...(description === '' ? {} : { description }),
    nodes,
    edges: edges.filter(({ to }) => keys.has(to)),
    remarks,
  };
}

const headPattern = /^\[([^\]]+)\]:(\S+)\s+"([\s\S]*)"$/;

function readNode(head: string, value: JsonValue): SourceNode | undefined {
  const [, key, type, name] = headPattern.exec(head) ?? [];
  if (key === undefined || type === undefined || !isJsonMap(value)) return undefined;
  const [x, y] = textAt(value, 'visualData').split('/').map(Number);
  const isPlaced = x !== undefined && y !== undefined && Number.isFinite(x) && Number.isFinite(y);
  return {
    key,
    type,
    name: name ?? '',
    settings: value,
    ...(isPlaced ? { position: { x: Math.round(x), y: Math.round(y) } } : {}),
    isDisabled: value['disabled'] === true,
    original: { [head]: value },
  };
}

/** A connection such as `output->"Title" id/port`. */
const connectionPattern = /^(.+?)->"[\s\S]*"\s+(\S+?)\/(.+)$/s;

function readConnections({ key, name, settings }: SourceNode, remarks: string[]): readonly SourceEdge[] {
  const list = at(settings, 'outgoingConnections');
  return (isJsonList(list) ? list : []).flatMap((written) => {
    const [, fromPort, to, toPort] = connectionPattern.exec(String(written)) ?? [];
    if (fromPort !== undefined && to !== undefined && toPort !== undefined) {
      return [{ from: key, fromPort, to, toPort }];
    }
    remarks.push(`A connection of "${name}" cannot be read: ${String(written).slice(0, 100)}`);
    return [];
  });
}
