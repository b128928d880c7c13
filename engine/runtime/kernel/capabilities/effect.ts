/**
 * Effects of flows, agents, scripts and tools on the outside: the request, the verdict, and the gate that each effect
 * passes before it happens.
 */
import { EngineError } from '../../../base/engine-error.ts';
import type { AutonomyLevel } from '../../../language/flow/autonomy.ts';
import type { JsonMap, JsonValue } from '../../../language/json/json-value.ts';
import type { Hub } from '../hub/hub.ts';
import type { ModelRequest } from '../models/model-capability.ts';

/**
 * `editor` is Millrace's own editor; starting another editor is a `command`. `secret` sends a secret, named in the
 * target. `output` is a run's output at its end.
 */
export const effects = [
  'read',
  'write',
  'delete',
  'command',
  'web',
  'editor',
  'secret',
  'model',
  'tool',
  'output',
] as const;

export type Effect = (typeof effects)[number];

/**
 * The location of an effect, by real path. `support` and `base` are in the base folder, `support` being the pack's own
 * folder; `protected` may be read but never changed (`.git`, `.millrace`); `private` may not even be read (trust list,
 * keys); `elsewhere` is for effects without a location: commands and the web. For a secret, this is the agent's
 * location.
 */
export type EffectPlace =
  | 'workspace'
  | 'base'
  | 'pack'
  | 'support'
  | 'tmp'
  | 'protected'
  | 'private'
  | 'outside'
  | 'elsewhere';

/** An effect that is about to happen. */
export interface RequestedEffect {
  readonly effect: Effect;
  /**
   * Target for display: a path, a command with its arguments, an address without its secrets, `provider::model`, a tool
   * name or a run name.
   */
  readonly target: string;
  /** For a model request: the maximum response length, if set. */
  readonly maxTokens?: number | undefined;
  /** A model request's messages, with its tools. */
  readonly said?: Pick<ModelRequest, 'messages' | 'tools'> | undefined;
  /** An output's value. */
  readonly value?: JsonValue | undefined;
  /** Whether the caller can wait for a person and accepts `ask` as a verdict. */
  readonly mayAsk?: true | undefined;
}

/** A file that determines what runs may do or load: see `engine/runtime/governance/deciding-places.ts`. */
export interface DecidingFile {
  /** Path relative to the workspace with `/`; absolute if outside it. */
  readonly path: string;
  /** The kind of file, for messages. */
  readonly what: string;
  /** Whether the affected path is a folder that contains or would contain the file. */
  readonly isByFolder?: true;
}

export interface EffectRequest extends RequestedEffect {
  readonly place: EffectPlace;
  /** The deciding file that a write or delete would change. */
  readonly decides?: DecidingFile | undefined;
  /** The workspace folder, for messages. */
  readonly workspace: string;
  /** Whether the workspace is trusted. */
  readonly isTrusted: boolean;
  /** See `Hub.isUnseen`; `isTrusted` is false in that case. */
  readonly isUnseen?: boolean | undefined;
  /** Whether the run only shows what it would do. */
  readonly isDry: boolean;
  /** See `Hub.products`. */
  readonly products?: readonly string[] | undefined;
  /**
   * A node of a flow, or the program on behalf of a run: it does only what its definition contains. Absent for a
   * script.
   */
  readonly actor?: 'node';
}

export interface EffectVerdict {
  /**
   * `ask`: only if a person approves. Where asking is not possible, such as in the middle of a script, `ask` counts as
   * a refusal.
   */
  readonly decision: 'allow' | 'deny' | 'ask';
  /** Stable name of the rule. */
  readonly rule: string;
  /** The reason for display, without a period. */
  readonly reason: string;
  /** Whether trusting the workspace would allow it. */
  readonly trustHelps: boolean;
  /** Location of the rule, as `<file>:<line>`; absent for built-in rules. */
  readonly place?: string;
  /** Maximum length of a model's response, if set by a policy and not by the caller. */
  readonly maxTokens?: number;
  /** The autonomy level that decided; absent if the decision was not based on a level. */
  readonly level?: AutonomyLevel;
}

/** An act about to happen under an autonomy level. */
export interface ActRequest {
  readonly act: 'node' | 'tool';
  /** Full name of the node, or name of the tool. */
  readonly target: string;
  /** Its parameters. */
  readonly params: JsonMap;
  /** Full name of the node in which a person approved the nodes that follow; absent if there is none. */
  readonly approvedBy?: string | undefined;
  /** Whether the caller emits the suggestion. */
  readonly isKept?: true;
}

/**
 * An autonomy level's verdict on an act. `suggest`: it is recorded as a suggestion instead. `deny`: the level is no
 * longer allowed.
 */
export interface ActVerdict extends Omit<EffectVerdict, 'decision'> {
  readonly decision: 'allow' | 'ask' | 'suggest' | 'deny';
  readonly level: AutonomyLevel;
}

/** Creates the error for a denied act. */
export function deniedAct({ act, target }: ActRequest, { rule, reason, place, level }: ActVerdict): EngineError {
  const stands = place === undefined ? '' : `, ${place}`;
  return new EngineError({
    code: 'effect.denied',
    message: `${reason} (rule ${rule}${stands}).`,
    details: { effect: act, rule, target, level, ...(place === undefined ? {} : { place }), trustHelps: false },
  });
}

/** Decides without side effects: equal requests result in equal verdicts. */
export type EffectPolicy = (request: EffectRequest) => EffectVerdict;

/** The gate for all effects of a run or part of a run. */
export interface RunGate {
  /** See `Hub.isUnseen`. */
  readonly isUnseen?: boolean | undefined;
  /**
   * Resolves with the verdict if the effect may happen, or with `ask` for callers with `mayAsk`.
   * @throws EngineError `effect.denied` with the effect, the rule and how to allow it; `details: { effect, rule,
   * target, place?, trustHelps }`, where `trustHelps` is whether it would be allowed in a trusted workspace
   */
  pass(asked: RequestedEffect, signal: AbortSignal): Promise<EffectVerdict>;
  /**
   * Returns whether something may act at the hub's level; undefined if there is no level. Emits the decision, except
   * for `ask`: the caller that asks a person emits the answer.
   */
  act(request: ActRequest): ActVerdict | undefined;
}

/** Where a gate emits its decisions, and the kind of run to which it belongs. */
export interface GateScope {
  readonly hub: Pick<Hub, 'emit' | 'products'> & Partial<Pick<Hub, 'autonomy' | 'isUnseen'>>;
  /** Whether to deny all effects that change, send or start anything. */
  readonly isDry?: boolean;
}

/** A workspace's gate, opened separately for each run, node or tool. */
export interface GovernanceCapability {
  open(scope: GateScope): RunGate;
}
