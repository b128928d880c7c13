/**
 * How much a template may be and do. Templates are filled on the engine's thread, and those of packs are somebody else's:
 * loops inside loops, or thousands of nested blocks, must not hold everything up.
 */
import Handlebars from 'handlebars/dist/cjs/handlebars.js';

/** Statements that one filling may carry out, every turn of a loop counted: half a second of work. */
export const MAX_STEPS = 1_000_000;

/** Length of the filled text, in UTF-16 units. */
export const MAX_FILLED_LENGTH = 64 * 1024 * 1024;

/** Tags of a template, parentheses in them counted as well: the parser's time grows with their square. */
export const MAX_TAGS = 2000;

/** Characters of a tag that count as one more tag. */
const charactersPerTag = 20;

/** Counts the steps of one filling. */
export class StepBudget {
  #left = MAX_STEPS;

  /** @throws RangeError when no steps are left */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new RangeError(`it takes more than ${MAX_STEPS} steps`);
  }
}

/** True when parsing the template would take too long. */
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

/** No template can name it: a name with a blank is written in brackets, and then it is a field. */
const spendHelper = 'spend steps';

type Environment = ReturnType<typeof Handlebars.create>;

/** Makes each block of a syntax tree pay for its statements, each time that it is carried out. */
export function addCosts(program: hbs.AST.Program): void {
  const visitor = new Handlebars.Visitor();
  const visitChildren = visitor.Program.bind(visitor);
  visitor.Program = (block) => {
    visitChildren(block);
    block.body.unshift(payment(block.body.length + 1, block.loc));
  };
  visitor.accept(program);
}

/** Registers what `addCosts` calls. */
export function registerCosts(handlebars: Environment, spend: (steps: number) => void): void {
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
