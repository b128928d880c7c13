/**
 * Drafts of answers to requests of nodes: kept until they are sent, and converted to the format of the engine.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import {
  type Ask,
  type AskRequest,
  type ConsentScope,
  checkAnswer,
  isJsonMap,
  isSecretSchema,
  type JsonMap,
  type JsonValue,
} from '../../../../engine/isomorphic.ts';
import { freeInputs, type InputDrafts, type InputField, readInputs, schemaField } from '../run-inputs.ts';

/** A draft that has not been sent. */
export interface AnswerDraft {
  /** By field. For an approval, these are its parameters. */
  readonly fields: InputDrafts;
  readonly comment: string;
}

export const emptyAnswer: AnswerDraft = { fields: {}, comment: '' };

/** Drafts of answers by `draftKey`. */
export interface AnswerDrafts {
  readonly drafts: ReadonlyMap<string, AnswerDraft>;
  /** Null after the answer was sent, or if the draft is empty. */
  keep(key: string, draft: AnswerDraft | null): void;
  /** Full name of the node with the form to focus as soon as it is rendered, or null. */
  readonly led: string | null;
  /** Null once the form has the focus. */
  lead(nodeId: string | null): void;
}

export function createAnswerDrafts(): StoreApi<AnswerDrafts> {
  return createStore<AnswerDrafts>()((set, get) => ({
    drafts: new Map(),
    led: null,
    lead: (nodeId) => set({ led: nodeId }),
    keep(key, draft) {
      const drafts = new Map(get().drafts);
      // Moves the draft to the end, so that the most recently edited one is last.
      drafts.delete(key);
      if (draft !== null) drafts.set(key, draft);
      set({ drafts });
    },
  }));
}

/** Returns whether a request has more than a title, which must be read before it is answered. */
export function hasDetails(request: AskRequest): boolean {
  const { title, message } = request;
  if (message !== undefined && message.trim() !== title.trim()) return true;
  if (request.kind === 'input') return false;
  const { action, diff, notes = [], params = {}, approval_context: context } = request;
  const hasLists = notes.length > 0 || Object.keys(params).length > 0;
  return action !== undefined || diff !== undefined || context !== undefined || hasLists;
}

/** Includes the hash of the request, so that a draft for another request is not used for this one. */
export function draftKey(runId: string, nodeId: string, { key, requestHash }: Ask): string {
  return JSON.stringify([runId, nodeId, key, requestHash]);
}

/**
 * Returns whether a field contains a secret that must not be stored in a file: its schema is `writeOnly` or has the
 * format `password`.
 */
export function isSecretField(request: AskRequest, key: string): boolean {
  const schema = request.kind === 'input' ? propertiesOf(request.schema)[key] : undefined;
  return schema !== undefined && isSecretSchema(schema);
}

/** Returns the fields of the form for a request. */
export function fieldsOfRequest(request: AskRequest): readonly InputField[] {
  if (request.kind === 'approval') {
    const params = Object.entries(request.params ?? {}).filter(([key]) => key !== freeInputs);
    return params.map(([key, value]) => schemaField(key, schemaOf(value), value, false));
  }
  const { schema, defaults = {} } = request;
  const { required } = schema;
  const needed = new Set(Array.isArray(required) ? required.map(String) : []);
  return Object.entries(propertiesOf(schema)).map(([key, property]) => {
    const { title } = property;
    const known = Object.hasOwn(defaults, key) ? defaults[key] : undefined;
    const field = schemaField(key, property, known, needed.has(key));
    return typeof title === 'string' && title.trim() !== '' ? { ...field, title } : field;
  });
}

/** The type of a field follows from the proposed value. */
function schemaOf(value: JsonValue): JsonMap {
  if (typeof value === 'string')
    return value.length > longestLine || value.includes('\n')
      ? { type: 'string', editor: 'long-text' }
      : { type: 'string' };
  if (typeof value === 'number' || typeof value === 'boolean') return { type: typeof value };
  return isJsonMap(value) ? { type: 'object' } : Array.isArray(value) ? { type: 'array' } : {};
}

/** In characters. A longer text gets a multiline field. */
const longestLine = 80;

function propertiesOf({ properties }: JsonMap): Readonly<Record<string, JsonMap>> {
  if (!isJsonMap(properties)) return {};
  return Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, isJsonMap(value) ? value : {}]));
}

/** The answer to send. Null with problems by field, or under `''` for the whole answer. */
export interface AnswerPayload {
  readonly payload: JsonMap | null;
  readonly problems: Readonly<Record<string, string>>;
}

/** An approval, with the scope if the user chose one, or a rejection. */
type DecisionDraft = { readonly approved: boolean; readonly scope?: ConsentScope };

/** Converts an approval. A rejection does not require valid fields. */
export function readApproval(
  request: AskRequest,
  { approved: isApproved, scope }: DecisionDraft,
  { fields: drafts, comment }: AnswerDraft,
): AnswerPayload {
  const said = { ...saidIn(comment), ...(isApproved && scope === 'workspace' ? { scope } : {}) };
  if (!isApproved || Object.keys(drafts).length === 0) return checked(request, { approved: isApproved, ...said });
  const { inputs, problems } = readInputs(fieldsOfRequest(request), drafts);
  if (inputs === null) return { payload: null, problems };
  return checked(request, { approved: true, params: inputs, ...said });
}

/** Converts a form. */
export function readForm(request: AskRequest, fields: readonly InputField[], draft: AnswerDraft): AnswerPayload {
  const { inputs, problems } = readInputs(fields, draft.fields);
  if (inputs === null) return { payload: null, problems };
  return checked(request, { values: inputs, ...saidIn(draft.comment) });
}

function saidIn(comment: string): JsonMap {
  const said = comment.trim();
  return said === '' ? {} : { comment: said };
}

/** Validates like the engine. Problems of nested values are assigned to their field. */
function checked(request: AskRequest, payload: JsonMap): AnswerPayload {
  const result = checkAnswer(request, payload);
  if (result.ok) return { payload: result.payload, problems: {} };
  const problems = result.misfits.map(({ field = '', message }) => [field, message]);
  return { payload: null, problems: Object.fromEntries(problems) };
}
