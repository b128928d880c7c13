/**
 * Which dialog of the app is open, and what was typed into the inputs of each flow, and agreed to, in this session.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { RunPart, RunSummary } from '../../../engine/isomorphic.ts';
import type { NodePlan, RerunTarget } from '../../stores/runs/run-actions.ts';
import type { InputDrafts } from '../../stores/runs/run-inputs.ts';

type DialogName =
  | 'run-inputs'
  | 'agent-run'
  | 'shortcuts'
  | 'rerun'
  | 'node-run'
  | 'pin'
  | 'compare'
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

export type NewKind = 'flow' | 'steps' | 'dialogue' | 'agent' | 'pack';
export type FlowBeginning = 'empty' | 'example' | 'steps';

/** What the dialog for new things begins with. */
export interface NewThing {
  readonly kind: NewKind;
  /** Relative to the workspace; `''` = itself. */
  readonly folder: string;
  readonly beginning: FlowBeginning;
}

/** A node of a flow. */
interface NodeSubject {
  readonly path: string;
  readonly nodeId: string;
}

/** A node that is to run alone; without a plan it stands in a loop, and cannot. */
export interface NodeRun extends NodeSubject {
  readonly plan: NodePlan | null;
}

/** What was typed to run an agent. */
export interface AgentDraft {
  /** Which of the two below counts. */
  readonly source: 'inputs' | 'files';
  /** One text an input; empty ones are none. */
  readonly inputs: readonly string[];
  /** Globs, one a line. */
  readonly files: string;
  /** Empty = as the agent says. */
  readonly model: string;
}

export interface Dialogs {
  readonly open: DialogName | null;
  /** What the dialog `rerun` asks about. */
  readonly rerun: RerunTarget | null;
  /** The node that the dialog `node-run` is about. */
  readonly nodeRun: NodeRun | null;
  /** The node whose pinned output the dialog `pin` edits. */
  readonly pinning: NodeSubject | null;
  /** What of its flow the run is to be of that the dialog `run-inputs` asks for; null = all. */
  readonly part: RunPart | null;
  /** Nodes that act outside and were agreed to in this session, by file and id. */
  readonly agreed: ReadonlySet<string>;
  /** The run that the dialog `compare` wants another one for. */
  readonly comparing: RunSummary | null;
  /** The file that the dialog `close-file` asks about. */
  readonly closing: string | null;
  readonly newThing: NewThing;
  /** By flow path. */
  readonly drafts: ReadonlyMap<string, InputDrafts>;
  /** By an agent's path: what its last run was asked for. */
  readonly agentDrafts: ReadonlyMap<string, AgentDraft>;
  show(dialog: DialogName): void;
  showRerun(target: RerunTarget): void;
  showNodeRun(run: NodeRun): void;
  editPin(subject: NodeSubject): void;
  /** Asks for the inputs of a run of a part. */
  askInputs(part: RunPart): void;
  agree(subject: NodeSubject): void;
  askCompare(run: RunSummary): void;
  askClose(path: string): void;
  askNew(thing: NewThing): void;
  close(): void;
  keepDrafts(path: string, drafts: InputDrafts): void;
  keepAgentDraft(path: string, draft: AgentDraft): void;
}

/** What `Dialogs.agreed` has of a node. */
export function agreementKey({ path, nodeId }: NodeSubject): string {
  return `${path} ${nodeId}`;
}

export function createDialogs(): StoreApi<Dialogs> {
  return createStore<Dialogs>()((set, get) => ({
    open: null,
    rerun: null,
    nodeRun: null,
    pinning: null,
    part: null,
    agreed: new Set(),
    comparing: null,
    closing: null,
    newThing: { kind: 'flow', folder: '', beginning: 'empty' },
    drafts: new Map(),
    agentDrafts: new Map(),
    show: (dialog) => set({ open: dialog, part: null }),
    showRerun: (rerun) => set({ open: 'rerun', rerun }),
    showNodeRun: (nodeRun) => set({ open: 'node-run', nodeRun }),
    editPin: (pinning) => set({ open: 'pin', pinning }),
    askInputs: (part) => set({ open: 'run-inputs', part }),
    agree: (subject) => set({ agreed: new Set(get().agreed).add(agreementKey(subject)) }),
    askCompare: (comparing) => set({ open: 'compare', comparing }),
    askClose: (closing) => set({ open: 'close-file', closing }),
    askNew: (newThing) => set({ open: 'new', newThing }),
    close: () => set({ open: null }),
    keepAgentDraft: (path, draft) => set({ agentDrafts: new Map(get().agentDrafts).set(path, draft) }),
    keepDrafts: (path, drafts) => set({ drafts: new Map(get().drafts).set(path, drafts) }),
  }));
}
