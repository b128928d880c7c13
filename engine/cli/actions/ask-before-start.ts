/**
 * Asks in the terminal before a run starts: whether a flow may use its secrets, and whether to accept files written by
 * runs.
 */
import type { Engine } from '../../index.ts';
import { EngineError } from '../../isomorphic.ts';
import { askPerson } from './ask-person.ts';

/**
 * Starts a run. Asks the user in the terminal for the consent that it requires.
 * @throws EngineError from `start`; also `secret.not-allowed` and `files.unseen` without a terminal
 */
export async function startAsking<Started>(
  engine: Pick<Engine, 'allowSecrets' | 'listWritten' | 'acceptWritten'>,
  start: () => Promise<Started>,
): Promise<Started> {
  const allowed = new Set<string>();
  for (;;) {
    const outcome = await start().then(
      (started) => ({ started }),
      (error: unknown) => ({ error }),
    );
    if ('started' in outcome) return outcome.started;
    if (!(await agreed(outcome.error, { engine, allowed }))) throw outcome.error;
  }
}

interface StartPermissionContext {
  readonly engine: Pick<Engine, 'allowSecrets' | 'listWritten' | 'acceptWritten'>;
  /** Definition hashes of the flows that were asked about. */
  readonly allowed: Set<string>;
}

/** Asks about the cause of a refusal. Returns whether the user has agreed. */
async function agreed(error: unknown, { engine, allowed }: StartPermissionContext): Promise<boolean> {
  const unseen = unseenPath(error);
  if (unseen !== undefined) return await (await import('./review.ts')).askAboutWritten(engine, unseen);
  const wanted = wantedSecrets(error);
  // A child flow asks separately. No flow is asked about twice.
  if (wanted === undefined || allowed.has(wanted.definitionHash)) return false;
  const { path, definitionHash, names, isOfPack, isUnseen } = wanted;
  allowed.add(definitionHash);
  const ofWorkspace = isUnseen === true ? 'A run has written this flow' : 'This workspace is not trusted';
  const why = isOfPack ? 'The flow comes from a pack' : ofWorkspace;
  const question = `${why}, and the flow ${path} wants to use the secrets ${names.join(', ')}. Allow this until its text changes? [y/N] `;
  if ((await askPerson(question)) !== true) return false;
  await engine.allowSecrets({ path, definitionHash, names });
  return true;
}

/** Returns the path of an unreviewed file written by a run. */
function unseenPath(error: unknown): string | undefined {
  if (!EngineError.is(error) || error.code !== 'files.unseen') return undefined;
  return (error.details as { readonly path: string }).path;
}

interface WantedSecrets {
  readonly path: string;
  readonly definitionHash: string;
  readonly names: readonly string[];
  readonly isOfPack: boolean;
  readonly isUnseen?: boolean;
}

function wantedSecrets(error: unknown): WantedSecrets | undefined {
  if (!EngineError.is(error) || error.code !== 'secret.not-allowed') return undefined;
  return error.details as WantedSecrets;
}
