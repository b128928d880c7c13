/**
 * Commands that start, cancel and repeat runs of the active file.
 */
import { type FlowChange, type FlowDoc, nameEdges } from '../../../engine/isomorphic.ts';
import { openedCase } from '../../stores/cases/open-cases.ts';
import { loopsAround } from '../../stores/flow/loop-bodies.ts';
import { isCancellable, isOver, type LiveRun } from '../../stores/runs/live/live-runs.ts';
import type { RerunTarget } from '../../stores/runs/plan-actions.ts';
import { hasRunErrors } from '../../stores/runs/run-errors.ts';
import { flowOnScreen, placeInRun, selectShownDefinition } from '../../stores/runs/shown-run.ts';
import type { OpenFile } from '../../stores/text/file.ts';
import { activeFile, onActiveFile } from './active-file.ts';
import { activeRun, hasJustEnded, hasOpenRequest, isCalled, isRunning, wholeRun } from './active-run.ts';
import type { Command, CommandContext } from './command.ts';
import { startOnce } from './start-once.ts';
import { text } from './text.ts';

const { run: words, groups } = text;

/**
 * Returns whether a file can be run, now or once it is read. If the agent's pack is missing, it can be installed when
 * the agent is started.
 */
function isRunnable({ kind, status, readError }: OpenFile): boolean {
  return kind !== 'file' && kind !== 'dialogue' && (status !== 'unreadable' || readError?.code === 'pack.not-found');
}

/**
 * Returns whether the active file can be run now. Returns false if the engine has failed: the call would wait and start
 * the run at an unexpected time.
 */
export function canStart(context: CommandContext): boolean {
  const { engine } = context.stores.workspace.getState();
  const flow = activeFile(context);
  return flow !== undefined && isRunnable(flow) && engine.state !== 'failed';
}

/** Returns why the active flow cannot be run as it is. Null if it can run or is already running. */
function runObstacle(context: CommandContext): string | null {
  const flow = activeFile(context);
  const isEmpty = flow?.kind === 'flow' && flow.doc?.nodes.length === 0 && !flow.isOldVersion;
  return isEmpty && !isRunning(context) ? words.noNodes : null;
}

/** Shows the dialog that starts a run. */
function askForInputs(context: CommandContext): void {
  context.dialogs.getState().show(activeFile(context)?.kind === 'agent' ? 'agent-run' : 'run-inputs');
}

/**
 * Shows why a file cannot run, in its list of problems and in a message that disappears once the file can run again.
 */
export function showErrors({ stores }: CommandContext, { path, kind }: Pick<OpenFile, 'path' | 'kind'>): void {
  const { panes, notices, openFiles } = stores;
  panes.getState().showDock('problems');
  const subject = `run-errors:${path}`;
  const title = kind === 'agent' ? words.agentHasErrors : words.flowHasErrors;
  notices.getState().add({ tone: 'error', title, detail: words.fixErrors, subject });
  const end = openFiles.subscribe(({ files }) => {
    const file = files.get(path);
    if (file !== undefined && (file.isCheckStale || hasRunErrors(stores, file))) return;
    end();
    notices.getState().withdraw(subject);
  });
}

/** Returns whether every input of a flow has a value. Required, empty and null inputs must be filled in. */
export function hasDefaults({ input = {}, inputs = {} }: Pick<FlowDoc['flow'], 'input' | 'inputs'>): boolean {
  const isFilledIn = Object.values(input).every((value) => value !== null && value !== '');
  return isFilledIn && Object.values(inputs).every(({ required }) => required !== true);
}

/**
 * Runs at once with the defaults of the file. Asks for inputs first if one has no default, and always for an agent.
 * Shows the errors instead if there are any. Waits for the pending validation of the current text.
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

/** Requests that the shown run be canceled. */
function cancelRun(context: CommandContext): void {
  const run = wholeRun(context);
  if (run !== undefined) void context.stores.runs.cancel(run.runId);
}

/** The flow on screen together with its run, if that run is over. */
export function endedRun(context: CommandContext): { readonly run: LiveRun; readonly flow: OpenFile } | null {
  const run = activeRun(context);
  const path = activeFile(context)?.path;
  const definition = path === undefined ? null : selectShownDefinition(context.stores.liveRuns.getState(), path);
  const flow = flowOnScreen(activeFile(context), definition);
  return run?.caller !== null || flow?.kind !== 'flow' || !isOver(run.state) ? null : { run, flow };
}

/** Reruns the shown run. For a child run, reruns the root run in its own flow. */
async function redoShown(context: CommandContext, path: string): Promise<void> {
  const { cases, openFiles, runs } = context.stores;
  if (openedCase(cases.getState(), path) !== undefined) return await cases.getState().runAgain(path);
  const run = wholeRun(context);
  const top = activeRun(context)?.caller == null ? path : (run?.state.sourcePath ?? path);
  if (top !== path) await openFiles.getState().open(top);
  await runs.redo(top, run?.runId);
}

/** Explains that a child run cannot be rerun alone: the node of the root run that called it runs again instead. */
function tellNotAlone({ stores }: CommandContext): void {
  stores.notices.getState().add({ tone: 'info', title: words.isChildRun, detail: words.childRunHelp });
}

/** Returns the selected node once its run is over, or the loop that contains it. */
function rerunTarget(context: CommandContext): RerunTarget | null {
  const ended = endedRun(context);
  if (ended === null) return null;
  const { run, flow } = ended;
  const nodeId = context.stores.selection.getState().views.get(flow.path)?.nodeId ?? null;
  if (nodeId === null || flow.doc?.nodes.every(({ id }) => id !== nodeId) !== false) return null;
  const [loopId = nodeId] = loopsAround(flow.nesting, nodeId);
  return { path: flow.path, runId: run.runId, nodeId: loopId };
}

