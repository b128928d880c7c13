/**
 * Defines the tool of `millrace mcp` that runs tests.
 */
import { z } from 'zod';
import type { Engine } from '../../index.ts';
import type { CaseResult, JsonMap, ListedCaseFile } from '../../isomorphic.ts';
import { failuresOf, followUpText } from '../../language/cases/case-failures.ts';
import { usageError } from '../exit-code.ts';
import { differenceOf } from '../reports/print-cases.ts';
import { fileArgument as file, type McpServedTool, proposalArgument as proposalId, toolOf } from './mcp-tool.ts';

/** Number of failing cases that are returned with their checks. A longer result is not useful. */
const mostFailures = 20;

/** Returns the tool. Nothing is recorded for a client, so it has no effects. */
export function testTool(engine: Engine): McpServedTool {
  return toolOf({
    name: 'run_tests',
    description:
      'Runs tests of flows (*.test.yaml) with recorded responses, without calling anything outside, and returns the failing checks. Pass the path of a flow or a test file to run only its tests, or proposalId to test a proposal before a person decides about it. Recording missing calls is up to a person: millrace test --record missing.',
    schema: z.strictObject({
      path: file.exactOptional(),
      case: z.string().min(1).exactOptional().describe('Name of a case.'),
      proposalId: proposalId.exactOptional(),
    }),
    isReading: true,
    async act({ path: named, case: wanted, proposalId: id }, { signal }) {
      const proposal = id === undefined ? undefined : await engine.readProposal(id);
      const path = named ?? proposal?.file;
      const texts = proposal === undefined ? {} : { texts: { [proposal.file]: proposal.text }, isProposal: true };
      const all = await engine.listTests(texts);
      const chosen = path === undefined ? all : all.filter((one) => one.path === path || one.target === path);
      if (chosen.length === 0) throw usageError(noTests(path));
      const cases = chosen.flatMap((one) => one.cases.filter(({ name }) => wanted === undefined || name === wanted));
      if (wanted !== undefined && cases.length === 0) throw usageError(`No case has the name "${wanted}".`);
      const results: CaseResult[] = [];
      const request = { files: chosen.map((one) => one.path), ...texts, ...(wanted === undefined ? {} : { cases }) };
      const { passed, failed } = await engine.runTests(request, signal, (report) => {
        if (report.type === 'case') results.push(report.result);
      });
      return { passed, failed, failures: failingCases(chosen, results) };
    },
  });
}

function noTests(path: string | undefined): string {
  const where = path === undefined ? 'This workspace has no test files.' : `No test file tests ${path}.`;
  return `${where} A person can create one from a run: millrace runs save-test RUN.`;
}

function failingCases(files: readonly ListedCaseFile[], results: readonly CaseResult[]): readonly JsonMap[] {
  const invalid = files.flatMap(({ path, problems }) =>
    problems.length === 0 ? [] : [{ file: path, problems: [...problems] }],
  );
  const failing = results.filter(({ isOk }) => !isOk).slice(0, mostFailures);
  return [...invalid, ...failing.map(failureOf)];
}

function failureOf(result: CaseResult): JsonMap {
  const { file: path, name, line, error } = result;
  const failures = failuresOf(result);
  const note = followUpText(failures);
  return {
    ...{ file: path, line, case: name },
    ...(error === undefined ? {} : { error: { ...error } }),
    checks: failures.shown.map((check) => ({
      message: check.message ?? check.label,
      ...(check.nodeId === undefined ? {} : { node: check.nodeId }),
      difference: [...differenceOf(check)],
    })),
    ...(note === undefined ? {} : { note }),
  };
}
