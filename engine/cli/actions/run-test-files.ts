/**
 * Implements `test`.
 */
import path from 'node:path';
import type { Engine } from '../../index.ts';
import type { CaseReport, CaseResult, CaseSummary, ListedCaseFile } from '../../isomorphic.ts';
import { testFileBeside } from '../../language/cases/case-names.ts';
import { writeFileAtomically } from '../../world/files/atomic-write.ts';
import { cancelOnSignals } from '../cancel-on-signals.ts';
import { type CliContext, type GlobalOptions, resolveWorkspace } from '../cli-context.ts';
import { exitCode, usageError } from '../exit-code.ts';
import { sourcePathOf } from '../flow-source.ts';
import { githubLines } from '../reports/github-annotations.ts';
import { junitText } from '../reports/junit.ts';
import { CasePrinter } from '../reports/print-cases.ts';
import { WatchedChanges } from './watched-changes.ts';
import { withEngine } from './with-engine.ts';

export interface TestOptions extends GlobalOptions {
  readonly record: 'none' | 'missing' | 'all';
  readonly update?: true;
  readonly case?: string;
  readonly junit?: string;
  readonly watch?: true;
  readonly keep?: true;
}

/** @returns the exit code: 1 if a case fails, even with updated values, or a file is invalid */
export async function testFiles(context: CliContext, given: readonly string[], options: TestOptions): Promise<number> {
  const [first] = given;
  const workspace = resolveWorkspace(
    context,
    options,
    first === undefined ? undefined : path.resolve(context.folder, first),
  );
  return await withEngine(context, { workspace, store: options.store, trust: options.trust }, async (engine) => {
    const run = new TestFilesCommand(context, engine, options);
    return options.watch === true ? await run.watch(given) : await run.once(await run.filesFor(given));
  });
}

class TestFilesCommand {
  readonly #context: CliContext;
  readonly #engine: Engine;
  readonly #options: TestOptions;
  readonly #canceler = new AbortController();

  constructor(context: CliContext, engine: Engine, options: TestOptions) {
    [this.#context, this.#engine, this.#options] = [context, engine, options];
  }

  /** Returns the test files that the arguments name. @throws EngineError `cli.usage` if one names none */
  async filesFor(given: readonly string[]): Promise<readonly string[]> {
    const all = await this.#engine.listTests();
    if (given.length === 0) return all.map((file) => file.path);
    const found = given.flatMap((name) => {
      const asked = sourcePathOf(this.#engine.workspace, path.resolve(this.#context.folder, name));
      const matching = all.filter((file) => isNamed(file, asked, name));
      if (matching.length > 0) return matching.map((file) => file.path);
      if (asked.startsWith('../') || path.isAbsolute(asked))
        throw usageError(`${name} is outside the workspace ${this.#engine.workspace}.`);
      throw usageError(
        `${name} is not a test file, and no test file tests it. Create one with: millrace runs save-test RUN`,
      );
    });
    return [...new Set(found)];
  }

  /** Runs the files once. @returns the exit code */
  async once(files: readonly string[]): Promise<number> {
    const { terminal } = this.#context;
    const { json, record, junit, keep, update } = this.#options;
    if (files.length === 0) {
      terminal.err('This workspace has no test files. Create one from a run: millrace runs save-test RUN');
      return exitCode.ok;
    }
    const request = {
      ...{ files, record, isKept: keep === true, isUpdate: update === true },
      ...(await this.#casesIn(files)),
    };
    if (record !== 'none') await this.#announceRecording(request);
    const printer = new CasePrinter(this.#context);
    const results: CaseResult[] = [];
    let listed: readonly ListedCaseFile[] = [];
    const take = (report: CaseReport): void => {
      if (report.type === 'start') listed = report.files;
      if (report.type === 'case') results.push(report.result);
      if (json === true) terminal.json(`${JSON.stringify(report)}\n`);
      else printer.take(report);
    };
    const signals = cancelOnSignals(this.#context, () => this.#canceler.abort());
    let summary: CaseSummary;
    try {
      summary = await this.#engine.runTests(request, this.#canceler.signal, take);
    } catch (error) {
      if (this.#canceler.signal.aborted) return exitCode.cancelled;
      throw error;
    } finally {
      signals.stop();
    }
    if (junit !== undefined)
      await writeFileAtomically(path.resolve(this.#context.folder, junit), junitText(listed, results));
    if (process.env['GITHUB_ACTIONS'] === 'true')
      for (const line of githubLines(listed, results)) terminal.out(`${line}\n`);
    return summary.failed === (summary.updated?.cases ?? 0) ? exitCode.ok : exitCode.failed;
  }

  /** Runs the tests, and again after changes, also new ones, until a signal arrives. */
  async watch(given: readonly string[]): Promise<number> {
    const changes = new WatchedChanges();
    const stop = this.#engine.watchFiles(({ paths }) => changes.add(paths));
    this.#canceler.signal.addEventListener('abort', () => changes.end());
    const signals = cancelOnSignals(this.#context, () => this.#canceler.abort());
    try {
      for (;;) {
        await changes.during(async () => await this.once(await this.filesFor(given)));
        this.#context.terminal.err('Waiting for changes. Press Ctrl-C to stop.');
        await changes.next();
        if (this.#canceler.signal.aborted) return exitCode.cancelled;
      }
    } finally {
      signals.stop();
      stop();
    }
  }

  async #casesIn(files: readonly string[]) {
    const { case: name } = this.#options;
    if (name === undefined) return {};
    const listed = await this.#engine.listTests({ files });
    const all = listed.flatMap(({ cases }) => cases);
    const cases = all.filter((one) => one.name === name);
    if (cases.length > 0) return { cases };
    const [invalid] = listed.flatMap(({ path: file, problems }) => problems.map((problem) => `${file}:${problem}`));
    if (invalid !== undefined) throw usageError(`No readable case has the name "${name}". ${invalid}`);
    throw usageError(`No case has the name "${name}". Cases: ${all.map((one) => one.name).join(', ')}.`);
  }

  async #announceRecording(request: Parameters<Engine['runTests']>[0] & object): Promise<void> {
    const { cases, usd } = await this.#engine.estimateRecording(request);
    if (cases === 0) return;
    const cost =
      usd === undefined
        ? 'The cost is unknown, because no earlier run of these flows is in the history.'
        : `Estimated cost: at most $${usd.high.toFixed(2)}.`;
    const calls = request.record === 'all' ? 'all calls' : 'missing calls';
    this.#context.terminal.err(`Recording ${calls} of ${cases} ${cases === 1 ? 'case' : 'cases'}. ${cost}`);
  }
}

function isNamed({ path: file, target }: ListedCaseFile, asked: string, name: string): boolean {
  return (
    file === asked ||
    // The target of a file that cannot be read is not known.
    (target === '' && testFileBeside(asked) === file) ||
    target === asked ||
    target === name ||
    asked === '' ||
    asked === '.' ||
    file.startsWith(`${asked}/`)
  );
}
