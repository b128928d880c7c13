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
export async function startAskingForSecrets<Started>(engine: Engine, start: () => Promise<Started>): Promise<Started> {
  try {
    return await start();
  } catch (error) {
    const wanted = wantedSecrets(error);
    if (wanted === undefined) throw error;
    const why = wanted.isOfPack ? 'The flow comes from a pack' : 'This workspace is not trusted';
    const question = `${why}, and the flow wants to use the secrets ${wanted.names.join(', ')}. Allow it, until its text changes? [y/N] `;
    if ((await askPerson(question)) !== true) throw error;
    await engine.allowSecrets({ path: wanted.path, definitionHash: wanted.definitionHash, names: wanted.names });
    return await start();
  }
}

interface WantedSecrets {
  readonly path: string;
  readonly definitionHash: string;
  readonly names: readonly string[];
  readonly isOfPack: boolean;
}

function wantedSecrets(error: unknown): WantedSecrets | undefined {
  if (!EngineError.is(error) || error.code !== 'secret.not-allowed') return undefined;
  return error.details as WantedSecrets;
}
