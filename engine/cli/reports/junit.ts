/**
 * Writes the results of tests as JUnit XML, in the form that most CI systems read:
 * https://github.com/testmoapp/junitxml
 */
import type { CaseResult, CheckResult, ListedCaseFile } from '../../isomorphic.ts';
import { failuresOf, followUpText } from '../../language/cases/case-failures.ts';
import { differenceOf } from './print-cases.ts';

/** Returns the XML. Each test file is a suite. */
export function junitText(files: readonly ListedCaseFile[], results: readonly CaseResult[]): string {
  const suites = files.map((file) =>
    suiteOf(
      file,
      results.filter((result) => result.file === file.path),
    ),
  );
  const failed = results.filter(({ isOk }) => !isOk).length;
  const errors = files.filter(({ problems }) => problems.length > 0).length;
  const counts = { tests: results.length + errors, failures: failed, errors, time: secondsOf(results) };
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="millrace"${attributes(counts)}>\n${suites.join('')}</testsuites>\n`;
}

function suiteOf({ path, problems }: ListedCaseFile, results: readonly CaseResult[]): string {
  const isInvalid = problems.length > 0;
  const failures = results.filter(({ isOk }) => !isOk).length;
  const counts = {
    name: path,
    tests: results.length + Number(isInvalid),
    failures,
    errors: Number(isInvalid),
    time: secondsOf(results),
  };
  const broken = isInvalid
    ? `    <testcase name="the test file is valid" classname="${escaped(path)}" file="${escaped(path)}">\n      <error message="${escaped(problems[0] ?? '')}">${escapedText(problems.join('\n'))}</error>\n    </testcase>\n`
    : '';
  return `  <testsuite${attributes(counts)}>\n${broken}${results.map(caseOf).join('')}  </testsuite>\n`;
}

function caseOf(result: CaseResult): string {
  const { name, file, line, isOk, error, durationMs } = result;
  const named = attributes({ name, classname: file, file, line, time: (durationMs / 1000).toFixed(3) });
  if (isOk) return `    <testcase${named}/>\n`;
  const failures = failuresOf(result);
  const failing = failures.shown;
  const message = failing[0]?.message ?? error?.message ?? 'failed';
  const text =
    failing.length === 0
      ? message
      : [...failing.map(failureText), ...[followUpText(failures) ?? []].flat()].join('\n\n');
  return `    <testcase${named}>\n      <failure message="${escaped(message)}" type="${escaped(failing[0]?.kind ?? error?.code ?? 'error')}">${escapedText(text)}</failure>\n    </testcase>\n`;
}

function failureText(check: CheckResult): string {
  return [check.message ?? check.label, ...differenceOf(check)].join('\n');
}

function secondsOf(results: readonly CaseResult[]): string {
  return (results.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1000).toFixed(3);
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
    .join('');
}

/** Characters that XML 1.0 cannot contain. */
const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Escapes the content of an element. */
function escapedText(text: string): string {
  return text
    .replace(forbidden, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;');
}

/** Escapes the value of an attribute. */
function escaped(text: string): string {
  return escapedText(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
}
