/**
 * The fields of the dialog that creates files: how they are validated and how the file is created.
 */

import {
  catalogueSuffix,
  isProductFlowPath,
  productNameProblem,
  productOfPath,
  productsFolder,
} from '../../../engine/isomorphic.ts';
import { usualModel } from '../../stores/flow/node-models.ts';
import type { Stores } from '../../stores/stores.ts';
import { pathIn } from '../../stores/text/paths.ts';
import { fileStem, pathProblem } from '../../stores/workspace/file-names.ts';
import type { NewFileDialogTarget, NewFileKind } from '../commands/dialogs.ts';
import { openPath } from '../commands/open-file.ts';
import { text } from './text.ts';

export interface DraftStepRow {
  /** Key for rendering lists. */
  readonly key: number;
  readonly type: string;
}

export interface CreateDraft extends NewFileDialogTarget {
  /** Display name, from which the file name is derived. For a pack, `namespace@name`. */
  readonly name: string;
  /** ID of an example, or null if none is chosen yet. */
  readonly example: string | null;
  readonly steps: readonly DraftStepRow[];
  /** What a flow that begins with words should do. */
  readonly description: string;
  /** For a step flow: the product it belongs to. */
  readonly product: string;
}

const { names, templates } = text;

const usualNames: Readonly<Record<NewFileKind, string>> = {
  flow: names.newFlow,
  steps: names.newFlow,
  dialogue: names.newAssistant,
  agent: names.newAgent,
  pack: 'my@new-pack',
};
const endings: Readonly<Record<NewFileKind, string>> = {
  flow: '.flow.yaml',
  steps: '.yaml',
  dialogue: catalogueSuffix,
  agent: '.aip',
  pack: '',
};
const packPart = /^[A-Za-z_][\w-]*$/;

/** Returns the stem of a file name. A name may be written with the ending that is added to it. */
function stemOf(name: string, ending: string): string {
  const bare = name.endsWith(ending) ? fileStem(name.slice(0, -ending.length)) : '';
  return bare === '' ? fileStem(name) : bare;
}

/** Returns the path of the file to write, or of the folder for a pack. */
export function pathOfDraft({
  kind,
  name,
  folder,
  product,
}: Pick<CreateDraft, 'kind' | 'name' | 'folder' | 'product'>): string {
  if (kind === 'pack') return `.aipack/pack/custom/${name.replace('@', '/')}`;
  if (kind === 'steps') return `${productsFolder}/${product}/flows/${stemOf(name, endings[kind])}${endings[kind]}`;
  const parts = name.split('/').map((part) => stemOf(part, endings[kind]));
  return pathIn(folder, `${parts.join('/')}${endings[kind]}`);
}

/** Returns the suggested name for a new file. @param isTaken returns whether a path exists */
export function freeName(
  { kind, folder, product }: Pick<CreateDraft, 'kind' | 'folder' | 'product'>,
  isTaken: (path: string) => boolean,
): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? usualNames[kind] : `${usualNames[kind]}${kind === 'pack' ? '-' : ' '}${number}`;
    if (!isTaken(pathOfDraft({ kind, name, folder, product }))) return name;
  }
}

/** Returns the problem with the name, or null if it is valid. */
export function nameProblemOf(draft: CreateDraft, isTaken: (path: string) => boolean): string | null {
  const { kind, name } = draft;
  const path = pathOfDraft(draft);
  const problem = kind === 'pack' ? packProblem(name) : fileProblem(name, path);
  return problem ?? (isTaken(path) ? names.exists({ path }) : null);
}

function packProblem(name: string): string | null {
  const parts = name.split('@');
  const isRef = parts.length === 2 && parts.every((part) => packPart.test(part));
  return isRef ? null : names.packForm;
}

function fileProblem(name: string, path: string): string | null {
  if (name.trim() === '') return names.missing;
  if (name.split('/').some((part) => fileStem(part) === '')) return names.needsLetter;
  return pathProblem(path);
}

/** Returns the problem with the folder, or null if it is valid. */
export function folderProblemOf({ folder, kind }: CreateDraft): string | null {
  return kind === 'pack' || kind === 'steps' || folder === '' ? null : pathProblem(folder);
}

/** Returns the problem with the product, or null if it is valid. */
export function productProblemOf({ kind, product }: CreateDraft): string | null {
  if (kind !== 'steps') return null;
  return product === '' ? names.productMissing : (productNameProblem(product) ?? null);
}

/** Returns a valid step flow that can be run: it asks a question, then performs a step without effects. */
function stepFlowText(name: string): string {
  return `id: ${JSON.stringify(fileStem(name))}
name: ${JSON.stringify(name.trim())}
autonomy_level: semi_auto

steps:
  - id: approval
    type: human_approval
    message: ${templates.approval}
  - id: notes
    type: tool
    tool: core.file_list
    params: { glob: "**/*.md" }
`;
}

