/**
 * What menus and keys ask of the text on screen. Monaco is loaded by then, in a chunk of its own.
 */

/** Names of Monaco's own, or of those that languages add. */
const actions = {
  cut: 'editor.action.clipboardCutAction',
  copy: 'editor.action.clipboardCopyAction',
  paste: 'editor.action.clipboardPasteAction',
  definition: 'millrace.goToDefinition',
  rename: 'editor.action.rename',
} as const;

export type TextAction = keyof typeof actions;

/** Does it at the cursor, which is in the text afterwards. */
export function runTextAction(action: TextAction): Promise<void> {
  return runMonacoAction(actions[action], 'menu');
}

/** Changes what the Tab key does in all texts, and puts the keyboard into the one on screen. */
export function switchTabKey(): Promise<void> {
  return runMonacoAction('editor.action.toggleTabFocusMode', 'keyboard');
}

async function runMonacoAction(id: string, source: 'menu' | 'keyboard'): Promise<void> {
  const { monaco } = await import('./monaco.ts');
  const view = monaco.editor.getEditors().find((candidate) => candidate.getContainerDomNode().isConnected);
  view?.focus();
  view?.trigger(source, id, {});
}
