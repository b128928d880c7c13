/**
 * Creates a test from a run: proposes its case, and adds it to a test file.
 */
import { access, readdir, readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { stringify } from 'yaml';
import { EngineError } from '../base/engine-error.ts';
import type { RunId } from '../base/ids.ts';
import { applyEdits } from '../base/text-edit.ts';
import type { CaseDoc, CaseFileDoc } from '../language/cases/case-doc.ts';
import { isCaseFile, testFileBeside } from '../language/cases/case-names.ts';
import { editCases } from '../language/cases/edit-cases.ts';
import { parseCases } from '../language/cases/parse-cases.ts';
import type { JsonMap } from '../language/json/json-value.ts';
import { writeFileAtomically } from '../world/files/atomic-write.ts';
import { toWriteError } from '../world/files/file-error.ts';
import { resolveInWorkspace } from '../world/files/workspace-path.ts';
import type { EvaluationWorld } from './run-tests.ts';
import type { SavedTest, SaveTest, TestProposal } from './saved-test.ts';
import { type BuiltTest, buildTest } from './saving/build-test.ts';
import { textOfCalls } from './saving/mask-case.ts';
import { expectOf } from './saving/propose-checks.ts';

/** @throws EngineError as `EvaluationEngine.proposeTest` */
export async function proposeTest(runId: RunId, world: EvaluationWorld): Promise<TestProposal> {
  const built = await buildTest(runId, world);
  const place = await placeOf(built, { runId }, world.engine.workspace);
  const { parts, checks, calls, missing, masked, notes } = built;
  const { file, name, text } = place;
  return {
    ...{ file, name, isExisting: text !== undefined },
    ...{ caseDoc: parts, checks, calls: calls.length, missing, masked, notes },
  };
}

/** Writes the recording first, so that the test file never names one that is not there. */
export async function saveTest(request: SaveTest, world: EvaluationWorld): Promise<SavedTest> {
  const { workspace } = world.engine;
  const early = request.file === undefined ? undefined : await readPlace(request.file, workspace);
  const built = await buildTest(request.runId, world);
  const place = await placeOf(built, request, workspace);
  if (early !== undefined && early.text !== place.text) throw changed(place.file);
  const { calls, missing, masked, notes } = built;
  const cassette = calls.length === 0 ? undefined : await cassetteFor(place, workspace);
  const text = textWith(place, caseOf(built, request, { ...place, cassette }));
  const recording = textOfCalls(calls);
  if (built.isLeaking(text) || (cassette !== undefined && built.isLeaking(recording))) throw secretLeft();
  if (cassette !== undefined) await write(workspace, cassette, recording);
  if ((await readPlace(place.file, workspace)).text !== place.text) throw changed(place.file);
  await write(workspace, place.file, text);
  const { file, name } = place;
  return { file, name, calls: calls.length, missing, masked, notes, ...(cassette === undefined ? {} : { cassette }) };
}

interface CasePlace {
  /** Relative to the workspace. */
  readonly file: string;
  /** Unused in the file. */
  readonly name: string;
  /** Path of the tested flow or agent, as the test file names it. */
  readonly target: string;
  /** Text of the file; undefined if it does not exist. */
  readonly text: string | undefined;
}

/** Returns where a case is added. @throws EngineError `test.bad-file` | `test.name-used` | `files.*` */
async function placeOf(
  { run: { run } }: BuiltTest,
  { file, name }: Pick<SaveTest, 'runId' | 'file' | 'name'>,
  workspace: string,
): Promise<CasePlace> {
  const { sourcePath } = run;
  const path = posix.normalize(file ?? testFileBeside(sourcePath));
  const { text } = await readPlace(path, workspace);
  const isOfPack = /^[^/]+@/.test(sourcePath);
  const target = isOfPack ? sourcePath : posix.relative(posix.dirname(path), sourcePath);
  const doc = text === undefined || text.trim() === '' ? undefined : readDoc(path, text);
  if (doc !== undefined && !isTarget(doc.target, { target, sourcePath }))
    throw new EngineError({
      code: 'test.bad-file',
      message: `${path} tests ${doc.target}, not ${sourcePath}. Choose another test file.`,
    });
  const used = new Set(doc?.cases.flatMap((one) => one.name ?? []));
  if (name !== undefined && used.has(name))
    throw new EngineError({
      code: 'test.name-used',
      message: `${path} already has a case "${name}". Choose another name.`,
    });
  return {
    file: path,
    target,
    text,
    name: name === undefined || name.trim() === '' ? unusedName(`run ${run.number}`, used) : name,
  };
}

async function readPlace(path: string, workspace: string): Promise<{ readonly text: string | undefined }> {
  if (!isCaseFile(path))
    throw new EngineError({
      code: 'test.bad-file',
      message: `${path} is not the name of a test file. Choose a name that ends in .test.yaml.`,
    });
  const { real, isProtected } = await resolveInWorkspace(workspace, path);
  if (isProtected)
    throw new EngineError({ code: 'files.outside', message: `Tests cannot be saved in the folder of ${path}.` });
  const text = await readFile(real, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw toWriteError(error, path);
  });
  return { text };
}

