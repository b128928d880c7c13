/**
 * Compares a run with what a case expects.
 */
import type { EngineError } from '../base/engine-error.ts';
import type { CaseAnswer, ExpectDoc, ExpectedValue } from '../language/cases/case-doc.ts';
import type { CheckResult } from '../language/cases/case-result.ts';
import { matchValue } from '../language/cases/match-value.ts';
import { type MatcherDoc, matcherOf } from '../language/cases/matcher-doc.ts';
import { nearestWord } from '../language/findings/nearest.ts';
import { isJsonList, type JsonValue } from '../language/json/json-value.ts';
import type { RunSummary } from '../runtime/kernel/events/run-state.ts';
import type { CaseFiles } from './case-files.ts';
import { baseName, type RunNodes } from './run-nodes.ts';

/** A run that has ended or waits, and what it has done. */
export interface CheckedRun {
  readonly run: Pick<RunSummary, 'status' | 'error'>;
  readonly nodes: RunNodes;
  readonly files: Pick<CaseFiles, 'changes' | 'textOf'>;
  readonly tokens: number;
  readonly costUsd: number | undefined;
  /** Answers that nothing asked for, and requests without an answer. */
  readonly unusedAnswers: readonly CaseAnswer[];
  readonly unanswered: readonly string[];
  /** Calls without a recording. */
  readonly missing: readonly EngineError[];
  /** Base names of all nodes of the flow; undefined if they are not known. */
  readonly known: ReadonlySet<string> | undefined;
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
  const checks: CheckResult[] = [];
  for (const [binding, expected] of Object.entries(wanted)) {
    const { nodeId, value } = await run.nodes.find(binding, kind === 'outputs' ? 'output' : 'input');
    const matcher = await withSchema(matcherOf(expected), run);
    const why =
      value === undefined && nodeId === undefined && !binding.startsWith('flow.') ? whyUnknown(binding, run) : '';
    const subject = kind === 'inputs' ? `input ${binding}` : binding;
    for (const one of matchValue(matcher, value)) {
      const isPlain = matcherOf(expected) !== expected;
      checks.push({
        ...{ isOk: one.isOk, kind, subject: binding, matcher: one.matcher, expected: one.expected },
        ...(nodeId === undefined ? {} : { nodeId }),
        ...(value === undefined ? {} : { got: cut(value) }),
        label: `${subject} ${one.label}`,
        path: ['expect', kind, binding, ...(isPlain ? [] : [one.matcher])],
        ...(one.isOk ? {} : { message: `${subject} ${one.problem}.${why}` }),
      });
    }
  }
  return checks;
}

function whyUnknown(binding: string, { known, nodes }: CheckedRun): string {
  const name = binding.split(/[.[]/)[0] ?? '';
  if (known === undefined || nodes.has(name)) return '';
  if (known.has(name)) return ` Node "${name}" did not run.`;
  const near = nearestWord(name, [...known]);
  return ` There is no node "${name}".${near === undefined ? '' : ` Did you mean "${near}"?`}`;
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

function nodeChecks({ ran, skipped }: ExpectDoc, run: CheckedRun): readonly CheckResult[] {
  const { nodes } = run;
  const counts =
    ran === undefined
      ? []
      : isJsonList(ran as JsonValue)
        ? (ran as readonly string[]).map((name) => [name, undefined] as const)
        : Object.entries(ran as Readonly<Record<string, number>>);
  const ranChecks = counts.map(([name, count]): CheckResult => {
    const times = nodes.runsOf(name);
    const isOk = count === undefined ? times > 0 : times === count;
    const label = count === undefined ? `${name} ran` : `${name} ran ${timesText(count)}`;
    const message =
      times === 0
        ? `Node "${name}" did not run.`
        : `Node "${name}" ran ${timesText(times)}, not ${timesText(count ?? 1)}.`;
    return {
      ...{ isOk, kind: 'ran', subject: name, label, got: times, ...(nodes.has(name) ? { nodeId: name } : {}) },
      ...(count === undefined ? {} : { expected: count, path: ['expect', 'ran', name] }),
      ...(isOk ? {} : { message: `${message}${whyUnknown(name, run).replace(/^ Node .* did not run\.$/, '')}` }),
    };
  });
  const skipChecks = (skipped ?? []).map((name): CheckResult => {
    const isUnknown = run.known !== undefined && !run.known.has(baseName(name)) && !nodes.has(name);
    const isOk = nodes.runsOf(name) === 0 && !isUnknown;
    const why = isUnknown ? `There is no node "${name}".` : `Node "${name}" ran.`;
    return {
      ...{ isOk, kind: 'skipped', subject: name, label: `${name} is skipped` },
      ...(nodes.has(name) ? { nodeId: name } : {}),
      ...(isOk ? {} : { message: why }),
    };
  });
  return [...ranChecks, ...skipChecks];
}

function timesText(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

async function fileChecks({ files: wanted }: ExpectDoc, run: CheckedRun): Promise<readonly CheckResult[]> {
  if (wanted === undefined) return [];
  const changes = run.files.changes();
  const entries: readonly (readonly [string, ExpectedValue | undefined])[] = Array.isArray(wanted)
    ? wanted.map((path: string) => [path, undefined] as const)
    : Object.entries(wanted as Readonly<Record<string, ExpectedValue>>);
  const checks: CheckResult[] = [];
  for (const [path, expected] of entries) {
    const isWritten = changes.get(path) === 'write';
    if (expected === undefined) {
      const written = [...changes].flatMap(([one, change]) => (change === 'write' ? [one] : []));
      const others = written.length === 0 ? 'No files were written.' : `Written: ${written.slice(0, 5).join(', ')}.`;
      const message = `${path} was not written. ${others}`;
      checks.push({
        isOk: isWritten,
        kind: 'files',
        subject: path,
        label: `${path} is written`,
        ...(isWritten ? {} : { message }),
      });
      continue;
    }
    const value = isWritten ? await run.files.textOf(path) : undefined;
    const matcher = await withSchema(matcherOf(expected), run);
    for (const one of matchValue(matcher, value)) {
      const isPlain = matcherOf(expected) !== expected;
      checks.push({
        ...{ isOk: one.isOk, kind: 'files', subject: path, matcher: one.matcher, expected: one.expected },
        ...(value === undefined ? {} : { got: cut(value) }),
        label: `file ${path} ${one.label}`,
        path: ['expect', 'files', path, ...(isPlain ? [] : [one.matcher])],
        ...(one.isOk ? {} : { message: isWritten ? `File ${path} ${one.problem}.` : `File ${path} was not written.` }),
      });
    }
  }
  return checks;
}

function ceilings({ maxTokens, maxUsd }: ExpectDoc, { tokens, costUsd = 0 }: CheckedRun): readonly CheckResult[] {
  const checks: CheckResult[] = [];
  if (maxTokens !== undefined) {
    const isOk = tokens <= maxTokens;
    const message = `The run used ${tokens} tokens, more than ${maxTokens}.`;
    checks.push({
      isOk,
      kind: 'maxTokens',
      expected: maxTokens,
      got: tokens,
      label: `at most ${maxTokens} tokens`,
      path: ['expect', 'maxTokens'],
      ...(isOk ? {} : { message }),
    });
  }
  if (maxUsd !== undefined) {
    const isOk = costUsd <= maxUsd;
    const message = `The run cost $${costUsd.toFixed(4)}, more than $${maxUsd}.`;
    checks.push({
      isOk,
      kind: 'maxUsd',
      expected: maxUsd,
      got: costUsd,
      label: `cost is at most $${maxUsd}`,
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
