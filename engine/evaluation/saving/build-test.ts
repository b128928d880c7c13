/**
 * Builds the test of a run: repeats the run with the calls in its log, which records them, and then replays the result.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunId } from '../../base/ids.ts';
import { isInvalidCassetteEntry, parseCassette } from '../../history/cassette/cassette-file.ts';
import type { RecordedCall } from '../../history/cassette/compare-requests.ts';
import type { CaseDoc } from '../../language/cases/case-doc.ts';
import type { CaseResult } from '../../language/cases/case-result.ts';
import { parseFlow } from '../../language/flow/parse-flow.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import type { PrivateKind } from '../../world/secrets/private-values.ts';
import { type Bench, openBench } from '../bench.ts';
import { runCase } from '../run-case.ts';
import { currentTexts, type EvaluationWorld } from '../run-tests.ts';
import type { ProposedCheck } from '../saved-test.ts';
import { LoggedNodes } from './logged-nodes.ts';
import { LoggedReplies } from './logged-replies.ts';
import { CaseMask, type MaskedCase, textOfCalls } from './mask-case.ts';
import { type DraftCheck, expectOf, proposeChecks, type WrittenTexts } from './propose-checks.ts';
import { readTestableRun, type TestableRun } from './testable-run.ts';

/** A test that can be written. */
export interface BuiltTest extends Omit<MaskedCase, 'checks'> {
  readonly run: TestableRun;
  readonly checks: readonly ProposedCheck[];
  readonly missing: readonly string[];
  readonly notes: readonly string[];
  /** Whether a text contains a secret. */
  readonly isLeaking: (text: string) => boolean;
}

