/**
 * Implements `policy`.
 */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { explainSystemError } from '../../base/system-trouble.ts';
import { workspacePolicyName } from '../../packs/team/policy-files.ts';
import { maxPolicyLength, parsePolicy } from '../../runtime/governance/parse-policy.ts';
import type { PolicyProblem, PolicyScope } from '../../runtime/governance/policy-layer.ts';
import { type CliContext, type GlobalOptions, resolveWorkspace } from '../cli-context.ts';
import { exitCode, usageError } from '../exit-code.ts';
import { oneLine } from '../progress/phrases.ts';
import { withEngine } from './with-engine.ts';
import { printEach } from './with-packs.ts';

/**
 * Checks one policy, or all active policies.
 * @returns the exit code: 2 if one has an error
 * @throws EngineError `cli.usage` for a file that cannot be read, or errors of `createEngine`
 */
export async function checkPolicies(
  context: CliContext,
  file: string | undefined,
  options: GlobalOptions,
): Promise<number> {
  const checked = file === undefined ? await policiesHere(context, options) : [await ofFile(context, file, options)];
  const lines = checked.flatMap(({ shown, problems, warnings }) => [
    ...problems.map((problem) => ({ file: shown, severity: 'error', ...problem })),
    ...warnings.map((warning) => ({ file: shown, severity: 'warning', ...warning })),
  ]);
  if (options.json === true) printEach(context, options, { values: lines, lineOf: () => '' });
  else for (const line of lines) context.terminal.err(oneLine(wordsOf(line)));
  if (lines.some(({ severity }) => severity === 'error')) return exitCode.refused;
  if (options.json === true) return exitCode.ok;
  const names = checked.map(({ shown }) => `${shown}: valid`);
  context.terminal.out(`${names.length === 0 ? 'No policies apply here.' : names.join('\n')}\n`);
  return exitCode.ok;
}

function wordsOf({
  file,
  severity,
  line,
  column,
  message,
}: PolicyProblem & Record<'file' | 'severity', string>): string {
  return `${file}:${line}:${column}: ${severity === 'warning' ? 'warning: ' : ''}${message}`;
}

interface CheckedPolicy {
  readonly shown: string;
  readonly problems: readonly PolicyProblem[];
  readonly warnings: readonly PolicyProblem[];
}

/**
 * Checks one of this workspace's policies in its location, because the permissions it may grant depend on whether the
 * workspace is trusted.
 */
async function ofFile(context: CliContext, shown: string, options: GlobalOptions): Promise<CheckedPolicy> {
  const text = textOf(context, shown);
  const { policy, problems } = parsePolicy(text, scopeOf(shown));
  const place = path.resolve(context.folder, shown);
  const mayHold = policy !== undefined && /^(millrace\.)?policy\.yaml$/.test(path.basename(place));
  const inPlace = mayHold ? await policiesHere(context, options) : [];
  const known = inPlace.find((one) => one.shown === place);
  return known === undefined ? { shown, problems, warnings: [] } : { ...known, shown };
}

/** Returns the scope for a file name: personal, unless the file is a workspace's or product's policy. */
function scopeOf(shown: string): PolicyScope {
  const file = shown.replaceAll('\\', '/');
  if (/(?:^|\/)products\/[^/]+\/policy\.yaml$/.test(file)) return 'product';
  return file.endsWith(workspacePolicyName) ? 'workspace' : 'personal';
}

async function policiesHere(context: CliContext, options: GlobalOptions): Promise<readonly CheckedPolicy[]> {
  const workspace = resolveWorkspace(context, options);
  return await withEngine(context, { workspace, store: options.store }, async (engine) => {
    const files = await engine.listPolicies();
    return files
      .filter(({ exists }) => exists)
      .map(({ path: shown, problems, warnings }) => ({ shown, problems, warnings }));
  });
}

/**
 * Reports what a policy, or all active policies, would have refused in the latest runs.
 * @returns the exit code
 * @throws EngineError `cli.usage` | `policy.invalid`, or errors of `createEngine`
 */
export async function tryPolicy(
  context: CliContext,
  file: string | undefined,
  options: GlobalOptions,
): Promise<number> {
  const workspace = resolveWorkspace(context, options);
  const request = file === undefined ? {} : { text: textOf(context, file) };
  await withEngine(context, { workspace, store: options.store }, async (engine) => {
    const tried = await engine.tryPolicy(request);
    printEach(context, options, {
      values: tried,
      lineOf: ({ runId, name, refusals }) =>
        [
          `${oneLine(name)} · ${runId}`,
          ...refusals.map(({ seq, rule, place, reason }) => oneLine(`${seq}: ${reason} (rule ${rule}, ${place})`)),
        ].join('\n'),
    });
    if (tried.length === 0 && options.json !== true)
      context.terminal.out('Nothing in the runs of the history would have been denied.\n');
  });
  return exitCode.ok;
}

function textOf({ folder }: CliContext, shown: string): string {
  const file = path.resolve(folder, shown);
  try {
    if (statSync(file).size > maxPolicyLength)
      throw usageError(`${shown} is larger than 1 MiB, the limit for a policy.`);
    return readFileSync(file, 'utf8');
  } catch (error) {
    const trouble = explainSystemError(error);
    if (trouble === undefined) throw error;
    throw usageError(`${shown} cannot be read. ${trouble}`);
  }
}
