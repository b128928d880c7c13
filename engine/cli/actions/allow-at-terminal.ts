/**
 * Grants the permissions that a run's nodes wait for, after the user has agreed to each of them in the terminal.
 */
import type { Engine } from '../../index.ts';
import { EngineError, needText, type RunId } from '../../isomorphic.ts';
import type { CliContext } from '../cli-context.ts';
import { oneLine } from '../progress/phrases.ts';
import { askPerson } from './ask-person.ts';

interface WaitingTerminalRequest {
  readonly runId: RunId;
  /** If set, only this node's permissions are granted. */
  readonly node: string | undefined;
  /** Whether the workspace is trusted for this call. Only secrets then need a permission. */
  readonly isTrusted: boolean;
}

/**
 * @throws EngineError `run.invalid-state` if no node waits for a permission; `permission.refused` if the user declines
 */
export async function allowAtTerminal(
  { terminal }: CliContext,
  engine: Pick<Engine, 'waitingPermissions' | 'grantPermissions' | 'allowWaiting'>,
  { runId, node, isTrusted }: WaitingTerminalRequest,
): Promise<{ runId: RunId }> {
  const waiting = await engine.waitingPermissions(runId);
  const needs = waiting
    .filter(({ nodeId }) => node === undefined || nodeId === node)
    .flatMap(({ needs: missing }) => missing);
  if (needs.length === 0) throw nothingWaits(runId, node);
  const asked = needs.filter(({ kind }) => !isTrusted || kind === 'secret-host');
  const texts = [...new Set(asked.map((need) => oneLine(needText(need))))];
  for (const text of texts) terminal.err(`- ${text}`);
  if (texts.length > 0) {
    const isAgreed = await askPerson('Allow this in this workspace, also for later runs? [y/N] ');
    if (isAgreed !== true) throw refused(isAgreed, runId);
  }
  await engine.grantPermissions(asked);
  return await engine.allowWaiting({ runId, needs, ...(node === undefined ? {} : { nodeId: node }) });
}

function nothingWaits(runId: RunId, node: string | undefined): EngineError {
  const what = node === undefined ? `No node of run ${runId}` : `Node "${node}" of run ${runId}`;
  const verb = node === undefined ? 'waits' : 'does not wait';
  return new EngineError({ code: 'run.invalid-state', message: `${what} ${verb} for a permission.` });
}

function refused(answer: false | undefined, runId: RunId): EngineError {
  const message =
    answer === false
      ? 'Nothing was allowed. The run is still waiting.'
      : `Permissions can be granted only at a terminal or in the window. At a terminal, run \`millrace resume ${runId} --allow\`.`;
  return new EngineError({ code: 'permission.refused', message });
}
