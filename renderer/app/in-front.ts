/**
 * What commands are about: the flow or agent in front, its run, and the node that is selected in it.
 */
import { hasErrors, holdsBinding } from '../../engine/isomorphic.ts';
import type { RerunTarget } from '../stores/further-runs.ts';
import { isOver, isUnfinished, type LiveRun } from '../stores/live-runs.ts';
import { loopsAround } from '../stores/loop-nesting.ts';
import type { OpenFlow } from '../stores/open-flows.ts';
import { flowOnScreen, selectShownDefinition, selectShownRun } from '../stores/use-flow.ts';
import type { CommandContext } from './command.ts';

/** The flow or agent in front. */
export function activeFlow({ stores }: CommandContext): OpenFlow | undefined {
  const { flows, activePath } = stores.openFlows.getState();
  return activePath === null ? undefined : flows.get(activePath);
}

/** The run that is shown over it. */
export function activeRun(context: CommandContext): LiveRun | undefined {
  const path = activeFlow(context)?.path;
  return path === undefined ? undefined : selectShownRun(context.stores.liveRuns.getState(), path);
}

/** Whether that run goes on. */
export function isRunning(context: CommandContext): boolean {
  const run = activeRun(context);
  return run !== undefined && isUnfinished(run.state);
}

/** Not while the engine has given up: the wish would wait, and be carried out when nobody expects it any more. */
export function canStart(context: CommandContext): boolean {
  const { engine } = context.stores.workspace.getState();
  const flow = activeFlow(context);
  // A pack that is missing can be installed when its agent is to run.
  if (flow?.kind === 'file') return false;
  const isThere = flow?.status === 'ready' || flow?.readError?.code === 'pack.not-found';
  return isThere && engine.state !== 'failed';
}

/** Shows the dialog that starts a run. */
export function askForInputs(context: CommandContext): void {
  context.dialogs.getState().show(activeFlow(context)?.kind === 'agent' ? 'agent-run' : 'run-inputs');
}

/** The agent that the selected node runs, when the file names it; undefined for one that a binding chooses. */
export function selectedAgent(context: CommandContext): string | undefined {
  const flow = activeFlow(context);
  const nodeId = flow === undefined ? null : context.stores.selection.getState().views.get(flow.path)?.nodeId;
  const node = flow?.doc?.nodes.find(({ id, type }) => id === nodeId && type === 'agent');
  const agent = node?.input['agent'];
  return typeof agent === 'string' && agent !== '' && !holdsBinding(agent) ? agent : undefined;
}

/**
 * Runs at once, or asks for inputs first when the flow has any; an agent always may have some. What has errors shows them
 * instead.
 */
export function startRun(context: CommandContext): void {
  const flow = activeFlow(context);
  if (flow === undefined) return;
  if (hasErrors(flow.diagnostics) && !flow.isOldVersion) {
    context.stores.panes.getState().showDock('problems');
    const detail = 'The problems list says what to mend, and where.';
    const title = `This ${flow.kind} has errors and cannot run`;
    context.stores.notices.getState().add({ tone: 'error', title, detail });
    return;
  }
  const hasInputs = flow.kind === 'agent' || Object.keys(flow.doc?.flow.input ?? {}).length > 0;
  if (hasInputs) askForInputs(context);
  else void context.stores.runs.start(flow.path, {});
}

/** Asks the shown run to stop. */
export function cancelRun(context: CommandContext): void {
  const run = activeRun(context);
  if (run !== undefined) void context.stores.runs.cancel(run.runId);
}

/** From the selected node, once its run is over; from the whole loop when the node stands in one. */
export function rerunTarget(context: CommandContext): RerunTarget | null {
  const run = activeRun(context);
  const path = activeFlow(context)?.path;
  const definition = path === undefined ? null : selectShownDefinition(context.stores.liveRuns.getState(), path);
  const flow = flowOnScreen(activeFlow(context), definition);
  if (run === undefined || flow === undefined || !isOver(run.state)) return null;
  const nodeId = context.stores.selection.getState().views.get(flow.path)?.nodeId ?? null;
  if (nodeId === null || flow.doc?.nodes.every(({ id }) => id !== nodeId) !== false) return null;
  const [loopId = nodeId] = loopsAround(flow.nesting, nodeId);
  return { path: flow.path, runId: run.runId, nodeId: loopId };
}
