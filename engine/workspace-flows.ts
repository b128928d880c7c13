/**
 * Reads a workspace's flow files as text. This part of an engine is available before the rest of the engine is loaded.
 */
import { statSync } from 'node:fs';
import { EngineError } from './base/engine-error.ts';
import type { Engine } from './engine.ts';
import { MAX_FLOW_TEXT_LENGTH } from './language/flow/flow-limits.ts';
import { productOfPath } from './language/flow/product-path.ts';
import { readFlowFile } from './world/files/read-flow.ts';
import { resolveInWorkspace } from './world/files/workspace-path.ts';

/** The methods of `Engine` that list flows and read a flow. */
export type WorkspaceFlows = Pick<Engine, 'listFlows' | 'readFlow'>;

/**
 * Creates these methods. They return the same results as an engine for the workspace.
 * @param workspace absolute
 * @throws EngineError `workspace.not-found` if the folder does not exist
 */
export function openWorkspaceFlows(workspace: string): WorkspaceFlows {
  if (!statSync(workspace, { throwIfNoEntry: false })?.isDirectory()) throw workspaceNotFound(workspace);
  return {
    // Loaded here with the code that starts Git, so that a command line that runs a single file does not load it.
    async listFlows() {
      const flows = await (await import('./world/files/flow-files.ts')).listFlowFiles(workspace);
      if (!flows.some(({ path }) => productOfPath(path) !== undefined)) return flows;
      return await (await import('./packs/product/find-products.ts')).withoutUnlisted(workspace, flows);
    },
    async readFlow(path) {
      const { real, shown } = await resolveInWorkspace(workspace, path);
      return await readFlowFile(real, { shownPath: shown, maxLength: MAX_FLOW_TEXT_LENGTH });
    },
  };
}

function workspaceNotFound(workspace: string): EngineError {
  return new EngineError({
    code: 'workspace.not-found',
    message: `There is no folder ${workspace}. Open a folder that exists.`,
  });
}
