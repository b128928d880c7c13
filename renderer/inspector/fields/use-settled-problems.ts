/**
 * Holds back new problems of a field until it loses the focus, because an incomplete value is not an error yet.
 */
import { type KeyboardEvent, type SyntheticEvent, useState } from 'react';

interface SettledProblems {
  /** The problems to show. */
  readonly shown: readonly string[];
  /** Handlers for the element around the field's controls. */
  readonly handlers: {
    onInput(event: SyntheticEvent): void;
    onBlur(): void;
    onKeyDown(event: KeyboardEvent): void;
  };
}

function isTextBox(target: EventTarget): boolean {
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type !== 'checkbox');
}

/** While text is typed, a problem that is already shown disappears when it is fixed, and no new one appears. */
export function useSettledProblems(problems: readonly string[]): SettledProblems {
  const [former, setFormer] = useState<readonly string[] | null>(null);
  return {
    shown: former === null ? problems : problems.filter((problem) => former.includes(problem)),
    handlers: {
      onInput({ target }) {
        if (former === null && isTextBox(target)) setFormer(problems);
      },
      onBlur: () => setFormer(null),
      onKeyDown(event) {
        // In a multiline text, Enter is part of the text. Single-line fields prevent the default action.
        const isSent = event.target instanceof HTMLInputElement || event.isDefaultPrevented();
        if (event.key === 'Enter' && isSent) setFormer(null);
      },
    },
  };
}
