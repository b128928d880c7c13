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
    const question = `This workspace is not trusted, and the flow wants to use the secrets ${wanted.names.join(', ')}. Allow it, until its text changes? [y/N] `;
    if ((await askPerson(question)) !== true) throw error;
    await engine.allowSecrets(wanted);
    return await start();
  }
}

function wantedSecrets(error: unknown): { definitionHash: string; names: readonly string[] } | undefined {
  if (!EngineError.is(error) || error.code !== 'secret.not-allowed') return undefined;
  return error.details as { definitionHash: string; names: readonly string[] };
}
