/**
 * What callers of an address see of its runs.
 */
import { isoTime } from '../../base/clock.ts';
import type { ErrorRecord } from '../../base/engine-error.ts';
import type { Engine } from '../../engine.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import { isValueHandle } from '../../language/json/value-handle.ts';
import type { RunSummary } from '../../runtime/kernel/events/run-state.ts';
import { conversationRequestKey } from '../../runtime/kernel/requests/ask-request.ts';
import type { WaitingAsk } from '../executor/run-answers.ts';
import type { AddressCall } from './addresses.ts';

/** Larger outputs are not sent. */
const mostOutputBytes = 16 * 1024 * 1024;

/** Returns whether a run has ended. A suspended or interrupted run has not. */
export function hasEnded({ status }: Pick<RunSummary, 'status'>): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled' || status === 'skipped';
}

/** Returns whether a caller may see the steps and outputs of runs. A form page may not if it does not show them. */
export function seesOutputs({ address, caller }: AddressCall): boolean {
  return caller.kind === 'key' || address.page.showsProgress;
}

/** Returns a run as JSON: its status, the result if it has ended, and its open questions. */
export async function runView(run: RunSummary, call: AddressCall): Promise<JsonMap> {
  const { engine, name } = call.address;
  const { runId, status, startedAt, durationMs } = run;
  const self = `/flows/${name}/runs/${runId}`;
  const { outputs, ...problem } = hasEnded(run) ? await resultOf(run, engine) : {};
  return {
    ...{ runId, status, startedAt: isoTime(startedAt) },
    ...(durationMs === undefined ? {} : { durationMs }),
    ...(hasEnded(run) ? problem : { questions: await openQuestions(run, engine) }),
    ...(outputs === undefined || !seesOutputs(call) ? {} : { outputs }),
    links: { self, events: `${self}/events`, cancel: `${self}/cancel`, answers: `${self}/answers` },
  };
}

/** What parts of the engine the result of a run needs. */
export type ResultSource = Pick<Engine, 'readHead' | 'readEvents' | 'readValue' | 'workspace'>;

/** Returns the outputs or the error of a run that has ended. */
export async function resultOf(run: RunSummary, engine: ResultSource): Promise<JsonMap> {
  const error = run.error === undefined ? {} : { error: publicError(run.error, engine) };
  if (run.status !== 'completed') return error;
  const { lastSeq } = await engine.readHead(run.runId);
  const [last] = await engine.readEvents(run.runId, lastSeq - 1, 1);
  const output = last?.event.type === 'run:end' ? last.event.output : undefined;
  const size = isValueHandle(output) ? output.bytes : 0;
  if (size > mostOutputBytes) {
    const message = `The outputs have ${size} bytes. At most ${mostOutputBytes} are sent.`;
    return { ...error, outputs: null, error: { code: 'http.too-large', message } };
  }
  return { ...error, outputs: isValueHandle(output) ? await engine.readValue(output.$value) : (output ?? {}) };
}

/** Returns the questions that a caller may answer. Approvals and permissions are decisions of people in Millrace. */
export async function openQuestions(
  { runId }: Pick<RunSummary, 'runId'>,
  engine: Pick<Engine, 'waiting'>,
): Promise<JsonMap[]> {
  return (await engine.waiting(runId)).filter(isQuestion).map(({ name, key, request }) => {
    const { title, message, schema, defaults, deadlineAt } = request;
    return {
      ...{ node: name, key, title, schema },
      ...(message === undefined ? {} : { message }),
      ...(defaults === undefined ? {} : { defaults }),
      ...(deadlineAt === undefined ? {} : { deadlineAt: isoTime(deadlineAt) }),
    };
  });
}

type Question = WaitingAsk & {
  readonly key: string;
  readonly request: Extract<WaitingAsk['request'], { readonly kind: 'input' }>;
};

/** Returns whether a request is a question for values, which callers may answer. */
export function isQuestion(ask: WaitingAsk): ask is Question {
  const { key, request } = ask;
  return key !== undefined && request?.kind === 'input' && request.schema[conversationRequestKey] !== true;
}

/** Returns an error without its stack and details, and without the path of the workspace. */
export function publicError({ code, message, nodeId }: ErrorRecord, { workspace }: Pick<Engine, 'workspace'>): JsonMap {
  const text = code === 'internal' ? 'The flow failed because of an internal error.' : message;
  const plain = text.replaceAll(`${workspace}/`, '').replaceAll(workspace, '.');
  return { code, message: plain, ...(nodeId === undefined ? {} : { nodeId }) };
}
