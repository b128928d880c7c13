/**
 * The question whether a flow may use its secrets, where somebody sits at the terminal.
 */
import type { Engine } from '../../index.ts';
import { EngineError } from '../../isomorphic.ts';
import { askPerson } from './ask-person.ts';

/**
 * Starts a run; when its flow has not been allowed its secrets, whoever sits at the terminal is asked.
 * @throws EngineError what `start` throws; `secret.not-allowed` also when nobody is there to answer
 */
export async function startAskingForSecrets<Started>(
  engine: Pick<Engine, 'allowSecrets'>,
  start: () => Promise<Started>,
): Promise<Started> {
  const allowed = new Set<string>();
  for (;;) {
    const outcome = await start().then(
      (started) => ({ started }),
      (error: unknown) => ({ error }),
    );
    if ('started' in outcome) return outcome.started;
    const { error } = outcome;
    const wanted = wantedSecrets(error);
    // A flow that is called asks for itself; none is asked about twice.
    if (wanted === undefined || allowed.has(wanted.definitionHash)) throw error;
    allowed.add(wanted.definitionHash);
    const ofWorkspace = wanted.isUnseen === true ? 'A run has written this flow' : 'This workspace is not trusted';
    const why = wanted.isOfPack ? 'The flow comes from a pack' : ofWorkspace;
    const question = `${why}, and the flow ${wanted.path} wants to use the secrets ${wanted.names.join(', ')}. Allow it, until its text changes? [y/N] `;
    if ((await askPerson(question)) !== true) throw error;
    await engine.allowSecrets({ path: wanted.path, definitionHash: wanted.definitionHash, names: wanted.names });
  }
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
