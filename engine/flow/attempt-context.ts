/**
 * What one attempt of a node is handed: its input and config, and of the world what its type declared.
 */
import type { Clock } from '../base/clock.ts';
import { EngineError } from '../base/engine-error.ts';
import type { IdSource, RunId } from '../base/ids.ts';
import type { BindingContext } from '../flowspec/binding-path.ts';
import type { CompiledNode } from '../flowspec/compiled-flow.ts';
import type { WhenExpr } from '../flowspec/flow-doc.ts';
import type { FlowSource } from '../flowspec/flow-source.ts';
import { evaluateWhen } from '../flowspec/when.ts';
import type { AnswerSource } from '../kernel/ask.ts';
import type { CancelScope } from '../kernel/cancel-scope.ts';
import type { Capabilities } from '../kernel/capabilities.ts';
import { withGate } from '../kernel/gated-capabilities.ts';
import type { Hub } from '../kernel/hub.ts';
import type { Inbox } from '../kernel/inbox.ts';
import type { ResumePoint } from '../kernel/resume-point.ts';
import { hostBelow, type RunHost } from '../kernel/run-host.ts';
import type { RunSecrets } from '../kernel/run-secrets.ts';
import type { AttemptAsks } from './attempt-asks.ts';
import { withToldCalls } from './attempt-calls.ts';
import type { AttemptEvents } from './attempt-events.ts';
import { boundTools } from './attempt-tools.ts';
import { isWiredTo } from './graph-plan.ts';
import type { NodeJob } from './node-job.ts';
import type { LoopBody, NodeRunContext, StepSurroundings } from './node-type.ts';

/** What one attempt tells on, and what it had called before it was cut. */
export interface AttemptSurroundings {
  /** Made when asked for: most nodes emit nothing. */
  readonly events: AttemptEvents;
  readonly clock: Clock;
  readonly formerCalls: readonly ResumePoint[];
  /** What the node waits for, where it has said so. */
  waitsFor: string | undefined;
  /** For types that ask. */
  readonly asks: AttemptAsks | undefined;
}

type UntypedContext = NodeRunContext<unknown, unknown, never>;

/** Most nodes never ask for their hub, their run id or their signal, and fresh ones cost: they are made when asked for. */
export class AttemptContext implements Omit<UntypedContext, 'can'> {
  readonly nodeId: string;
  readonly input: unknown;
  readonly config: unknown;
  readonly clock: Clock;
  readonly can: Partial<Capabilities>;
  readonly source?: FlowSource;
  readonly body?: LoopBody;
  readonly formerCalls?: readonly ResumePoint[];
  readonly host?: RunHost;
  readonly answers?: AnswerSource;
  readonly step?: StepSurroundings;
  inbox?: Inbox;
  readonly #surroundings: AttemptSurroundings;
  readonly #scope: CancelScope;
  readonly #ids: IdSource;
  readonly #seen: BindingContext;
  readonly #outgoing: CompiledNode['outgoing'];
  #ownScope: CancelScope | undefined;
  #isStarted = false;
  #runId: RunId | undefined;

  constructor(job: NodeJob, surroundings: AttemptSurroundings, scope: CancelScope) {
    const { node, prepared, place, body } = job;
    const { ids, source, host, steps } = place.scope.run;
    this.nodeId = node.id;
    this.input = prepared.input;
    this.config = prepared.config;
    this.clock = surroundings.clock;
    this.can = grantedTo(job, surroundings);
    if (source !== undefined) this.source = source;
    if (body !== undefined) this.body = body;
    if (steps !== undefined) this.step = steps.seenBy(node);
    if (prepared.nodeType.resumesCalls === true) {
      this.formerCalls = surroundings.formerCalls;
      // A called flow asks its host by itself.
      const isHosted = host.keepsSteps === true;
      if (isHosted) this.host = hostBelow(host, job.name);
      const answers = isHosted ? undefined : place.scope.run.asks.below(job.name);
      if (answers !== undefined) this.answers = answers;
    }
    this.#surroundings = surroundings;
    this.#scope = scope;
    this.#ids = ids;
    this.#seen = place.context;
    this.#outgoing = node.outgoing;
  }

