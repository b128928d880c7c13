/**
 * Commands that start, cancel and repeat runs of the active file.
 */
import { type FlowChange, type FlowDoc, nameEdges } from '../../../engine/isomorphic.ts';
import { loopsAround } from '../../stores/flow/loop-bodies.ts';
import { isCancellable, isOver, type LiveRun } from '../../stores/runs/live-runs.ts';
import type { RerunTarget } from '../../stores/runs/run-actions.ts';
import { hasRunErrors } from '../../stores/runs/run-errors.ts';
import { flowOnScreen, placeInRun, selectShownDefinition } from '../../stores/runs/shown-run.ts';
import type { OpenFile } from '../../stores/text/file.ts';
import { activeFile, onActiveFile } from './active-file.ts';
import { activeRun, hasJustEnded, isCalled, isRunning, wholeRun } from './active-run.ts';
import type { Command, CommandContext } from './command.ts';
import { startOnce } from './start-once.ts';

/** A file that can be run, or will be once it is read. A pack that is missing can be installed when its agent is to run. */
function isRunnable({ kind, status, readError }: OpenFile): boolean {
  return kind !== 'file' && kind !== 'dialogue' && (status !== 'unreadable' || readError?.code === 'pack.not-found');
}

/** Whether the active file can be run now. Not while the engine has given up: the call would wait, and run when nobody expects it any more. */
export function canStart(context: CommandContext): boolean {
  const { engine } = context.stores.workspace.getState();
  const flow = activeFile(context);
  return flow !== undefined && isRunnable(flow) && engine.state !== 'failed';
}

/** Why the active flow cannot be run as it is; null = it can, or it is running already. */
function runObstacle(context: CommandContext): string | null {
  const flow = activeFile(context);
  const isEmpty = flow?.kind === 'flow' && flow.doc?.nodes.length === 0 && !flow.isOldVersion;
  return isEmpty && !isRunning(context) ? 'This flow has no nodes yet. Add a node to run it.' : null;
}

/** Shows the dialog that starts a run. */
function askForInputs(context: CommandContext): void {
  context.dialogs.getState().show(activeFile(context)?.kind === 'agent' ? 'agent-run' : 'run-inputs');
}

/** Shows why a file cannot run, in its list of problems and in a message that goes away when it can run again. */
export function showErrors({ stores }: CommandContext, { path, kind }: Pick<OpenFile, 'path' | 'kind'>): void {
  const { panes, notices, openFiles } = stores;
  panes.getState().showDock('problems');
  const subject = `cannot run ${path}`;
  const detail = 'Fix the errors in the list of problems, then run it again.';
  notices.getState().add({ tone: 'error', title: `This ${kind} has errors and cannot run`, detail, subject });
  const end = openFiles.subscribe(({ files }) => {
    const file = files.get(path);
    if (file !== undefined && (file.isCheckStale || hasRunErrors(stores, file))) return;
    end();
    notices.getState().withdraw(subject);
  });
}

/** Whether a flow says of each of its inputs what it is: one that is needed, empty, or nothing, is to be filled in. */
export function hasDefaults({ input = {}, inputs = {} }: Pick<FlowDoc['flow'], 'input' | 'inputs'>): boolean {
  const isFilledIn = Object.values(input).every((value) => value !== null && value !== '');
  return isFilledIn && Object.values(inputs).every(({ required }) => required !== true);
}

/**
 * Runs at once with the defaults of the file, or asks for inputs first when one of them has none; an agent always may have
 * some. What has errors shows them instead. Waits for the check of the text as it stands: of what was just opened or typed, it is still under way.
 */
async function startRun(context: CommandContext, path: string): Promise<void> {
  await context.stores.edits.whenChanged(path);
  await context.stores.openFiles.getState().checked(path);
  const flow = activeFile(context);
  if (flow?.path !== path || !isRunnable(flow)) return;
  const isAsked = flow.kind === 'agent' || !hasDefaults(flow.doc?.flow ?? {});
  if (hasRunErrors(context.stores, flow) && !flow.isOldVersion) showErrors(context, flow);
  else if (isAsked) askForInputs(context);
  else await context.stores.runs.start(flow.path, {});
}

/** Asks the shown run to stop. */
function cancelRun(context: CommandContext): void {
  const run = wholeRun(context);
  if (run !== undefined) void context.stores.runs.cancel(run.runId);
}

