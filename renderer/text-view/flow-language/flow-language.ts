/**
 * Flow files and catalogues of conversations as a language of the text view.
 */
import type { editor } from 'monaco-editor/editor';
import {
  flowJsonSchema,
  isCataloguePath,
  type JsonMap,
  type NodeTypeCatalog,
  stepCatalog,
  stepsJsonSchema,
} from '../../../engine/isomorphic.ts';
import type { Surroundings } from '../../stores/flow/binding-candidates.ts';
import type { TextLanguage } from '../languages.ts';
import type { Monaco } from '../monaco.ts';
import { indexCatalogue } from './catalogue-index.ts';
import { catalogueSchema, completeCatalogue } from './complete-catalogue.ts';
import { completeFlow, type FlowKnowledge } from './complete-flow.ts';
import { type FlowIndex, indexFlow, isStepText } from './flow-index.ts';
import { targetAt } from './flow-places.ts';
import { type FlowHelp, type OutsideTarget, registerFlowProviders } from './flow-providers.ts';

/** What the help for flow files needs of the program. */
interface FlowLanguageOptions {
  readonly catalog: NodeTypeCatalog;
  /** The sentence on the card of a node. */
  summaryOf(path: string, id: string): string | undefined;
  /** What is known beside the text of a flow. */
  surroundingsOf(path: string): Surroundings;
  /** Gives a node or a flow of a file another name wherever it is named. Reports refusals itself. */
  rename(path: string, id: string, to: string): Promise<unknown>;
  open(target: OutsideTarget): void;
}

const helps = new Map<editor.ITextModel, FlowHelp>();
const indexes = new WeakMap<editor.ITextModel, { readonly version: number; readonly index: FlowIndex }>();

/** The index of a text as it is now, in Monaco's offsets. */
export function indexOfModel(model: editor.ITextModel, read: (text: string) => FlowIndex = indexFlow): FlowIndex {
  const known = indexes.get(model);
  const version = model.getVersionId();
  if (known?.version === version) return known.index;
  const index = read(model.getValue());
  indexes.set(model, { version, index });
  return index;
}

function registerFlows(monaco: Monaco): void {
  // Left to itself, Monaco closes no braces before a quote, where most bindings are typed.
  monaco.languages.setLanguageConfiguration('yaml', { autoCloseBefore: ';:.,=}])>"\'!?*_-|\\/ \n\t' });
  registerFlowProviders(monaco, (model) => helps.get(model));
}

/** Makes the language of flow files, and of catalogues of conversations. */
export function createFlowLanguage(options: FlowLanguageOptions): TextLanguage {
  const { catalog, surroundingsOf, summaryOf, open, rename } = options;
  const knowledge = flowKnowledge(catalog);
  return {
    id: 'yaml',
    isFor: ({ kind }) => kind === 'flow' || kind === 'dialogue',
    register: registerFlows,
    attach(monaco, { view, file }, path) {
      const { model } = file;
      const isCatalogue = isCataloguePath(path);
      const index = (): FlowIndex => indexOfModel(model, isCatalogue ? indexCatalogue : indexFlow);
      const known: FlowHelp['knowledge'] = {
        get schema() {
          if (isCatalogue) return catalogueSchema();
          return isStepText(index().root) ? stepSchema() : knowledge.schema;
        },
        get catalog() {
          return isStepText(index().root) ? stepCatalog : knowledge.catalog;
        },
        get files() {
          return surroundingsOf(path).files;
        },
        get secrets() {
          return surroundingsOf(path).secrets;
        },
        summaryOf: (id) => summaryOf(path, id),
      };
      helps.set(model, {
        knowledge: known,
        index,
        complete: isCatalogue ? completeCatalogue : (at, offset) => completeFlow(at, offset, known),
        rename: (id, to) => rename(path, id, to),
        open,
      });
      const definition = view.addAction({
        id: 'millrace.goToDefinition',
        label: 'Go to definition',
        keybindings: [monaco.KeyCode.F12],
        run() {
          const position = view.getPosition();
          const target = position === null ? undefined : targetAt(index(), model.getOffsetAt(position));
          if (target === undefined || target.kind === 'node')
            view.trigger('keyboard', 'editor.action.revealDefinition', {});
          else open(target);
        },
      });
      return () => {
        definition.dispose();
        helps.delete(model);
      };
    },
  };
}

let steps: JsonMap | undefined;

/** Made when it is first asked for. */
function stepSchema(): JsonMap {
  steps ??= stepsJsonSchema();
  return steps;
}

/** Gathers what is known of the types of a catalog. The schema is made when it is first asked for, and anew for other types. */
export function flowKnowledge(catalog: NodeTypeCatalog): FlowKnowledge {
  let made: { readonly schema: JsonMap; readonly types: ReturnType<NodeTypeCatalog['list']> } | undefined;
  return {
    get schema() {
      const types = catalog.list();
      if (made?.types !== types) made = { schema: flowJsonSchema(catalog), types };
      return made.schema;
    },
    catalog,
  };
}
