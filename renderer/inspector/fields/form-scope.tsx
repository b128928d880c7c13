/**
 * The information that the fields of a form have in addition to their value.
 */
import { createContext, use } from 'react';
import type { CalledInterface, FieldScope, JsonValue } from '../../../engine/isomorphic.ts';
import type { Candidate } from '../../stores/flow/binding-candidates.ts';
import type { CodeMark, CodeName } from '../../ui/code-field.ts';

/** A place where a name is completed. */
interface NamingPlace {
  /** The scope of the field. Undefined for the flow. */
  readonly sees: FieldScope | undefined;
  /** The typed part of the name. */
  readonly begun: string;
  /** The text before the name. */
  readonly before: string;
}

interface ListedName {
  readonly id: string;
  readonly name: string | undefined;
  /** Why the name cannot be added to the list. Undefined if it can. */
  readonly whyNot: string | undefined;
}

/** The information that code editors have about their node. */
interface CodeScope {
  readonly marks: readonly CodeMark[];
  /** Returns the names below a path of the input. */
  inputNames(path: readonly string[]): readonly CodeName[];
  undo(): void;
  redo(): void;
}

export interface FormScope {
  readonly isDisabled: boolean;
  /** Scope of the containing field. Undefined for the flow. */
  readonly sees: FieldScope | undefined;
  /** Returns the names that can be used at a place in a text. */
  candidates(place: NamingPlace): readonly Candidate[];
  /**
   * Names that can be added to a list, and names that cannot, with the reason: nodes for a loop's body, or flows of a
   * catalog to wait for.
   */
  readonly listed: readonly ListedName[];
  /** Models used by nodes of the flow, without duplicates. */
  readonly models: readonly string[];
  /** Path of the file that the form edits. Empty if there is none. */
  readonly filePath: string;
  /** The interface of the flow that the node calls. Undefined if it is not known. */
  readonly called: CalledInterface | undefined;
  /** Returns the value of a path in the shown run. Undefined if it is not known. */
  lastValue(path: string): string | undefined;
  /** Handles text pasted into a URL field if it is a command. Returns false if it is plain text. */
  takeCommand(text: string): boolean;
  /** For fields that contain code. */
  readonly code: CodeScope;
  /** Reports typed text that could not be written when its field disappeared. */
  onLost(text: string): void;
}

/**
 * Sets a value; undefined removes it. Resolves to whether the text and the graph contain the change.
 * @param mergeKey changes with the same key are merged into one undo step
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
