/**
 * Template limits. Templates are rendered on the engine's thread, and pack templates are untrusted: nested loops, or
 * thousands of nested blocks, must not block everything.
 */
import Handlebars from 'handlebars/dist/cjs/handlebars.js';

/** Maximum number of statements per rendering, including every loop iteration: half a second of work. */
export const MAX_STEPS = 1_000_000;

/** Maximum output length in UTF-16 code units. */
export const MAX_FILLED_LENGTH = 64 * 1024 * 1024;

/**
 * Maximum number of tags in a template, including parentheses in them. The parser's time is quadratic in this number.
 */
export const MAX_TAGS = 2000;

/** Number of characters in a tag that count as another tag. */
const charactersPerTag = 20;

/** Counts one rendering's steps. */
export class StepBudget {
  #left = MAX_STEPS;

  /** @throws RangeError if no steps are left */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new RangeError(`it takes more than ${MAX_STEPS} steps`);
  }
}

/** Whether parsing the template would take too long. */
export function hasTooManyTags(template: string): boolean {
  let tags = 0;
  for (let at = template.indexOf('{{'); at !== -1 && tags <= MAX_TAGS; at = template.indexOf('{{', at + 2)) {
    const end = template.indexOf('}}', at);
    const tag = template.slice(at, end === -1 ? undefined : end);
    tags += 1;
    if (tag.startsWith('{{!')) continue;
    tags += tag.length / charactersPerTag + tag.split('(').length - 1;
  }
  return tags > MAX_TAGS;
}

/** Templates cannot call it: a name with a space must be in brackets, which makes it a field. */
const spendHelper = 'spend steps';

type LimitedTemplateEnvironment = ReturnType<typeof Handlebars.create>;

/** Adds a cost to each block of a syntax tree, charged each time the block runs. */
export function addCosts(program: hbs.AST.Program): void {
  const visitor = new Handlebars.Visitor();
  const visitChildren = visitor.Program.bind(visitor);
  visitor.Program = (block) => {
    visitChildren(block);
    block.body.unshift(payment(block.body.length + 1, block.loc));
  };
  visitor.accept(program);
}

/** Registers the helper that `addCosts` calls. */
export function registerCosts(handlebars: LimitedTemplateEnvironment, spend: (steps: number) => void): void {
  handlebars.registerHelper(spendHelper, (steps: number) => {
    spend(steps);
  });
}

function payment(steps: number, loc: hbs.AST.SourceLocation): hbs.AST.MustacheStatement {
  const strip = { open: false, close: false };
  const path = { type: 'PathExpression', data: false, depth: 0, parts: [spendHelper], original: spendHelper, loc };
  const cost = { type: 'NumberLiteral', value: steps, original: steps, loc };
  const hash = { type: 'Hash', pairs: [], loc };
  const statement = { type: 'MustacheStatement', path, params: [cost], hash, escaped: false, strip, loc };
  return statement as unknown as hbs.AST.MustacheStatement;
}