  get hub(): Hub {
    return this.#surroundings.events.hub;
  }

  /** Made when asked for, so that it can be taken out of the context. */
  get noteWait(): (what: string) => void {
    return (what) => {
      this.#surroundings.waitsFor = what;
    };
  }

  /** Made when asked for, as `holds`. */
  get isWired(): (route: string) => boolean {
    return (route) => isWiredTo({ id: this.nodeId, outgoing: this.#outgoing }, route);
  }

  /** Made when asked for, so that it can be taken out of the context. */
  get holds(): (condition: WhenExpr) => boolean {
    return (condition) => evaluateWhen(condition, this.#seen).result;
  }

  /** Its own, not one that all nodes share: Node warns people of a signal that more than ten listen to. */
  get signal(): AbortSignal {
    if (!this.#isStarted) this.#ownScope ??= this.#scope.child();
    return (this.#ownScope ?? this.#scope).signal;
  }

  get runId(): RunId {
    this.#runId ??= this.#ids.runId();
    return this.#runId;
  }

  /** What to call when the node has ended; undefined when it has not asked for its signal. Who asks later gets the shared one. */
  closeOwnScope(): (() => void) | undefined {
    this.#isStarted = true;
    const scope = this.#ownScope;
    return scope && (() => scope.close());
  }

  /** Input, config and abilities are what the type's definition says; no type here can express that. */
  asTyped(): NodeRunContext<never, never, never> {
    return this as unknown as NodeRunContext<never, never, never>;
  }
}

const nothingGranted: Partial<Capabilities> = Object.freeze({});

/** @throws EngineError `node.no-capability` when the program that runs the flow does not offer what the type needs */
function grantedTo(
  job: NodeJob,
  surroundings: Pick<AttemptSurroundings, 'events' | 'asks' | 'formerCalls'>,
): Partial<Capabilities> {
  const { prepared, place } = job;
  const { nodeType } = prepared;
  if (nodeType.capabilities.length === 0) return nothingGranted;
  const { events, asks, formerCalls } = surroundings;
  const { capabilities: offered, secrets } = place.scope.run;
  const granted: Partial<Capabilities> = {};
  for (const name of nodeType.capabilities) {
    const capability = name === 'ask' ? asks?.ask : offered[name];
    if (capability === undefined) {
      const message = `The node type ${nodeType.type} needs "${name}", which this program does not offer.`;
      throw new EngineError({ code: 'node.no-capability', message });
    }
    Object.assign(granted, { [name]: capability });
  }
  // Before it is told what was called: a call that has its result already passes no gate again.
  const gate = offered.governance?.open({ hub: job.hub });
  const bound = withRunsOwn(granted, job.hub, secrets);
  const own = withToldCalls(gate === undefined ? bound : withGate(bound, gate), job, events);
  const caller = { job, events, asks, formerCalls };
  const can = granted.tools === undefined ? own : { ...own, tools: boundTools(granted.tools, caller) };
  return asks === undefined ? can : asks.watched(can);
}

/** What sends puts the run's secrets in, and what is decided about is told by the runner: no node can do either. */
function withRunsOwn(granted: Partial<Capabilities>, hub: Hub, secrets: RunSecrets | undefined): Partial<Capabilities> {
  const { web, commands } = granted;
  const own = secrets === undefined ? {} : { secrets };
  const bound: Partial<Capabilities> = {
    ...(web !== undefined && secrets !== undefined
      ? { web: { send: (request, signal) => web.send({ ...request, ...own }, signal) } }
      : {}),
    ...(commands === undefined
      ? {}
      : { commands: { run: (request, signal) => commands.run({ ...request, ...own, decisions: hub }, signal) } }),
  };
  return { ...granted, ...bound };
}
