/**
 * Compares a run with what a case expects.
 */
import type { EngineError } from '../../base/engine-error.ts';
import type { CaseAnswer, ExpectDoc, ExpectedValue } from '../../language/cases/case-doc.ts';
import type { CheckResult } from '../../language/cases/case-result.ts';
import { matchValue } from '../../language/cases/match-value.ts';
import { type MatcherDoc, matcherOf } from '../../language/cases/matcher-doc.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import type { RunSummary } from '../../runtime/kernel/events/run-state.ts';
import type { CaseFiles } from '../case-files.ts';
import { firstName, type KnownNodes, nodeChecks, unknownNode } from './node-checks.ts';

/** A run that has ended or waits, and what it has done. */
export interface CheckedRun extends KnownNodes {
  readonly run: Pick<RunSummary, 'status' | 'error'>;
  readonly files: Pick<CaseFiles, 'changes' | 'textOf'>;
  readonly tokens: number;
  readonly costUsd: number | undefined;
  /** Answers that nothing asked for, and requests without an answer. */
  readonly unusedAnswers: readonly CaseAnswer[];
  readonly unanswered: readonly string[];
  /** Calls without a recording. */
  readonly missing: readonly EngineError[];
  /** Reads a schema file, relative to the test file. */
  readonly readSchema: (path: string) => Promise<JsonValue>;
}

/** Longer values are cut in results. In UTF-16 units of their JSON. */
const longestGot = 20_000;

/** Evaluates everything that the case expects, except for judges. */
export async function checkRun(expect: ExpectDoc, run: CheckedRun): Promise<readonly CheckResult[]> {
  return [
    ...missingCalls(run),
    ...statusChecks(expect, run),
    ...(await valueChecks('outputs', expect.outputs, run)),
    ...(await valueChecks('inputs', expect.inputs, run)),
    ...nodeChecks(expect, run),
    ...(await fileChecks(expect, run)),
    ...ceilings(expect, run),
    ...answerChecks(run),
  ];
}

function missingCalls({ missing, nodes }: CheckedRun): readonly CheckResult[] {
  const messages = [...new Set(missing.map(({ message }) => message))];
  return messages.map((message): CheckResult => {
    const nodeId = nodes.failedWith(message);
    const lead = nodeId === undefined ? '' : `Node "${nodeId}": `;
    return {
      ...{ isOk: false, kind: 'recording', label: 'all calls are recorded', message: `${lead}${message}` },
      ...(nodeId === undefined ? {} : { nodeId, subject: nodeId }),
    };
  });
}

function statusChecks({ status, fails }: ExpectDoc, { run }: CheckedRun): readonly CheckResult[] {
  const wanted = status ?? (fails === undefined ? 'completed' : 'failed');
  const isOk = run.status === wanted;
  const why = run.error === undefined ? '' : `: ${run.error.code}, ${run.error.message}`;
  const nodeId = run.error?.nodeId === undefined ? {} : { nodeId: run.error.nodeId };
  const checks: CheckResult[] = [
    {
      ...{ isOk, kind: 'status', expected: wanted, got: run.status, label: `status is ${wanted}`, ...nodeId },
      path: ['expect', 'status'],
      ...(isOk ? {} : { message: `The run ${statusWords[run.status] ?? run.status}${why}` }),
    },
  ];
  if (fails !== undefined) {
    const got = run.error?.code;
    const holds = got === fails;
    checks.push({
      ...{
        isOk: holds,
        kind: 'fails',
        expected: fails,
        label: `fails with ${fails}`,
        path: ['expect', 'fails'],
        ...nodeId,
      },
      ...(got === undefined ? {} : { got }),
      ...(holds
        ? {}
        : {
            message:
              got === undefined
                ? 'The run did not fail.'
                : `The run failed with ${got}${why.replace(`: ${got},`, ':')}`,
          }),
    });
  }
  return checks;
}

