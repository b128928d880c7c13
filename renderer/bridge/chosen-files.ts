/**
 * Where a file lies that the person dropped on the window or chose in a dialog, absolute; empty for one that a script has
 * made.
 */
export function pathOfFile(file: File): string {
  return window.bridge.pathOfFile(file);
}
