/**
 * Shows open requests as system notifications, and their number as a badge on the program's icon.
 */
import { app, BrowserWindow, Notification } from 'electron';
import { systemClock } from '../ipc/engine-base.ts';
import { DesktopInbox } from './desktop-inbox.ts';
import type { SystemNotice } from './run-notices.ts';

/** Opens the inbox of the running program. @param parts see `DesktopInbox` */
export function openInbox(
  parts: Pick<ConstructorParameters<typeof DesktopInbox>[0], 'file' | 'deliver' | 'showsRuns'>,
): DesktopInbox {
  return new DesktopInbox({
    ...parts,
    clock: systemClock,
    isInFront: () => BrowserWindow.getFocusedWindow() !== null,
    show: showNotice,
    // Supported on macOS, and on Linux desktops with Unity's launcher API. No effect elsewhere.
    setBadge: (count) => void app.setBadgeCount(count),
  });
}

/**
 * Notifications that can still be clicked. Without a reference, a notification and its click handler could be garbage
 * collected.
 */
const shown = new Set<Notification>();

function showNotice({ title, body, onClick }: SystemNotice): void {
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
