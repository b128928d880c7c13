/**
 * The only entry from pages to the main process. Checks the caller, and the call against the contract.
 */
import { type IpcMainInvokeEvent, ipcMain } from 'electron';
import { z } from 'zod';
import { callChannel, pageOrigin, pageUrl } from '../ipc/channels.ts';
import type { RpcReply } from '../ipc/rpc.ts';
import type { Dispatcher } from '../ipc/rpc-server.ts';

const callRequest = z.strictObject({ name: z.string(), args: z.unknown() });

/** Answers calls from pages. `dispatcherOf` returns the handlers of the window that contains a page. */
export function serveIpc(dispatcherOf: (webContentsId: number) => Dispatcher | undefined): void {
  ipcMain.handle(callChannel, (event, request: unknown): Promise<RpcReply> | RpcReply => {
    const dispatch = isOurPage(event) ? dispatcherOf(event.sender.id) : undefined;
    const call = callRequest.safeParse(request);
    if (dispatch === undefined || !call.success) return refused;
    return dispatch(call.data.name, call.data.args);
  });
}

const refused: RpcReply = {
  ok: false,
  error: { code: 'rpc.refused', message: "Only the program's own page may call." },
};

/** Rejects frames inside the page, pages of other origins, and empty pages, which keep the previous page's origin. */
function isOurPage({ sender, senderFrame }: IpcMainInvokeEvent): boolean {
  if (senderFrame === null || senderFrame !== sender.mainFrame) return false;
  return senderFrame.origin === pageOrigin && senderFrame.url.replace(/#.*/s, '') === pageUrl;
}
