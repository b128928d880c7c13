/**
 * Reads Rivet projects and graphs. In formats 1 and 2, a graph has a list of nodes and a list of connections. In formats
 * 3 and 4, nodes have keys, and their connections are text; in format 4, a key contains the ID, type and title.
 */
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../json/json-value.ts';
import { at, isBlank, mapAt, mapsAt, numberAt, textAt } from '../read-json.ts';
import type { SourceEdge, SourceFlow, SourceNode } from '../source-flow.ts';

/** Whether a file is a Rivet project or graph. */
export function isRivet(file: JsonMap): boolean {
  if (['number', 'string'].includes(typeof at(file, 'version')) && isJsonMap(at(file, 'data'))) {
    const data = mapAt(file, 'data');
    return isJsonMap(at(data, 'graphs')) || isJsonMap(at(data, 'nodes')) || isListed(data);
  }
  return isListed(file) || (isJsonMap(at(file, 'graphs')) && isJsonMap(at(file, 'metadata')));
}

/** Whether a graph consists of two lists. */
function isListed(graph: JsonMap): boolean {
  return isJsonList(at(graph, 'nodes')) && isJsonList(at(graph, 'connections'));
}

/** Reads the graphs of a project, the main graph first. */
export function readRivet(file: JsonMap, otherwise: string): readonly SourceFlow[] {
  const data = isJsonMap(at(file, 'data')) ? mapAt(file, 'data') : file;
  if (!isJsonMap(at(data, 'graphs'))) return [readGraph('graph', data, otherwise)];
  const main = textAt(mapAt(data, 'metadata'), 'mainGraphId');
  const graphs = Object.entries(mapAt(data, 'graphs'));
  const sorted = [...graphs.filter(([key]) => key === main), ...graphs.filter(([key]) => key !== main)];
  const flows = sorted.map(([key, graph]) => readGraph(key, isJsonMap(graph) ? graph : {}, otherwise));
  const [first, ...others] = flows;
  return first === undefined ? [] : [{ ...first, remarks: [...lostOfProject(data), ...first.remarks] }, ...others];
}

/** What belongs to a project, and to none of its graphs. */
function lostOfProject(data: JsonMap): readonly string[] {
  const tests = mapsAt(mapAt(mapAt(data, 'attachedData'), 'trivet'), 'testSuites').length;
  const servers = Object.keys(mapAt(mapAt(mapAt(data, 'metadata'), 'mcpServer'), 'mcpServers'));
  return [
    ...(tests === 0 ? [] : ['Not imported: the test suites of the project.']),
    ...(servers.length === 0 ? [] : [`Not imported: the MCP servers ${servers.join(', ')}. Add them in the settings.`]),
    ...(isBlank(at(data, 'references')) ? [] : ['Not imported: the projects that the project refers to.']),
  ];
}

interface OpenGraph {
  readonly nodes: Map<string, SourceNode>;
  readonly edges: SourceEdge[];
  readonly remarks: string[];
}

function readGraph(key: string, graph: JsonMap, otherwise: string): SourceFlow {
  const open: OpenGraph = { nodes: new Map(), edges: [], remarks: [] };
  if (isJsonList(at(graph, 'nodes'))) readLists(open, graph);
  else readKeyed(open, mapAt(graph, 'nodes'));
  const { nodes, edges, remarks } = open;
  const known = edges.filter(({ from, to, toPort }) => {
    if (nodes.has(from) && nodes.has(to)) return true;
    const [start, end] = [nodes.get(from)?.name ?? from, nodes.get(to)?.name ?? to];
    remarks.push(`The connection from "${start}" to "${toPort}" of "${end}" leads to a node that does not exist.`);
    return false;
  });
  const metadata = mapAt(graph, 'metadata');
  const description = textAt(metadata, 'description');
  return {
    key,
    name: textAt(metadata, 'name') || otherwise,
    ...(description === '' ? {} : { description }),
    nodes: [...nodes.values()],
    edges: known,
    remarks,
  };
}

function readLists({ nodes, edges, remarks }: OpenGraph, graph: JsonMap): void {
  for (const [place, value] of listAt(graph, 'nodes').entries()) {
    const id = textAt(value, 'id');
    if (!isJsonMap(value)) remarks.push(`Entry ${place + 1} of the nodes is not a node.`);
    else {
      const key = id !== '' && !nodes.has(id) ? id : `${id}#${place}`;
      nodes.set(key, readNode(value, { key, type: textAt(value, 'type'), name: textAt(value, 'title') }, value));
    }
  }
  for (const [place, value] of listAt(graph, 'connections').entries()) {
    const [from, to] = [textAt(value, 'outputNodeId'), textAt(value, 'inputNodeId')];
    if (from === '' || to === '') remarks.push(`Entry ${place + 1} of the connections is not a connection.`);
    else edges.push({ from, fromPort: textAt(value, 'outputId'), to, toPort: textAt(value, 'inputId') });
  }
}

function listAt(map: JsonMap, key: string): readonly JsonValue[] {
  const value = at(map, key);
  return isJsonList(value) ? value : [];
}

const headPattern = /^\[([^\]]+)\]:(\S+)\s+"([\s\S]*)"$/;

function readKeyed({ nodes, edges, remarks }: OpenGraph, written: JsonMap): void {
  for (const [head, value] of Object.entries(written)) {
    const [, key = head, type = textAt(value, 'type'), name = textAt(value, 'title')] = headPattern.exec(head) ?? [];
    if (!isJsonMap(value) || type === '') remarks.push(`The entry ${head} is not a node.`);
    else {
      const node = readNode(value, { key, type, name }, { [head]: value });
      if (nodes.has(key)) remarks.push(`The entry ${head} has the ID of another node.`);
      else nodes.set(key, node);
      edges.push(...readConnections(node, remarks));
    }
  }
}

function readNode(settings: JsonMap, head: Pick<SourceNode, 'key' | 'type' | 'name'>, original: JsonValue): SourceNode {
  const [x, y] = placeOf(settings);
  const isPlaced = x !== undefined && y !== undefined && Number.isFinite(x) && Number.isFinite(y);
  const description = textAt(settings, 'description').trim();
  return {
    ...head,
    ...(description === '' ? {} : { description }),
    settings,
    ...(isPlaced ? { position: { x: Math.round(x), y: Math.round(y) } } : {}),
    isDisabled: settings['disabled'] === true,
    original,
  };
}

/** A position is an object in old formats, and text such as `10/20/300` in new ones. */
function placeOf(settings: JsonMap): readonly (number | undefined)[] {
  const data = mapAt(settings, 'visualData');
  const written = textAt(settings, 'visualData');
  return written === '' ? [numberAt(data, 'x'), numberAt(data, 'y')] : written.split('/').map(Number);
}

/** A connection such as `output->"Title" id/port`. */
const connectionPattern = /^(.+?)->"[\s\S]*"\s+(\S+?)\/(.+)$/s;

function readConnections({ key, name, settings }: SourceNode, remarks: string[]): readonly SourceEdge[] {
  return listAt(settings, 'outgoingConnections').flatMap((written) => {
    const [, fromPort, to, toPort] = connectionPattern.exec(String(written)) ?? [];
    if (fromPort !== undefined && to !== undefined && toPort !== undefined) {
      return [{ from: key, fromPort, to, toPort }];
    }
    remarks.push(`A connection of "${name}" cannot be read: ${String(written).slice(0, 100)}`);
    return [];
  });
}
