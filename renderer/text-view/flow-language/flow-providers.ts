/**
 * The language features for flow files as Monaco providers. Registered once per page; each text has separate data.
 */
import type { editor, IRange, languages, Position } from 'monaco-editor/editor';
import { outputSteps } from '../../stores/flow/binding-candidates.ts';
import type { Monaco } from '../monaco.ts';
import { text as words } from '../text.ts';
import { type FlowKnowledge, mayComplete } from './complete-flow.ts';
import { entryPath, type YamlEntry, type YamlToken } from './entry.ts';
import { type FlowIndex, mentionAt, type NodePlace } from './flow-index.ts';
import { type DefinitionTarget, mentionsOf, outlineOf, outsideTargets, renamableAt, targetAt } from './flow-places.ts';
import { describe, knownValues, schemasOf } from './schema-walk.ts';
import type { CompletionSuggestion } from './suggestion.ts';
import { innermostAt } from './yaml-cursor.ts';

/** A definition outside a flow file. */
export type OutsideTarget = Exclude<DefinitionTarget, { kind: 'node' }>;

/** The language features for one text. */
export interface FlowHelp {
  readonly knowledge: FlowKnowledge & { summaryOf(id: string): string | undefined };
  /** Returns the index of the current text, in Monaco's offsets. */
  index(): FlowIndex;
  /** Returns the completions at an offset. */
  complete(index: FlowIndex, offset: number): readonly CompletionSuggestion[];
  /** Renames a node and all references to it. Reports errors itself. */
  rename(id: string, to: string): Promise<unknown>;
  open(target: OutsideTarget): void;
}

/** Returns the language features for a text, or undefined if it is not a flow. */
type FindHelp = (model: editor.ITextModel) => FlowHelp | undefined;

const language = 'yaml';
const linkScheme = 'millrace-open';

/** Converts a range of the text to Monaco's range. */
function rangeOf(model: editor.ITextModel, { start, end }: Pick<YamlToken, 'start' | 'end'>): IRange {
  const from = model.getPositionAt(start);
  const to = model.getPositionAt(end);
  return {
    startLineNumber: from.lineNumber,
    startColumn: from.column,
    endLineNumber: to.lineNumber,
    endColumn: to.column,
  };
}

/** Registers all language features for flow files with Monaco. */
export function registerFlowProviders(monaco: Monaco, find: FindHelp): void {
  const { languages: registry } = monaco;
  registry.registerCompletionItemProvider(language, completionProvider(monaco, find));
  registry.registerHoverProvider(language, {
    provideHover(model, position) {
      const help = find(model);
      const found = help && hoverFlow(help.index(), model.getOffsetAt(position), help.knowledge);
      if (found === undefined) return null;
      return { range: rangeOf(model, found), contents: found.paragraphs.map((value) => ({ value })) };
    },
  });
  registry.registerDefinitionProvider(language, {
    provideDefinition(model, position) {
      const help = find(model);
      const target = help && targetAt(help.index(), model.getOffsetAt(position));
      if (target?.kind !== 'node') return null;
      const { entry } = target.node;
      return [
        {
          uri: model.uri,
          range: rangeOf(model, entry),
          targetSelectionRange: rangeOf(model, target.at),
          originSelectionRange: rangeOf(model, target.from),
        },
      ];
    },
  });
  registry.registerReferenceProvider(language, {
    provideReferences(model, position) {
      const help = find(model);
      const mentions = help === undefined ? [] : mentionsOf(help.index(), model.getOffsetAt(position));
      return mentions.map((mention) => ({ uri: model.uri, range: rangeOf(model, mention) }));
    },
  });
  registry.registerRenameProvider(language, renameProvider(find));
  registry.registerDocumentSymbolProvider(language, symbolProvider(monaco, find));
  registerLinks(monaco, find);
}

function completionProvider(monaco: Monaco, find: FindHelp): languages.CompletionItemProvider {
  const { CompletionItemKind } = monaco.languages;
  const kinds: Readonly<Record<CompletionSuggestion['kind'], languages.CompletionItemKind>> = {
    key: CompletionItemKind.Property,
    value: CompletionItemKind.EnumMember,
    node: CompletionItemKind.Variable,
    field: CompletionItemKind.Field,
  };
  return {
    triggerCharacters: ['{', '.', ' ', '[', ','],
    provideCompletionItems(model, position) {
      const help = find(model);
      const { lineNumber, column } = position;
      const isWorthIt = mayComplete(model.getLineContent(lineNumber).slice(0, column - 1));
      const found = help === undefined || !isWorthIt ? [] : help.complete(help.index(), model.getOffsetAt(position));
      const suggestions = found.map((suggestion, index) => ({
        label: { label: suggestion.label, description: suggestion.detail },
        kind: kinds[suggestion.kind],
        detail: suggestion.description,
        documentation: { value: suggestion.description },
        insertText: suggestion.insert,
        ...(suggestion.filter === undefined ? {} : { filterText: suggestion.filter }),
        sortText: String(index).padStart(5, '0'),
        range: rangeOf(model, suggestion),
        // Opens the completions for the value of the new key at once.
        ...(suggestion.kind === 'key' ? { command: { id: 'editor.action.triggerSuggest', title: '' } } : {}),
      }));
      return { suggestions };
    },
  };
}

