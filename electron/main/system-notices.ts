/**
 * How the system tells the person of what waits: a message, and a number at the program's icon.
 */
import { app, BrowserWindow, Notification } from 'electron';
import { systemClock } from '../ipc/engine-base.ts';
import { Inbox, type InboxNotice } from './inbox.ts';

/** The inbox of the running program. @param parts see `Inbox` */
export function openInbox(parts: Pick<ConstructorParameters<typeof Inbox>[0], 'file' | 'deliver'>): Inbox {
  return new Inbox({
    ...parts,
    now: systemClock.now,
    isInFront: () => BrowserWindow.getFocusedWindow() !== null,
    show: showNotice,
    // macOS, and the desktops of Linux that know Unity's launcher; elsewhere nothing happens.
    setBadge: (count) => void app.setBadgeCount(count),
  });
}

/** Messages that can still be clicked: one that nobody refers to may be collected, and a click on it would do nothing. */
const shown = new Set<Notification>();

function showNotice({ title, body, onClick }: InboxNotice): void {
  if (!Notification.isSupported()) return;
  const notice = new Notification({ title, body });
  shown.add(notice);
  notice.on('click', () => {
    shown.delete(notice);
    onClick();
  });
  notice.on('close', () => shown.delete(notice));
  notice.show();
}