/** @throws EngineError as `EvaluationEngine.proposeTest` */
export async function buildTest(runId: RunId, world: EvaluationWorld): Promise<BuiltTest> {
  const run = await readTestableRun(runId, world.engine);
  const folder = await mkdtemp(join(tmpdir(), 'millrace-test-'));
  try {
    const { calls, missing, written } = await record(run, world, join(folder, 'recorded.cassette.yaml'));
    const checks = await proposeChecks(run, written);
    const { texts } = run;
    const mask = new CaseMask({ parts: run.parts, calls, checks }, await world.secrets(), Object.values(texts));
    const masked = await replayMasked(mask, { run, world, folder, isComplete: missing.length === 0 });
    const notes = [...masked.notes, ...(await changeNotes(run, world))];
    return { ...masked, run, missing, notes, isLeaking: (text) => mask.isLeaking(text) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface RepeatedRun {
  readonly calls: readonly RecordedCall[];
  readonly missing: readonly string[];
  readonly written: WrittenTexts;
}

async function record(run: TestableRun, world: EvaluationWorld, file: string): Promise<RepeatedRun> {
  await writeFile(file, textOfCalls(run.given), { mode: 0o600 });
  const configs = configsOf(run);
  const replies = await LoggedReplies.read(new LoggedNodes(run.events), {
    whole: (value) => run.nodes.whole(value),
    configOf: ({ name, definitionHash }) => configs.get(`${definitionHash} ${name.slice(name.lastIndexOf('.') + 1)}`),
  });
  const bench = await openBench({
    ...benchOptions(run, world),
    ...{ record: 'missing', answering: replies.answering },
  });
  try {
    await runOnce(bench, { run, world, file, doc: { name: 'recording', ...run.parts } });
    const written = new Map<string, string | undefined>();
    for (const [path, change] of bench.files.changes())
      if (change === 'write') written.set(path, await bench.files.textOf(path));
    const calls = parseCassette(file, await readFile(file, 'utf8')).filter(
      (entry): entry is RecordedCall => !isInvalidCassetteEntry(entry),
    );
    return { calls, written, missing: [...replies.missing, ...run.lost] };
  } finally {
    await bench.close();
  }
}

function benchOptions({ texts }: TestableRun, { engine, open, secrets, now }: EvaluationWorld) {
  return { source: engine, open, secrets, now, request: { texts } };
}

/** Returns the configurations of nodes by definition and ID. */
function configsOf({ definitions }: TestableRun): ReadonlyMap<string, JsonMap> {
  const configs = new Map<string, JsonMap>();
  for (const [hash, { text }] of definitions)
    for (const { id, config } of parseFlow(text).doc?.nodes ?? []) configs.set(`${hash} ${id}`, config ?? {});
  return configs;
}

interface CaseToRun {
  readonly run: TestableRun;
  readonly world: EvaluationWorld;
  /** Absolute path of the recording. */
  readonly file: string;
  readonly doc: CaseDoc;
}

/** Runs the case on the definitions of the run. */
async function runOnce(bench: Bench, { run, world, file, doc }: CaseToRun): Promise<CaseResult> {
  const { sourcePath, kind } = run.run;
  const ready = { file: sourcePath, name: doc.name, entry: 0, line: 1, doc };
  return await runCase(ready, {
    bench: { ...bench, begin: () => bench.begin(file) },
    ...{ file: { target: sourcePath, cases: [doc] }, target: { kind, path: sourcePath } },
    read: currentTexts(world.engine.workspace, run.texts),
    ...{ model: undefined, versions: world.engine, now: world.now, signal: undefined },
  });
}

interface Replaying extends Pick<CaseToRun, 'run' | 'world'> {
  readonly folder: string;
  /** Whether all calls are recorded. */
  readonly isComplete: boolean;
}

/** Replaces as many private values as possible without changing the result of the test. */
async function replayMasked(
  mask: CaseMask,
  { run, world, folder, isComplete }: Replaying,
): Promise<Pick<BuiltTest, 'notes'> & ReturnType<typeof chosen>> {
  const bench = await openBench({ ...benchOptions(run, world), record: 'none' });
  let count = 0;
  const replay = async ({ parts, calls, checks }: MaskedCase): Promise<CaseResult> => {
    count += 1;
    const file = join(folder, `masked-${count}.cassette.yaml`);
    await writeFile(file, textOfCalls(calls), { mode: 0o600 });
    const doc = { name: 'replay', ...parts, expect: expectOf(checks) };
    return await runOnce(bench, { run, world, file, doc });
  };
  try {
    const kept = mask.masked(true);
    const first = await replay(kept);
    const unused = unusedAnswers(first);
    const plain = withoutAnswers(kept, unused);
    const held = heldChecks(plain.checks, unused.length === 0 ? first : await replay(plain));
    if (!mask.hasPersonal) return { ...chosen(plain, held, isComplete), notes: [] };
    const masked = withoutAnswers(mask.masked(false), unused);
    const stillHeld = heldChecks(masked.checks, await replay(masked));
    if ([...held].every((id) => stillHeld.has(id)))
      return { ...chosen(masked, stillHeld, isComplete), notes: notesOf(masked.kept, 'the flow itself contains them') };
    return { ...chosen(plain, held, isComplete), notes: notesOf(plain.kept, 'the test fails without them') };
  } finally {
    await bench.close();
  }
}

/** Returns the nodes with unused answers: a replay needs no consent to the tools of servers. */
function unusedAnswers({ checks }: CaseResult): readonly string[] {
  return checks.flatMap(({ isOk, kind, subject, nodeId }) =>
    isOk || kind !== 'answers' || nodeId !== undefined ? [] : (subject ?? []),
  );
}

/** @param unused names of nodes, each as often as it has an unused answer */
function withoutAnswers(content: MaskedCase, unused: readonly string[]): MaskedCase {
  const { answers = [], ...parts } = content.parts;
  const left = [...unused];
  const used = answers.toReversed().filter(({ node }) => {
    const index = left.indexOf(node);
    if (index !== -1) left.splice(index, 1);
    return index === -1;
  });
  return { ...content, parts: { ...parts, ...(used.length === 0 ? {} : { answers: used.toReversed() }) } };
}

/** Returns the IDs of the checks that hold. */
function heldChecks(checks: readonly DraftCheck[], { error, checks: results }: CaseResult): ReadonlySet<string> {
  if (error !== undefined) return new Set();
  const isOther = results.some(({ isOk, kind }) => !isOk && (kind === 'recording' || kind === 'answers'));
  const failed = new Set(results.flatMap(({ isOk, kind, subject }) => (isOk ? [] : [`${kind}:${subject ?? ''}`])));
  const held = checks.filter(({ kind, subject }) => !failed.has(`${kind}:${subject ?? ''}`)).map(({ id }) => id);
  return new Set(isOther ? held : [...held, 'replay']);
}

/** The status is expected in any case. Other checks are chosen if they hold. */
function chosen(
  content: MaskedCase,
  held: ReadonlySet<string>,
  isComplete: boolean,
): Omit<MaskedCase, 'checks'> & Pick<BuiltTest, 'checks'> {
  const checks = content.checks.map((check): ProposedCheck => {
    const isFirst = check.kind === 'status' || check.kind === 'fails';
    const isHeld = held.has(check.id);
    return { ...check, isHeld, isChosen: check.isChosen && (isFirst || !isComplete || isHeld) };
  });
  return { ...content, checks };
}

const words: Readonly<Partial<Record<PrivateKind, string>>> = {
  email: 'Email addresses',
  phone: 'Phone numbers',
  card: 'Card numbers',
  home: 'Paths of home folders',
};

function notesOf(kept: readonly PrivateKind[], why: string): readonly string[] {
  return kept.map((kind) => `${words[kind] ?? 'Private values'} are not replaced, because ${why}.`);
}

async function changeNotes({ texts, run }: TestableRun, { engine }: EvaluationWorld): Promise<readonly string[]> {
  const read = currentTexts(engine.workspace);
  const own = texts[run.sourcePath];
  const now = await read(run.sourcePath);
  if (own === undefined || now === own) return [];
  return [
    now === undefined
      ? `${run.sourcePath} no longer exists. The test needs it.`
      : `${run.sourcePath} has changed since the run, so the test may fail.`,
  ];
}
