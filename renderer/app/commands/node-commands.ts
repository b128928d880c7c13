/**
 * Commands that connect, move and add nodes by keyboard, without a canvas.
 */
import { callType, holdsBinding } from '../../../engine/isomorphic.ts';
import type { MadeChange } from '../../outline/outline-changes.ts';
import { bodyMove, loopOf, loopsToJoin, orderMove, outsideOf } from '../../outline/outline-moves.ts';
import { isStepFlow } from '../../stores/flow/step-lane.ts';
import { flowOnScreen, selectShownDefinition, selectShownRun } from '../../stores/runs/shown-run.ts';
import { activeFile, type EditableFlow, editableFlow, onActiveFile } from './active-file.ts';
import { canvasCommand } from './canvas-commands.ts';
import type { Command, CommandContext } from './command.ts';
import { text } from './text.ts';

async function make({ stores }: CommandContext, { path, nodeId }: EditableFlow, made: MadeChange): Promise<void> {
  if (await stores.edits.change(path, made.change)) {
    stores.selection.getState().choose(path, { nodes: made.ids }, nodeId);
  }
}

/** Moves the selected nodes past their neighbors in the file. */
export function moveInFile(context: CommandContext, step: 'up' | 'down'): void {
  const flow = editableFlow(context);
  const made = flow === undefined ? null : orderMove(flow, flow.nodeIds, step);
  if (flow !== undefined && made !== null) void make(context, flow, made);
}

function hasLoopToJoin(context: CommandContext): boolean {
  const flow = editableFlow(context);
  return flow !== undefined && flow.nodeIds.size > 0 && loopsToJoin(flow, flow.nodeIds).length > 0;
}

/** Returns whether all selected nodes are in the body of one loop. */
export function isInLoop(context: CommandContext): boolean {
  const flow = editableFlow(context);
  return flow !== undefined && flow.nodeIds.size > 0 && typeof loopOf(flow, flow.nodeIds) === 'string';
}

/** Moves the selected nodes out of their loop, or shows a notice that explains why they cannot be moved. */
export function takeOutOfLoop(context: CommandContext): void {
  const flow = editableFlow(context);
  if (flow === undefined) return;
  const made = bodyMove(flow, flow.nodeIds, outsideOf(flow, flow.nodeIds));
  if (typeof made !== 'string') void make(context, flow, made);
  else context.stores.notices.getState().add({ tone: 'info', title: text.edit.moveFailed, detail: made });
}

/**
 * Returns whether a node is selected that can be connected or disconnected. Steps are connected only by their order.
 */
function hasFreeNode(context: CommandContext): boolean {
  const flow = editableFlow(context);
  return flow?.nodeId != null && !isStepFlow(flow.doc);
}

function hasNodes(context: CommandContext): boolean {
  return (editableFlow(context)?.nodeIds.size ?? 0) > 0;
}

/** The agent that the selected node runs. Undefined if a binding chooses the agent. */
function selectedAgent(context: CommandContext): string | undefined {
  const flow = activeFile(context);
  const nodeId = flow === undefined ? null : context.stores.selection.getState().views.get(flow.path)?.nodeId;
  const node = flow?.doc?.nodes.find(({ id, type }) => id === nodeId && type === 'agent');
  const agent = node?.input['agent'];
  return typeof agent === 'string' && agent !== '' && !holdsBinding(agent) ? agent : undefined;
}

/** The selected node of the flow on screen, if it calls another flow. */
function selectedCall(context: CommandContext): { readonly path: string; readonly nodeId: string } | undefined {
  const { stores } = context;
  const file = activeFile(context);
  const path = file?.path ?? '';
  const flow = flowOnScreen(file, selectShownDefinition(stores.liveRuns.getState(), path));
  const nodeId = stores.selection.getState().views.get(path)?.nodeId;
  const node = flow?.doc?.nodes.find(({ id, type }) => id === nodeId && type === callType);
  return node === undefined ? undefined : { path, nodeId: node.id };
}

function isCalledShown(context: CommandContext): boolean {
  const path = activeFile(context)?.path ?? '';
  return selectShownRun(context.stores.liveRuns.getState(), path)?.caller != null;
}

