/**
 * Pastes nodes, wherever the keyboard focus is.
 */
import type { JsonMap } from '../../../engine/isomorphic.ts';
import { addition, pasted } from '../../outline/outline-changes.ts';
import type { CanvasHandle } from '../../stores/window/canvases.ts';
import { editableFlow } from './active-file.ts';
import { activeCanvas } from './canvas-commands.ts';
import type { Command, CommandContext } from './command.ts';
import { text } from './text.ts';

/**
 * Creates a command that pastes nodes wherever the focus is, except in text fields. Without a canvas on screen, the
 * layout positions the nodes.
 */
function pasteCommand<Id extends string>(
  id: Id,
  { withLinks, ...rest }: { readonly title: string; readonly shortcut: string; readonly withLinks: boolean },
) {
  const ask = { do: 'paste', withLinks } as const;
  const canvasFor = (context: CommandContext): CanvasHandle | undefined => {
    const canvas = activeCanvas(context);
    return canvas?.can?.(ask) === false ? undefined : canvas;
  };
  return {
    id,
    group: text.groups.edit,
    where: 'outside-texts',
    ...rest,
    isAvailable: (context: CommandContext) => canvasFor(context) !== undefined || editableFlow(context) !== undefined,
    run(context: CommandContext) {
      const canvas = canvasFor(context);
      if (canvas === undefined) void pasteInto(context, withLinks);
      else canvas.run(ask);
    },
  } as const;
}

async function pasteInto(context: CommandContext, withLinks: boolean): Promise<void> {
  const { notices, edits, selection, pastedRequests } = context.stores;
  try {
    const copied = await navigator.clipboard.readText();
    const flow = editableFlow(context);
    const addRequest = async (input: JsonMap): Promise<boolean> => {
      const where = flow?.nodeId === null ? 'alone' : 'behind';
      const added = flow && addition(flow, 'http.request', { near: flow.nodeId, where, models: null, input });
      if (flow === undefined || !added || !(await edits.change(flow.path, added.change))) return false;
      selection.getState().choose(flow.path, { nodes: added.ids });
      return true;
    };
    if (flow !== undefined && pastedRequests.getState().take(copied, flow.doc, addRequest)) return;
    const made = flow === undefined ? null : pasted(flow, copied, withLinks);
    if (flow === undefined || made === null) {
      notices.getState().add({ tone: 'info', title: text.edit.nothingToPaste, detail: text.edit.nothingToPasteHelp });
    } else if (await edits.change(flow.path, made.change)) {
      selection.getState().choose(flow.path, { nodes: made.ids });
    }
  } catch (error) {
    notices.getState().addError(text.edit.clipboardFailed, error);
  }
}

export const pasteCommands = [
  pasteCommand('edit.paste', { title: text.edit.paste, shortcut: 'Mod+V', withLinks: false }),
  pasteCommand('edit.pasteLinked', { title: text.edit.pasteLinked, shortcut: 'Mod+Shift+V', withLinks: true }),
] as const satisfies readonly Command[];
