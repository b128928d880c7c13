/**
 * Templates that were compiled lately: an agent fills the same few for each of its inputs.
 */
import type Handlebars from 'handlebars/dist/cjs/handlebars.js';

/** What is kept, in UTF-16 units of templates. */
const largestSum = 1024 * 1024;

type Fill = Handlebars.TemplateDelegate;

/** Keeps the latest; the first that came is the first to go. */
export class FillCache {
  readonly #fills = new Map<string, Fill>();
  #sum = 0;

  /** The compiled template; `make` compiles it when it is not known, and what it throws is passed on. */
  get(template: string, make: () => Fill): Fill {
    const known = this.#fills.get(template);
    if (known !== undefined) return known;
    const fill = make();
    this.#fills.set(template, fill);
    this.#sum += template.length;
    for (const oldest of this.#fills.keys()) {
      if (this.#sum <= largestSum) break;
      this.#fills.delete(oldest);
      this.#sum -= oldest.length;
    }
    return fill;
  }
}
