/**
 * Commands that export a flow or a run to other programs.
 */
import { isJsonMap, isValueHandle, type JsonMap, type JsonValue } from '../../../engine/isomorphic.ts';
import { text as runWords } from '../../run-view/text.ts';
import { isOver } from '../../stores/runs/live/live-runs.ts';
import { outputsCsv } from '../../stores/runs/outputs-csv.ts';
import { text as windowWords } from '../../stores/window/text.ts';
import { activeFile } from './active-file.ts';
import { activeRun, wholeRun } from './active-run.ts';
import type { Command, CommandContext } from './command.ts';
import { text } from './text.ts';

async function copyText({ stores }: CommandContext, title: string, copied: string): Promise<void> {
  const { notices } = stores;
  try {
    await navigator.clipboard.writeText(copied);
    notices.getState().add({ tone: 'info', title, detail: text.export.onClipboard });
  } catch (error) {
    notices.getState().addError(text.export.copyFailed, error);
  }
}

/**
 * Returns the outputs of the shown run by name, including large values that are stored separately; null if it has none.
 */
async function readOutputs(context: CommandContext): Promise<JsonMap | null> {
  const { engine } = context.stores;
  const whole = async (value: JsonValue): Promise<JsonValue> =>
    isValueHandle(value) ? await engine.call('readValue', value.$value) : value;
  const output = await whole(activeRun(context)?.state.output ?? null);
  if (output === null) return null;
  if (!isJsonMap(output)) return { output };
  const entries = await Promise.all(
    Object.entries(output).map(async ([name, value]) => [name, await whole(value)] as const),
  );
  return Object.fromEntries(entries);
}

async function copyOutputs(context: CommandContext): Promise<void> {
  const { notices } = context.stores;
  try {
    const outputs = await readOutputs(context);
    const csv = outputs === null ? '' : outputsCsv(outputs);
    if (csv !== '') return await copyText(context, text.export.copiedOutputs, csv);
    notices.getState().add({ tone: 'info', title: text.export.nothingToCopy, detail: text.export.noOutputs });
  } catch (error) {
    notices.getState().addError(text.export.outputsFailed, error);
  }
}

export const exportCommands = [
  {
    id: 'flow.copyYaml',
    title: text.export.copyYaml,
    group: text.groups.files,
    words: text.export.copyYamlWords,
    isAvailable: (context) => activeFile(context)?.kind === 'flow' && activeFile(context)?.status === 'ready',
    run: (context) => void copyText(context, text.export.copiedYaml, activeFile(context)?.text ?? ''),
  },
  {
    id: 'run.copyOutputs',
    title: text.export.copyOutputs,
    group: text.groups.run,
    words: text.export.copyOutputsWords,
    isAvailable: (context) => activeRun(context)?.state.status === 'completed',
    run: (context) => void copyOutputs(context),
  },
  {
    id: 'run.export',
    title: text.export.exportRun,
    group: text.groups.run,
    isAvailable: (context) => wholeRun(context) !== undefined,
    run(context) {
      const run = wholeRun(context);
      if (run !== undefined) void context.stores.runs.exportRun(run.runId, 'bundle');
    },
  },
  {
    id: 'run.undoFiles',
    title: runWords.history.undo,
    group: text.groups.run,
    words: windowWords.undoFilesWords,
    isAvailable(context) {
      const run = activeRun(context);
      return run !== undefined && run.caller === null && isOver(run.state);
    },
    run: (context) => context.stores.panes.getState().showDock('files'),
  },
] as const satisfies readonly Command[];
