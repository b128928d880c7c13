/**
 * What commands are about: the flow or agent in front, its run, and the node that is selected in it.
 */
import { hasErrors, holdsBinding, type FlowDoc } from '../../../engine/isomorphic.ts';
import { loopsAround, type LoopNesting } from '../../stores/flow/loop-bodies.ts';
import { isOver, isUnfinished, type LiveRun } from '../../stores/runs/live-runs.ts';
import type { RerunTarget } from '../../stores/runs/run-actions.ts';
import { flowOnScreen, selectShownDefinition, selectShownRun } from '../../stores/runs/shown-run.ts';
import type { OpenFile } from '../../stores/text/files.ts';
import type { CommandContext } from './command.ts';
import { initialFlowView } from '../../stores/window/selection.ts';

/** The flow or agent in front. */
export function activeFile({ stores }: CommandContext): OpenFile | undefined {
  const { files, activePath } = stores.openFiles.getState();
  return activePath === null ? undefined : files.get(activePath);
}

/** The run that is shown over it. */
export function activeRun(context: CommandContext): LiveRun | undefined {
  const path = activeFile(context)?.path;
  return path === undefined ? undefined : selectShownRun(context.stores.liveRuns.getState(), path);
}

/** Whether that run goes on. */
export function isRunning(context: CommandContext): boolean {
  const run = activeRun(context);
  return run !== undefined && isUnfinished(run.state);
}

/** A file that can be run, or will be once it is read. A pack that is missing can be installed when its agent is to run. */
function isRunnable({ kind, status, readError }: OpenFile): boolean {
  return kind !== 'file' && (status !== 'unreadable' || readError?.code === 'pack.not-found');
}

/** Not while the engine has given up: the wish would wait, and be carried out when nobody expects it any more. */
export function canStart(context: CommandContext): boolean {
  const { engine } = context.stores.workspace.getState();
  const flow = activeFile(context);
  return flow !== undefined && isRunnable(flow) && engine.state !== 'failed';
}

/** Shows the dialog that starts a run. */
export function askForInputs(context: CommandContext): void {
  context.dialogs.getState().show(activeFile(context)?.kind === 'agent' ? 'agent-run' : 'run-inputs');
}

/** The agent that the selected node runs, when the file names it; undefined for one that a binding chooses. */
export function selectedAgent(context: CommandContext): string | undefined {
  const flow = activeFile(context);
  const nodeId = flow === undefined ? null : context.stores.selection.getState().views.get(flow.path)?.nodeId;
  const node = flow?.doc?.nodes.find(({ id, type }) => id === nodeId && type === 'agent');
  const agent = node?.input['agent'];
  return typeof agent === 'string' && agent !== '' && !holdsBinding(agent) ? agent : undefined;
}

function tellErrors({ stores }: CommandContext, kind: OpenFile['kind']): void {
  stores.panes.getState().showDock('problems');
  const detail = 'The problems list says what to mend, and where.';
  stores.notices.getState().add({ tone: 'error', title: `This ${kind} has errors and cannot run`, detail });
}

/**
 * Runs at once, or asks for inputs first when the flow has any; an agent always may have some. What has errors shows them
 * instead. Decides by the check of the text as it stands: just opened or just typed, that is known a moment later.
 */
export async function startRun(context: CommandContext): Promise<void> {
  const path = activeFile(context)?.path;
  if (path === undefined) return;
  await context.stores.edits.whenChanged(path);
  await context.stores.openFiles.getState().checked(path);
  const flow = activeFile(context);
  if (flow?.path !== path || !isRunnable(flow)) return;
  const hasInputs = flow.kind === 'agent' || Object.keys(flow.doc?.flow.input ?? {}).length > 0;
  if (hasErrors(context.stores.typedLines.all(path, flow.diagnostics)) && !flow.isOldVersion)
    tellErrors(context, flow.kind);
  else if (hasInputs) askForInputs(context);
  else await context.stores.runs.start(flow.path, {});
}

/** Asks the shown run to stop. */
export function cancelRun(context: CommandContext): void {
  const run = activeRun(context);
  if (run !== undefined) void context.stores.runs.cancel(run.runId);
}

/** From the selected node, once its run is over; from the whole loop when the node stands in one. */
export function rerunTarget(context: CommandContext): RerunTarget | null {
  const run = activeRun(context);
  const path = activeFile(context)?.path;
  const definition = path === undefined ? null : selectShownDefinition(context.stores.liveRuns.getState(), path);
  const flow = flowOnScreen(activeFile(context), definition);
  if (run === undefined || flow === undefined || !isOver(run.state)) return null;
  const nodeId = context.stores.selection.getState().views.get(flow.path)?.nodeId ?? null;
  if (nodeId === null || flow.doc?.nodes.every(({ id }) => id !== nodeId) !== false) return null;
  const [loopId = nodeId] = loopsAround(flow.nesting, nodeId);
  return { path: flow.path, runId: run.runId, nodeId: loopId };
}

/**
 * What dialogs and commands about nodes work on: the flow in front, and the node that is meant.
 */

export interface EditableFlow {
  readonly path: string;
  readonly doc: FlowDoc;
  readonly nesting: LoopNesting;
  /** The selected node; null = none, or one that the file does not have. */
  readonly nodeId: string | null;
  /** All selected nodes that the file has. */
  readonly nodeIds: ReadonlySet<string>;
}

/** Undefined while no flow is in front that can be read and changed. */
export function editableFlow(context: CommandContext): EditableFlow | undefined {
  const flow = activeFile(context);
  if (flow?.kind !== 'flow' || flow.doc === null || flow.readOnlyReason !== null) return undefined;
  const { path, doc, nesting } = flow;
  const { nodeId, chosen } = context.stores.selection.getState().views.get(path) ?? initialFlowView;
  const known = new Set(doc.nodes.map(({ id }) => id));
  return {
    path,
    doc,
    nesting,
    nodeId: nodeId !== null && known.has(nodeId) ? nodeId : null,
    nodeIds: new Set([...chosen.nodes].filter((id) => known.has(id))),
  };
}
