/**
 * Passes requests of a run on to the MCP client that has started it. Only requests of `user_input` nodes, and only if
 * the flow says `approvals: client`: everything else is decided by people.
 */
import { randomBytes } from 'node:crypto';
import type { Engine } from '../../index.ts';
import {
  EngineError,
  isJsonMap,
  isSecretSchema,
  type JsonMap,
  type JsonValue,
  parseFlow,
  type RunId,
} from '../../isomorphic.ts';

/** Maximum number of calls that wait for answers of clients. */
const mostWaiting = 1_000;

/** A request of a run as the client receives it. */
interface ClientQuestion {
  readonly nodeId: string;
  readonly key: string;
  readonly message: string;
  readonly schema: JsonMap;
}

/** A run that a client may continue with its answers. */
export interface AskingRun {
  readonly runId: RunId;
  /** Text of the flow with which it has started. */
  readonly text: string;
}

interface WaitingCall extends AskingRun {
  readonly tool: string;
  readonly client: string;
  readonly questions: ReadonlyMap<string, ClientQuestion>;
}

/** What a server sends instead of a result, until it has the answers. */
export interface AskedClient {
  readonly inputRequests: Readonly<Record<string, { readonly method: string; readonly params: JsonMap }>>;
  readonly requestState: string;
}

/** The calls of all clients that wait for answers. */
export class ClientQuestions {
  readonly #engine: Engine;
  readonly #waiting = new Map<string, WaitingCall>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /**
   * Returns the questions for the client; undefined if the run has none that the client may answer.
   * @param call the tool, and the name of the client
   */
  async ask(
    run: AskingRun,
    call: { readonly tool: string; readonly client: string },
  ): Promise<AskedClient | undefined> {
    const nodes = new Map((parseFlow(run.text).doc?.nodes ?? []).map(({ id, type }) => [id, type]));
    const open = (await this.#engine.waiting(run.runId)).flatMap(
      ({ name, key, request }): readonly ClientQuestion[] => {
        if (request?.kind !== 'input' || key === undefined || nodes.get(name) !== 'user_input') return [];
        const schema = flatSchema(request.schema);
        if (schema === undefined) return [];
        const message = request.message === undefined ? request.title : `${request.title}\n\n${request.message}`;
        return [{ nodeId: name, key, message, schema }];
      },
    );
    if (open.length === 0 || this.#waiting.size >= mostWaiting) return undefined;
    // A client cannot guess it, so it cannot answer the requests of other runs.
    const requestState = randomBytes(24).toString('base64url');
    const questions = new Map(open.map((one, index) => [`q${index + 1}`, one]));
    this.#waiting.set(requestState, { ...run, ...call, questions });
    const params = ({ message, schema }: ClientQuestion): JsonMap => ({
      mode: 'form',
      message,
      requestedSchema: schema,
    });
    const asked = [...questions].map(
      ([id, one]) => [id, { method: 'elicitation/create', params: params(one) }] as const,
    );
    return { inputRequests: Object.fromEntries(asked), requestState };
  }

  /**
   * Answers the requests with what the client has sent. Requests that it has declined stay open for people.
   * @returns the run, and whether the client may be asked again
   * @throws EngineError `mcp.unknown-state` for a call that does not wait; `answer.invalid`
   */
  async answer(
    state: string,
    responses: Readonly<Record<string, unknown>>,
    call: { readonly tool: string; readonly client: string },
  ): Promise<AskingRun & { readonly mayAskAgain: boolean }> {
    const waiting = this.#waiting.get(state);
    if (waiting === undefined || waiting.tool !== call.tool || waiting.client !== call.client) throw unknownState();
    this.#waiting.delete(state);
    const { runId, text, questions, client } = waiting;
    let isDeclined = false;
    for (const [id, { nodeId, key }] of questions) {
      const content = contentOf(responses[id]);
      isDeclined ||= content === undefined;
      if (content === undefined) continue;
      await this.#engine.resumeRun({ runId, nodeId, key, payload: { values: content }, by: `${client} (MCP client)` });
    }
    return { runId, text, mayAskAgain: !isDeclined };
  }
}

/** Whether the flow lets a client answer. */
export function letsClientAnswer(text: string): boolean {
  return parseFlow(text).doc?.flow.approvals === 'client';
}

function contentOf(response: unknown): JsonMap | undefined {
  const { action, content } = (response ?? {}) as { readonly action?: unknown; readonly content?: JsonValue };
  return action === 'accept' && isJsonMap(content) ? content : undefined;
}

const flatTypes: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean']);

/** Returns the schema if a client can show it: a form of texts, numbers and switches, without secrets. */
function flatSchema({ properties, required }: JsonMap): JsonMap | undefined {
  const fields = Object.entries(isJsonMap(properties) ? properties : {});
  const isFlat = ([, field]: [string, JsonValue]): boolean =>
    isJsonMap(field) && flatTypes.has(field['type']) && !isSecretSchema(field);
  if (fields.length === 0 || !fields.every(isFlat)) return undefined;
  return { type: 'object', properties: Object.fromEntries(fields), ...(required === undefined ? {} : { required }) };
}

function unknownState(): EngineError {
  const message = 'This call does not wait for answers anymore. Call read_run to see how its run continued.';
  return new EngineError({ code: 'mcp.unknown-state', message });
}
