/**
 * Calls about test files: running them, creating them from runs, and editing them. Part of `engine-contract.ts`,
 * `main-contract.ts` and `person-contract.ts`.
 */
import { z } from 'zod';
import type {
  CaseChange,
  CaseReport,
  CaseResult,
  JsonMap,
  JsonValue,
  ListedCaseFile,
} from '../../../engine/isomorphic.ts';
import { wholeJson } from '../pinned-outputs.ts';
import { call, cancellableCall, stream } from '../rpc.ts';
import { runId } from '../run-summary.ts';
import { workspacePath } from './file-contract.ts';

const name = z.string().min(1).max(10_000);
const index = z.int().min(0).max(10_000_000);
const text = z.string().max(64 * 1024 * 1024);

const caseId = z.strictObject({ file: workspacePath, name, entry: index, row: z.exactOptional(index) });

/** Unsaved texts of files. */
const texts = z
  .record(workspacePath, text)
  .refine((all) => Object.keys(all).length <= 1_000, 'contains more than 1,000 texts');

const chosen = {
  files: z.exactOptional(z.array(workspacePath).max(100_000).readonly()),
  texts: z.exactOptional(texts),
};

const chosenCases = {
  ...chosen,
  cases: z.exactOptional(z.array(caseId).max(100_000).readonly()),
  version: z.exactOptional(z.string().min(1).max(1000)),
  model: z.exactOptional(z.string().min(1).max(1000)),
};

/** Which calls are made and recorded. */
const record = z.enum(['missing', 'all']);

const summary = z.object({
  passed: z.number(),
  failed: z.number(),
  durationMs: z.number(),
  costUsd: z.exactOptional(z.number()),
  recorded: z.number(),
  updated: z.exactOptional(z.object({ values: z.number(), cases: z.number() })),
});

const fileFrame = z.looseObject({
  path: z.string(),
  target: z.string(),
  cases: z.array(z.looseObject({ name: z.string(), line: z.number() })),
  problems: z.array(z.string()),
});
/** Checks only the outer shape, because the content comes from the engine of this build. */
const listedFile = z.custom<ListedCaseFile>((value) => fileFrame.safeParse(value).success);

const reportFrame = z.union([
  z.looseObject({ type: z.literal('start'), files: z.array(z.unknown()) }),
  z.looseObject({ type: z.literal('case'), result: z.looseObject({ name: z.string(), checks: z.array(z.unknown()) }) }),
  z.looseObject({ type: z.literal('end'), summary }),
]);
/** Checks only the outer shape, because the content comes from the engine of this build. */
const report = z.custom<CaseReport>((value) => reportFrame.safeParse(value).success);

const resultFrame = z.looseObject({ name: z.string(), isOk: z.boolean(), checks: z.array(z.unknown()) });
/** Checks only the outer shape, because the content comes from the engine of this build. */
const result = z.custom<CaseResult>((value) => resultFrame.safeParse(value).success);

const recordingRequest = z.strictObject({ ...chosenCases, record });
const estimateRecording = call(
  [recordingRequest],
  z.object({ cases: z.number(), usd: z.exactOptional(z.object({ low: z.number(), high: z.number() })) }),
);

const jsonMap = z.custom<JsonMap>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value) && wholeJson.safeParse(value).success,
);

const proposal = z.object({
  file: z.string(),
  isExisting: z.boolean(),
  name: z.string(),
  caseDoc: z.looseObject({}),
  checks: z
    .array(
      z.object({
        id: z.string(),
        label: z.string(),
        isChosen: z.boolean(),
        kind: z.enum(['status', 'fails', 'outputs', 'ran', 'skipped', 'files']),
        subject: z.exactOptional(z.string()),
        expected: z.exactOptional(wholeJson as z.ZodType<JsonValue>),
      }),
    )
    .readonly(),
  calls: z.number(),
  missing: z.array(z.string()).readonly(),
  masked: z.number(),
});

const change: z.ZodType<CaseChange> = z.discriminatedUnion('do', [
  z.strictObject({
    do: z.literal('set'),
    path: z
      .array(z.union([z.string().max(10_000), index]))
      .min(1)
      .max(100),
    value: wholeJson,
  }),
  z.strictObject({ do: z.literal('add-case'), value: jsonMap }),
]);

/** The calls of pages. */
export const evaluationContract = {
  listTests: call([z.strictObject(chosen)], z.array(listedFile).readonly()),
  /** Pages can only replay recorded calls. Main records calls after the person has agreed; see `tests.record`. */
  runTests: cancellableCall([z.strictObject({ ...chosenCases, record: z.literal('none') })], summary),
  /** Runs the tests of a flow with a proposed text. No view of tests shows the results. */
  testProposal: cancellableCall(
    [z.strictObject({ path: workspacePath, texts })],
    z.object({ files: z.array(listedFile).readonly(), results: z.array(result).readonly() }),
  ),
  /** Streams the results of all tests that run in this workspace. */
  watchTests: stream(report),
  estimateRecording,
  /** Returns what a test of a run would contain. */
  proposeTest: call([runId], proposal),
  saveTest: call(
    [
      z.strictObject({
        runId,
        file: z.exactOptional(workspacePath),
        name: z.exactOptional(name),
        checks: z.exactOptional(z.array(name).max(10_000).readonly()),
      }),
    ],
    z.object({
      file: z.string(),
      name: z.string(),
      cassette: z.exactOptional(z.string()),
      calls: z.number(),
      missing: z.array(z.string()).readonly(),
      masked: z.number(),
    }),
  ),
  /** Returns the edits that make changes in the text of a test file. */
  editTest: call(
    [z.strictObject({ text, changes: z.array(change).min(1).max(10_000).readonly() })],
    z.array(z.object({ start: z.number(), end: z.number(), text: z.string() })).readonly(),
  ),
} as const;

/** The calls of main, after the person has agreed. */
export const personEvaluation = {
  estimateRecording,
  runTests: cancellableCall([recordingRequest], summary),
} as const;

/** The calls of pages to main. */
export const mainEvaluation = {
  /**
   * Asks the person in a dialog that shows the estimate, then runs the tests and records calls. Null if the person
   * declined. Fails with the errors of the engine's `runTests`.
   */
  'tests.record': call([recordingRequest], summary.nullable()),
  /** Cancels the recording of this window; does nothing if there is none. */
  'tests.stopRecording': call([], z.void()),
} as const;
