/**
 * Lets a model or a flow judge a run. The judge's calls are recorded like those of the run.
 */
import { EngineError } from '../../base/engine-error.ts';
import type { Engine } from '../../engine.ts';
import type { JudgeDoc } from '../../language/cases/case-doc.ts';
import type { CheckResult } from '../../language/cases/case-result.ts';
import { matchValue } from '../../language/cases/match-value.ts';
import { isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import type { RunNodes } from '../run-nodes.ts';

/** What a judge knows. */
export interface JudgedRun {
  readonly engine: Engine;
  readonly nodes: RunNodes;
  readonly input: JsonValue;
  readonly output: JsonValue;
  /** Reads a flow, relative to the test file. */
  readonly readFlow: (path: string) => Promise<{ readonly path: string; readonly text: string }>;
  /** Path for the run of a prompt, relative to the workspace. */
  readonly path: string;
}

const maxScore = 5;
const usual = { atLeast: 3 } as const;

/** The response of a model that judges. */
const verdict = {
  type: 'object',
  properties: {
    reason: { type: 'string', description: 'One or two sentences.' },
    score: { type: 'integer', minimum: 0, maximum: maxScore },
  },
  required: ['reason', 'score'],
  additionalProperties: false,
};

const system = `You grade the result of an automated task. Return a score from 0 (useless) to ${maxScore} (perfect), and the reason for it.`;

/** Returns the judge's verdict as a check. @param index of the judge; undefined if it is the only one */
export async function judgeRun(judge: JudgeDoc, index: number | undefined, judged: JudgedRun): Promise<CheckResult> {
  const passIf = judge.passIf ?? usual;
  const path = ['expect', 'judge', ...(index === undefined ? [] : [index]), 'passIf'];
  const name = judge.flow ?? 'judge';
  try {
    const { score, reason } = verdictOf(await outputOf(judge, judged));
    const matched = matchValue(passIf, score);
    const missed = matched.filter(({ isOk }) => !isOk);
    return {
      ...{ isOk: missed.length === 0, kind: 'judge', subject: name, expected: passIf as JsonMap, path },
      ...(score === undefined ? {} : { got: score }),
      label: `${name} ${matched.map(({ label }) => label).join(' and ')}`,
      ...(typeof score === 'number' ? { score } : {}),
      ...(reason === undefined ? {} : { reason }),
      ...(missed.length === 0
        ? {}
        : {
            message: `${name} ${missed.map(({ problem }) => problem).join(' and ')}${reason === undefined ? '' : `: ${reason}`}`,
          }),
    };
  } catch (error) {
    if (!EngineError.is(error)) throw error;
    return {
      isOk: false,
      kind: 'judge',
      subject: name,
      label: `${name} returns a score`,
      message: `${name} failed: ${error.message}`,
    };
  }
}

async function outputOf(judge: JudgeDoc, judged: JudgedRun): Promise<JsonValue> {
  const { engine, nodes, input, output } = judged;
  const { path, text, inputs } =
    judge.flow === undefined
      ? { path: judged.path, text: promptFlow(judge), inputs: { prompt: await fill(judge.prompt ?? '', nodes) } }
      : { ...(await judged.readFlow(judge.flow)), inputs: { input, output } };
  const { runId } = await engine.startRun({ path, text, inputs });
  await engine.whenEnded(runId);
  const { status, error } = await engine.getRun(runId);
  if (status !== 'completed')
    throw new EngineError({
      code: error?.code ?? 'test.judge',
      message: error?.message ?? `The judge's run is ${status}.`,
    });
  const [last] = await engine.readEvents(runId, (await engine.readHead(runId)).lastSeq - 1, 1);
  return last?.event.type === 'run:end' ? await nodes.whole(last.event.output ?? null) : null;
}

/** Returns a flow with one prompt, which is its input: it may contain text that looks like a binding. */
function promptFlow({ model }: JudgeDoc): string {
  const node = {
    id: 'judge',
    type: 'prompt',
    input: { prompt: '{{flow.input.prompt}}', system },
    config: { ...(model === undefined ? {} : { model }), output: { schema: verdict } },
  };
  return JSON.stringify({ flow: { name: 'Judge', input: { prompt: '' } }, nodes: [node], edges: [] });
}

const bindingPattern = /\{\{\s*([^{}]+?)\s*\}\}/g;

async function fill(prompt: string, nodes: RunNodes): Promise<string> {
  const values = new Map<string, string>();
  for (const [, binding = ''] of prompt.matchAll(bindingPattern)) {
    const { value } = await nodes.find(binding, 'output');
    if (value === undefined)
      throw new EngineError({ code: 'test.judge', message: `\`${binding}\` in its prompt has no value in this run.` });
    values.set(binding, typeof value === 'string' ? value : JSON.stringify(value, null, 2));
  }
  return prompt.replace(bindingPattern, (_, binding: string) => values.get(binding) ?? '');
}

/** Finds the score in the output of a judge: its own, or that of its only last node. */
function verdictOf(output: JsonValue): { readonly score: JsonValue | undefined; readonly reason?: string } {
  for (const candidate of candidatesIn(output)) {
    if (!isJsonMap(candidate)) continue;
    const score = candidate['score'] ?? candidate['pass'];
    if (score === undefined) continue;
    const reason = candidate['reason'];
    return { score, ...(typeof reason === 'string' ? { reason } : {}) };
  }
  throw new EngineError({
    code: 'test.judge',
    message: 'its output has no `score`. Return `score` and `reason` from its last node.',
  });
}

function candidatesIn(output: JsonValue): readonly JsonValue[] {
  if (!isJsonMap(output)) return [];
  const inner = Object.values(output);
  const deeper = inner.flatMap((one) => (isJsonMap(one) ? [one['value'] ?? null, one['output'] ?? null] : []));
  return [output, ...inner, ...deeper];
}