/** The flow on screen under a run that is over. */
export function endedRun(context: CommandContext): { readonly run: LiveRun; readonly flow: OpenFile } | null {
  const run = activeRun(context);
  const path = activeFile(context)?.path;
  const definition = path === undefined ? null : selectShownDefinition(context.stores.liveRuns.getState(), path);
  const flow = flowOnScreen(activeFile(context), definition);
  return run?.caller !== null || flow?.kind !== 'flow' || !isOver(run.state) ? null : { run, flow };
}

/** Runs the shown run again; of one that was called, the run at the top, over its own flow. */
async function redoShown(context: CommandContext, path: string): Promise<void> {
  const { openFiles, runs } = context.stores;
  const run = wholeRun(context);
  const top = activeRun(context)?.caller == null ? path : (run?.state.sourcePath ?? path);
  if (top !== path) await openFiles.getState().open(top);
  await runs.redo(top, run?.runId);
}

/** What runs again alone is a node of the run at the top: the one that called. */
function tellNotAlone({ stores }: CommandContext): void {
  const detail =
    'A called run runs again with the node that called it. Go back to that, and run again from there; or run this flow by itself.';
  stores.notices.getState().add({ tone: 'info', title: 'This run was called by another', detail });
}

/** From the selected node, once its run is over; from the whole loop when the node stands in one. */
function rerunTarget(context: CommandContext): RerunTarget | null {
  const ended = endedRun(context);
  if (ended === null) return null;
  const { run, flow } = ended;
  const nodeId = context.stores.selection.getState().views.get(flow.path)?.nodeId ?? null;
  if (nodeId === null || flow.doc?.nodes.every(({ id }) => id !== nodeId) !== false) return null;
  const [loopId = nodeId] = loopsAround(flow.nesting, nodeId);
  return { path: flow.path, runId: run.runId, nodeId: loopId };
}

/** From the selected node, else from the first one that what has changed makes run anew; null when there is none. */
async function targetOrFirstStale(context: CommandContext): Promise<RerunTarget | null> {
  const target = rerunTarget(context);
  const ended = endedRun(context);
  if (target !== null || ended === null) return target;
  const changed = { path: ended.flow.path, runId: ended.run.runId };
  const plan = await context.stores.runs.planRerun(changed);
  const first = plan.find(({ fate }) => fate === 'runs') ?? plan.find(({ fate }) => fate === 'maybe');
  return first === undefined ? null : { ...changed, nodeId: first.nodeId };
}

/** Asks first when something would happen outside for a second time. */
export async function rerunOrAsk({ stores, dialogs }: CommandContext, target: RerunTarget): Promise<void> {
  const plan = await stores.runs.planRerun(target);
  if (plan.some(({ repeatsOutside }) => repeatsOutside)) dialogs.getState().showRerun(target);
  else await stores.runs.rerun(target);
}

/** Runs at once from the selected node, else from the first stale one. */
async function runFromHere(context: CommandContext, path: string): Promise<void> {
  const { edits, openFiles, notices } = context.stores;
  await edits.whenChanged(path);
  await openFiles.getState().checked(path);
  const file = activeFile(context);
  if (file?.path !== path) return;
  if (hasRunErrors(context.stores, file)) return showErrors(context, file);
  try {
    const target = await targetOrFirstStale(context);
    if (endedRun(context) === null) return;
    if (target === null) {
      const detail = 'Nothing has changed since this run. Select a node to run again from it.';
      notices.getState().add({ tone: 'info', title: 'There is nothing to run again', detail });
      return;
    }
    await rerunOrAsk(context, target);
  } catch (error) {
    notices.getState().addError('It could not be found out what would run again', error);
  }
}

/**
 * What makes the selected node run although the run skipped it, or the item of it that is looked at; null where nothing would,
 * or it was not skipped. One in a loop then runs for all items, with the whole loop: an item never runs alone.
 */
function anywayChanges(context: CommandContext): { target: RerunTarget; changes: readonly FlowChange[] } | null {
  const target = rerunTarget(context);
  const ended = endedRun(context);
  if (target === null || ended === null) return null;
  const { run, flow } = ended;
  const { nodeId = null, items = new Map() } = context.stores.selection.getState().views.get(flow.path) ?? {};
  if (nodeId === null) return null;
  const { skip } = run.state.nodes.get(placeInRun(run, nodeId, items)) ?? {};
  const node = flow.doc?.nodes.find(({ id }) => id === nodeId);
  if (skip === undefined || node === undefined || flow.isOldVersion) return null;
  if (skip.reason !== 'when' && skip.reason !== 'edge' && skip.reason !== 'disabled') return null;
  const without = (key: string): FlowChange => ({ do: 'set-node', id: nodeId, path: [key], value: undefined });
  const conditional = nameEdges(flow.doc?.edges ?? []).filter(({ to, when }) => to === nodeId && when !== undefined);
  return {
    target,
    changes: [
      ...(node.disabled === undefined ? [] : [without('disabled')]),
      ...(node.when === undefined ? [] : [without('when')]),
      ...conditional.map(({ id }): FlowChange => ({ do: 'set-edge', edge: id, change: { when: null } })),
    ],
  };
}

