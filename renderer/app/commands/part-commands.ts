/**
 * Commands that run part of a flow (the selected node alone, or up to it) and that pin a node's output.
 */
import { isValueHandle, type JsonValue, loopStepsOf, passLoop } from '../../../engine/isomorphic.ts';
import { inputsOf } from '../../stores/agents/agent-runs.ts';
import { loopsAround } from '../../stores/flow/loop-bodies.ts';
import { isStepFlow } from '../../stores/flow/step-lane.ts';
import { isOver } from '../../stores/runs/live/live-runs.ts';
import { nodeRunInputs, requestedFields } from '../../stores/runs/node-run.ts';
import { canBePinned } from '../../stores/runs/pins.ts';
import type { RerunTarget } from '../../stores/runs/plan-actions.ts';
import { hasRunErrors } from '../../stores/runs/run-errors.ts';
import { placeInRun, selectShownRun } from '../../stores/runs/shown-run.ts';
import type { OpenFile } from '../../stores/text/file.ts';
import { activeFile } from './active-file.ts';
import { activeRun } from './active-run.ts';
import type { Command, CommandContext } from './command.ts';
import { agreementKey } from './dialogs.ts';
import { canStart, endedRun, hasDefaults, rerunOrAsk, showErrors } from './run-commands.ts';
import { startOnce } from './start-once.ts';
import { text } from './text.ts';

interface NodeCommandTarget {
  readonly path: string;
  readonly nodeId: string;
}

/** The selected node, if the file on screen defines it. */
export function selectedNode(context: CommandContext): (NodeCommandTarget & { readonly flow: OpenFile }) | undefined {
  const flow = activeFile(context);
  if (flow?.kind !== 'flow' || flow.doc === null || flow.isOldVersion) return undefined;
  const nodeId = context.stores.selection.getState().views.get(flow.path)?.nodeId ?? null;
  if (nodeId === null || flow.doc.nodes.every(({ id }) => id !== nodeId)) return undefined;
  return { path: flow.path, nodeId, flow };
}

/**
 * Returns the file after all pending edits are applied and it is validated. Returns undefined and shows the errors if
 * it has any.
 */
async function checkedFile(context: CommandContext, path: string): Promise<OpenFile | undefined> {
  const { edits, openFiles } = context.stores;
  await edits.whenChanged(path);
  await openFiles.getState().checked(path);
  const file = openFiles.getState().files.get(path);
  if (file === undefined || file.doc === null || !hasRunErrors(context.stores, file)) return file;
  showErrors(context, file);
  return undefined;
}

/**
 * Runs a node with pinned outputs or those of the latest run. Asks for missing inputs, and before the first external
 * effect.
 */
export async function runNodeAlone(context: CommandContext, { path, nodeId }: NodeCommandTarget): Promise<void> {
  const { stores, dialogs } = context;
  const file = await checkedFile(context, path);
  if (file?.doc == null) return;
  if (file.nesting.ownerOf.has(nodeId)) return dialogs.getState().showNodeRun({ path, nodeId, plan: null });
  try {
    const plan = await stores.runs.planNode(path, nodeId);
    const isAgreed = !plan.actsOutside || dialogs.getState().agreed.has(agreementKey({ path, nodeId }));
    const asked = requestedFields(file.doc, nodeId, plan);
    if (!isAgreed || asked.length > 0) return dialogs.getState().showNodeRun({ path, nodeId, plan });
    await stores.runs.start(path, nodeRunInputs([], {}, plan).inputs, { part: { only: nodeId } });
  } catch (error) {
    stores.notices.getState().addError(text.part.nodeFailed, error);
  }
}

/** Runs up to a node. @param shows whether to show the plan first even if no external effect is repeated */
async function runUpTo(context: CommandContext, subject: NodeCommandTarget, shows: boolean): Promise<void> {
  const { stores, dialogs } = context;
  const file = await checkedFile(context, subject.path);
  if (file?.doc == null) return;
  const [nodeId = subject.nodeId] = loopsAround(file.nesting, subject.nodeId);
  try {
    const found = await stores.runs.planUpTo(file.path, nodeId);
    if (found === undefined && !hasDefaults(file.doc.flow)) return dialogs.getState().askInputs({ to: nodeId });
    if (found === undefined) return await stores.runs.start(file.path, {}, { part: { to: nodeId } });
    if (shows || found.plan.some(({ repeatsOutside }) => repeatsOutside)) dialogs.getState().showRerun(found.target);
    else await stores.runs.rerun(found.target);
  } catch (error) {
    stores.notices.getState().addError(text.part.planFailed, error);
  }
}

/**
 * The item shown for the selected node once its run is over. Null outside loops, and in loops where each iteration
 * builds on the previous one.
 */
function itemTarget(context: CommandContext): RerunTarget | null {
  if (activeFile(context)?.kind === 'agent') return inputTarget(context);
  const subject = selectedNode(context);
  const ended = endedRun(context);
  if (subject === undefined || ended === null) return null;
  const { path, nodeId, flow } = subject;
  const loops = loopsAround(flow.nesting, nodeId);
  if (flow.doc?.nodes.some(({ id, type }) => type === passLoop && loops.includes(id)) !== false) return null;
  const { items = new Map() } = context.stores.selection.getState().views.get(path) ?? {};
  const place = placeInRun(ended.run, nodeId, items);
  return loopStepsOf(place).length === 0 ? null : { path, runId: ended.run.runId, nodeId: place };
}

