/**
 * Prompt templates: Handlebars for plain text. Nothing is escaped, missing values are empty, and a template can access
 * only the given data and run for a limited time.
 */
import Handlebars from 'handlebars/dist/cjs/handlebars.js';
import { EngineError } from '../../base/engine-error.ts';
import type { TemplateDialect } from '../../runtime/kernel/capabilities/capabilities.ts';
import { registerAgentHelpers } from './agent-helpers.ts';
import { addCosts, hasTooManyTags, MAX_FILLED_LENGTH, MAX_TAGS, registerCosts, StepBudget } from './template-limits.ts';
import { commonSyntax, findUnknownCall, problemOfError, type TemplateProblem } from './template-syntax.ts';

// Cache of compiled templates, because an agent renders the same few templates for each input.

/** Maximum total size of cached templates, in UTF-16 code units. */
const largestSum = 1024 * 1024;

type Fill = Handlebars.TemplateDelegate;

/** Evicts the oldest entries first. */
class FillCache {
  readonly #fills = new Map<string, Fill>();
  #sum = 0;

  /** Returns the compiled template. If it is not cached, calls `make` and passes on its errors. */
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

/** Renders templates with data. */
export interface TemplateRenderer {
  /**
   * Renders `template` with `data`, a JSON value. A map's keys are top-level names.
   * @throws EngineError `template.bad-syntax` | `template.failed`
   */
  render(template: string, data: unknown): string;
  /** Returns why a template cannot be rendered, regardless of the data; null if no problem is found. */
  problemOf(template: string): TemplateProblem | null;
}

type RendererEnvironment = ReturnType<typeof Handlebars.create>;

/** Creates a renderer with a separate environment, which does not see helpers registered elsewhere. */
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
        if (text.length > MAX_FILLED_LENGTH)
          throw new RangeError(`the result has more than ${MAX_FILLED_LENGTH} characters`);
        return text;
      } catch (error) {
        throw new EngineError({
          code: 'template.failed',
          message: `The template cannot be rendered: ${messageOf(error)}.`,
          cause: error,
        });
      }
    },
  };
}

function compile(handlebars: RendererEnvironment, template: string): Handlebars.TemplateDelegate {
  return handlebars.compile(parse(handlebars, template), { noEscape: true });
}

function registerFlowHelpers(handlebars: RendererEnvironment, spend: (steps: number) => void): void {
  handlebars.registerHelper('json', (...args: readonly unknown[]) => {
    const text = toJson(...args);
    spend(text.length / jsonCharactersPerStep);
    return text;
  });
  // It would print to the console, where the command line's output is a protocol.
  handlebars.unregisterHelper('log');
}

/** Number of JSON characters written in the time of one step. */
const jsonCharactersPerStep = 100;

/** Implements `{{json value}}` and `{{json value indent=2}}`. */
function toJson(...args: readonly unknown[]): string {
  const [value, options] = args;
  if (args.length !== 2) throw new Error('"json" takes one value; to access a field of this name, write this.json');
  const { hash } = options as Handlebars.HelperOptions;
  return JSON.stringify(value ?? null, undefined, Number(hash['indent'] ?? 0));
}

/** Prints a list or map like Handlebars for Rust, as agent files expect. */
function agentText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(agentText).join(', ')}]`;
  return typeof value === 'object' && value !== null ? '[object]' : String(value ?? '');
}

/** @throws RangeError if parsing would take too long; errors from the parser */
function parseTemplate(handlebars: RendererEnvironment, template: string): hbs.AST.Program {
  if (hasTooManyTags(template)) throw new RangeError(`it has more than ${MAX_TAGS} tags`);
  return handlebars.parse(commonSyntax(template));
}

/** Returns the syntax tree with each block's cost. */
function parse(handlebars: RendererEnvironment, template: string): hbs.AST.Program {
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

/** Handlebars has multi-line messages that show the position; errors here have one line. */
function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text
    .trim()
    .replaceAll(/\s*\n\s*/g, ' ')
    .replace(/\.$/, '');
}

/**
 * Returns a copy whose lists and maps convert to text on demand and whose maps have no prototype. The copy allows a
 * plain `{{value}}` to print a map, because Handlebars joins values with `+` and has no hook for this.
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