/** Returns a valid catalog that needs no model until a conversation starts. */
export function catalogueText(name: string): string {
  return `name: ${JSON.stringify(name.trim())}
intents:
  Read: {}

flows:
  - name: find_note
    intent: Read
    description: ${templates.findNote}
    examples: [${templates.findNoteExamples}]
    slots:
      topic: { type: exact, priority: required, description: ${templates.topic} }
    policy: { builtin: chat }

  - name: small_talk
    intent: Converse
    description: ${templates.smallTalk}
    examples: [${templates.smallTalkExamples}]
    policy: { builtin: chat }
`;
}

type NewFlow =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'empty'; readonly name: string }
  | { readonly kind: 'example'; readonly example: string }
  | { readonly kind: 'steps'; readonly name: string; readonly steps: { type: string; model?: string }[] };

/** @param model model for new nodes that prompt one; undefined for the default */
function originOf({ beginning, example, steps, name }: CreateDraft, model: string | undefined): NewFlow {
  if (beginning === 'example') return { kind: 'example', example: example ?? '' };
  if (beginning === 'empty') return { kind: 'empty', name };
  return { kind: 'steps', name, steps: steps.map(({ type }) => (model === undefined ? { type } : { type, model })) };
}

/** Returns the manifest that may list a new flow, or undefined if none would. */
export function manifestOfDraft(draft: Pick<CreateDraft, 'kind' | 'name' | 'folder' | 'product'>): string | undefined {
  const path = pathOfDraft(draft);
  if ((draft.kind !== 'flow' && draft.kind !== 'steps') || !isProductFlowPath(path)) return undefined;
  return `${productsFolder}/${productOfPath(path)}/manifest.yaml`;
}

/** Writes a flow and reports where it was listed. @throws Error if the file that lists it is being edited */
async function createFlow({ engine, openFiles, notices }: Stores, draft: CreateDraft, from: NewFlow): Promise<void> {
  const manifest = manifestOfDraft(draft);
  const file = manifest === undefined ? undefined : openFiles.getState().files.get(manifest);
  if (file?.isDirty === true && /\bflows\b/.test(file.text))
    throw new Error(names.saveManifestFirst({ path: file.path }));
  const { listedIn } = await engine.call('createFlow', { path: pathOfDraft(draft), from });
  if (listedIn === undefined) return;
  notices.getState().add({ tone: 'info', title: names.listed, detail: names.listedIn({ path: listedIn }) });
}

/** Creates the file and returns the path to show. */
async function create(stores: Stores, draft: CreateDraft): Promise<string> {
  const { engine, models } = stores;
  const path = pathOfDraft(draft);
  switch (draft.kind) {
    case 'flow':
      await createFlow(stores, draft, originOf(draft, usualModel([], models.getState().known)));
      return path;
    case 'steps':
      await createFlow(stores, draft, { kind: 'text', text: stepFlowText(draft.name) });
      return path;
    case 'dialogue':
      await engine.call('createFile', { path, kind: 'file', text: catalogueText(draft.name) });
      return path;
    case 'agent':
      await engine.call('createAgent', { path, name: draft.name });
      return path;
    case 'pack': {
      const { files, path: folder } = await engine.call('createPack', { ref: draft.name });
      return files.find((file) => file.endsWith('main.aip')) ?? `${folder}/pack.toml`;
    }
  }
}

/** Whether a draft becomes an unsaved flow for which a model makes a proposal. */
export function isDescribed({ kind, beginning }: Pick<CreateDraft, 'kind' | 'beginning'>): boolean {
  return kind === 'flow' && beginning === 'words';
}

/** Opens an empty flow that is not saved, and shows what the assistant would send. @throws Error if the file exists */
async function describeFlow({ openFiles, assistant }: Stores, draft: CreateDraft): Promise<void> {
  const path = pathOfDraft(draft);
  const text = `flow:\n  name: ${JSON.stringify(draft.name.trim())}\n  version: 1\n\nnodes: []\n\nedges: []\n`;
  if (!(await openFiles.getState().openNew(path, text))) throw new Error(names.exists({ path }));
  assistant.getState().type(path, draft.description.trim());
  assistant.getState().show(path);
  await assistant.getState().ask(path);
}

/** Creates a file, opens it and selects its first node. @throws the error of the engine */
export async function createFromDraft(stores: Stores, draft: CreateDraft): Promise<void> {
  if (isDescribed(draft)) return await describeFlow(stores, draft);
  const path = await create(stores, draft);
  stores.fileTree.getState().reveal(path);
  void stores.fileTree.getState().refresh([path]);
  await openPath(stores, path);
  const [first] = stores.openFiles.getState().files.get(path)?.doc?.nodes ?? [];
  if (first !== undefined) stores.selection.getState().selectNode(path, first.id);
}
