/**
 * Shows the results of tests in a terminal.
 */
import type { CaseReport, CaseResult, CaseSummary, CheckResult, JsonValue, ListedCaseFile } from '../../isomorphic.ts';
import { failuresOf, followUpText } from '../../language/cases/case-failures.ts';
import { diffLines } from '../../language/edit/yaml/line-diff.ts';
import type { CliContext } from '../cli-context.ts';

/** Longest value on one line, and most lines of a difference. */
const longestLine = 200;
const mostLines = 40;

export class CasePrinter {
  readonly #context: Pick<CliContext, 'terminal'>;
  #files: readonly ListedCaseFile[] = [];
  #shown: string | undefined;

  constructor(context: Pick<CliContext, 'terminal'>) {
    this.#context = context;
  }

  take(report: CaseReport): void {
    if (report.type === 'start') {
      this.#files = report.files;
      for (const file of report.files) this.#showProblems(file);
    } else if (report.type === 'case') this.#showCase(report.result);
    else this.#showEnd(report.summary);
  }

  #showProblems({ path, problems }: ListedCaseFile): void {
    const { terminal } = this.#context;
    for (const problem of problems) terminal.out(`${terminal.colors.red('✗')} ${path}:${problem}\n`);
  }

  #showCase(result: CaseResult): void {
    const { terminal } = this.#context;
    const { colors } = terminal;
    if (result.file !== this.#shown) {
      terminal.out(`${colors.bold(result.file)} ${colors.dim(result.target)}\n`);
      this.#shown = result.file;
    }
    const mark = result.isOk ? colors.green('✓') : colors.red('✗');
    terminal.out(`  ${mark} ${result.name}  ${colors.dim(detailsOf(result))}\n`);
    for (const [from, to] of Object.entries(result.renamed ?? {}))
      terminal.out(
        `      ${colors.yellow(`"${from}" is now called "${to}". To write the new name: millrace test --update`)}\n`,
      );
    if (result.isOk) return;
    if (result.error !== undefined && result.checks.length === 0) terminal.out(`      ${result.error.message}\n`);
    const failures = failuresOf(result);
    for (const check of failures.shown) this.#showCheck(check);
    const others = followUpText(failures);
    if (others !== undefined) terminal.out(`      ${others}\n`);
    terminal.out(`      ${colors.dim(`${result.file}:${result.line}`)}\n`);
  }

  #showCheck(check: CheckResult): void {
    const { terminal } = this.#context;
    terminal.out(`      ${check.message ?? check.label}\n`);
    for (const line of differenceOf(check)) {
      const paint = line.startsWith('-')
        ? terminal.colors.red
        : line.startsWith('+')
          ? terminal.colors.green
          : terminal.colors.dim;
      terminal.out(`        ${paint(line)}\n`);
    }
  }

  #showEnd(summary: Extract<CaseReport, { type: 'end' }>['summary']): void {
    const { passed, failed, durationMs, recorded, costUsd, updated } = summary;
    const { terminal } = this.#context;
    const { colors } = terminal;
    const counts =
      failed === 0 ? colors.green(`${passed} passed`) : `${colors.red(`${failed} failed`)}, ${passed} passed`;
    const cost = costUsd === undefined ? '' : `, $${costUsd.toFixed(4)}`;
    const calls = recorded === 0 ? '' : `, ${recorded} ${recorded === 1 ? 'call' : 'calls'} recorded${cost}`;
    if (this.#files.length > 0) terminal.out(`${counts} in ${(durationMs / 1000).toFixed(1)} s${calls}\n`);
    if (updated !== undefined) terminal.out(`${updatedText(updated, failed)}\n`);
  }
}

function updatedText({ values, cases }: NonNullable<CaseSummary['updated']>, failed: number): string {
  const left = failed - cases;
  const written = values === 1 ? '1 value was updated.' : `${values} values were updated.`;
  if (left === 0) return written;
  const others = left === 1 ? '1 failed case needs' : `${left} failed cases need`;
  return `${written} ${others} changes by hand: only exact values are updated, if the run ended as expected, and not in datasets.`;
}

function detailsOf({ durationMs, use, score }: CaseResult): string {
  const parts = [`${(durationMs / 1000).toFixed(1)} s`];
  if (use.recorded > 0) parts.push(`${use.recorded} recorded`);
  if (score !== undefined) parts.push(`score ${Number(score.toFixed(1))}`);
  return parts.join(', ');
}

/** Returns the difference between the expected and the actual value, where one line cannot show it. */
export function differenceOf({ kind, matcher, expected, got }: CheckResult): readonly string[] {
  if (expected === undefined || got === undefined || kind === 'status' || kind === 'fails' || kind === 'judge')
    return [];
  if (matcher === 'equals') {
    const lines = diffLines(textOf(expected), textOf(got));
    return lines.length > mostLines
      ? [...lines.slice(0, mostLines), `… ${lines.length - mostLines} more lines`]
      : lines;
  }
  return [`got ${shortened(JSON.stringify(got))}`];
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

function shortened(text: string): string {
  return text.length > longestLine ? `${text.slice(0, longestLine)}…` : text;
}
