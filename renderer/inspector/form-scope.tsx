/**
 * What the fields of a form know beside their own value.
 */
import { createContext, use } from 'react';
import type { CalledInterface, FieldSight, JsonValue } from '../../engine/isomorphic.ts';
import type { Candidate } from '../stores/flow/binding-candidates.ts';
import type { CodeMark, CodeName } from '../ui/code-field.ts';

/** Where something is named. */
interface NamingPlace {
  /** What the field sees; undefined = the flow. */
  readonly sees: FieldSight | undefined;
  /** What was typed of the name. */
  readonly begun: string;
  /** The text before that. */
  readonly before: string;
}

interface ListedName {
  readonly id: string;
  readonly name: string | undefined;
  /** Why the list may not take it; undefined = it may. */
  readonly whyNot: string | undefined;
}

/** What editors of code know of their node. */
interface CodeScope {
  readonly marks: readonly CodeMark[];
  /** What is below the input, by the names that lead there. */
  inputNames(path: readonly string[]): readonly CodeName[];
  undo(): void;
  redo(): void;
}

export interface FormScope {
  readonly isDisabled: boolean;
  /** What the field around sees; undefined = the flow. */
  readonly sees: FieldSight | undefined;
  /** What may be named at a place of a text. */
  candidates(place: NamingPlace): readonly Candidate[];
  /** What a list of names may take, and what it may not: nodes for the body of a loop, flows of a catalogue to wait for. */
  readonly listed: readonly ListedName[];
  /** Models that nodes of the flow name, each once. */
  readonly models: readonly string[];
  /** Of the file that the form is of; empty where it is of none. */
  readonly filePath: string;
  /** What the flow says of itself that the node calls; undefined = none is known. */
  readonly called: CalledInterface | undefined;
  /** What a path gave in the run that is shown; undefined when nobody knows. */
  lastValue(path: string): string | undefined;
  /** Takes a text that was pasted where an address belongs, when it is a command; false = it is plain text. */
  takeCommand(text: string): boolean;
  /** For fields that hold code. */
  readonly code: CodeScope;
  /** Reports typed text that could not be written when its field went away. */
  onLost(text: string): void;
}

/**
 * Sets a value, undefined takes it away. Resolves with whether text and graph show it.
 * @param mergeKey changes with the same key are one entry of undo
 */
export type ChangeValue = (value: JsonValue | undefined, mergeKey?: string) => Promise<boolean>;

const emptyScope: FormScope = {
  isDisabled: false,
  sees: undefined,
  candidates: () => [],
  listed: [],
  models: [],
  filePath: '',
  called: undefined,
  lastValue: () => undefined,
  takeCommand: () => false,
  code: { marks: [], inputNames: () => [], undo() {}, redo() {} },
  onLost() {},
};

export const FormScopeContext = createContext<FormScope>(emptyScope);

export function useFormScope(): FormScope {
  return use(FormScopeContext);
}
