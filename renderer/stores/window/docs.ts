/**
 * Shows the documentation, which has its own window.
 */
import type { StoreApi } from 'zustand/vanilla';
import { builtinTypes } from '../../../engine/isomorphic.ts';
import type { MainClient } from '../../bridge/main-client.ts';
import type { WindowNotices } from './notices.ts';
import { text } from './text.ts';

interface DocsServices {
  readonly main: MainClient;
  readonly notices: StoreApi<WindowNotices>;
}

/** Shows a page of the documentation. @param page path, such as `nodes/prompt.html`; the index if absent */
export function openDocs({ main, notices }: DocsServices, page?: string): void {
  main
    .call('docs.open', page === undefined ? {} : { page })
    .catch((error: unknown) => notices.getState().addError(text.openDocsFailed, error));
}

/** Returns the page about a node type; null if there is none, as for a type from a pack. */
export function docsPageOf(type: string, isStep: boolean): string | null {
  if (isStep) return 'step-flows.html';
  if (builtinTypes.some((spec) => spec.type === type)) return `nodes/${type}.html`;
  const isAgent = type.endsWith('.aip') || type.includes('@');
  return isAgent ? 'agents.html#an-agent-as-a-type-of-node' : null;
}
