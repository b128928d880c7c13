/**
 * Runs actions from menus and shortcuts on the text on screen. At that point Monaco is loaded, in a separate chunk.
 */

/** IDs of actions of Monaco, or of languages. */
const actions = {
  cut: 'editor.action.clipboardCutAction',
  copy: 'editor.action.clipboardCopyAction',
  paste: 'editor.action.clipboardPasteAction',
  definition: 'millrace.goToDefinition',
  rename: 'editor.action.rename',
} as const;

export type TextAction = keyof typeof actions;

/** Runs an action at the cursor. The text has the focus afterward. */
export function runTextAction(action: TextAction): Promise<void> {
  return runMonacoAction(actions[action], 'menu');
}

/** Toggles the behavior of the Tab key in all text editors, and focuses the one on screen. */
export function switchTabKey(): Promise<void> {
  return runMonacoAction('editor.action.toggleTabFocusMode', 'keyboard');
}

async function runMonacoAction(id: string, source: 'menu' | 'keyboard'): Promise<void> {
  const { monaco } = await import('./monaco.ts');
  const view = monaco.editor.getEditors().find((candidate) => candidate.getContainerDomNode().isConnected);
  view?.focus();
  view?.trigger(source, id, {});
}
