/**
 * Finds the flows of the workspace that run an agent.
 */
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { parseFlow } from '../../engine/isomorphic.ts';
import type { EngineClient } from '../bridge/engine-client.ts';
import { useStores } from './stores-context.tsx';
import type { Workspace } from './workspace/workspace.ts';

interface AgentUser {
  /** Path of the flow. */
  readonly path: string;
  /** Nodes that refer to the agent. */
  readonly nodeIds: readonly string[];
}

/** In a workspace with more flows, the search would take too long and is skipped. */
const mostFlows = 300;
const atOnce = 4;

/** Returns the nodes of a flow that run the agent at this path. */
export function nodesThatRun(agent: string, flowText: string): readonly string[] {
  // Most flows do not mention the agent and need no parsing.
  if (!flowText.includes(agent.split('/').at(-1) ?? agent)) return [];
  const nodes = parseFlow(flowText).doc?.nodes ?? [];
  return nodes.flatMap(({ id, type, input }) => {
    const named = type === 'agent' ? input['agent'] : undefined;
    return typeof named === 'string' && named.replace(/^\.\//, '') === agent ? [id] : [];
  });
}

/** Reads the flows and returns those that run the agent. Null if there are too many to search. */
export async function findAgentUsers(
  engine: EngineClient,
  agent: string,
  flows: readonly string[],
): Promise<readonly AgentUser[] | null> {
  if (flows.length > mostFlows) return null;
  const found: AgentUser[] = [];
  const waiting = [...flows];
  const work = async (): Promise<void> => {
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
      const read = await engine.call('readFlow', path).catch(() => null);
      const nodeIds = read === null ? [] : nodesThatRun(agent, read.text);
      if (nodeIds.length > 0) found.push({ path, nodeIds });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return found.sort((left, right) => left.path.localeCompare(right.path));
}

/** Returns a function that opens a flow with the first node that runs the agent selected. */
export function useOpenUser(): (user: AgentUser) => void {
  const { openFiles, selection } = useStores();
  return ({ path, nodeIds: [first] }) => {
    void openFiles.getState().open(path);
    if (first !== undefined) selection.getState().selectNode(path, first);
  };
}

type FlowList = Workspace['flows'];

/** Several components look up the active agent. A reloaded list of flows is a new key. */
const searches = new WeakMap<FlowList, Map<string, ReturnType<typeof findAgentUsers>>>();

function findOnce(engine: EngineClient, agent: string, flows: FlowList): ReturnType<typeof findAgentUsers> {
  const byAgent = searches.get(flows) ?? new Map<string, ReturnType<typeof findAgentUsers>>();
  searches.set(flows, byAgent);
  const paths = flows.map(({ path }) => path);
  const search = byAgent.get(agent) ?? findAgentUsers(engine, agent, paths);
  byAgent.set(agent, search);
  return search;
}

/**
 * Returns the flows that run an agent. The search starts when the hook is used. Null if the result is not known, or not
 * yet.
 */
export function useAgentUsers(agent: string): readonly AgentUser[] | null {
  const { engine, workspace } = useStores();
  const flows = useStore(workspace, (state) => state.flows);
  const [users, setUsers] = useState<readonly AgentUser[] | null>(null);
  useEffect(() => {
    let isOver = false;
    void findOnce(engine, agent, flows).then((found) => {
      if (!isOver) setUsers(found);
    });
    return () => {
      isOver = true;
    };
  }, [engine, agent, flows]);
  return users;
}