const statusWords: Readonly<Record<string, string>> = {
  completed: 'completed',
  failed: 'failed',
  suspended: 'waits for a person',
  cancelled: 'was canceled',
  skipped: 'was skipped',
};

async function valueChecks(
  kind: 'outputs' | 'inputs',
  wanted: Readonly<Record<string, ExpectedValue>> = {},
  run: CheckedRun,
): Promise<readonly CheckResult[]> {
  const entries = Object.entries(wanted);
  const checks = await Promise.all(entries.map(([binding, expected]) => bindingChecks(kind, binding, expected, run)));
  return checks.flat();
}

async function bindingChecks(
  kind: 'outputs' | 'inputs',
  binding: string,
  expected: ExpectedValue,
  run: CheckedRun,
): Promise<readonly CheckResult[]> {
  const { nodeId, value } = await run.nodes.find(binding, kind === 'outputs' ? 'output' : 'input');
  const found = await matchedChecks({ kind, subject: binding, expected, value }, run);
  const isAbsent = value === undefined && !binding.startsWith('flow.');
  const why = isAbsent ? whyAbsent(binding, nodeId, run) : '';
  const unknown = isAbsent ? unknownNode(binding, run) : undefined;
  return found.map((one) => {
    const message = one.message === undefined ? unknown : `${one.message}${why}`;
    const failure = message === undefined ? {} : { isOk: false, message };
    return { ...one, ...failure, ...(nodeId === undefined ? {} : { nodeId }) };
  });
}

interface MatchedSubject {
  readonly kind: 'outputs' | 'inputs' | 'files';
  readonly subject: string;
  readonly expected: ExpectedValue;
  readonly value: JsonValue | undefined;
}

const subjectWords = { outputs: '', inputs: 'input ', files: 'file ' } as const;

/** Returns a check for each condition of a value. */
async function matchedChecks(
  { kind, subject, expected, value }: MatchedSubject,
  run: CheckedRun,
): Promise<readonly CheckResult[]> {
  const isPlain = matcherOf(expected) !== expected;
  const matcher = await withSchema(matcherOf(expected), run);
  const shown = `${subjectWords[kind]}${subject}`;
  return matchValue(matcher, value).map((one) => ({
    ...{ isOk: one.isOk, kind, subject, matcher: one.matcher, expected: one.expected },
    ...(value === undefined ? {} : { got: cut(value) }),
    label: `${shown} ${one.label}`,
    ...pathUnlessCut(value, ['expect', kind, subject, ...(isPlain ? [] : one.path)]),
    ...(one.isOk ? {} : { message: `${shown} ${one.problem}.` }),
  }));
}

function whyAbsent(binding: string, nodeId: string | undefined, run: CheckedRun): string {
  if (nodeId === undefined) return whyUnknown(binding, run);
  return run.nodes.runsOf(nodeId) === 0 ? ` Node "${nodeId}" did not run.` : '';
}

/** Explains why a binding finds no node. */
function whyUnknown(binding: string, run: CheckedRun): string {
  const name = firstName(binding);
  const unknown = unknownNode(binding, run);
  if (unknown !== undefined) return ` ${unknown}`;
  return run.known?.has(name) === true && !run.nodes.has(name) ? ` Node "${name}" did not run.` : '';
}

async function withSchema(matcher: MatcherDoc, { readSchema }: CheckedRun): Promise<MatcherDoc> {
  return typeof matcher.schema === 'string' ? { ...matcher, schema: await readSchema(matcher.schema) } : matcher;
}

/** Returns a value as far as it is shown. */
function cut(value: JsonValue): JsonValue {
  const text = JSON.stringify(value);
  if (text.length <= longestGot) return value;
  return typeof value === 'string' ? `${value.slice(0, longestGot)}…` : `${text.slice(0, longestGot)}…`;
}

