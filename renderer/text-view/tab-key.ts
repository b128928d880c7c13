/**
 * What the Tab key does in texts: indent, or lead on to what comes next in the window, for those who use the keyboard only.
 */

/** Changes what the Tab key does in all texts, and puts the keyboard into the one on screen. */
export async function switchTabKey(): Promise<void> {
  const { monaco } = await import('./monaco.ts');
  const view = monaco.editor.getEditors().find((candidate) => candidate.getContainerDomNode().isConnected);
  view?.focus();
  view?.trigger('keyboard', 'editor.action.toggleTabFocusMode', {});
}
