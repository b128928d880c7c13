/**
 * The one door between pages and the main process: who calls is checked here, what is called by the contract.
 */
import { type IpcMainInvokeEvent, ipcMain } from 'electron';
import { z } from 'zod';
import { callChannel, pageOrigin } from '../ipc/channels.ts';
import type { Dispatcher, Reply } from '../ipc/rpc.ts';

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

/** A frame inside the page, or a page from elsewhere, has no voice. */
function isOurPage({ sender, senderFrame }: IpcMainInvokeEvent): boolean {
  return senderFrame !== null && senderFrame === sender.mainFrame && senderFrame.origin === pageOrigin;
}
