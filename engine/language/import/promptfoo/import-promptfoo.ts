/**
 * Imports a configuration of promptfoo: each prompt becomes a flow with a test file. The format:
 * https://www.promptfoo.dev/docs/configuration/reference/
 */
import type { JsonMap } from '../../json/json-value.ts';
import type { ImportedFlow } from '../report.ts';
import { testFileOf, variablesOf } from './case-file.ts';
import { type ConfigFiles, withoutReferences } from './config-values.ts';
import { prepareTests } from './prepare-tests.ts';
import { flowOf, promptsIn, questionIn } from './prompts.ts';
import { providerRemarks, readProviders } from './providers.ts';
import { readTests } from './read-tests.ts';
import { Findings } from './remarks.ts';

/** Whether a value is a configuration of promptfoo. */
export function isPromptfoo(value: JsonMap): boolean {
  return 'prompts' in value && ('providers' in value || 'targets' in value || 'tests' in value);
}

export interface PromptfooSource {
  /** Name of the new files, without their ending. */
  readonly name: string;
  readonly files: ConfigFiles;
  /** Path of the configuration's folder, relative to that of the new files; empty if it is the same. */
  readonly folder: string;
}

/** Imports the configuration. */
export async function importPromptfoo(
  source: JsonMap,
  { name, files, folder }: PromptfooSource,
): Promise<readonly ImportedFlow[]> {
  const config = withoutReferences(source, source) as JsonMap;
  const prompts = await promptsIn(config['prompts'], files);
  const providers = await readProviders(config['providers'] ?? config['targets'], files);
  const findings = new Findings();
  const tests = await prepareTests(await readTests(config, files, findings), { files, findings });
  const variables = variablesOf(tests);
  const made = prompts.map((prompt, index) => {
    const base = index === 0 ? name : `${name}-${index + 1}`;
    const question = questionIn(prompt);
    const { text, tested } = testFileOf({ base, tests, question, prompt: index, folder, findings });
    const flow = flowOf(prompt, { base, provider: providers[0], variables, tested });
    return { base, flow, text, lost: prompt.lost };
  });
  return made.flatMap(({ base, flow, text, lost }, index): readonly ImportedFlow[] => {
    const remarks = index === 0 ? [...remarksOn(config), ...providerRemarks(providers)] : [];
    const flowFile = { ...flow, remarks: [...remarks, ...lost] };
    const report =
      index === 0
        ? reportOf(findings)
        : { lines: [], remarks: [`The report of ${name}.test.yaml is about these tests, too.`] };
    if (tests.length > 0) return [flowFile, { name: base, file: `${base}.test.yaml`, text, ...report }];
    return index === 0 ? [{ ...flowFile, remarks: [...flowFile.remarks, ...findings.remarks] }] : [flowFile];
  });
}

function reportOf({ lines, remarks }: Findings): Pick<ImportedFlow, 'lines' | 'remarks'> {
  return { lines, remarks: [...remarks, 'Record the calls before the first test: millrace test --record missing.'] };
}

const usedKeys: ReadonlySet<string> = new Set([
  ...['description', 'prompts', 'providers', 'targets', 'tests', 'defaultTest', 'assertionTemplates', '$schema'],
  'scenarios',
]);

function remarksOn(config: JsonMap): readonly string[] {
  const lost = Object.keys(config).filter((key) => !usedKeys.has(key));
  return [
    ...(lost.length === 0 ? [] : [`Not imported: ${lost.join(', ')}.`]),
    ...('scenarios' in config ? ['Scenarios are not imported. Write their combinations as a dataset.'] : []),
  ];
}
