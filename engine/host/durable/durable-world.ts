/**
 * Opens what the runs of one workspace need in a worker: node types, capabilities, secrets, and the shared history.
 */
import { systemClock } from '../../base/clock.ts';
import type { EngineError } from '../../base/engine-error.ts';
import type { IdSource } from '../../base/ids.ts';
import type { SharedHistory } from '../../history/postgres/shared-history.ts';
import type { PolicySource } from '../../runtime/governance/layered-policy.ts';
import { createWorkspaceGate } from '../../runtime/governance/workspace-gate.ts';
import type { GovernanceCapability } from '../../runtime/kernel/capabilities/effect.ts';
import { createInboxRouter } from '../../runtime/kernel/requests/agent-inbox.ts';
import { FlowCalls } from '../executor/flow-caller.ts';
import { FlowDefinitions } from '../executor/flow-definitions.ts';
import { createIdSource, createRepeatableIds } from '../executor/id-source.ts';
import { createAgentTypes } from '../wiring/loaded-later.ts';
import { createWorld } from '../wiring/world.ts';
import { createFileReader } from '../workspace/file-reader.ts';
import { isInStep } from './inside-step.ts';
import { type PolicyFacts, policiesOf } from './policy-facts.ts';
import type { RunSession } from './run-session.ts';

export interface DurableWorldOptions {
  /** Absolute path. */
  readonly workspace: string;
  readonly history: SharedHistory;
  /** Absolute path of the bundled packs; absent if there are none. */
  readonly builtInPacks?: string;
  /** Trusts the workspace, whatever the user's list contains. */
  readonly isTrusted?: true;
  /** Receives notices for the operator. */
  readonly onNote: (note: EngineError) => void;
}

export type DurableWorld = Awaited<ReturnType<typeof openDurableWorld>>;

/** The caller must close it. @throws EngineError as `createEngine` does */
export async function openDurableWorld({ history, onNote, ...place }: DurableWorldOptions) {
  const clock = systemClock;
  const ids = createIdSource(clock);
  const world = await createWorld({ ...place, clock, ids }, onNote);
  const { agents, home, registry, capabilities, policies, unseen, secrets } = world;
  const { workspace } = place;
  const { read: readAgentType } = createAgentTypes({ ...agents.source, workspace, baseFolder: home.baseFolder });
  const reading = createFileReader({ workspace }, { ...home, readAgentType, catalog: registry });
  const definitions = new FlowDefinitions({ registry, readSchemas: reading.readSchemas });
  const judges = { policies: policies.current, capabilities, definitions };
  const inboxes = createInboxRouter({ clock });
  return {
    ...{ history, definitions, registry, judges, clock, inboxes, unseen },
    openSecrets: secrets.open,
    /** Returns the IDs of a run's child runs. Those that steps use are part of the steps' results. */
    idsOf(session: RunSession, runId: string) {
      const repeatable = createRepeatableIds(runId, () => session.now());
      const current = () => (isInStep() ? ids : repeatable);
      return { runId: () => current().runId(), sessionId: () => current().sessionId() };
    },
    /** Returns the flows that a run may call, and the capabilities of its nodes. */
    callsOf(session: RunSession, own: IdSource, facts: PolicyFacts): FlowCalls {
      const { readCalledFlow } = reading;
      let reads = 0;
      const held = policiesOf(facts);
      const governance =
        capabilities.governance && heldGate(capabilities.governance, { session, policies: held, workspace });
      return new FlowCalls({
        ...{ registry, clock, ids: own, inboxes, unseen, policies: held, definitions },
        capabilities: { ...capabilities, ...(governance === undefined ? {} : { governance }) },
        openSecrets: (...request) => session.locally(() => secrets.open(...request)),
        readCalledFlow: (path, name, above) => {
          const read = () => readCalledFlow(path, name, above);
          return isInStep() ? read() : session.step(`read ${name} ${reads++}`, read);
        },
      });
    },
    close: world.close,
  };
}

interface HeldGate {
  readonly session: RunSession;
  /** The policies for acts of the workflow itself. */
  readonly policies: PolicySource;
  readonly workspace: string;
}

/** Returns a gate whose decisions outside of steps are the same in each replay. */
function heldGate(current: GovernanceCapability, { session, policies, workspace }: HeldGate): GovernanceCapability {
  const policy = (): never => {
    throw new Error('Only acts are judged here');
  };
  const held = createWorkspaceGate({ policy, policies, workspace, isTrusted: () => Promise.resolve(false) });
  return {
    open(scope) {
      const [now, then] = [current.open(scope), held.open(scope)];
      return {
        isUnseen: now.isUnseen,
        pass: (...asked) => session.locally(() => now.pass(...asked)),
        act: (request) => (isInStep() ? now : then).act(request),
      };
    },
  };
}