/** Returns the selected node, or else the first stale one. Null if there is none. */
async function targetOrFirstStale(context: CommandContext): Promise<RerunTarget | null> {
  const target = rerunTarget(context);
  const ended = endedRun(context);
  if (target !== null || ended === null) return target;
  const changed = { path: ended.flow.path, runId: ended.run.runId };
  const plan = await context.stores.runs.planRerun(changed);
  const first = plan.find(({ fate }) => fate === 'runs') ?? plan.find(({ fate }) => fate === 'maybe');
  return first === undefined ? null : { ...changed, nodeId: first.nodeId };
}

/** Reruns, and asks first if an external effect would be repeated. */
export async function rerunOrAsk({ stores, dialogs }: CommandContext, target: RerunTarget): Promise<void> {
  const plan = await stores.runs.planRerun(target);
  if (plan.some(({ repeatsOutside }) => repeatsOutside)) dialogs.getState().showRerun(target);
  else await stores.runs.rerun(target);
}

/** Reruns at once from the selected node, or else from the first stale one. */
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
      notices.getState().add({ tone: 'info', title: words.nothingToRunAgain, detail: words.nothingChanged });
      return;
    }
    await rerunOrAsk(context, target);
  } catch (error) {
    notices.getState().addError(words.planRerunFailed, error);
  }
}

/**
 * Returns the changes that make the selected node, or its selected item, run although the run skipped it. Null if no
 * change would, or if it was not skipped. A node in a loop then runs for all items with the whole loop, because an item
 * never runs alone.
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

/** Runs from a skipped node, ignoring its conditions. The file keeps them. */
async function runAnyway(context: CommandContext): Promise<void> {
  const wanted = anywayChanges(context);
  if (wanted === null) return;
  const { edits, notices } = context.stores;
  try {
    const { path } = wanted.target;
    await edits.whenChanged(path);
    await rerunOrAsk(context, { ...wanted.target, text: await edits.textWith(path, wanted.changes) });
  } catch (error) {
    notices.getState().addError(words.anywayFailed, error);
  }
}

/** Focuses the place where the run's questions are answered. */
function focusQuestions(): void {
  document.querySelector<HTMLElement>('.waiting-panel :is(input, .button)')?.focus();
}

function start(context: CommandContext): void {
  void startOnce(context, 'run.start', (path) => startRun(context, path));
}

export const runCommands = [
  {
    id: 'run.toggle',
    title: words.toggle,
    group: groups.run,
    shortcut: 'Mod+Enter',
    isAvailable: canStart,
    obstacle: runObstacle,
    run(context) {
      if (isRunning(context)) cancelRun(context);
      else if (!hasJustEnded(context)) start(context);
    },
  },
  { id: 'run.start', title: words.start, group: groups.run, isAvailable: canStart, obstacle: runObstacle, run: start },
  {
    id: 'run.startWithInputs',
    title: words.startWithInputs,
    group: groups.run,
    shortcut: 'Mod+Shift+Alt+Enter',
    isAvailable: canStart,
    obstacle: runObstacle,
    run: askForInputs,
  },
  {
    id: 'run.redo',
    title: words.redo,
    group: groups.run,
    shortcut: 'R',
    isAvailable: (context) => canStart(context) && !isRunning(context),
    obstacle: runObstacle,
    run: (context) => void startOnce(context, 'run.redo', (path) => redoShown(context, path)),
  },
  {
    id: 'run.fromHere',
    title: words.fromHere,
    group: groups.run,
    shortcut: 'Mod+Shift+Enter',
    isAvailable: (context) => canStart(context) && (endedRun(context) !== null || isCalled(context)),
    // The same command on another node is not a repeat.
    run: (context) =>
      isCalled(context)
        ? tellNotAlone(context)
        : void startOnce(context, `run.fromHere:${rerunTarget(context)?.nodeId ?? ''}`, (path) =>
            runFromHere(context, path),
          ),
  },
  {
    id: 'run.planFromHere',
    title: words.planFromHere,
    group: groups.run,
    isAvailable: (context) => canStart(context) && rerunTarget(context) !== null,
    run(context) {
      const target = rerunTarget(context);
      if (target !== null) context.dialogs.getState().showRerun(target);
    },
  },
  {
    id: 'run.anyway',
    title: words.anyway,
    group: groups.run,
    isAvailable: (context) => canStart(context) && anywayChanges(context) !== null,
    run: (context) => void startOnce(context, 'run.anyway', () => runAnyway(context)),
  },
  {
    id: 'run.resume',
    title: words.resume,
    group: groups.run,
    isAvailable: (context) => canStart(context) && wholeRun(context)?.state.status === 'interrupted',
    run(context) {
      const run = wholeRun(context);
      if (run !== undefined) void context.stores.runs.resume(run.runId);
    },
  },
  {
    id: 'run.answer',
    title: words.answer,
    group: groups.run,
    shortcut: 'W',
    isAvailable: hasOpenRequest,
    run: focusQuestions,
  },
  {
    id: 'run.cancel',
    title: words.cancel,
    group: groups.run,
    isAvailable(context) {
      const run = wholeRun(context);
      return run !== undefined && isCancellable(run.state) && !run.isCancelling;
    },
    run: cancelRun,
  },
  {
    id: 'run.hide',
    title: words.hide,
    group: groups.run,
    isAvailable: (context) => activeRun(context) !== undefined,
    run: onActiveFile(({ stores }, path) => stores.liveRuns.getState().hide(path)),
  },
] as const satisfies readonly Command[];
