/**
 * The panes of the window in the order in which the keyboard goes through them.
 */

/** Side panel, outline, canvas and text, inspector, dock. */
const panes = [
  '.workspace-tree, .side-content, .search-panel',
  '.outline-panel',
  '.flow-canvas, .agent-run-view, .empty-canvas',
  '.text-view',
  '.inspector',
  '.run-dock',
] as const;

/** What in a pane has the focus first: a tree, a selected card, the editor, else the first control. */
const entries = [
  '[role="tree"]',
  '.react-flow__node.selected [tabindex="0"]',
  '.monaco-editor textarea',
  '[tabindex="0"], button:not(:disabled), input, select, textarea, a[href]',
] as const;

function entryOf(pane: Element): HTMLElement | null {
  for (const entry of entries) {
    const found = [...pane.querySelectorAll<HTMLElement>(entry)].find((element) => element.offsetParent !== null);
    if (found !== undefined) return found;
  }
  return null;
}

/** Puts the focus into the next pane that is on screen, or the one before. */
export function focusPane(step: 1 | -1): void {
  const shown = panes.flatMap((selector) => {
    const pane = document.querySelector(selector);
    const entry = pane === null ? null : entryOf(pane);
    return pane === null || entry === null ? [] : [{ pane, entry }];
  });
  const current = shown.findIndex(({ pane }) => pane.contains(document.activeElement));
  const next = current === -1 ? (step === 1 ? 0 : shown.length - 1) : (current + step + shown.length) % shown.length;
  shown[next]?.entry.focus();
}