/** Runs from a node that was skipped, without its conditions; the file keeps them. */
async function runAnyway(context: CommandContext): Promise<void> {
  const wanted = anywayChanges(context);
  if (wanted === null) return;
  const { edits, notices } = context.stores;
  try {
    const { path } = wanted.target;
    await edits.whenChanged(path);
    await rerunOrAsk(context, { ...wanted.target, text: await edits.textWith(path, wanted.changes) });
  } catch (error) {
    notices.getState().addError('It cannot be run without its conditions', error);
  }
}

/** Puts the keyboard where the run's questions are answered. */
function focusQuestions(): void {
  document.querySelector<HTMLElement>('.waiting-panel :is(input, .button)')?.focus();
}

function start(context: CommandContext): void {
  void startOnce(context, 'run.start', (path) => startRun(context, path));
}

export const runCommands = [
  {
    id: 'run.toggle',
    title: 'Run, or cancel the run',
    group: 'Run',
    shortcut: 'Mod+Enter',
    isAvailable: canStart,
    obstacle: runObstacle,
    run(context) {
      if (isRunning(context)) cancelRun(context);
      else if (!hasJustEnded(context)) start(context);
    },
  },
  { id: 'run.start', title: 'Run', group: 'Run', isAvailable: canStart, obstacle: runObstacle, run: start },
  {
    id: 'run.startWithInputs',
    title: 'Run with inputs…',
    group: 'Run',
    shortcut: 'Mod+Shift+Alt+Enter',
    isAvailable: canStart,
    obstacle: runObstacle,
    run: askForInputs,
  },
  {
    id: 'run.redo',
    title: 'Run again',
    group: 'Run',
    shortcut: 'R',
    isAvailable: (context) => canStart(context) && !isRunning(context),
    obstacle: runObstacle,
    run: (context) => void startOnce(context, 'run.redo', (path) => redoShown(context, path)),
  },
  {
    id: 'run.fromHere',
    title: 'Run again from here, or from the first stale node',
    group: 'Run',
    shortcut: 'Mod+Shift+Enter',
    isAvailable: (context) => canStart(context) && (endedRun(context) !== null || isCalled(context)),
    // From another node it is another wish.
    run: (context) =>
      isCalled(context)
        ? tellNotAlone(context)
        : void startOnce(context, `run.fromHere ${rerunTarget(context)?.nodeId ?? ''}`, (path) =>
            runFromHere(context, path),
          ),
  },
  {
    id: 'run.planFromHere',
    title: 'Show what would run again from the selected node…',
    group: 'Run',
    isAvailable: (context) => canStart(context) && rerunTarget(context) !== null,
    run(context) {
      const target = rerunTarget(context);
      if (target !== null) context.dialogs.getState().showRerun(target);
    },
  },
  {
    id: 'run.anyway',
    title: 'Run the selected node although it was skipped',
    group: 'Run',
    isAvailable: (context) => canStart(context) && anywayChanges(context) !== null,
    run: (context) => void startOnce(context, 'run.anyway', () => runAnyway(context)),
  },
  {
    id: 'run.resume',
    title: 'Resume the interrupted run',
    group: 'Run',
    isAvailable: (context) => canStart(context) && wholeRun(context)?.state.status === 'interrupted',
    run(context) {
      const run = wholeRun(context);
      if (run !== undefined) void context.stores.runs.resume(run.runId);
    },
  },
  {
    id: 'run.answer',
    title: 'Go to what waits for you',
    group: 'Run',
    shortcut: 'W',
    isAvailable: (context) => activeRun(context)?.state.status === 'suspended',
    run: focusQuestions,
  },
  {
    id: 'run.cancel',
    title: 'Cancel the run',
    group: 'Run',
    isAvailable(context) {
      const run = wholeRun(context);
      return run !== undefined && isCancellable(run.state) && !run.isCancelling;
    },
    run: cancelRun,
  },
  {
    id: 'run.hide',
    title: 'Close the shown run',
    group: 'Run',
    isAvailable: (context) => activeRun(context) !== undefined,
    run: onActiveFile(({ stores }, path) => stores.liveRuns.getState().hide(path)),
  },
] as const satisfies readonly Command[];
