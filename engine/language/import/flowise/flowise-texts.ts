/**
 * Converts texts of Flowise, which are HTML with variables: `{{ node }}`, `{{ $flow.state.key }}` and others.
 */
import { readPath } from '../../bindings/binding-path.ts';
import { isJsonMap, type JsonMap, type JsonValue } from '../../json/json-value.ts';
import type { MappingContext } from '../mapping.ts';
import { isBlank, mapsAt, textAt } from '../read-json.ts';
import type { SourceNode } from '../source-flow.ts';
import { binding, replaceTokens } from '../texts.ts';

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ', amp: '&' };

/** Returns the text of HTML; other text is returned as it is. */
export function textOfHtml(html: string): string {
  if (!/<\/?(?:p|span|br|strong|em|h\d|ul|ol|li|code|pre|blockquote)\b/i.test(html)) return html;
  return html
    .replace(/<br\s*\/?>/gi, '\n')
    .replace(/<li\b[^>]*>(?:<p>)?/gi, '- ')
    .replace(/<\/(?:p|h\d|li|pre|blockquote)>/gi, '\n')
    .replace(/<\/?(?:p|span|strong|em|b|i|u|h\d|ul|ol|li|code|pre|blockquote|a)\b[^<>]*>/gi, '')
    .replace(/&(lt|gt|quot|#39|nbsp|amp);/g, (all, name: string) => entities[name] ?? all)
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** Reads the texts of a node, and collects what was lost. */
export class FlowiseTexts {
  readonly lost: string[] = [];
  readonly #node: SourceNode;
  readonly #context: MappingContext;

  constructor(node: SourceNode, context: MappingContext) {
    this.#node = node;
    this.#context = context;
  }

  /** Converts text with variables. */
  text(html: JsonValue | undefined): string {
    const text = typeof html === 'string' ? textOfHtml(html) : isBlank(html) ? '' : JSON.stringify(html);
    return replaceTokens(
      text,
      (variable) => {
        const path = this.#pathOf(variable);
        return path === undefined ? undefined : binding(path);
      },
      this.lost,
    );
  }

  /** Returns the path that a text reads; undefined if it is not a single variable. */
  path(html: JsonValue | undefined): readonly string[] | undefined {
    const text = typeof html === 'string' ? textOfHtml(html) : '';
    const variable = /^\{\{([^{}]*)\}\}$/.exec(text.trim())?.[1];
    return variable === undefined ? undefined : this.#pathOf(variable.trim());
  }

  #pathOf(variable: string): readonly string[] | undefined {
    const found = readPath(variable, 0);
    if (found?.end !== variable.length) return undefined;
    const [root = '', ...rest] = found.segments;
    if (root === 'question') return ['flow', 'input', 'question'];
    if (root === '$form') return ['flow', 'input', ...rest];
    if (root === '$iteration') return this.#itemPath(rest);
    if (root === '$flow' && rest[0] === 'state') return this.#statePath(rest[1] ?? '', rest.slice(2));
    const source = this.#context.node(root);
    const below = rest[0] === 'output' || rest[0] === 'data' ? rest.slice(rest[1] === 'instance' ? 2 : 1) : rest;
    return source === undefined ? undefined : this.#context.path(this.#node, source, { port: '', rest: below });
  }

  #itemPath(rest: readonly string[]): readonly string[] | undefined {
    const loop = this.#node.parent === undefined ? undefined : this.#context.node(this.#node.parent);
    return loop === undefined ? undefined : [this.#context.itemOf(loop), ...rest];
  }

  /** A key of the state is an output of the node that sets it, if only one node does. */
  #statePath(key: string, rest: readonly string[]): readonly string[] | undefined {
    const writers = this.#context.flow.nodes.flatMap((node) => {
      const update = updatesOf(node).find((one) => textAt(one, 'key') === key);
      return update === undefined ? [] : [{ node, value: textOfHtml(textAt(update, 'value')).trim() }];
    });
    const [writer] = writers;
    if (writer === undefined || writers.length > 1) return undefined;
    const output = /^\{\{\s*output((?:\.[\w$]+)*)\s*\}\}$/.exec(writer.value)?.[1];
    if (output === undefined) return undefined;
    const fields = output.split('.').slice(1);
    return this.#context.path(this.#node, writer.node, { port: '', rest: [...fields, ...rest] });
  }
}

function updatesOf({ settings }: SourceNode): readonly JsonMap[] {
  const key = Object.keys(settings).find((name) => name.endsWith('UpdateState'));
  return key === undefined ? [] : mapsAt(settings, key).filter(isJsonMap);
}