function renameProvider(find: FindHelp): languages.RenameProvider {
  const placeAt = (model: editor.ITextModel, position: Position) => {
    const help = find(model);
    return { help, place: help && renamableAt(help.index(), model.getOffsetAt(position)) };
  };
  return {
    async provideRenameEdits(model, position, newName) {
      const { help, place } = placeAt(model, position);
      if (help !== undefined && place !== undefined) await help.rename(place.text, newName);
      // The edits are applied like all other edits of the file.
      return { edits: [] };
    },
    resolveRenameLocation(model, position) {
      const { place } = placeAt(model, position);
      if (place !== undefined) return { range: rangeOf(model, place), text: place.text };
      const here = rangeOf(model, { start: model.getOffsetAt(position), end: model.getOffsetAt(position) });
      return { range: here, text: '', rejectReason: words.editor.notRenamable };
    },
  };
}

function symbolProvider(monaco: Monaco, find: FindHelp): languages.DocumentSymbolProvider {
  return {
    displayName: words.editor.outline,
    provideDocumentSymbols(model) {
      const help = find(model);
      const lines = help === undefined ? [] : outlineOf(help.index());
      return lines.map(({ name, type, place, start, end, loop }) => ({
        name,
        detail: type,
        kind: monaco.languages.SymbolKind.Object,
        tags: [],
        range: rangeOf(model, { start, end }),
        selectionRange: rangeOf(model, place),
        ...(loop === undefined ? {} : { containerName: loop }),
      }));
    },
  };
}

/** Agents and files are opened by the program, not by Monaco. */
function registerLinks(monaco: Monaco, find: FindHelp): void {
  monaco.languages.registerLinkProvider(language, {
    provideLinks(model) {
      const help = find(model);
      const targets = help === undefined ? [] : outsideTargets(help.index());
      const links = targets.map((target) => ({
        range: rangeOf(model, target.from),
        url: monaco.Uri.from({ scheme: linkScheme, path: `/${model.id}`, query: String(target.from.start) }),
        tooltip: target.kind === 'agent' ? words.editor.openAgent : words.editor.openFile,
      }));
      return { links };
    },
  });
  monaco.editor.registerLinkOpener({
    open({ scheme, path, query }) {
      if (scheme !== linkScheme) return false;
      const model = monaco.editor.getModels().find(({ id }) => `/${id}` === path);
      const help = model === undefined ? undefined : find(model);
      const target = help?.index() && outsideTargets(help.index()).find(({ from }) => String(from.start) === query);
      if (target !== undefined) help?.open(target);
      return true;
    },
  });
}

/** A hover text for a range, as Markdown paragraphs. */
interface HoverText {
  readonly start: number;
  readonly end: number;
  readonly paragraphs: readonly string[];
}

/**
 * Returns the hover text for an offset, or undefined.
 * @param summaryOf returns the summary on a node's card
 */
export function hoverFlow(
  index: FlowIndex,
  offset: number,
  knowledge: FlowKnowledge & { summaryOf(id: string): string | undefined },
): HoverText | undefined {
  const mention = mentionAt(index, offset);
  const node = mention === undefined ? undefined : index.nodes.find(({ id }) => id === mention.text);
  if (mention !== undefined && node !== undefined) {
    return textOf(mention, [...aboutNode(node, knowledge.catalog), knowledge.summaryOf(node.id) ?? '']);
  }
  const entry = innermostAt(index.root, offset);
  if (entry.key !== null && isWithin(entry.key, offset)) {
    const schemas = schemasOf(knowledge.schema, entry);
    return textOf(entry.key, [
      `**${entry.key.text}**`,
      describe(schemas.slice(0, 1)) || describe(schemas),
      valuesOf(entry, knowledge),
    ]);
  }
  return entry.value !== null && isWithin(entry.value, offset) ? aboutValue(entry, entry.value, knowledge) : undefined;
}

function aboutNode({ id, type }: NodePlace, catalog: FlowKnowledge['catalog']): readonly string[] {
  const fields = outputSteps(type, catalog).map(({ name, detail, description }) => {
    return `- \`${id}.${name}\`${detail === '' ? '' : ` ${detail}`}${description === '' ? '' : `: ${description}`}`;
  });
  return [`**${id}** · ${catalog.get(type)?.title ?? type}`, fields.join('\n')];
}

function aboutValue(entry: YamlEntry, value: YamlToken, { schema }: FlowKnowledge): HoverText | undefined {
  const known = knownValues(schemasOf(schema, entry)).find(({ text }) => text === value.text);
  return known === undefined ? undefined : textOf(value, [`**${known.title || known.text}**`, known.description]);
}

/**
 * Returns the values of a key if there are few. Node types are excluded: there are many, and each is described where it
 * is used.
 */
function valuesOf(entry: YamlEntry, { schema }: FlowKnowledge): string {
  const values = entryPath(entry).at(-1) === 'type' ? [] : knownValues(schemasOf(schema, entry));
  return values.length === 0
    ? ''
    : words.completions.oneOf({ values: values.map(({ text }) => `\`${text}\``).join(', ') });
}

function isWithin({ start, end }: YamlToken, offset: number): boolean {
  return start <= offset && offset <= end;
}

function textOf({ start, end }: YamlToken, paragraphs: readonly string[]): HoverText | undefined {
  const filled = paragraphs.filter((paragraph) => paragraph !== '');
  return filled.length < 2 ? undefined : { start, end, paragraphs: filled };
}
