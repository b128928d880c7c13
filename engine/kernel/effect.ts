/**
 * What flows, agents, scripts and tools may do outside of themselves: one question, one answer, and the gate that each effect
 * passes before it happens.
 */
import { EngineError } from '../base/engine-error.ts';
import type { AutonomyLevel } from '../flowspec/autonomy.ts';
import type { JsonMap, JsonValue } from '../flowspec/json-value.ts';
import type { Hub } from './hub.ts';
import type { ModelRequest } from './model-capability.ts';

/**
 * `editor` is the program's own editor; to start another one is a `command`. `secret` is to send one, by its name. `output` is
 * what a run gives at its end.
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
 * Where an effect happens, by real paths. `support` and `base` lie in the base folder, `support` being the pack's own;
 * `protected` may be read but never changed (`.git`, `.millrace`), `private` not even read (trust list, keys);
 * `elsewhere` is for effects that stay at no place: commands and the web. For a secret it is where the agent comes from.
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
export interface AskedEffect {
  readonly effect: Effect;
  /** As people know it: a path, a command with its arguments, an address without its secrets, `provider::model`, a tool's name, the name of a run. */
  readonly target: string;
  /** Of an answer at most, where a model is asked and something was said. */
  readonly maxTokens?: number | undefined;
  /** What a model is asked, with the tools that it is given. */
  readonly said?: Pick<ModelRequest, 'messages' | 'tools'> | undefined;
  /** What is given, of an output. */
  readonly value?: JsonValue | undefined;
  /** The asker can wait for a person, and gets `ask` as the verdict where one has to agree. */
  readonly mayAsk?: true | undefined;
}

/** A file that says what runs may do, or what they load: see `engine/governance/deciding-places.ts`. */
export interface DecidingFile {
  /** Relative to the workspace with `/`; absolute elsewhere. */
  readonly path: string;
  /** What it is, for messages. */
  readonly what: string;
  /** What is touched is a folder that holds it, or would. */
  readonly isByFolder?: true;
}

export interface EffectRequest extends AskedEffect {
  readonly place: EffectPlace;
  /** The deciding file that a write or a delete would change. */
  readonly decides?: DecidingFile | undefined;
  /** The workspace folder, for messages. */
  readonly workspace: string;
  /** The person trusts the workspace. */
  readonly isTrusted: boolean;
  /** As `Hub.isUnseen`; `isTrusted` is false then. */
  readonly isUnseen?: boolean | undefined;
  /** The run only shows what it would do. */
  readonly isDry: boolean;
  /** As `Hub.products`. */
  readonly products?: readonly string[] | undefined;
  /** A node of a flow, or the program for a run: it does only what its definition says. Absent = a script. */
  readonly actor?: 'node';
}

export interface EffectVerdict {
  /** `ask`: only when a person agrees. Where nobody can be asked, such as in the middle of a script, that is a refusal. */
  readonly decision: 'allow' | 'deny' | 'ask';
  /** Stable name. */
  readonly rule: string;
  /** For people: why, without a full stop. */
  readonly reason: string;
  /** Whether trusting the workspace would allow it. */
  readonly trustHelps: boolean;
  /** Where the rule stands, as `<file>:<line>`; absent for those of the program. */
  readonly place?: string;
  /** What the answer of a model may have at most, where a policy says so and the asker has not. */
  readonly maxTokens?: number;
  /** The level of autonomy that decided; absent where it was no such level. */
  readonly level?: AutonomyLevel;
}

/** Something that is about to act where a level of autonomy holds. */
export interface ActRequest {
  readonly act: 'node' | 'tool';
  /** Full name of the node, or name of the tool. */
  readonly target: string;
  /** What it would work on. */
  readonly params: JsonMap;
  /** Full name of the node with which a person has agreed to what comes next; absent = nobody has. */
  readonly approvedBy?: string | undefined;
  /** Whoever asks tells of the suggestion. */
  readonly isKept?: true;
}

/** What a level of autonomy says to an act. `suggest`: it is not done, and kept as a suggestion. `deny`: the level is not allowed any more. */
export interface ActVerdict extends Omit<EffectVerdict, 'decision'> {
  readonly decision: 'allow' | 'ask' | 'suggest' | 'deny';
  readonly level: AutonomyLevel;
}

/** The error of an act that is denied. */
export function deniedAct({ act, target }: ActRequest, { rule, reason, place, level }: ActVerdict): EngineError {
  const stands = place === undefined ? '' : `, ${place}`;
  return new EngineError({
    code: 'effect.denied',
    message: `${reason} (rule ${rule}${stands}).`,
    details: { effect: act, rule, target, level, ...(place === undefined ? {} : { place }), trustHelps: false },
  });
}

/** Answers without side effects: equal requests get equal answers. */
export type EffectPolicy = (request: EffectRequest) => EffectVerdict;

/** What stands before every effect of one run, or of one part of it. */
export interface RunGate {
  /** As `Hub.isUnseen`. */
  readonly isUnseen?: boolean | undefined;
  /**
   * Resolves with the verdict when the effect may happen, or with `ask` for who `mayAsk`.
   * @throws EngineError `effect.denied` with what, by which rule and how to allow it; `details: { effect, rule, target, place?,
   *   trustHelps }`, the last whether it would be allowed in a workspace that is trusted
   */
  pass(asked: AskedEffect, signal: AbortSignal): Promise<EffectVerdict>;
  /**
   * Whether something may act at the level of the hub; undefined where none holds. What was decided is told, but for `ask`: who asks a person
   * tells of the answer.
   */
  act(request: ActRequest): ActVerdict | undefined;
}

/** Where a gate tells what was decided, and for what kind of run it stands. */
export interface GateScope {
  readonly hub: Pick<Hub, 'emit' | 'products'> & Partial<Pick<Hub, 'autonomy' | 'isUnseen'>>;
  /** No effect is allowed that changes, sends or starts anything. */
  readonly isDry?: boolean;
}

/** The gate of a workspace: whoever runs something opens it for that. */
export interface GovernanceCapability {
  open(scope: GateScope): RunGate;
}
