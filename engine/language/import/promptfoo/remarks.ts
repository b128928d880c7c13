/**
 * Collects what an import reports, so that each fact is listed once, with how often it occurs.
 */
import type { ImportLine } from '../report.ts';

/** Where something was found. */
export interface FoundAt {
  readonly test: string;
  readonly prompt: number;
}

interface FindingPlaces {
  readonly tests: Set<string>;
  readonly prompts: Set<number>;
}

/** A line of the report without its place. */
export type LineParts = Omit<ImportLine, 'name' | 'id'> & {
  /** The assertion in short, such as `"order"`. Empty if its type says everything. */
  readonly about: string;
};

/** Sentences and lines by their content. */
export class Findings {
  readonly #remarks = new Map<string, FindingPlaces>();
  readonly #lines = new Map<string, { readonly parts: LineParts; readonly places: FindingPlaces }>();

  /** Adds a sentence without its full stop. `at` is undefined if it is about the whole file. */
  remark(sentence: string, at?: FoundAt): void {
    const places = this.#remarks.get(sentence) ?? { tests: new Set(), prompts: new Set() };
    this.#remarks.set(sentence, places);
    if (at !== undefined) addPlace(places, at);
  }

  line(parts: LineParts, at: FoundAt): void {
    const key = JSON.stringify(parts);
    const found = this.#lines.get(key) ?? { parts, places: { tests: new Set(), prompts: new Set() } };
    this.#lines.set(key, found);
    addPlace(found.places, at);
  }

  get remarks(): readonly string[] {
    return [...this.#remarks].map(([sentence, { tests }]) => {
      const [only = ''] = tests;
      if (tests.size === 0) return `${sentence}.`;
      return tests.size === 1 ? `${only}: ${sentence}.` : `In ${tests.size} tests: ${sentence}.`;
    });
  }

  get lines(): readonly ImportLine[] {
    return [...this.#lines.values()].map(({ parts: { about, ...line }, places: { tests, prompts } }) => {
      const [only = ''] = tests;
      const count = tests.size === 1 ? only : `in ${tests.size} tests`;
      const name = tests.size === 1 && about !== '' ? `${only}: ${about}` : [about, count].filter(Boolean).join(' ');
      return { name: prompts.size > 1 ? `${name}, in ${prompts.size} prompts` : name, ...line };
    });
  }
}

function addPlace({ tests, prompts }: FindingPlaces, { test, prompt }: FoundAt): void {
  tests.add(test);
  prompts.add(prompt);
}
