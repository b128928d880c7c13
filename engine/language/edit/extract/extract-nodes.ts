/**
 * Extracts nodes into a new flow, and builds the flow that calls it, as plain values. Together they must behave like
 * the original; an extraction that cannot guarantee this is rejected.
 */
import { isAgentType } from '../../flow/agent-type-name.ts';
import { type NodeDoc, nodeIdPattern, reservedNodeIds } from '../../flow/flow-doc.ts';
import { findLoops, previousRoot } from '../../flow/loops.ts';
import { isJsonMap, type JsonMap } from '../../json/json-value.ts';
import type { Extraction } from '../flow-change.ts';
import { refused } from '../raw-flow.ts';
import { callingFlow } from './calling-flow.ts';
import { CrossingValues } from './crossing-values.ts';
import { type EntryGates, entryGates, hasFailFastOff, isSureNode } from './entry-gates.ts';
import type { ExtractionPlan } from './extraction-plan.ts';
import { FlowLevels } from './flow-levels.ts';
import { newFlow } from './new-flow.ts';
import { PathReading, type Respell } from './read-paths.ts';
import { takeNodes } from './selection.ts';

export interface ExtractedFlow {
  /** The flow that calls the new one. */
  readonly root: JsonMap;
  /** The new flow. */
  readonly flow: JsonMap;
  /** ID of the node that calls it. */
  readonly nodeId: string;
  /** Changes inside the text of both flows. */
  readonly respell: Respell;
}

/** @throws EngineError `edit.refused` if the result would behave differently, with the reason and a fix */
export function extractNodes(root: JsonMap, extraction: Extraction): ExtractedFlow {
  const plan = planOf(root, extraction);
  const { levels, taken, values, gates } = plan;
  const isInside = (id: string): boolean => taken.ids.has(id);
  const reading = new PathReading(levels, {
    node:
      ({ id }) =>
      (place, reader) =>
        isInside(id) ? values.editInside(place, reader.level) : values.editOutside(place, reader),
    edge: ({ from, to }) => {
      const goesInside = isInside(to) && (isInside(from) || !gates.keepsConditions);
      return (place, reader) =>
        goesInside ? values.editInside(place, reader.level) : values.editOutside(place, reader);
    },
    outputs: (place, reader) => values.editOutside(place, reader),
    isSure: () => false,
  });
  const changed = reading.through(root);
  return {
    root: callingFlow(changed, plan),
    flow: newFlow(changed, plan),
    nodeId: plan.nodeId,
    respell: reading.respell,
  };
}

function planOf(root: JsonMap, extraction: Extraction): ExtractionPlan {
  const levels = new FlowLevels(root);
  const taken = takeNodes(levels, extraction.nodes);
  const nodeId = freeNodeId(levels, extraction.file.replace(/\.flow\.ya?ml$/, ''));
  const values = new CrossingValues(levels, taken, nodeId);
  const failFast = !hasFailFastOff(root);
  const ends = endsToDeclare(root, { levels, taken, failFast });
  for (const id of ends) if (taken.ids.has(id)) values.noteWhole(id);
  readOutside(root, { levels, taken, values, failFast });
  const gates = entryGates(taken, levels.edges, values.readsMarker);
  readInside(root, { levels, taken, values, failFast, gates });
  values.close();
  return { ...extraction, nodeId, levels, taken, values, gates, ends };
}

function freeNodeId(levels: FlowLevels, wanted: string): string {
  const names = findLoops(levels.nodes).loops.flatMap(({ as }) => as ?? []);
  const taken = new Set([...levels.nodes.map(({ id }) => id), ...names, ...reservedNodeIds, previousRoot]);
  const plain = wanted.replace(/\W+/g, '_').replace(/^_+|_+$/g, '');
  const base = nodeIdPattern.test(plain) ? plain : `call_${plain}`.replace(/_$/, '');
  let id = base;
  for (let count = 2; taken.has(id); count++) id = `${base}_${count}`;
  return id;
}

type ExtractionReads = Pick<ExtractionPlan, 'levels' | 'taken' | 'values'> & { readonly failFast: boolean };

const leaveAlone = () => [];

function readOutside(root: JsonMap, { levels, taken, values, failFast }: ExtractionReads): void {
  const note = (...[place, reader]: Parameters<CrossingValues['noteOutside']>) => {
    values.noteOutside(place, reader);
    return [];
  };
  new PathReading(levels, {
    node: ({ id }) => (taken.ids.has(id) ? leaveAlone : note),
    edge: ({ to }) => (taken.ids.has(to) ? leaveAlone : note),
    outputs: note,
    isSure: (node) =>
      levels.levelOf(node.id) === taken.level &&
      isSureNode(
        node,
        levels.edges.filter(({ to }) => to === node.id),
        failFast,
      ),
  }).through(root);
}

function readInside(
  root: JsonMap,
  { levels, taken, values, failFast, gates }: ExtractionReads & { gates: EntryGates },
): void {
  const note = (...[place, reader]: Parameters<CrossingValues['noteInside']>) => {
    values.noteInside(place, reader);
    return [];
  };
  new PathReading(levels, {
    node: ({ id }) => (taken.ids.has(id) ? note : leaveAlone),
    edge: ({ from, to }) => {
      if (!taken.ids.has(to)) return leaveAlone;
      return taken.ids.has(from) || !gates.keepsConditions ? note : leaveAlone;
    },
    outputs: leaveAlone,
    isSure: (node) => {
      const inner = levels.edges.filter(({ from, to }) => to === node.id && taken.ids.has(from));
      const edgesIn = [...inner, ...gates.begins.filter(({ to }) => to === node.id)];
      return taken.outer.includes(node.id) && isSureNode(node, edgesIn, failFast);
    },
  }).through(root);
}

/**
 * Returns the nodes that provide the flow's implicit output, if the extraction would change it. @throws EngineError if
 * that output cannot be declared
 */
function endsToDeclare(root: JsonMap, { levels, taken, failFast }: Omit<ExtractionReads, 'values'>): readonly string[] {
  const flow = root['flow'];
  if (isJsonMap(flow) && flow['outputs'] !== undefined) return [];
  const leads = new Set(levels.edges.map(({ from }) => from));
  const ends = levels.nodes.filter(({ id }) => levels.levelOf(id) === undefined && !leads.has(id));
  const around = levels.loopsAt(taken.level).at(-1);
  if (around !== undefined) {
    if (!ends.some(({ id }) => id === around)) return [];
    throw refused(
      `The output of the flow is the output of its loop "${around}", and the extraction would move the nodes within it. Declare flow.outputs, or select the whole loop as well.`,
      around,
    );
  }
  if (!ends.some(({ id }) => taken.ids.has(id))) return [];
  const unsure = ends.find((node) => !isSureEnd(node, levels, failFast));
  if (unsure !== undefined) {
    throw refused(
      `The output of the flow comes from its last nodes, and "${unsure.id}" may be skipped or fail, so the extraction would change that output. Declare flow.outputs, then extract.`,
      unsure.id,
    );
  }
  return ends.map(({ id }) => id);
}

/** An agent may skip its own node. */
function isSureEnd(node: NodeDoc, levels: FlowLevels, failFast: boolean): boolean {
  const edgesIn = levels.edges.filter(({ to }) => to === node.id);
  return node.type !== 'agent' && !isAgentType(node.type) && isSureNode(node, edgesIn, failFast);
}
