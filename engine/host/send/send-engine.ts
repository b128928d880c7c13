/**
 * Sends runs: lists what would be replaced, and writes the file. Larger code is loaded with the first call.
 */
import { EngineError } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import { teamModelsOf } from '../../packs/team/team-rules.ts';
import { readModelKeys } from '../../world/model/model-keys.ts';
import type { SecretService } from '../governance/secret-service.ts';
import type { RunHistoryReader } from '../reads/history.ts';
import type { Home } from '../wiring/home.ts';
import type { PrivateList, SendRequest } from './list-private.ts';

export interface SendEngine {
  /**
   * Lists the private values in a run, its definition, and the flows and agents that it called: secrets of this
   * workspace, secrets by name and by shape, email addresses, home folders, card and phone numbers, and own words.
   * @throws EngineError `run.not-found` | `secret.file-unreadable`
   */
  listPrivateValues(runId: RunId, words?: readonly string[]): Promise<PrivateList>;
  /**
   * Exports a run for other people to a file (absolute path), which is replaced atomically. The file contains everything
   * that the run called, or is a page for browsers. It contains none of the listed values, except those that `keep` names
   * by ID or kind.
   * @returns the path
   * @throws EngineError `run.not-found` | `secret.file-unreadable` | `export.private-left` | `export.too-large` | `files.not-writable`
   */
  sendRun(request: SendRequest): Promise<string>;
  /**
   * Runs the sent run that a window shows again, with its recorded results, as a separate run. Nothing is called or
   * written. A node without a recorded result fails with `replay.missing`.
   * @throws EngineError `replay.not-sent` in any other window; `replay.agent` | `flow.invalid`
   */
  replayRun(): Promise<{ runId: RunId }>;
}

interface SendParts extends Pick<Home, 'baseFolder' | 'team' | 'keyOf'> {
  readonly workspace: string;
  readonly history: RunHistoryReader;
  readonly secrets: Pick<SecretService, 'values'>;
}

export function createSendEngine({ history, secrets, ...home }: SendParts): SendEngine {
  const places = { ...home, team: () => teamModelsOf(home.team()) };
  const knownSecrets = async () => [...readModelKeys(places, home.keyOf), ...(await secrets.values())];
  const loaded = () => import('./list-private.ts');
  return {
    listPrivateValues: async (runId, words = []) =>
      (await loaded()).listPrivateValues({ history, runId, known: await knownSecrets() }, { words }),
    sendRun: async (request) => {
      const { runId, to } = request;
      await (await loaded()).saveSentRun({ history, runId, known: await knownSecrets() }, request);
      return to;
    },
    replayRun: async () => {
      throw new EngineError({ code: 'replay.not-sent', message: 'Only sent runs can be replayed. Open one first.' });
    },
  };
}
