/**
 * The one door between pages and the main process: who calls is checked here, what is called by the contract.
 */
import { type IpcMainInvokeEvent, ipcMain } from 'electron';
import { z } from 'zod';
import { callChannel, pageOrigin, pageUrl } from '../ipc/channels.ts';
import type { Reply } from '../ipc/rpc.ts';
import type { Dispatcher } from '../ipc/rpc-server.ts';

const callRequest = z.strictObject({ name: z.string(), args: z.unknown() });

/** Answers calls of pages; `dispatcherOf` gives the handlers of the window that a page belongs to. */
export function serveIpc(dispatcherOf: (webContentsId: number) => Dispatcher | undefined): void {
  ipcMain.handle(callChannel, (event, request: unknown): Promise<Reply> | Reply => {
    const dispatch = isOurPage(event) ? dispatcherOf(event.sender.id) : undefined;
    const call = callRequest.safeParse(request);
    if (dispatch === undefined || !call.success) return refused;
    return dispatch(call.data.name, call.data.args);
  });
}

const refused: Reply = { ok: false, error: { code: 'rpc.refused', message: "Only the program's own page may call." } };

/** A frame inside the page, or a page from elsewhere, has no voice; nor has an empty one, which keeps the origin of the page before it. */
function isOurPage({ sender, senderFrame }: IpcMainInvokeEvent): boolean {
  if (senderFrame === null || senderFrame !== sender.mainFrame) return false;
  return senderFrame.origin === pageOrigin && senderFrame.url.replace(/#.*/s, '') === pageUrl;
}
