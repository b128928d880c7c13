/**
 * The form of a test file (`NAME.test.yaml`): a flow, an agent or a catalog, and cases with what is expected of them.
 */
import { z } from 'zod';
import type { JsonMap, JsonValue } from '../json/json-value.ts';
import { type BudgetDoc, budgetSchema } from '../triggers/budget-doc.ts';
import { type MatcherDoc, matcherMapSchema, matcherSchema } from './matcher-doc.ts';

/** What a person answers when the run asks. */
export interface CaseAnswer {
  /** Full name of the node, such as `each[0].approve`. */
  readonly node: string;
  /** For a node that asks several things: which of them. */
  readonly key?: string;
  readonly decision?: 'approve' | 'reject';
  /** The values of a form. */
  readonly values?: JsonMap;
  readonly comment?: string;
  readonly by?: string;
}

/** A model or a flow that judges values. Exactly one of `prompt` and `flow` is set. */
export interface JudgeDoc {
  /** What the model is asked, with bindings to the values of the run. It returns a score from 0 to 5 and a reason. */
  readonly prompt?: string;
  /** A flow, relative to the test file. Its inputs are `input` and `output` of the run; its output has `score` and `reason`. */
  readonly flow?: string;
  readonly model?: string;
  /** Conditions for the score; at least 3 if absent. */
  readonly passIf?: MatcherDoc;
}

/** An expected value: conditions, or a value that must be equal. */
export type ExpectedValue = MatcherDoc | JsonValue;

/** Ways to end that a case can expect. A canceled run was cut off, so it says nothing about the flow. */
export const expectedStatuses = ['completed', 'failed', 'suspended', 'skipped'] as const;

/** Everything that must be true of a run. */
export interface ExpectDoc {
  /** Completed if absent, and failed with `fails`. */
  readonly status?: (typeof expectedStatuses)[number];
  /** Expected values by binding: `draft.text`, `each[0].draft.text`, `flow.output`. */
  readonly outputs?: Readonly<Record<string, ExpectedValue>>;
  /** Resolved inputs of nodes by binding: `send.body.total`. */
  readonly inputs?: Readonly<Record<string, ExpectedValue>>;
  /** Nodes that ran, or how often. */
  readonly ran?: readonly string[] | Readonly<Record<string, number>>;
  readonly skipped?: readonly string[];
  /** Paths of written files, or their expected texts. */
  readonly files?: readonly string[] | Readonly<Record<string, ExpectedValue>>;
  /** The highest number of tokens of all models, also if they are recorded. */
  readonly maxTokens?: number;
  /** The highest cost in US dollars, at current prices also for recorded calls. */
  readonly maxUsd?: number;
  /** The code of the error with which the run fails. */
  readonly fails?: string;
  readonly judge?: JudgeDoc | readonly JudgeDoc[];
}

/** What one case and the rows of a dataset share. */
interface CaseParts {
  /** The inputs of a flow by name, or the list of inputs of an agent. */
  readonly input?: JsonMap | readonly JsonValue[];
  /** A JSON or YAML file with the inputs, relative to the test file. */
  readonly inputFile?: string;
  /** The recording, relative to the test file. */
  readonly cassette?: string;
  /** Outputs of top-level nodes that do not run. */
  readonly pins?: JsonMap;
  readonly answers?: readonly CaseAnswer[];
  readonly expect?: ExpectDoc;
}

/** A case. */
export interface CaseDoc extends CaseParts {
  readonly name: string;
  /** For a catalog: the turns of a conversation, as in a chat script, or the path of such a script. */
  readonly turns?: readonly JsonMap[] | string;
}

/** Cases from the rows of a file. Text in it may contain bindings to the row: `{{row.mail}}`. */
export interface DatasetDoc extends CaseParts {
  /** A CSV or JSON Lines file, relative to the test file. */
  readonly from: string;
  /** Inputs of the flow by name, each with the column that contains it. */
  readonly map?: Readonly<Record<string, string>>;
  /** The name of each case, with bindings to the row. Its number if absent. */
  readonly name?: string;
}

/** A test file. */
export interface CaseFileDoc {
  /** The flow, agent or catalog, relative to the test file; `PRODUCT/FLOW`; or an agent in a pack. */
  readonly target: string;
  /** The recording of the cases without their own, relative to the test file. */
  readonly cassette?: string;
  /** What recording and judges may use. */
  readonly budget?: BudgetDoc;
  readonly cases: readonly (CaseDoc | DatasetDoc)[];
}

/** Returns whether an entry stands for the rows of a file. */
export function isDataset(entry: CaseDoc | DatasetDoc): entry is DatasetDoc {
  return 'from' in entry;
}

const text = (): z.ZodString => z.string().min(1, 'must not be empty');
const json = (): z.ZodType<JsonValue> => z.json() as z.ZodType<JsonValue>;
const jsonMap = (): z.ZodType<JsonMap> => z.record(z.string(), json()) as z.ZodType<JsonMap>;
const byBinding = () => z.record(text(), matcherSchema());