/** The input shown for an agent's run that is over. */
function inputTarget(context: CommandContext): RerunTarget | null {
  const [path, run] = [activeFile(context)?.path, activeRun(context)];
  if (path === undefined || run === undefined || run.caller !== null || !isOver(run.state)) return null;
  const { inputs } = context.stores.agentViews.getState();
  const nodeId = inputs.get(run.runId) ?? inputsOf(run.state)[0]?.nodeId;
  return nodeId === undefined ? null : { path, runId: run.runId, nodeId };
}

async function runItemAgain(context: CommandContext, target: RerunTarget): Promise<void> {
  if (activeFile(context)?.kind === 'flow' && (await checkedFile(context, target.path)) === undefined) return;
  try {
    await rerunOrAsk(context, target);
  } catch (error) {
    context.stores.notices.getState().addError(text.part.itemFailed, error);
  }
}

/**
 * Returns the output of a node in the run on screen, or else in the latest run. Returns undefined if neither has it.
 */
async function outputOf(
  { stores }: CommandContext,
  { path, nodeId }: NodeCommandTarget,
): Promise<JsonValue | undefined> {
  const shown = selectShownRun(stores.liveRuns.getState(), path)?.state.nodes.get(nodeId);
  const isOwn = (shown?.status === 'completed' || shown?.status === 'reused') && shown.isPinned !== true;
  if (shown === undefined || !isOwn) return (await stores.engine.call('latestOutput', { path, nodeId }))?.output;
  return isValueHandle(shown.output) ? await stores.engine.call('readValue', shown.output.$value) : shown.output;
}

/** Unpins a node, or pins its latest output. Without an output, asks for a value. */
async function togglePin(
  context: CommandContext,
  { path, nodeId, flow }: NodeCommandTarget & { readonly flow: OpenFile },
) {
  const { pins, notices } = context.stores;
  if (pins.getState().files.get(path)?.[nodeId] !== undefined) return pins.getState().unpin(path, nodeId);
  if (!canBePinned(flow, nodeId)) {
    const [loop = ''] = loopsAround(flow.nesting, nodeId);
    const detail = text.part.pinTheLoop({ node: nodeId, loop });
    return notices.getState().add({ tone: 'info', title: text.part.loopNotPinned, detail });
  }
  try {
    const output = await outputOf(context, { path, nodeId });
    if (output === undefined) return context.dialogs.getState().editPin({ path, nodeId });
    const problem = pins.getState().pin(path, nodeId, output);
    if (problem !== null) notices.getState().add({ tone: 'error', title: text.part.pinFailed, detail: problem });
  } catch (error) {
    notices.getState().addError(text.part.pinFailed, error);
  }
}

function isNodeSelected(context: CommandContext): boolean {
  return selectedNode(context) !== undefined;
}

/**
 * Excludes steps: a step depends on all steps before it, so it cannot run alone and earlier steps cannot be replaced by
 * pins.
 */
function isFreeNodeSelected(context: CommandContext): boolean {
  const subject = selectedNode(context);
  return subject !== undefined && !isStepFlow(subject.flow.doc);
}

/**
 * Creates a command that acts on the selected node. The node's ID is part of the key, so the same command on another
 * node is not treated as a repeat.
 */
function onNode(
  id: string,
  run: (context: CommandContext, subject: NodeCommandTarget) => Promise<void>,
): Command['run'] {
  return (context) => {
    const subject = selectedNode(context);
    if (subject !== undefined) void startOnce(context, `${id}:${subject.nodeId}`, () => run(context, subject));
  };
}

export const partCommands = [
  {
    id: 'run.node',
    title: text.part.node,
    words: text.part.nodeWords,
    group: text.groups.run,
    shortcut: 'Mod+Alt+Enter',
    isForSteps: false,
    isAvailable: (context) => canStart(context) && isFreeNodeSelected(context),
    run: onNode('run.node', runNodeAlone),
  },
  {
    id: 'run.toHere',
    title: text.part.toHere,
    group: text.groups.run,
    shortcut: 'Shift+Alt+Enter',
    isAvailable: (context) => canStart(context) && isNodeSelected(context),
    run: onNode('run.toHere', (context, subject) => runUpTo(context, subject, false)),
  },
  {
    id: 'run.planToHere',
    title: text.part.planToHere,
    group: text.groups.run,
    isAvailable: (context) => canStart(context) && isNodeSelected(context),
    run: onNode('run.planToHere', (context, subject) => runUpTo(context, subject, true)),
  },
  {
    id: 'run.item',
    title: text.part.item,
    group: text.groups.run,
    isForSteps: false,
    isAvailable: (context) => canStart(context) && itemTarget(context) !== null,
    run(context) {
      const target = itemTarget(context);
      if (target === null) return;
      void startOnce(context, `run.item:${target.nodeId ?? ''}`, () => runItemAgain(context, target));
    },
  },
  {
    id: 'run.pin',
    title: text.part.pin,
    group: text.groups.run,
    shortcut: 'P',
    isForSteps: false,
    isAvailable: isFreeNodeSelected,
    run(context) {
      const subject = selectedNode(context);
      if (subject !== undefined) void togglePin(context, subject);
    },
  },
  {
    id: 'run.editPin',
    title: text.part.editPin,
    group: text.groups.run,
    shortcut: 'Shift+P',
    isForSteps: false,
    isAvailable: (context) => {
      const subject = selectedNode(context);
      return isFreeNodeSelected(context) && subject !== undefined && canBePinned(subject.flow, subject.nodeId);
    },
    run(context) {
      const subject = selectedNode(context);
      if (subject !== undefined) context.dialogs.getState().editPin({ path: subject.path, nodeId: subject.nodeId });
    },
  },
] as const satisfies readonly Command[];
