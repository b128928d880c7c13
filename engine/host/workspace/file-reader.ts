/**
 * Creates the reader of the files that definitions reference: schemas, and flows that they call.
 */
import { resolve } from 'node:path';
import { callKeyOf } from '../../language/flow/schema-files.ts';
import { createPackAdmission } from '../../packs/team/pack-admission.ts';
import type { FlowJobsOptions } from '../executor/flow-jobs.ts';
import type { CaseWorld } from '../wiring/case-world.ts';
import type { Home } from '../wiring/home.ts';
import type { CallingFile } from './called-flows.ts';

interface ReadingPlace {
  /** Absolute path. */
  readonly workspace: string;
  readonly confinesReading?: true;
  readonly caseWorld?: CaseWorld;
}

/** Reads the files that a definition references. If the definition may not be read, neither may its files. */
export function createFileReader(
  { workspace, confinesReading, caseWorld }: ReadingPlace,
  home: Pick<Home, 'isTrustedNow' | 'baseFolder' | 'team'> & Pick<CallingFile, 'readAgentType' | 'catalog'>,
): Pick<FlowJobsOptions, 'readSchemas' | 'readCalledFlow'> {
  const { isTrustedNow, baseFolder, team, readAgentType, catalog } = home;
  const admitPack = createPackAdmission(baseFolder, team);
  const ownerOf = (path: string): CallingFile => {
    const mayLieOutside = isTrustedNow() || confinesReading === undefined;
    const place = { file: resolve(workspace, path), workspace, baseFolder };
    const texts = caseWorld === undefined ? {} : { textOf: caseWorld.textOf };
    return { ...place, ...texts, mayLieOutside, isTrusted: isTrustedNow(), catalog, admitPack, readAgentType };
  };
  // Loaded here, because few flows reference files.
  const loaded = () => import('./called-flows.ts');
  return {
    readSchemas: async (path, names) => await (await loaded()).readNamedFiles(names, ownerOf(path)),
    async readCalledFlow(path, name, above) {
      const key = callKeyOf(name);
      const found = await (await loaded()).readCalledFlows([key], { ...ownerOf(path), above });
      return found.get(key) ?? { problem: `There is no flow ${JSON.stringify(name)}.` };
    },
  };
}