/** A cut value must not be accepted as the expected one. */
function pathUnlessCut(value: JsonValue | undefined, path: readonly (string | number)[]): Pick<CheckResult, 'path'> {
  return value !== undefined && cut(value) !== value ? {} : { path };
}

async function fileChecks({ files: wanted }: ExpectDoc, run: CheckedRun): Promise<readonly CheckResult[]> {
  if (wanted === undefined) return [];
  const changes = run.files.changes();
  if (Array.isArray(wanted)) return wanted.map((path: string) => writtenCheck(path, changes));
  const checks: CheckResult[] = [];
  for (const [subject, expected] of Object.entries(wanted as Readonly<Record<string, ExpectedValue>>)) {
    const isWritten = changes.get(subject) === 'write';
    const value = isWritten ? await run.files.textOf(subject) : undefined;
    const found = await matchedChecks({ kind: 'files', subject, expected, value }, run);
    const message = isWritten ? {} : { message: notWritten(subject, changes) };
    checks.push(...found.map((one) => (one.isOk ? one : { ...one, ...message })));
  }
  return checks;
}

function writtenCheck(path: string, changes: ReadonlyMap<string, 'write' | 'delete'>): CheckResult {
  const isOk = changes.get(path) === 'write';
  const message = isOk ? {} : { message: notWritten(path, changes) };
  return { isOk, kind: 'files', subject: path, label: `${path} is written`, ...message };
}

/** Number of files that a message names. */
const mostNamed = 5;

function notWritten(path: string, changes: ReadonlyMap<string, 'write' | 'delete'>): string {
  const written = [...changes].flatMap(([one, change]) => (change === 'write' ? [one] : []));
  const more = written.length > mostNamed ? ` and ${written.length - mostNamed} more` : '';
  const others =
    written.length === 0 ? 'No files were written.' : `Written: ${written.slice(0, mostNamed).join(', ')}${more}.`;
  return `File ${path} was not written. ${others}`;
}

function ceilings({ maxTokens, maxUsd }: ExpectDoc, { tokens, costUsd }: CheckedRun): readonly CheckResult[] {
  const checks: CheckResult[] = [];
  if (maxTokens !== undefined) {
    const isOk = tokens <= maxTokens;
    const message = `The run used ${tokens} tokens, more than ${maxTokens}.`;
    checks.push({
      ...{ isOk, kind: 'maxTokens', expected: maxTokens, got: tokens, label: `at most ${maxTokens} tokens` },
      path: ['expect', 'maxTokens'],
      ...(isOk ? {} : { message }),
    });
  }
  if (maxUsd !== undefined) {
    const isKnown = costUsd !== undefined || tokens === 0;
    const isOk = isKnown && (costUsd ?? 0) <= maxUsd;
    const message = isKnown
      ? `The run cost $${(costUsd ?? 0).toFixed(4)}, more than $${maxUsd}.`
      : 'The cost of the run is unknown, because its models have no known price. Use maxTokens instead.';
    checks.push({
      ...{ isOk, kind: 'maxUsd', expected: maxUsd, label: `cost is at most $${maxUsd}` },
      ...(isKnown ? { got: costUsd ?? 0 } : {}),
      path: ['expect', 'maxUsd'],
      ...(isOk ? {} : { message }),
    });
  }
  return checks;
}

function answerChecks({ unusedAnswers, unanswered }: CheckedRun): readonly CheckResult[] {
  const unused = unusedAnswers.map(({ node }): CheckResult => {
    const message = `Node "${node}" did not ask, so an answer of the case was not used.`;
    return { isOk: false, kind: 'answers', subject: node, label: `${node} asks a person`, message };
  });
  const missing = unanswered.map((node): CheckResult => {
    const message = `Node "${node}" waits for a person, and the case has no answer for it. Add one to \`answers\`, or expect the status suspended.`;
    return { isOk: false, kind: 'answers', subject: node, nodeId: node, label: `${node} gets an answer`, message };
  });
  return [...unused, ...missing];
}
