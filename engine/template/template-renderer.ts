/**
 * Prompt templates: Handlebars for plain text. Nothing is escaped, a missing value is empty, a list or a map becomes
 * JSON, and a template reaches nothing but the data it is handed.
 */
import Handlebars from 'handlebars/dist/cjs/handlebars.js';
import { EngineError } from '../base/engine-error.ts';

/** Fills templates with data. */
export interface TemplateRenderer {
  /**
   * Renders `template` with the top-level names of `data`, which must be JSON values.
   * @throws EngineError `template.bad-syntax` | `template.failed`
   */
  render(template: string, data: Readonly<Record<string, unknown>>): string;
}

type Environment = ReturnType<typeof Handlebars.create>;

/** Makes a renderer with an environment of its own: helpers registered elsewhere do not reach it. */
export function createTemplateRenderer(): TemplateRenderer {
  const handlebars = Handlebars.create();
  handlebars.registerHelper('json', toJson);
  // It would print to the console, where the command line's output is a protocol.
  handlebars.unregisterHelper('log');
  return {
    render(template, data) {
      const syntaxTree = parse(handlebars, template);
      try {
        const fill = handlebars.compile(syntaxTree, { noEscape: true });
        return fill(asTemplateData(data), {
          allowProtoMethodsByDefault: false,
          allowProtoPropertiesByDefault: false,
        });
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

/** `{{json value}}`, `{{json value indent=2}}` */
function toJson(...args: readonly unknown[]): string {
  const [value, options] = args;
  if (args.length !== 2) throw new Error('"json" takes one value; a field of that name is written this.json');
  const { hash } = options as Handlebars.HelperOptions;
  return JSON.stringify(value ?? null, undefined, Number(hash['indent'] ?? 0));
}

function parse(handlebars: Environment, template: string): hbs.AST.Program {
  try {
    return handlebars.parse(template);
  } catch (error) {
    throw new EngineError({
      code: 'template.bad-syntax',
      message: `The template has a syntax error: ${messageOf(error)}.`,
      cause: error,
    });
  }
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
 * A copy whose lists and maps turn into JSON where text is wanted, and whose maps have no prototype. The copy is what
 * lets a bare `{{value}}` show a map: Handlebars joins values with `+` and has no hook for it.
 */
function asTemplateData(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const copy: object = Array.isArray(value)
    ? value.map(asTemplateData)
    : Object.assign(
        Object.create(null),
        Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, asTemplateData(entry)])),
      );
  return Object.defineProperty(copy, Symbol.toPrimitive, { value: () => JSON.stringify(value), enumerable: false });
}
