/**
 * Commands that open the assistant with a suggested message. The person sends it.
 */
import { hasErrors } from '../../../../engine/isomorphic.ts';
import type { FixSubject } from '../../../stores/assistant/assistant.ts';
import type { LiveRun } from '../../../stores/runs/live/live-runs.ts';
import { flowOnScreen, placeInRun } from '../../../stores/runs/shown-run.ts';
import type { OpenFile } from '../../../stores/text/file.ts';
import { initialFlowView } from '../../../stores/window/selection.ts';
import { activeFile, editableFlow, onActiveFile } from '../active-file.ts';
import { activeRun } from '../active-run.ts';
import type { Command, CommandContext } from '../command.ts';
import { text as commandText } from '../text.ts';
import { text } from './text.ts';

const group = commandText.groups.view;

function activeFlow(context: CommandContext): OpenFile | undefined {
  const file = activeFile(context);
  return file?.kind === 'flow' && file.status === 'ready' ? file : undefined;
}

/** Returns the path of the selected node in a run if it failed there, or else null. */
function failedPlace({ stores }: CommandContext, run: LiveRun, path: string): string | null {
  const { nodeId, items } = stores.selection.getState().views.get(path) ?? initialFlowView;
  const place = nodeId === null ? null : placeInRun(run, nodeId, items);
  return place !== null && run.state.nodes.get(place)?.status === 'failed' ? place : null;
}

/** Returns what to fix about the selected node; null if there is nothing. */
function fixOfNode(context: CommandContext, { path, diagnostics }: OpenFile, nodeId: string): FixSubject | null {
  const run = activeRun(context);
  if (run?.caller === null && failedPlace(context, run, path) !== null) return { need: 'failed-node', nodeId };
  const hasProblems = diagnostics.some((one) => one.nodeId === nodeId && one.severity !== 'info');
  return hasProblems ? { need: 'problems-of-node', nodeId } : null;
}

/** Returns what to fix about the selected node, or else about the shown run or the text; null if there is nothing. */
function findFix(context: CommandContext): FixSubject | null {
  const flow = activeFlow(context);
  if (flow === undefined || flow.readOnlyReason !== null) return null;
  const nodeId = editableFlow(context)?.nodeId ?? null;
  if (nodeId !== null) return fixOfNode(context, flow, nodeId);
  const run = activeRun(context);
  if (run?.caller === null && run.state.status === 'failed') return { need: 'failed-run' };
  return hasErrors(flow.diagnostics) ? { need: 'problems' } : null;
}

/** Explains the flow on screen, or its shown run: the selected node if it failed, or else the whole run. */
async function explain(context: CommandContext, path: string, subject: 'flow' | 'run'): Promise<void> {
  const { assistant, notices, openFiles } = context.stores;
  try {
    const { explainFailure, explainFlow, explainRun, titles } = await import('../../../assistant/explain.ts');
    const run = subject === 'run' ? activeRun(context) : undefined;
    const file = flowOnScreen(openFiles.getState().files.get(path), run?.definition ?? null);
    if (file?.doc == null) return;
    const flow = { ...file, doc: file.doc };
    const place = run === undefined ? null : failedPlace(context, run, path);
    if (run === undefined) assistant.getState().explain(path, titles.flow, explainFlow(flow));
    else if (place === null) assistant.getState().explain(path, titles.run, explainRun(run, flow, Date.now()));
    else assistant.getState().explain(path, titles.failure, explainFailure(run, flow, place));
  } catch (error) {
    notices.getState().addError(text.explainFailed, error);
  }
}

export const assistantCommands = [
  {
    id: 'assistant.ask',
    title: text.ask,
    words: text.askWords,
    group,
    shortcut: 'Mod+I',
    isAvailable: (context) => {
      const file = activeFile(context);
      return file === undefined ? context.stores.workspace.getState().folder !== null : file.kind === 'flow';
    },
    run: (context) => {
      const path = activeFile(context)?.path;
      if (path !== undefined) context.stores.assistant.getState().show(path);
      // Without a flow to ask about, the question is which flow to make.
      else context.dialogs.getState().askNew({ kind: 'flow', beginning: 'words', folder: '' });
    },
  },
  {
    id: 'assistant.fix',
    title: text.fix,
    words: text.fixWords,
    group,
    isAvailable: (context) => findFix(context) !== null,
    run: onActiveFile((context, path) => {
      const found = findFix(context);
      if (found !== null) context.stores.assistant.getState().suggestFix(path, found);
    }),
  },
  {
    id: 'assistant.explain',
    title: text.explain,
    words: text.explainWords,
    group,
    isAvailable: (context) => activeFile(context)?.kind === 'flow' && activeRun(context)?.caller === null,
    run: onActiveFile((context, path) => void explain(context, path, 'run')),
  },
  {
    id: 'assistant.explainFlow',
    title: text.explainFlow,
    words: text.explainWords,
    group,
    isAvailable: (context) => activeFlow(context)?.doc != null,
    run: onActiveFile((context, path) => void explain(context, path, 'flow')),
  },
  {
    id: 'assistant.selection',
    title: text.selection,
    words: text.selectionWords,
    group,
    isAvailable: (context) => (editableFlow(context)?.nodeIds.size ?? 0) > 0,
    run: onActiveFile(({ stores }, path) => stores.assistant.getState().show(path)),
  },
] as const satisfies readonly Command[];