function readDoc(path: string, text: string): CaseFileDoc {
  const { doc, diagnostics } = parseCases(text);
  if (doc !== null) return doc;
  const [first] = diagnostics;
  const where = first === undefined ? '' : ` Line ${first.range.line}: ${first.message}`;
  throw new EngineError({
    code: 'test.bad-file',
    message: `${path} is not a valid test file, so no case can be added.${where} Fix it first.`,
  });
}

function isTarget(
  named: string,
  { target, sourcePath }: { readonly target: string; readonly sourcePath: string },
): boolean {
  return [target, sourcePath].includes(posix.normalize(named)) || !/\.[a-z]+$/i.test(named);
}

function unusedName(name: string, used: ReadonlySet<string>): string {
  if (!used.has(name)) return name;
  for (let number = 2; ; number += 1) if (!used.has(`${name}, ${number}`)) return `${name}, ${number}`;
}

/** Returns an unused path in the folder of recordings of the test file. */
async function cassetteFor({ file, name }: CasePlace, workspace: string): Promise<string> {
  const folder = `${file.replace(/\.test\.ya?ml$/, '')}.cassettes`;
  const { real } = await resolveInWorkspace(workspace, folder);
  const used = new Set((await readdir(real).catch(() => [])).map((one) => one.toLowerCase()));
  const plain = name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, 60)
    .replace(/^-+|-+$/g, '');
  const base = plain === '' ? 'case' : plain;
  for (let number = 1; ; number += 1) {
    const free = `${base}${number === 1 ? '' : `-${number}`}.cassette.yaml`;
    if (!used.has(free)) return `${folder}/${free}`;
  }
}

function caseOf(
  { parts, checks }: BuiltTest,
  { checks: wanted }: SaveTest,
  { file, name, cassette }: CasePlace & { readonly cassette: string | undefined },
): CaseDoc {
  const ids = wanted === undefined ? undefined : new Set(wanted);
  const unknown = wanted?.find((id) => !checks.some((check) => check.id === id));
  if (unknown !== undefined)
    throw new EngineError({
      code: 'test.no-such-check',
      message: `The run has no value for the check ${unknown}. Choose one of the proposed checks.`,
    });
  // Without its status, the case would expect a completed run.
  const chosen = checks.filter(({ id, kind, isChosen }) => kind === 'status' || (ids?.has(id) ?? isChosen));
  const expect = expectOf(chosen);
  const { input, answers, pins } = parts;
  return {
    name,
    ...(input === undefined ? {} : { input }),
    ...(cassette === undefined ? {} : { cassette: posix.relative(posix.dirname(file), cassette) }),
    ...(pins === undefined ? {} : { pins }),
    ...(answers === undefined ? {} : { answers }),
    ...(Object.keys(expect).length === 0 ? {} : { expect }),
  };
}

/** Returns the text of the test file with the case. */
function textWith({ text, target }: CasePlace, doc: CaseDoc): string {
  const isNew = text === undefined || text.trim() === '';
  const before = isNew ? `target: ${stringify(target).trimEnd()}\ncases:\n` : text;
  const value = doc as unknown as JsonMap;
  const after = applyEdits(before, editCases(before, [{ do: 'add-case', value }]));
  return after.endsWith('\n') ? after : `${after}\n`;
}

async function write(workspace: string, path: string, text: string): Promise<void> {
  const { real } = await resolveInWorkspace(workspace, path);
  try {
    await writeFileAtomically(real, text);
    await access(real);
  } catch (error) {
    throw toWriteError(error, path);
  }
}

function changed(file: string): EngineError {
  return new EngineError({
    code: 'test.file-changed',
    message: `${file} has changed in the meantime, so nothing was added to it. Save the test again.`,
  });
}

function secretLeft(): EngineError {
  return new EngineError({
    code: 'test.secret-left',
    message:
      'A secret of the run cannot be replaced, so no test was saved. Record a test without it: millrace test --record all.',
  });
}
