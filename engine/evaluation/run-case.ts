/**
 * Runs one case and compares the result with its expectations.
 */
import { parse as parseYaml } from 'yaml';
import { EngineError, toErrorRecord } from '../base/engine-error.ts';
import type { RunId } from '../base/ids.ts';
import type { CaseDoc, ExpectDoc } from '../language/cases/case-doc.ts';
import { withFollowUps } from '../language/cases/case-failures.ts';
import type { CaseResult, CheckResult } from '../language/cases/case-result.ts';
import { parseFlow } from '../language/flow/parse-flow.ts';
import { isJsonList, isJsonMap, type JsonValue } from '../language/json/json-value.ts';
import { foldRun } from '../runtime/kernel/events/fold-run.ts';
import { rootOf } from '../runtime/kernel/events/run-event.ts';
import { emptyRunState } from '../runtime/kernel/events/run-state.ts';
import { answerRun } from './answer-run.ts';
import type { CaseContext } from './case-context.ts';
import { withModel } from './change-model.ts';
import { checkRun } from './checks/check-run.ts';
import { judgeRun } from './checks/judge-run.ts';
import { runConversation } from './conversation-case.ts';
import { besideTest, type ReadyCase, recordingOf } from './list-cases.ts';
import { findRenamed, mentionedNodes, renamedCase } from './renamed-nodes.ts';
import { RunNodes } from './run-nodes.ts';

/** Runs a case. Never throws, except when the signal aborts. */
export async function runCase(ready: ReadyCase, given: CaseContext): Promise<CaseResult> {
  const context = { ...given, read: readAndNote(given) };
  const { bench, target, now, signal } = context;
  const startedAt = now();
  const { doc, ...id } = ready;
  const isOther = (path: string): boolean => path !== target.path && path !== ready.file;
  const done = (part: Pick<CaseResult, 'checks' | 'isOk'> & Partial<CaseResult>): CaseResult => {
    const { replayed, recorded } = bench.player.used();
    const { tokens, costUsd } = bench.meter.used;
    const scores = part.checks.flatMap(({ score }) => score ?? []);
    return {
      ...{ ...id, target: target.path, durationMs: now() - startedAt, covered: [] },
      use: { replayed, recorded, tokens, ...(costUsd === undefined ? {} : { costUsd }) },
      files: bench.files.read().filter(isOther),
      ...(scores.length === 0 ? {} : { score: scores.reduce((sum, one) => sum + one, 0) / scores.length }),
      ...part,
    };
  };
  try {
    if ('problem' in doc) throw new EngineError({ code: 'test.bad-row', message: doc.problem });
    await bench.begin(cassetteOf(ready.file, doc, context));
    const part =
      target.kind === 'catalog'
        ? await runConversation(ready.file, doc, context)
        : await runAndCheck(ready.file, doc, context);
    const isOk = part.checks.every((check) => check.isOk);
    const lost = [...new Set(await bench.player.end(isOk))].map(unrecorded);
    return done({ ...part, checks: [...lost, ...part.checks], isOk });
  } catch (error) {
    await bench.player.end(false);
    if (signal?.aborted === true) throw signal.reason;
    const { code, message } = toErrorRecord(error);
    const { missing } = bench.player.used();
    const isMissing = missing.some((one) => one.message === message);
    const check: CheckResult = { isOk: false, kind: 'recording', label: 'all calls are recorded', message };
    return done({ isOk: false, error: { code, message }, checks: isMissing ? [check] : [] });
  }
}

/** Reports a call that failed while it was recorded. */
function unrecorded(title: string): CheckResult {
  return {
    isOk: false,
    kind: 'recording',
    label: 'all calls are recorded',
    message: `The call of ${title} failed and was not recorded. Record it again, or expect the failure.`,
  };
}

function readAndNote({ bench, read }: CaseContext): CaseContext['read'] {
  return (path) => {
    bench.files.noteRead(path);
    return read(path);
  };
}

