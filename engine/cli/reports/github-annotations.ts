/**
 * Writes failures as annotations of GitHub Actions, which shows them at the lines of the test files:
 * https://docs.github.com/actions/reference/workflow-commands-for-github-actions
 */
import type { CaseResult, ListedCaseFile } from '../../isomorphic.ts';
import { failuresOf, followUpText } from '../../language/cases/case-failures.ts';

/** Returns one workflow command per failing case and invalid file. */
export function githubLines(files: readonly ListedCaseFile[], results: readonly CaseResult[]): readonly string[] {
  const invalid = files.flatMap(({ path, problems }) =>
    problems.map((problem) => {
      const [, line = '1', message = problem] = /^(\d+):\d+ (.*)$/s.exec(problem) ?? [];
      return command({ file: path, line: Number(line), title: 'Invalid test file' }, message);
    }),
  );
  const failing = results.flatMap((result) => {
    const { file, line, name, isOk, error } = result;
    if (isOk) return [];
    const failures = failuresOf(result);
    const missed = [
      ...failures.shown.map((check) => check.message ?? check.label),
      ...[followUpText(failures) ?? []].flat(),
    ];
    return [command({ file, line, title: `Test failed: ${name}` }, missed.join('\n') || (error?.message ?? 'failed'))];
  });
  return [...invalid, ...failing];
}

function command(
  { file, line, title }: { readonly file: string; readonly line: number; readonly title: string },
  message: string,
): string {
  return `::error file=${property(file)},line=${line},title=${property(title)}::${data(message)}`;
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
