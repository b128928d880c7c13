/**
 * Stores new proposals.
 */
import { EngineError } from '../../base/engine-error.ts';
import { randomText } from '../../base/ids.ts';
import { contentHash } from '../../history/store/large-value.ts';
import { diffFlows } from '../../language/edit/diff/diff-flows.ts';
import { MAX_FLOW_TEXT_LENGTH } from '../../language/flow/flow-limits.ts';
import { seenText } from '../../language/json/shown-text.ts';
import { isFlowPath } from '../../world/files/flow-files.ts';
import { refuseProtected, resolveInWorkspace } from '../../world/files/workspace-path.ts';
import type { NewProposal, Proposal, ProposalSummary, ProposalWorld } from './proposal.ts';
import { readProposals, removeProposals, summaryOf, writeProposal } from './proposal-files.ts';

/** Proposals that wait for a person. A longer list is of no use to anyone. */
const maxPending = 200;
/** Decided proposals that are kept, so that programs can ask what came of them. */
const maxDecided = 200;

/** Stores a proposal, and removes the oldest decided ones. @throws as `ProposalEngine.addProposal` does */
export async function addProposal(request: NewProposal, world: ProposalWorld): Promise<ProposalSummary> {
  const { workspace } = world;
  const proposal = await proposalOf(request, world);
  const { proposals } = await readProposals(workspace);
  if (proposals.filter(({ status }) => status === 'pending').length >= maxPending) throw tooMany();
  const decided = proposals.filter(({ status }) => status !== 'pending').slice(maxDecided);
  await removeProposals(
    workspace,
    decided.map(({ id }) => id),
  );
  await writeProposal(workspace, proposal);
  return summaryOf(proposal);
}

/** Returns the hash by which a proposal names the text that it changes. */
export function baseHashOf(text: string): string {
  return contentHash(text);
}

async function proposalOf(request: NewProposal, { workspace, clock, readFlow }: ProposalWorld): Promise<Proposal> {
  const place = await resolveInWorkspace(workspace, request.file);
  refuseProtected(place);
  const file = place.shown;
  if (!isFlowPath(file)) throw refused('proposal.not-a-flow', `${file} is not a flow (*.flow.yaml).`);
  const { text: saved, loss } = await readFlow(file).catch((thrown: unknown) => newFile(thrown, request));
  const { base = saved } = request;
  if (loss !== undefined) throw refused('files.not-text', loss);
  const baseHash = baseHashOf(base);
  if (request.baseHash !== undefined && request.baseHash !== baseHash)
    throw refused('proposal.changed-base', `${file} has changed. Read it again, and make the change to its new text.`);
  const { text } = request;
  if (Math.max(text.length, base.length) > MAX_FLOW_TEXT_LENGTH)
    throw refused('files.too-large', 'The proposed text is too large for a flow.');
  if (text === base || diffFlows({ before: base, after: text }).differences.length === 0)
    throw refused('proposal.nothing', `The proposed text does not change ${file}.`);
  const title = seenText(request.title, 200) || `Change ${file}`;
  const by = seenText(request.by, 100) || 'unknown program';
  return { version: 1, id: randomText(), file, title, by, at: clock.now(), baseHash, base, text, status: 'pending' };
}

/** A person may be writing a flow that is not saved yet. */
function newFile(thrown: unknown, { base }: NewProposal): { readonly text: string; readonly loss?: string } {
  if (base === undefined || !EngineError.is(thrown) || thrown.code !== 'files.not-found') throw thrown;
  return { text: base };
}

function tooMany(): EngineError {
  return refused(
    'proposal.too-many',
    `${maxPending} proposals are waiting for a decision. Ask the person to review them in Millrace first.`,
  );
}

function refused(code: string, message: string): EngineError {
  return new EngineError({ code, message });
}
