/**
 * The open dialog, and the inputs and approvals that the user entered for each flow in this session.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { RunPart } from '../../../engine/isomorphic.ts';
import type { NodePlan, RerunTarget } from '../../stores/runs/plan-actions.ts';
import type { InputDrafts } from '../../stores/runs/run-inputs.ts';

type DialogName =
  | 'run-inputs'
  | 'agent-run'
  | 'shortcuts'
  | 'rerun'
  | 'node-run'
  | 'pin'
  | 'raise-budget'
  | 'try-models'
  | 'compare-version'
  | 'dataset-column'
  | 'commit'
  | 'go'
  | 'commands'
  | 'close-file'
  | 'conflict'
  | 'history'
  | 'new'
  | 'add-node'
  | 'add-for-failure'
  | 'connect'
  | 'disconnect'
  | 'move-into-loop'
  | 'extract'
  | 'convert'
  | 'rename-file'
  | 'trash-file';

export type NewFileKind = 'flow' | 'steps' | 'dialogue' | 'agent' | 'pack';
/** `words`: described in words, and proposed by a model. */
export type FlowBeginning = 'words' | 'empty' | 'example' | 'steps';

/** Initial values of the dialog for new files. */
export interface NewFileDialogTarget {
  readonly kind: NewFileKind;
  /** Folder relative to the workspace; `''` for the workspace itself. */
  readonly folder: string;
  readonly beginning: FlowBeginning;
}

/** A node of a flow. */
interface NodeDialogTarget {
  readonly path: string;
  readonly nodeId: string;
}

/** A node to run alone. Without a plan, it is in a loop and cannot run alone. */
export interface NodeRun extends NodeDialogTarget {
  readonly plan: NodePlan | null;
}

/** A node of an ended run to run again alone, with other models. */
export type ModelTrial = RerunTarget & NodeDialogTarget;

/** Values entered to run an agent. */
export interface AgentDraft {
  /** Which of the next two fields is used. */
  readonly source: 'inputs' | 'files';
  /** One text per input; empty ones are ignored. */
  readonly inputs: readonly string[];
  /** Globs, one per line. */
  readonly files: string;
  /** Model; empty for the agent's own. */
  readonly model: string;
}

export interface Dialogs {
  readonly open: DialogName | null;
  /** Target of the dialog `rerun`. */
  readonly rerun: RerunTarget | null;
  /** Node of the dialog `node-run`. */
  readonly nodeRun: NodeRun | null;
  /** Node of the dialog `try-models`. */
  readonly modelTrial: ModelTrial | null;
  /** Version for which the dialog `dataset-column` offers models, empty for the flow on screen; null to offer both. */
  readonly columnVersion: string | null;
  /** The node with the pinned output that the dialog `pin` edits. */
  readonly pinning: NodeDialogTarget | null;
  /** Part of the flow for which the dialog `run-inputs` requests inputs; null for the whole flow. */
  readonly part: RunPart | null;
  /** Nodes with external effects that were approved in this session, by file and id. */
  readonly agreed: ReadonlySet<string>;
  /** The file of the dialog `close-file`. */
  readonly closing: string | null;
  readonly newThing: NewFileDialogTarget;
  /** Entered inputs by flow path. */
  readonly drafts: ReadonlyMap<string, InputDrafts>;
  /** Values of the last run by agent path. */
  readonly agentDrafts: ReadonlyMap<string, AgentDraft>;
  show(dialog: DialogName): void;
  showRerun(target: RerunTarget): void;
  showNodeRun(run: NodeRun): void;
  showTryModels(trial: ModelTrial): void;
  /** Asks for a column of the dataset on screen. @param version for a column with another model of this version */
  askColumn(version?: string): void;
  editPin(subject: NodeDialogTarget): void;
  /** Requests the inputs for running a part of a flow. */
  askInputs(part: RunPart): void;
  agree(subject: NodeDialogTarget): void;
  askClose(path: string): void;
  askNew(thing: NewFileDialogTarget): void;
  close(): void;
  keepDrafts(path: string, drafts: InputDrafts): void;
  keepAgentDraft(path: string, draft: AgentDraft): void;
}

/** Returns a node's key in `Dialogs.agreed`. */
export function agreementKey({ path, nodeId }: NodeDialogTarget): string {
  return `${path} ${nodeId}`;
}

export function createDialogs(): StoreApi<Dialogs> {
  return createStore<Dialogs>()((set, get) => ({
    open: null,
    rerun: null,
    nodeRun: null,
    modelTrial: null,
    columnVersion: null,
    pinning: null,
    part: null,
    agreed: new Set(),
    closing: null,
    newThing: { kind: 'flow', folder: '', beginning: 'empty' },
    drafts: new Map(),
    agentDrafts: new Map(),
    show: (dialog) => set({ open: dialog, part: null }),
    showRerun: (rerun) => set({ open: 'rerun', rerun }),
    showNodeRun: (nodeRun) => set({ open: 'node-run', nodeRun }),
    showTryModels: (modelTrial) => set({ open: 'try-models', modelTrial }),
    askColumn: (version) => set({ open: 'dataset-column', columnVersion: version ?? null }),
    editPin: (pinning) => set({ open: 'pin', pinning }),
    askInputs: (part) => set({ open: 'run-inputs', part }),
    agree: (subject) => set({ agreed: new Set(get().agreed).add(agreementKey(subject)) }),
    askClose: (closing) => set({ open: 'close-file', closing }),
    askNew: (newThing) => set({ open: 'new', newThing }),
    close: () => set({ open: null }),
    keepAgentDraft: (path, draft) => set({ agentDrafts: new Map(get().agentDrafts).set(path, draft) }),
    keepDrafts: (path, drafts) => set({ drafts: new Map(get().drafts).set(path, drafts) }),
  }));
}
