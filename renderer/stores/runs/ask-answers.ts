/**
 * Answers to what nodes ask, as they are typed: kept until they are sent, and read into what the engine takes.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import {
  type Ask,
  type AskRequest,
  type ConsentScope,
  checkAnswer,
  isJsonMap,
  type JsonMap,
  type JsonValue,
} from '../../../engine/isomorphic.ts';
import {
  freeInputs,
  type InputDrafts,
  type InputField,
  isSecretSchema,
  readInputs,
  schemaField,
} from './run-inputs.ts';

/** What is typed and not sent. */
export interface AnswerDraft {
  /** By field; of an approval, those are its parameters. */
  readonly fields: InputDrafts;
  readonly comment: string;
}

export const emptyAnswer: AnswerDraft = { fields: {}, comment: '' };

/** Drafts of answers by `draftKey`. */
export interface AnswerDrafts {
  readonly drafts: ReadonlyMap<string, AnswerDraft>;
  /** Null = it was sent, or there is nothing left of it. */
  keep(key: string, draft: AnswerDraft | null): void;
  /** Full name of the node whose form is to have the keyboard as soon as it is there; null = none. */
  readonly led: string | null;
  /** Null = it has it. */
  lead(nodeId: string | null): void;
}

export function createAnswerDrafts(): StoreApi<AnswerDrafts> {
  return createStore<AnswerDrafts>()((set, get) => ({
    drafts: new Map(),
    led: null,
    lead: (nodeId) => set({ led: nodeId }),
    keep(key, draft) {
      const drafts = new Map(get().drafts);
      // The last one typed stands at the end.
      drafts.delete(key);
      if (draft !== null) drafts.set(key, draft);
      set({ drafts });
    },
  }));
}

/** Whether a request has more than its title, which must be read before it is answered. */
export function hasDetails(request: AskRequest): boolean {
  const { title, message } = request;
  if (message !== undefined && message.trim() !== title.trim()) return true;
  if (request.kind === 'input') return false;
  const { action, diff, notes = [], params = {}, approval_context: context } = request;
  const hasLists = notes.length > 0 || Object.keys(params).length > 0;
  return action !== undefined || diff !== undefined || context !== undefined || hasLists;
}

/** By the request, too: what was typed for another one is no answer to this. */
export function draftKey(runId: string, nodeId: string, { key, requestHash }: Ask): string {
  return JSON.stringify([runId, nodeId, key, requestHash]);
}

/** Whether a field holds what nobody may keep in a file: its schema says that it is written only, or a password. */
export function isSecretField(request: AskRequest, key: string): boolean {
  const schema = request.kind === 'input' ? propertiesOf(request.schema)[key] : undefined;
  return schema !== undefined && isSecretSchema(schema);
}

/** The fields of the form that a request asks for. */
export function fieldsOfRequest(request: AskRequest): readonly InputField[] {
  if (request.kind === 'approval') {
    const params = Object.entries(request.params ?? {}).filter(([key]) => key !== freeInputs);
    return params.map(([key, value]) => schemaField(key, schemaOf(value), value, false));
  }
  const { schema, defaults = {} } = request;
  const { required } = schema;
  const needed = new Set(Array.isArray(required) ? required.map(String) : []);
  return Object.entries(propertiesOf(schema)).map(([key, property]) =>
    schemaField(key, property, Object.hasOwn(defaults, key) ? defaults[key] : undefined, needed.has(key)),
  );
}

/** What is proposed says what is asked for. */
function schemaOf(value: JsonValue): JsonMap {
  if (typeof value === 'string')
    return value.length > longestLine || value.includes('\n')
      ? { type: 'string', editor: 'long-text' }
      : { type: 'string' };
  if (typeof value === 'number' || typeof value === 'boolean') return { type: typeof value };
  return isJsonMap(value) ? { type: 'object' } : Array.isArray(value) ? { type: 'array' } : {};
}

/** In characters; a longer text gets a field of several lines. */
const longestLine = 80;

function propertiesOf({ properties }: JsonMap): Readonly<Record<string, JsonMap>> {
  if (!isJsonMap(properties)) return {};
  return Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, isJsonMap(value) ? value : {}]));
}

/** What would be sent; null with what is wrong, by field, `''` for the whole. */
export interface ReadAnswer {
  readonly payload: JsonMap | null;
  readonly problems: Readonly<Record<string, string>>;
}

/** An approval, with the scope where the person chose one; or a rejection. */
type DecisionDraft = { readonly approved: boolean; readonly scope?: ConsentScope };

/** Reads an approval. A rejection needs no valid fields. */
export function readApproval(
  request: AskRequest,
  { approved: isApproved, scope }: DecisionDraft,
  { fields: drafts, comment }: AnswerDraft,
): ReadAnswer {
  const said = { ...saidIn(comment), ...(isApproved && scope === 'workspace' ? { scope } : {}) };
  if (!isApproved || Object.keys(drafts).length === 0) return checked(request, { approved: isApproved, ...said });
  const { inputs, problems } = readInputs(fieldsOfRequest(request), drafts);
  if (inputs === null) return { payload: null, problems };
  return checked(request, { approved: true, params: inputs, ...said });
}

/** Reads a form. */
export function readForm(request: AskRequest, fields: readonly InputField[], draft: AnswerDraft): ReadAnswer {
  const { inputs, problems } = readInputs(fields, draft.fields);
  if (inputs === null) return { payload: null, problems };
  return checked(request, { values: inputs, ...saidIn(draft.comment) });
}

function saidIn(comment: string): JsonMap {
  const said = comment.trim();
  return said === '' ? {} : { comment: said };
}

/** As the engine will check it again. What is wrong with parts of a field stands at that field. */
function checked(request: AskRequest, payload: JsonMap): ReadAnswer {
  const result = checkAnswer(request, payload);
  if (result.ok) return { payload: result.payload, problems: {} };
  const problems = result.misfits.map(({ field = '', message }) => [field, message]);
  return { payload: null, problems: Object.fromEntries(problems) };
}