/** @throws EngineError `files.outside` */
function cassetteOf(file: string, doc: CaseDoc, { file: { cassette } }: CaseContext): string | undefined {
  const named = doc.cassette ?? cassette;
  const path = recordingOf(file, named);
  if (named === undefined || path !== undefined) return path;
  throw new EngineError({
    code: 'files.outside',
    message: `The recording ${named} is outside the workspace. Name a file in the workspace with \`cassette\`.`,
  });
}

type CasePart = Pick<CaseResult, 'checks' | 'covered' | 'renamed'> & { readonly runId?: RunId };

async function runAndCheck(file: string, written: CaseDoc, context: CaseContext): Promise<CasePart> {
  const { bench, read, target, signal } = context;
  const { engine } = bench;
  const { doc, ...renames } = await withNewNames(written, context);
  const started = await start(file, doc, context);
  const { runId } = started;
  const cancel = (): void => engine.cancelRun(runId);
  signal?.addEventListener('abort', cancel);
  try {
    const answered = await answerRun(engine, runId, doc.answers, signal);
    const events = bench.events.filter((envelope) => rootOf(envelope) === runId);
    const state = foldRun(emptyRunState, events);
    const run = { status: state.status, ...(state.error === undefined ? {} : { error: state.error }) };
    const nodes = new RunNodes(state, (hash) => engine.readValue(hash));
    const expect = doc.expect ?? {};
    const isSuspended = expect.status === 'suspended';
    const { used } = bench.meter;
    const checks = await checkRun(expect, {
      ...{ run, nodes, files: bench.files, known: started.known, ...used },
      unusedAnswers: answered.unused,
      unanswered: isSuspended ? [] : answered.unanswered,
      missing: bench.player.used().missing,
      async readSchema(path) {
        const text = await read(besideTest(file, path));
        if (text !== undefined) return parseDataFile(path, text);
        throw new EngineError({
          code: 'test.bad-schema',
          message: `There is no schema file ${besideTest(file, path)}.`,
        });
      },
    });
    const verdicts =
      run.status === 'completed'
        ? await judged(file, expect, { ...context, nodes, input: state.inputs, output: state.output ?? null })
        : [];
    // No one can answer it after the test.
    if (run.status === 'suspended') engine.cancelRun(runId);
    return {
      runId,
      ...renames,
      checks: withFollowUps([...checks, ...verdicts]),
      covered: target.kind === 'flow' ? nodes.covered() : [],
    };
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
}

/** Returns the case with the current names of nodes that were renamed since it was written. */
async function withNewNames(
  doc: CaseDoc,
  { bench, target: { kind, path }, versions }: CaseContext,
): Promise<{ readonly doc: CaseDoc } & Pick<CaseResult, 'renamed'>> {
  const text = kind === 'flow' ? await bench.readText(path) : undefined;
  if (text === undefined) return { doc };
  const known = nodeIds(text);
  const missing = [...mentionedNodes(doc)].filter((name) => !known.has(name));
  if (missing.length === 0 || known.size === 0) return { doc };
  const renames = await findRenamed({ path, text }, missing, versions);
  return renames.size === 0 ? { doc } : { doc: renamedCase(doc, renames), renamed: Object.fromEntries(renames) };
}

interface StartedCase {
  readonly runId: RunId;
  /** IDs of all nodes of the flow. */
  readonly known: ReadonlySet<string> | undefined;
}

async function start(file: string, doc: CaseDoc, context: CaseContext): Promise<StartedCase> {
  const inputs = await inputsOf(file, doc, context);
  return context.target.kind === 'agent' ? await startAgent(inputs, context) : await startFlow(inputs, doc, context);
}

async function startAgent(inputs: JsonValue | undefined, { bench, target, model }: CaseContext): Promise<StartedCase> {
  const list = isJsonList(inputs) || inputs === undefined ? inputs : [inputs];
  const text = target.path.includes('@') ? undefined : await bench.readText(target.path);
  const accepted = await bench.engine.startAgent({
    agent: target.path,
    ...(text === undefined ? {} : { text }),
    ...(list === undefined || list.length === 0 ? {} : { inputs: list }),
    ...(model === undefined ? {} : { options: { model } }),
  });
  if ('runId' in accepted) return { runId: accepted.runId, known: undefined };
  const message = `The pack of ${target.path} is not installed. Install it first: millrace install.`;
  throw new EngineError({ code: 'pack.not-found', message });
}

async function startFlow(
  inputs: JsonValue | undefined,
  { pins }: CaseDoc,
  { bench, target: { path }, model }: CaseContext,
): Promise<StartedCase> {
  const own = await bench.readText(path);
  if (own === undefined) throw refusal('files.not-found', `There is no flow ${path} in this version.`);
  if (inputs !== undefined && !isJsonMap(inputs))
    throw refusal('test.bad-input', 'The input of a flow is a map of its inputs by name, not a list.');
  const text = model === undefined ? own : withModel(own, model);
  const { runId } = await bench.engine.startRun({
    ...{ path, text, inputs: inputs ?? {} },
    ...(pins === undefined ? {} : { pins: pins as Readonly<Record<string, JsonValue>> }),
  });
  return { runId, known: nodeIds(text) };
}

function refusal(code: string, message: string): EngineError {
  return new EngineError({ code, message });
}

const idsOf = new Map<string, ReadonlySet<string>>();

/** Returns the IDs of all nodes. Cases of a file have the same text, so the last result is kept. */
function nodeIds(text: string): ReadonlySet<string> {
  const kept = idsOf.get(text);
  if (kept !== undefined) return kept;
  const ids = new Set((parseFlow(text).doc?.nodes ?? []).map(({ id }) => id));
  idsOf.clear();
  idsOf.set(text, ids);
  return ids;
}

async function inputsOf(
  file: string,
  { input, inputFile }: CaseDoc,
  { read }: CaseContext,
): Promise<JsonValue | undefined> {
  if (inputFile === undefined) return input as JsonValue | undefined;
  const path = besideTest(file, inputFile);
  const text = await read(path);
  if (text === undefined)
    throw new EngineError({ code: 'test.bad-input', message: `There is no file ${path}, which \`inputFile\` names.` });
  return parseDataFile(path, text);
}

/** Parses a file with inputs, or with a schema. @throws EngineError `test.bad-input` */
function parseDataFile(path: string, text: string): JsonValue {
  try {
    return parseYaml(text) as JsonValue;
  } catch (error) {
    throw new EngineError({
      code: 'test.bad-input',
      message: `${path} is neither valid JSON nor valid YAML: ${String(error instanceof Error ? error.message : error).split('\n')[0] ?? ''}`,
    });
  }
}

async function judged(
  file: string,
  { judge }: ExpectDoc,
  context: CaseContext & { readonly nodes: RunNodes; readonly input: JsonValue; readonly output: JsonValue },
): Promise<readonly CheckResult[]> {
  if (judge === undefined) return [];
  const { bench, nodes, input, output } = context;
  const all = Array.isArray(judge) ? judge : [judge];
  const checks: CheckResult[] = [];
  for (const [index, one] of all.entries()) {
    checks.push(
      await judgeRun(one, all.length === 1 ? undefined : index, {
        ...{
          engine: bench.engine,
          nodes,
          input,
          output,
          path: `${file.replace(/\.test\.ya?ml$/, '')}.judge.flow.yaml`,
        },
        async readFlow(name) {
          const path = besideTest(file, name);
          const text = await bench.readText(path);
          if (text === undefined)
            throw new EngineError({ code: 'files.not-found', message: `There is no flow ${path}.` });
          return { path, text };
        },
      }),
    );
  }
  return checks;
}
