/**
 * Holds back new problems of a field until the person leaves it: half of a value is not a mistake yet.
 */
import { type KeyboardEvent, type SyntheticEvent, useState } from 'react';

interface SettledProblems {
  /** The problems to show now. */
  readonly shown: readonly string[];
  /** For the element around the field's controls. */
  readonly handlers: {
    onInput(event: SyntheticEvent): void;
    onBlur(): void;
    onKeyDown(event: KeyboardEvent): void;
  };
}

function isTextBox(target: EventTarget): boolean {
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type !== 'checkbox');
}

/** While text is typed, a problem that was shown before goes away when it is fixed, and no other one appears. */
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
        // In a text of several lines, Enter is part of the text; fields of one line prevent that.
        const isSent = event.target instanceof HTMLInputElement || event.isDefaultPrevented();
        if (event.key === 'Enter' && isSent) setFormer(null);
      },
    },
  };
}