function answerSchema() {
  return z
    .strictObject({
      node: text().describe('Full name of the node that asks, such as `each[0].approve`.'),
      key: text().exactOptional().describe('Which of several requests of the node.'),
      decision: z.enum(['approve', 'reject']).exactOptional(),
      values: jsonMap().exactOptional().describe('Values of the form.'),
      comment: z.string().exactOptional(),
      by: text().exactOptional().describe('Name of the person.'),
    })
    .refine(({ decision, values }) => decision !== undefined || values !== undefined, {
      error: 'needs a decision, approve or reject, or the values of the form',
    });
}

function judgeSchema() {
  return z
    .strictObject({
      prompt: text().exactOptional().describe('What the model is asked, with bindings such as `{{draft.text}}`.'),
      flow: text().exactOptional().describe('A flow that judges, relative to the test file.'),
      model: text().exactOptional().describe('The model. Default: the one of the settings.'),
      passIf: matcherMapSchema().exactOptional().describe('Conditions for the score. Default `{ atLeast: 3 }`.'),
    })
    .refine(({ prompt, flow }) => (prompt === undefined) !== (flow === undefined), {
      error: 'needs either a prompt or a flow',
    });
}

function expectSchema() {
  return z.strictObject({
    status: z.enum(expectedStatuses).exactOptional().describe('Default `completed`.'),
    outputs: byBinding().exactOptional().describe('Expected values by binding, such as `draft.text` or `flow.output`.'),
    inputs: byBinding().exactOptional().describe('Expected resolved inputs of nodes, such as `send.body.total`.'),
    ran: z
      .union([z.array(text()), z.record(text(), z.int().positive())])
      .exactOptional()
      .describe('Nodes that ran, or how often each ran.'),
    skipped: z.array(text()).exactOptional().describe('Nodes that were skipped.'),
    files: z
      .union([z.array(text()), z.record(text(), matcherSchema())])
      .exactOptional()
      .describe('Written files, or their texts by path. Paths are relative to the workspace.'),
    maxTokens: z.int().positive().exactOptional().describe('Highest number of tokens of all models.'),
    maxUsd: z.number().positive().exactOptional().describe('Highest cost in US dollars.'),
    fails: text().exactOptional().describe('Code of the error with which the run fails.'),
    judge: z.union([judgeSchema(), z.array(judgeSchema()).min(1)]).exactOptional(),
  });
}

const partKeys = () => ({
  input: z
    .union([jsonMap(), z.array(json())])
    .exactOptional()
    .describe('Inputs of the flow, or a list for an agent.'),
  inputFile: text().exactOptional().describe('A JSON or YAML file with the inputs, relative to the test file.'),
  cassette: text().exactOptional().describe('The recording, relative to the test file.'),
  pins: jsonMap().exactOptional().describe('Outputs of nodes that do not run.'),
  answers: z.array(answerSchema()).exactOptional().describe('What people answer.'),
  expect: expectSchema().exactOptional(),
});

function caseSchema() {
  return z
    .strictObject({
      name: text().describe('What the case shows.'),
      ...partKeys(),
      turns: z
        .union([z.array(jsonMap()).min(1), text()])
        .exactOptional()
        .describe('Turns of a conversation, or the path of a script with them.'),
    })
    .refine(({ input, inputFile }) => input === undefined || inputFile === undefined, {
      error: 'has both input and inputFile; use one of them',
    });
}

function datasetSchema() {
  return z
    .strictObject({
      from: text().describe('A CSV or JSON Lines file, relative to the test file. Each row is a case.'),
      map: z.record(text(), text()).exactOptional().describe('Columns by the name of the input.'),
      name: text().exactOptional().describe('Name of each case, such as `{{row.subject}}`.'),
      ...partKeys(),
    })
    .refine(({ input, inputFile }) => input === undefined || inputFile === undefined, {
      error: 'has both input and inputFile; use one of them',
    });
}

/** Creates the schema of test files. `cases` may also be a single dataset. */
export function caseFileSchema(): z.ZodType<
  Omit<CaseFileDoc, 'cases'> & { readonly cases: CaseFileDoc['cases'] | DatasetDoc }
> {
  const entry = z.union([caseSchema(), datasetSchema()]);
  return z.strictObject({
    target: text().describe(
      'Flow, agent or catalog to test, relative to this file; PRODUCT/FLOW; or an agent in a pack.',
    ),
    cassette: text().exactOptional().describe('Recording of the cases without their own, relative to this file.'),
    budget: budgetSchema().exactOptional().describe('What recordings and judges may use.'),
    cases: z.union([z.array(entry).min(1, 'must have at least one case'), datasetSchema()]),
  }) as unknown as ReturnType<typeof caseFileSchema>;
}

/** Returns the JSON Schema (draft 7) of test files, for editors. */
export function caseFileJsonSchema(): JsonMap {
  const schema = z.toJSONSchema(caseFileSchema(), { target: 'draft-7', io: 'input', unrepresentable: 'any' });
  return { ...(schema as JsonMap), title: 'Test file' };
}
