/**
 * One attempt's context: the node's input and config, and the capabilities that its type declares.
 */
import type { Clock } from '../../../base/clock.ts';
import { EngineError } from '../../../base/engine-error.ts';
import type { IdSource, RunId } from '../../../base/ids.ts';
import type { BindingContext } from '../../../language/bindings/binding-path.ts';
import { evaluateWhen } from '../../../language/bindings/when.ts';
import type { CompiledNode } from '../../../language/flow/compiled-flow.ts';
import type { WhenExpr } from '../../../language/flow/flow-doc.ts';
import type { FlowSource } from '../../../language/flow/flow-source.ts';
import type { Capabilities } from '../../kernel/capabilities/capabilities.ts';
import { withGate } from '../../kernel/capabilities/gated-capabilities.ts';
import { childRunHost, type RunHost } from '../../kernel/capabilities/run-host.ts';
import type { CancelScope } from '../../kernel/hub/cancel-scope.ts';
import type { Hub } from '../../kernel/hub/hub.ts';
import type { RunSecrets } from '../../kernel/hub/run-secrets.ts';
import type { Inbox } from '../../kernel/requests/agent-inbox.ts';
import type { AnswerSource } from '../../kernel/requests/ask.ts';
import type { ResumePoint } from '../../kernel/resume/resume-point.ts';
import { isWiredTo } from '../graph-plan.ts';
import type { LoopBody, NodeRunContext, StepSurroundings } from '../node-type.ts';
import type { AttemptAsks } from './attempt-asks.ts';
import { withReportedCalls } from './attempt-calls.ts';
import type { AttemptEvents } from './attempt-events.ts';
import { boundTools } from './attempt-tools.ts';
import type { NodeJob } from './node-job.ts';

/** The hub on which an attempt emits events, and the calls it had made before it was interrupted. */
export interface AttemptSurroundings {
  /** Created on demand, because most nodes emit nothing. */
  readonly events: AttemptEvents;
  readonly clock: Clock;
  readonly formerCalls: readonly ResumePoint[];
  /** What the node waits for, if it has reported this. */
  waitsFor: string | undefined;
  /** For types that make requests. */
  readonly asks: AttemptAsks | undefined;
}

type UntypedContext = NodeRunContext<unknown, unknown, never>;

/**
 * Creates the hub, the run ID and the signal on demand, because most nodes never use them and they are expensive to
 * create.
 */
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
      // A called flow uses the host itself.
      const isHosted = host.keepsSteps === true && prepared.nodeType.hosting === 'workflow';
      if (isHosted) this.host = childRunHost(host, job.name);
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

  /** A bound function created on demand, so that it can be destructured. */
  get noteWait(): (what: string) => void {
    return (what) => {
      this.#surroundings.waitsFor = what;
    };
  }

  /** Created on demand, like `holds`. */
  get isWired(): (route: string) => boolean {
    return (route) => isWiredTo({ id: this.nodeId, outgoing: this.#outgoing }, route);
  }

  /** A bound function created on demand, so that it can be destructured. */
  get holds(): (condition: WhenExpr) => boolean {
    return (condition) => evaluateWhen(condition, this.#seen).result;
  }

  /** Each attempt has its own signal, because Node warns about signals with more than ten listeners. */
  get signal(): AbortSignal {
    if (!this.#isStarted) this.#ownScope ??= this.#scope.child();
    return (this.#ownScope ?? this.#scope).signal;
  }

  get runId(): RunId {
    this.#runId ??= this.#ids.runId();
    return this.#runId;
  }

  /**
   * Returns the function to call when the node has ended; undefined if the node has not used its signal. Later uses
   * receive the shared signal.
   */
  closeOwnScope(): (() => void) | undefined {
    this.#isStarted = true;
    const scope = this.#ownScope;
    return scope && (() => scope.close());
  }

  /** Input, config and capabilities match the type's definition. The type system cannot express this here. */
  asTyped(): NodeRunContext<never, never, never> {
    return this as unknown as NodeRunContext<never, never, never>;
  }
}

const nothingGranted: Partial<Capabilities> = Object.freeze({});

/**
 * @throws EngineError `node.no-capability` if the program that runs the flow does not provide a capability that the
 * type needs
 */
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
  // Applied before recorded results: a call that already has a result does not pass the gate again.
  const gate = offered.governance?.open({ hub: job.hub });
  const bound = withRunsOwn(granted, job.hub, secrets);
  const own = withReportedCalls(gate === undefined ? bound : withGate(bound, gate), job, events);
  const caller = { job, events, asks, formerCalls };
  const can = granted.tools === undefined ? own : { ...own, tools: boundTools(granted.tools, caller) };
  return asks === undefined ? can : asks.watched(can);
}

/** Senders insert the run's secrets, and runners record decisions and changes of files. Nodes can do neither. */
function withRunsOwn(granted: Partial<Capabilities>, hub: Hub, secrets: RunSecrets | undefined): Partial<Capabilities> {
  const { web, commands, files } = granted;
  const own = secrets === undefined ? {} : { secrets };
  const bound: Partial<Capabilities> = {
    ...(files?.forRun === undefined ? {} : { files: files.forRun(hub.rootRunId) }),
    ...(web !== undefined && secrets !== undefined
      ? { web: { send: (request, signal) => web.send({ ...request, ...own }, signal) } }
      : {}),
    ...(commands === undefined
      ? {}
      : { commands: { run: (request, signal) => commands.run({ ...request, ...own, decisions: hub }, signal) } }),
  };
  return { ...granted, ...bound };
}
