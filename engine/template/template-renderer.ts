/**
 * Prompt templates: Handlebars for plain text. Nothing is escaped, a missing value is empty, and a template reaches nothing
 * but the data it is handed, for a bounded time.
 */
import Handlebars from 'handlebars/dist/cjs/handlebars.js';
import { EngineError } from '../base/engine-error.ts';
import type { TemplateDialect } from '../kernel/capabilities.ts';
import { registerAgentHelpers } from './agent-helpers.ts';
import { addCosts, hasTooManyTags, MAX_FILLED_LENGTH, MAX_TAGS, registerCosts, StepBudget } from './template-limits.ts';
import { commonSyntax, findUnknownCall, problemOfError, type TemplateProblem } from './template-syntax.ts';

// Templates that were compiled lately: an agent fills the same few for each of its inputs.

/** What is kept, in UTF-16 units of templates. */
const largestSum = 1024 * 1024;

type Fill = Handlebars.TemplateDelegate;

/** Keeps the latest; the first that came is the first to go. */
class FillCache {
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

/** Fills templates with data. */
export interface TemplateRenderer {
  /**
   * Renders `template` with `data`, a JSON value; of a map, the names are on the top level.
   * @throws EngineError `template.bad-syntax` | `template.failed`
   */
  render(template: string, data: unknown): string;
  /** Why a template cannot be filled, whatever the data; null when nothing is seen that would keep it from it. */
  problemOf(template: string): TemplateProblem | null;
}

type Environment = ReturnType<typeof Handlebars.create>;

/** Makes a renderer with an environment of its own: helpers registered elsewhere do not reach it. */
export function createTemplateRenderer(dialect: TemplateDialect = 'flow'): TemplateRenderer {
  const handlebars = Handlebars.create();
  let budget = new StepBudget();
  const spend = (steps: number): void => budget.spend(steps);
  registerCosts(handlebars, spend);
  handlebars.registerHelper('raw', function (this: unknown, options: Handlebars.HelperOptions) {
    return options.fn(this);
  });
  if (dialect === 'agent') registerAgentHelpers(handlebars, spend);
  else registerFlowHelpers(handlebars, spend);
  const fills = new FillCache();
  const textOf = dialect === 'agent' ? agentText : JSON.stringify;

  return {
    problemOf(template) {
      try {
        return findUnknownCall(parseTemplate(handlebars, template), new Set(Object.keys(handlebars.helpers)));
      } catch (error) {
        return problemOfError(error, template);
      }
    },
    render(template, data) {
      const fill = fills.get(template, () => compile(handlebars, template));
      budget = new StepBudget();
      try {
        const text = fill(asTemplateData(data, textOf), {
          allowProtoMethodsByDefault: false,
          allowProtoPropertiesByDefault: false,
        });
        if (text.length > MAX_FILLED_LENGTH) throw new RangeError(`it gives more than ${MAX_FILLED_LENGTH} characters`);
        return text;
      } catch (error) {
        throw new EngineError({
          code: 'template.failed',
          message: `The template could not be filled: ${messageOf(error)}.`,
          cause: error,
        });
      }
    },
  };
}

function compile(handlebars: Environment, template: string): Handlebars.TemplateDelegate {
  return handlebars.compile(parse(handlebars, template), { noEscape: true });
}

function registerFlowHelpers(handlebars: Environment, spend: (steps: number) => void): void {
  handlebars.registerHelper('json', (...args: readonly unknown[]) => {
    const text = toJson(...args);
    spend(text.length / jsonCharactersPerStep);
    return text;
  });
  // It would print to the console, where the command line's output is a protocol.
  handlebars.unregisterHelper('log');
}

/** Characters of JSON that are written in the time of one step. */
const jsonCharactersPerStep = 100;

/** `{{json value}}`, `{{json value indent=2}}` */
function toJson(...args: readonly unknown[]): string {
  const [value, options] = args;
  if (args.length !== 2) throw new Error('"json" takes one value; a field of that name is written this.json');
  const { hash } = options as Handlebars.HelperOptions;
  return JSON.stringify(value ?? null, undefined, Number(hash['indent'] ?? 0));
}

/** A list or a map as agent files print it, which is how Handlebars for Rust does. */
function agentText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(agentText).join(', ')}]`;
  return typeof value === 'object' && value !== null ? '[object]' : String(value ?? '');
}

/** @throws RangeError for one that would take too long; what the parser throws */
function parseTemplate(handlebars: Environment, template: string): hbs.AST.Program {
  if (hasTooManyTags(template)) throw new RangeError(`it has more than ${MAX_TAGS} tags`);
  return handlebars.parse(commonSyntax(template));
}

/** The syntax tree, with what each block costs. */
function parse(handlebars: Environment, template: string): hbs.AST.Program {
  try {
    const syntaxTree = parseTemplate(handlebars, template);
    addCosts(syntaxTree);
    return syntaxTree;
  } catch (error) {
    throw badSyntax(error);
  }
}

function badSyntax(error: unknown): EngineError {
  return new EngineError({
    code: 'template.bad-syntax',
    message: `The template has a syntax error: ${messageOf(error)}.`,
    cause: error,
  });
}

/** Handlebars spreads its messages over several lines with a drawing of the place; an error here is one line. */
function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text
    .trim()
    .replaceAll(/\s*\n\s*/g, ' ')
    .replace(/\.$/, '');
}

/**
 * A copy whose lists and maps turn into text where text is wanted, and whose maps have no prototype. The copy is what
 * lets a bare `{{value}}` show a map: Handlebars joins values with `+` and has no hook for it.
 */
function asTemplateData(value: unknown, textOf: (value: unknown) => string): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const copy: object = Array.isArray(value)
    ? value.map((entry) => asTemplateData(entry, textOf))
    : Object.assign(
        Object.create(null),
        Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, asTemplateData(entry, textOf)])),
      );
  // A loop may print the same value a thousand times.
  let text: string | undefined;
  const toText = (): string => {
    text ??= textOf(value);
    return text;
  };
  return Object.defineProperty(copy, Symbol.toPrimitive, { value: toText, enumerable: false });
}