/** Commands that open the flow a node calls and lead back to the caller. */
export const callCommands = [
  {
    id: 'flow.openCall',
    title: text.calls.openCalledFlow,
    isForSteps: false,
    group: text.groups.files,
    shortcut: 'Mod+ArrowDown',
    where: 'canvas',
    isAvailable: (context) => selectedCall(context) !== undefined,
    run(context) {
      const call = selectedCall(context);
      if (call !== undefined) void context.stores.runs.openCall(call.path, call.nodeId);
    },
  },
  {
    id: 'flow.back',
    title: text.calls.back,
    group: text.groups.files,
    shortcut: 'Mod+ArrowUp',
    where: 'canvas',
    isAvailable: isCalledShown,
    run: onActiveFile(({ stores }, path) => stores.runs.goBack(path)),
  },
] as const satisfies readonly Command[];

export const agentCommands = [
  {
    id: 'agent.open',
    title: text.calls.openAgent,
    isForSteps: false,
    group: text.groups.files,
    isAvailable: (context) => selectedAgent(context) !== undefined,
    run(context) {
      const agent = selectedAgent(context);
      if (agent !== undefined) void context.stores.agents.open(agent);
    },
  },
] as const satisfies readonly Command[];

export const nodeCommands = [
  {
    id: 'edit.connectTo',
    title: text.edit.connectTo,
    group: text.groups.edit,
    shortcut: 'C',
    where: 'canvas',
    isForSteps: false,
    isAvailable: hasFreeNode,
    run: ({ dialogs }) => dialogs.getState().show('connect'),
  },
  {
    id: 'edit.disconnect',
    title: text.edit.disconnect,
    group: text.groups.edit,
    shortcut: 'Shift+C',
    where: 'canvas',
    isForSteps: false,
    isAvailable: hasFreeNode,
    run: ({ dialogs }) => dialogs.getState().show('disconnect'),
  },
  canvasCommand('edit.addForFailure', {
    title: text.edit.addForFailure,
    shortcut: 'Shift+F',
    needs: 'node',
    ask: { do: 'add-for-failure' },
  }),
  canvasCommand('edit.toggleContinue', {
    title: text.edit.toggleContinue,
    shortcut: 'F',
    needs: 'node',
    ask: { do: 'toggle-continue' },
  }),
  canvasCommand('edit.toggleSuccess', {
    title: text.edit.toggleSuccess,
    shortcut: 'E',
    needs: 'nodeOrEdge',
    ask: { do: 'toggle-success' },
  }),
  {
    id: 'edit.moveUp',
    title: text.edit.moveUp,
    group: text.groups.edit,
    where: 'canvas',
    repeats: true,
    isAvailable: hasNodes,
    run: (context) => moveInFile(context, 'up'),
  },
  {
    id: 'edit.moveDown',
    title: text.edit.moveDown,
    group: text.groups.edit,
    where: 'canvas',
    repeats: true,
    isAvailable: hasNodes,
    run: (context) => moveInFile(context, 'down'),
  },
  {
    id: 'edit.moveIntoLoop',
    title: text.edit.moveIntoLoop,
    group: text.groups.edit,
    where: 'canvas',
    isForSteps: false,
    isAvailable: hasLoopToJoin,
    run: ({ dialogs }) => dialogs.getState().show('move-into-loop'),
  },
  {
    id: 'edit.takeOutOfLoop',
    title: text.edit.moveOutOfLoop,
    group: text.groups.edit,
    where: 'canvas',
    isForSteps: false,
    isAvailable: isInLoop,
    run: takeOutOfLoop,
  },
  {
    id: 'edit.extract',
    title: text.edit.extract,
    group: text.groups.edit,
    shortcut: 'Alt+X',
    where: 'canvas',
    isForSteps: false,
    isAvailable: (context) => hasNodes(context) && !isStepFlow(editableFlow(context)?.doc),
    run: ({ dialogs }) => dialogs.getState().show('extract'),
  },
  {
    id: 'edit.addByName',
    title: text.edit.addByName,
    group: text.groups.edit,
    shortcut: 'Shift+N',
    where: 'canvas',
    isAvailable: (context) => editableFlow(context) !== undefined,
    run: ({ dialogs }) => dialogs.getState().show('add-node'),
  },
] as const satisfies readonly Command[];
