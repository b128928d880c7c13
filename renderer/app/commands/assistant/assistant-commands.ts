/**
 * Commands that open the assistant with a suggested message. The person sends it.
 */
import { hasErrors } from '../../../../engine/isomorphic.ts';
import type { FixSubject } from '../../../stores/assistant/assistant.ts';
import { placeInRun } from '../../../stores/runs/shown-run.ts';
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

/** Returns what to fix about the selected node; null if there is nothing. */
function fixOfNode(context: CommandContext, { path, diagnostics }: OpenFile, nodeId: string): FixSubject | null {
  const run = activeRun(context);
  const { items } = context.stores.selection.getState().views.get(path) ?? initialFlowView;
  const status = run?.caller === null ? run.state.nodes.get(placeInRun(run, nodeId, items))?.status : undefined;
  if (status === 'failed') return { need: 'failed-node', nodeId };
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

export const assistantCommands = [
  {
    id: 'assistant.ask',
    title: text.ask,
    words: text.askWords,
    group,
    shortcut: 'Mod+I',
    isAvailable: (context) => activeFile(context)?.kind === 'flow',
    run: onActiveFile(({ stores }, path) => stores.assistant.getState().show(path)),
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
    id: 'assistant.selection',
    title: text.selection,
    words: text.selectionWords,
    group,
    isAvailable: (context) => (editableFlow(context)?.nodeIds.size ?? 0) > 0,
    run: onActiveFile(({ stores }, path) => stores.assistant.getState().show(path)),
  },
] as const satisfies readonly Command[];
