/**
 * Test helper: a session driven by operations. Their events are numbered, stored in a log, and folded.
 */
import { asSessionId } from '../../../base/ids.ts';
import { renderDiagnostic } from '../../../language/findings/diagnostic.ts';
import type { Catalogue, FlowType } from '../../catalog/catalogue.ts';
import { parseCatalogue } from '../../catalog/parse-catalogue.ts';
import { decomposePlan, type Replanning, replan } from '../../plans/plan.ts';
import { activateNext, completeFlow, popFinished, requestFlow } from '../flow-stack.ts';
import { foldSession } from '../fold-session.ts';
import type { OperationOutcome } from '../operation.ts';
import type { SessionEnvelope, SessionEvent } from '../session-event.ts';
import { emptySession, type FlowInstance, type SessionState } from '../session-state.ts';

/** Parses a valid catalog. */
export function catalogueOf(text: string): Catalogue {
  const { catalogue, diagnostics } = parseCatalogue(text);
  if (catalogue === null || diagnostics.length > 0)
    throw new Error(diagnostics.map((one) => renderDiagnostic('catalogue', one)).join('\n'));
  return catalogue;
}

/** Flows a, b, c, d without slots, a plan, a nested plan, and flows with slots. */
export const deskText = `
name: Desk
intents:
  Read: { hooks: { prepare: { script: look.lua }, check: { agent: checker.aip } } }
  Change: {}
slotTypes:
  order_id: { base: exact, description: "Like AB-12." }
flows:
  - { name: a, intent: Read, description: Does a., examples: [do a], policy: { skill: a } }
  - { name: b, intent: Read, description: Does b., policy: { agent: b.aip } }
  - { name: c, intent: Change, description: Does c., policy: { flow: c.flow.yaml } }
  - { name: d, intent: Change, description: Does d., policy: { flow: d.flow.yaml } }
  - name: find
    intent: Read
    description: Finds an invoice.
    slots:
      source: { type: source, priority: required, min: 2 }
      period: { type: range, priority: elective }
      number: { type: order_id, priority: elective }
      note: { type: free_text, priority: optional }
      limit: { type: level, priority: optional, default: 10 }
    tools: [invoice_search]
    policy: { skill: find }
    fallback: browse
  - name: browse
    intent: Read
    description: Shows many.
    slots:
      number: { type: exact, priority: required }
      period: { type: exact, priority: optional }
    policy: { skill: browse }
  - { name: close, intent: Plan, description: Closes the quarter., policy: { builtin: plan }, lats: { candidates: 3 } }
  - { name: tidy, intent: Plan, description: Tidies up., policy: { builtin: plan } }
  - { name: index, intent: Internal, policy: { skill: index } }
  - { name: sort, intent: Internal, policy: { skill: sort }, dependsOn: [index] }
  - { name: count, intent: Internal, policy: { skill: count }, every: 2 }
`;

export const desk = catalogueOf(deskText);

/** Returns a type of the desk. */
export function typeOf(name: string, catalogue: Catalogue = desk): FlowType {
  const type = catalogue.flows.get(name);
  if (type === undefined) throw new Error(`no flow ${name}`);
  return type;
}

export class TestSession {
  state: SessionState = emptySession;
  readonly log: SessionEnvelope[] = [];

  /** Commits the events. @throws Error if the operation was refused */
  take<Told extends object>(outcome: OperationOutcome<Told>): { readonly events: readonly SessionEvent[] } & Told {
    if ('refused' in outcome) throw new Error(`${outcome.refused.code}: ${outcome.refused.message}`);
    for (const event of outcome.events) this.add(event);
    return outcome;
  }

  add(event: SessionEvent): void {
    const turnId = this.state.turn?.turnId ?? ('turnId' in event ? event.turnId : undefined);
    const isOfTurn = turnId !== undefined && !(event.type === 'message' && event.from === 'user');
    const envelope: SessionEnvelope = {
      seq: this.log.length,
      at: 0,
      sessionId: asSessionId('s1'),
      ...(isOfTurn ? { turnId } : {}),
      event,
    };
    this.log.push(envelope);
    this.state = foldSession(this.state, envelope);
  }

  /** The stack from the top, as `name:Status`. */
  get stack(): readonly string[] {
    return this.state.stack.map(({ flowName, status }) => `${flowName}:${status}`);
  }

  /** Returns the topmost flow of a type. @throws Error if there is none */
  flow(name: string): FlowInstance {
    const flow = this.state.stack.find(({ flowName }) => flowName === name);
    if (flow === undefined) throw new Error(`no flow ${name} on the stack`);
    return flow;
  }

  id(name: string): string {
    return this.flow(name).flowId;
  }
}

/** Returns the code with which an operation was refused; undefined if it was not. */
export function refusalOf(outcome: OperationOutcome<object>): string | undefined {
  return 'refused' in outcome ? outcome.refused.code : undefined;
}

/** Returns a session with the plan `close`, decomposed. */
export function planned(...names: readonly string[]): TestSession {
  const session = new TestSession();
  session.take(requestFlow(session.state, desk, { flowName: 'close', by: 'user' }));
  decompose(session, 'close', names);
  return session;
}

export function decompose(session: TestSession, plan: string, names: readonly string[]): void {
  const subFlows = names.map((flowName) => ({ flowName }));
  session.take(decomposePlan(session.state, desk, { planId: session.id(plan), subFlows, method: 'direct' }));
}

/** Completes the Active flow and starts the reply. */
export function finish(session: TestSession, name: string, entries: readonly string[] = []): void {
  session.take(completeFlow(session.state, { flowId: session.id(name), result: name, entries }));
  session.take(popFinished(session.state));
}

export function look(session: TestSession, change: Replanning): void {
  session.take(replan(session.state, desk, { planId: session.id('close'), change, reason: 'because' }));
}

export function proceed(session: TestSession): void {
  look(session, { decision: 'continue' });
  session.take(activateNext(session.state));
}
