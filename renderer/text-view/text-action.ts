/**
 * What a menu asks of the text on screen.
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
export async function runTextAction(action: TextAction): Promise<void> {
  const { monaco } = await import('./monaco.ts');
  const view = monaco.editor.getEditors().find((candidate) => candidate.getContainerDomNode().isConnected);
  view?.focus();
  view?.trigger('menu', actions[action], {});
}
